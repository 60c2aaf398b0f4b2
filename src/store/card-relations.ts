import type { CardEdge } from '../contracts/card';
import type { EdgeType, Via } from '../contracts/names';
import { waysAmong } from './cards';
import { type BriefCard, briefCards, type SeenBrief } from './cards-brief';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Edges of one card that are looked at; a card of a busy operation has hundreds. */
const MOST_EDGES = 10_000;
/** How far lineage is followed, and how many cards it names: a blast radius, not an export. */
const MOST_GENERATIONS = 10;
const MOST_RELATIVES = 500;

export interface SeenEdge extends CardEdge {
  /** How the reader sees the card at the other end. */
  other: { id: string; vias: Via[] };
}

/** A card's edges, the newest first; one whose other end the reader cannot see is not there. */
export async function readEdges(
  tx: Tx,
  reader: ReaderArguments,
  cardId: string,
): Promise<SeenEdge[]> {
  const edges = await tx.query<CardEdge>(
    `SELECT e.id, e.type, e.from_card AS "from", e.to_card AS "to", e.confidence, e.reason, e.created_at
       FROM edges e
      WHERE e.workspace_id = $1 AND (e.from_card = $2 OR e.to_card = $2)
      ORDER BY e.created_at DESC, e.id
      LIMIT ${MOST_EDGES}`,
    [tx.workspace, cardId],
  );
  const otherOf = (edge: CardEdge) => (edge.from === cardId ? edge.to : edge.from);
  const ways = await waysAmong(tx, reader, [...new Set(edges.map(otherOf))]);
  return edges.flatMap((edge) => {
    const id = otherOf(edge);
    const vias = ways.get(id);
    return vias === undefined ? [] : [{ ...edge, other: { id, vias } }];
  });
}

/** A card that another came from, or that came from it. */
export interface Relative extends BriefCard {
  /** Of the edge that leads there. */
  relation: Extract<EdgeType, 'derived_from' | 'supersedes'>;
  /** 1 for a parent or a child. */
  generation: number;
}

export interface Lineage {
  sources: Relative[];
  derived: Relative[];
  /** Whether there were more than are shown. */
  truncated: boolean;
  seen: { id: string; vias: Via[] }[];
}

/** Where a card comes from and what came from it, through cards that the reader can see only. */
export async function readLineage(
  tx: Tx,
  reader: ReaderArguments,
  cardId: string,
): Promise<Lineage> {
  const sources = await walk(tx, reader, cardId, 'sources');
  const derived = await walk(tx, reader, cardId, 'derived');
  return {
    sources: sources.found.map(({ relative }) => relative),
    derived: derived.found.map(({ relative }) => relative),
    truncated: sources.truncated || derived.truncated,
    seen: [...sources.found, ...derived.found].map(({ relative, vias }) => ({
      id: relative.id,
      vias,
    })),
  };
}

type Direction = 'sources' | 'derived';

interface Step {
  id: string;
  relation: Relative['relation'];
}

async function walk(
  tx: Tx,
  reader: ReaderArguments,
  start: string,
  direction: Direction,
): Promise<{ found: { relative: Relative; vias: Via[] }[]; truncated: boolean }> {
  const found = new Map<string, { relative: Relative; vias: Via[] }>();
  let here = [start];
  for (let generation = 1; here.length > 0; generation += 1) {
    if (generation > MOST_GENERATIONS || found.size >= MOST_RELATIVES) {
      return { found: [...found.values()], truncated: true };
    }
    const steps = (await relativesOf(tx, here, direction)).filter(
      ({ id }) => id !== start && !found.has(id),
    );
    const briefs = await briefCards(tx, reader, [...new Set(steps.map(({ id }) => id))]);
    for (const step of steps) {
      const brief = briefs.get(step.id);
      if (brief === undefined || found.has(step.id) || found.size >= MOST_RELATIVES) continue;
      found.set(step.id, relativeOf(brief, step, generation));
    }
    here = [...briefs.keys()].filter((id) => found.get(id)?.relative.generation === generation);
  }
  return { found: [...found.values()], truncated: false };
}

function relativeOf({ card, vias }: SeenBrief, step: Step, generation: number) {
  return { relative: { ...card, relation: step.relation, generation }, vias };
}

async function relativesOf(
  tx: Tx,
  cards: readonly string[],
  direction: Direction,
): Promise<Step[]> {
  const [near, far] = direction === 'sources' ? ['from_card', 'to_card'] : ['to_card', 'from_card'];
  return await tx.query<Step>(
    `SELECT e.${far} AS id, e.type AS relation
       FROM edges e
      WHERE e.workspace_id = $1 AND e.${near} = ANY ($2) AND e.type IN ('derived_from', 'supersedes')
      ORDER BY e.created_at, e.id
      LIMIT ${MOST_EDGES}`,
    [tx.workspace, cards],
  );
}
