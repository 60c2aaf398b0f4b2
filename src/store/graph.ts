import type { CardKind, EdgeType, Via } from '../contracts/names';
import { type BriefCard, briefCards, newestCards, type SeenBrief } from './cards-brief';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Edges that are looked at for one answer; what is beyond makes it truncated. */
const MOST_EDGES = 5_000;

export interface GraphRequest {
  /** Null shows the newest live cards and what links them. */
  center: string | null;
  depth: number;
  kinds: readonly CardKind[] | null;
  /** Of nodes. */
  limit: number;
}

export interface GraphEdge {
  id: string;
  type: EdgeType;
  from: string;
  to: string;
  confidence: number;
}

export interface Graph {
  nodes: BriefCard[];
  edges: GraphEdge[];
  truncated: boolean;
  seen: { id: string; vias: Via[] }[];
}

/**
 * The cards around one, as far as the reader can see and walk: a card that is not visible, or of another
 * kind than asked for, is no bridge either. The nearest come first.
 * @returns null where the center is not visible.
 */
export async function readGraph(
  tx: Tx,
  reader: ReaderArguments,
  request: GraphRequest,
): Promise<Graph | null> {
  const start =
    request.center === null
      ? await newestCards(tx, reader, request.kinds, request.limit + 1)
      : [request.center];
  let truncated = start.length > request.limit;
  const found = await briefCards(tx, reader, start.slice(0, request.limit));
  const nodes = new Map([...found].sort(([a], [b]) => start.indexOf(a) - start.indexOf(b)));
  if (request.center !== null && nodes.size === 0) return null;

  let here = [...nodes.keys()];
  const hops = request.center === null ? 0 : request.depth;
  for (let hop = 1; hop <= hops && here.length > 0; hop += 1) {
    const around = await neighboursOf(tx, here);
    truncated ||= around.length === MOST_EDGES;
    const fresh = [...new Set(around.flatMap(({ from, to }) => [from, to]))].filter(
      (id) => !nodes.has(id),
    );
    const wanted = ofKinds(await briefCards(tx, reader, fresh), request.kinds);
    here = [];
    for (const id of fresh) {
      const brief = wanted.get(id);
      if (brief === undefined) continue;
      if (nodes.size >= request.limit) {
        truncated = true;
        break;
      }
      nodes.set(id, brief);
      here.push(id);
    }
  }
  const edges = await edgesWithin(tx, [...nodes.keys()]);
  return {
    nodes: [...nodes.values()].map(({ card }) => card),
    edges: edges.slice(0, MOST_EDGES),
    truncated: truncated || edges.length > MOST_EDGES,
    seen: [...nodes].map(([id, { vias }]) => ({ id, vias })),
  };
}

function ofKinds(
  briefs: Map<string, SeenBrief>,
  kinds: readonly CardKind[] | null,
): Map<string, SeenBrief> {
  if (kinds === null) return briefs;
  return new Map([...briefs].filter(([, { card }]) => kinds.includes(card.kind)));
}

async function neighboursOf(
  tx: Tx,
  cards: readonly string[],
): Promise<{ from: string; to: string }[]> {
  return await tx.query<{ from: string; to: string }>(
    `SELECT e.from_card AS "from", e.to_card AS "to"
       FROM edges e
      WHERE e.workspace_id = $1 AND (e.from_card = ANY ($2) OR e.to_card = ANY ($2))
      ORDER BY e.confidence DESC, e.created_at DESC, e.id
      LIMIT ${MOST_EDGES}`,
    [tx.workspace, cards],
  );
}

/** Both ends are among the cards that the reader was found to see. */
async function edgesWithin(tx: Tx, cards: readonly string[]): Promise<GraphEdge[]> {
  return await tx.query<GraphEdge>(
    `SELECT e.id, e.type, e.from_card AS "from", e.to_card AS "to", e.confidence
       FROM edges e
      WHERE e.workspace_id = $1 AND e.from_card = ANY ($2) AND e.to_card = ANY ($2)
      ORDER BY e.confidence DESC, e.created_at DESC, e.id
      LIMIT ${MOST_EDGES + 1}`,
    [tx.workspace, cards],
  );
}
