import type { CardGraph, GraphNode } from '../contracts/graph';
import type { EdgeType, Via } from '../contracts/names';
import type { Tx } from './database';
import { edgesWithin, MOST_FOLLOWED, neighboursOf, standingOf } from './graph-edges';
import type { ReaderArguments } from './visible-cards';
import {
  ANY_NODE,
  graphNodes,
  type NodeFilter,
  newestNodes,
  type SeenNode,
} from './visible-cards-graph';

export interface GraphRequest {
  /** Null shows the newest cards in use and what links them. */
  center: string | null;
  depth: number;
  nodes: NodeFilter;
  /** Null: all. What is of another type is neither shown nor followed. */
  edgeTypes: readonly EdgeType[] | null;
  /** Of nodes. */
  limit: number;
}

export interface SeenGraph extends CardGraph {
  seen: { id: string; vias: Via[] }[];
}

/**
 * The cards around one, as far as the reader can see and walk: a card that is not visible, or not wanted, is no bridge
 * either. The nearest come first.
 * @returns null where the center is not visible.
 */
export async function readGraph(
  tx: Tx,
  reader: ReaderArguments,
  request: GraphRequest,
): Promise<SeenGraph | null> {
  const found =
    request.center === null
      ? await newest(tx, reader, request)
      : await around(tx, reader, request.center, request);
  if (found === null) return null;
  const ids = [...found.nodes.keys()];
  const { edges, truncated } = await edgesWithin(tx, ids, request.edgeTypes);
  const standing = await standingOf(tx, reader, ids);
  return {
    nodes: [...found.nodes.values()].map(
      ({ node }): GraphNode => ({ ...node, ...standing(node.id) }),
    ),
    edges,
    truncated: found.truncated || truncated,
    seen: [...found.nodes].map(([id, { vias }]) => ({ id, vias })),
  };
}

interface Found {
  nodes: Map<string, SeenNode>;
  truncated: boolean;
}

async function newest(
  tx: Tx,
  reader: ReaderArguments,
  { nodes: filter, limit }: GraphRequest,
): Promise<Found> {
  const ids = await newestNodes(tx, reader, filter, limit + 1);
  return {
    nodes: await graphNodes(tx, reader, ids.slice(0, limit), filter),
    truncated: ids.length > limit,
  };
}

async function around(
  tx: Tx,
  reader: ReaderArguments,
  center: string,
  { depth, nodes: filter, edgeTypes, limit }: GraphRequest,
): Promise<Found | null> {
  const nodes = await graphNodes(tx, reader, [center], ANY_NODE);
  if (nodes.size === 0) return null;
  let truncated = false;
  let here = [center];
  for (let hop = 1; hop <= depth && here.length > 0; hop += 1) {
    const near = await neighboursOf(tx, here, edgeTypes);
    truncated ||= near.length === MOST_FOLLOWED;
    const fresh = [...new Set(near.flatMap(({ from, to }) => [from, to]))].filter(
      (id) => !nodes.has(id),
    );
    const seen = [...(await graphNodes(tx, reader, fresh, filter))];
    const taken = seen.slice(0, Math.max(0, limit - nodes.size));
    truncated ||= taken.length < seen.length;
    for (const [id, node] of taken) nodes.set(id, node);
    here = taken.map(([id]) => id);
  }
  return { nodes, truncated };
}
