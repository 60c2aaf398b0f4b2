import type { CardGraph, GraphEdge, GraphNode } from '../../../../src/contracts/graph';
import type { View } from './use-view';

/** What is left of a graph by filters and time; map and table show the same. */
export interface Shown {
  nodes: GraphNode[];
  edges: GraphEdge[];
  ids: ReadonlySet<string>;
  edgeIds: ReadonlySet<string>;
  /** Cards that hold the words searched for; null: nothing is searched for. */
  found: ReadonlySet<string> | null;
}

type Wanted = Pick<View, 'kinds' | 'edgeTypes' | 'sign' | 'hidesLone' | 'words'> & {
  until: number | null;
};

export function shownOf(graph: CardGraph, wanted: Wanted): Shown {
  const { kinds, edgeTypes, sign, hidesLone, until } = wanted;
  const isEarly = (at: string) => until === null || Date.parse(at) <= until;
  let nodes = graph.nodes.filter(
    (node) =>
      kinds.has(node.kind) &&
      (sign === undefined || node.sign === sign) &&
      isEarly(node.recorded_at),
  );
  let ids = idsOf(nodes);
  const edges = graph.edges.filter(
    (edge) =>
      edgeTypes.has(edge.type) &&
      ids.has(edge.from) &&
      ids.has(edge.to) &&
      isEarly(edge.created_at),
  );
  if (hidesLone) {
    const tied = new Set(edges.flatMap(({ from, to }) => [from, to]));
    nodes = nodes.filter(({ id }) => tied.has(id));
    ids = tied;
  }
  return { nodes, edges, ids, edgeIds: idsOf(edges), found: foundIn(nodes, wanted.words) };
}

function foundIn(nodes: readonly GraphNode[], words: string): ReadonlySet<string> | null {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return null;
  const holds = ({ id, summary, agent, service }: GraphNode) => {
    const text = [id, summary, agent, service].join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  return idsOf(nodes.filter(holds));
}

function idsOf(things: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(things.map(({ id }) => id));
}

/** First and last time of recording, in milliseconds. */
export function spanOf(nodes: readonly GraphNode[]): [number, number] | null {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { recorded_at } of nodes) {
    const at = Date.parse(recorded_at);
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return last > first ? [first, last] : null;
}

/** Pairs that wait for a decision, and cards whose other side is not loaded. */
export function openConflicts({ nodes, edges }: Pick<CardGraph, 'nodes' | 'edges'>): {
  pairs: [GraphNode, GraphNode][];
  single: GraphNode[];
} {
  const open = new Map(nodes.filter((node) => node.open_conflict).map((node) => [node.id, node]));
  const single = new Set(open.keys());
  const pairs = new Map<string, [GraphNode, GraphNode]>();
  for (const { type, from, to } of edges) {
    const [one, other] = [open.get(from), open.get(to)];
    if (type !== 'conflicts' || one === undefined || other === undefined) continue;
    pairs.set([from, to].sort().join(' '), [one, other]);
    single.delete(from);
    single.delete(to);
  }
  return {
    pairs: [...pairs.values()],
    single: [...open.values()].filter(({ id }) => single.has(id)),
  };
}
