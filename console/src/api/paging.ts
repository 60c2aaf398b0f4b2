import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { get, type Query } from './http';

export interface Page<T> {
  items: T[];
  next_cursor: string | null;
  total: number;
  /** `total` counts no further than this. */
  total_capped?: boolean;
}

export interface Rows<T> {
  items: T[];
  total: number;
  capped: boolean;
  error: Error | null;
  /** Nothing has come yet. */
  loading: boolean;
  /** What is shown belongs to the question before. */
  changing: boolean;
  more: boolean;
  loadingMore: boolean;
  loadMore(): void;
  again(): void;
}

const PAGE = 100;

/** The topics that a query's key begins with; what is made of several has them with blanks between. */
export function topicsOf(queryKey: readonly unknown[]): string[] {
  return String(queryKey[0]).split(' ');
}

/**
 * Every list of the API, page after page as the reader scrolls. The key begins with the list's topic,
 * by which the stream of changes finds it (`live.ts`).
 */
export function useRows<T>(
  topic: string,
  path: string,
  query: Query = {},
  options: { enabled?: boolean; pageSize?: number } = {},
): Rows<T> {
  const { enabled = true, pageSize = PAGE } = options;
  const found = useInfiniteQuery({
    queryKey: [topic, 'list', path, query],
    queryFn: ({ pageParam, signal }) =>
      get<Page<T>>(path, { limit: pageSize, ...query, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    enabled,
  });
  const items = useMemo(() => found.data?.pages.flatMap((page) => page.items) ?? [], [found.data]);
  const first = found.data?.pages[0];
  return {
    items,
    total: first?.total ?? 0,
    capped: first?.total_capped === true,
    error: found.error,
    loading: found.isPending && enabled,
    changing: found.isPlaceholderData,
    more: found.hasNextPage,
    loadingMore: found.isFetchingNextPage,
    loadMore: () => {
      if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage();
    },
    again: () => void found.refetch(),
  };
}

/** One thing, by its path; the key begins with its topic. `keep` shows the answer before until the next one is there. */
export function useOne<T>(
  topic: string,
  path: string,
  query: Query = {},
  options: { enabled?: boolean; refetchInterval?: number | false; keep?: boolean } = {},
) {
  return useQuery({
    queryKey: [topic, 'one', path, query],
    queryFn: ({ signal }) => get<T>(path, query, signal),
    enabled: options.enabled ?? true,
    refetchInterval: options.refetchInterval ?? false,
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
  });
}
