import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { CardGraph, GraphEdge, GraphNode } from '../../../../src/contracts/graph';
import { CARD_KINDS } from '../../../../src/contracts/names';
import { get, type Query } from '../../api/http';
import type { View } from './use-view';

const PATH = '/v1/graph';
/** A busy fleet changes cards every second; thousands of them are not read again that often. */
const PAUSE_MS = 10_000;
/** Neighbours of one card; more of them would bury it. */
const NEIGHBOURS = 200;

const running = new Map<string, Promise<CardGraph>>();
const readAt = new Map<string, number>();

/** One reading of a graph at a time, and a pause between two of the same. */
function read(query: Query): Promise<CardGraph> {
  const name = JSON.stringify(query);
  const before = running.get(name);
  if (before !== undefined) return before;
  const wait = Math.max(0, (readAt.get(name) ?? 0) + PAUSE_MS - Date.now());
  const reading = new Promise((resolve) => setTimeout(resolve, wait))
    .then(() => get<CardGraph>(PATH, query))
    .finally(() => {
      running.delete(name);
      readAt.set(name, Date.now());
    });
  running.set(name, reading);
  return reading;
}

const asked = (query: Query) => ({
  queryKey: ['cards', 'graph', query],
  queryFn: () => read(query),
  staleTime: PAUSE_MS,
});

export interface LoadedGraph {
  /** Undefined until there is one. */
  graph: CardGraph | undefined;
  error: Error | null;
  /** What is shown belongs to the question before, or more is on its way. */
  changing: boolean;
  /** Reads it again now. */
  again(): void;
}

/** The cards that the address asks for, with the neighbours of those that were expanded. */
export function useGraph(view: View): LoadedGraph {
  const client = useQueryClient();
  const { center, depth, expanded, kinds, agent, before, limit } = view;
  const nodes: Query = {
    kinds: kinds.size === CARD_KINDS.length ? undefined : [...kinds].join(','),
    agent,
    until: before,
  };
  const base = useQuery({
    ...asked(
      center === undefined ? { ...nodes, limit } : { center, depth, ...nodes, limit: '2000' },
    ),
    placeholderData: keepPreviousData,
  });
  const more = useQueries({
    queries: expanded.map((id) => asked({ center: id, depth: '1', ...nodes, limit: NEIGHBOURS })),
    combine: (all) => ({
      graphs: all.flatMap(({ data }) => data ?? []),
      error: all.find(({ error }) => error !== null)?.error ?? null,
      loading: all.some(({ isLoading }) => isLoading),
    }),
  });
  const graph = useMemo(
    () => (base.data === undefined ? undefined : merged([base.data, ...more.graphs])),
    [base.data, more.graphs],
  );
  const again = useCallback(() => {
    readAt.clear();
    void client.invalidateQueries({ queryKey: ['cards', 'graph'] });
  }, [client]);
  return {
    graph,
    error: base.error ?? more.error,
    changing: base.isPlaceholderData || more.loading,
    again,
  };
}

function merged(graphs: readonly CardGraph[]): CardGraph {
  const [first, ...rest] = graphs;
  if (first !== undefined && rest.length === 0) return first;
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  for (const graph of graphs) {
    for (const node of graph.nodes) nodes.set(node.id, node);
    for (const edge of graph.edges) edges.set(edge.id, edge);
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    truncated: graphs.some(({ truncated }) => truncated),
  };
}
