import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import {
  CARD_KINDS,
  type CardKind,
  EDGE_TYPES,
  type EdgeType,
  SIGNS,
  type Sign,
} from '../../../../src/contracts/names';
import type { Search } from '../../app/search';
import type { VIEW } from './view-names';

const route = getRouteApi('/graph');

export type ViewSearch = Search<(typeof VIEW)[number]>;

/** What one looks at, as the address says it. */
export interface View {
  center: string | undefined;
  depth: '1' | '2';
  /** Cards whose neighbours were asked for. */
  expanded: readonly string[];
  kinds: ReadonlySet<CardKind>;
  edgeTypes: ReadonlySet<EdgeType>;
  agent: string | undefined;
  sign: Sign | undefined;
  hidesLone: boolean;
  until: string | undefined;
  before: string | undefined;
  limit: string;
  words: string;
  card: string | undefined;
  table: 'cards' | 'edges' | null;
}

export const LIMITS = ['500', '2000', '5000'] as const;
/** So many cards can be expanded at once: each is a question of its own. */
export const MOST_EXPANDED = 20;

function viewOf(search: ViewSearch): View {
  const depth = search.depth === '2' ? '2' : '1';
  return {
    center: search.center,
    depth,
    expanded: listed(search.open).slice(-MOST_EXPANDED),
    kinds: chosen(CARD_KINDS, search.kinds),
    edgeTypes: chosen(EDGE_TYPES, search.edges),
    agent: search.agent,
    sign: SIGNS.find((one) => one === search.sign),
    hidesLone: search.lone === 'hide',
    until: instant(search.until),
    before: instant(search.before),
    limit: LIMITS.find((one) => one === search.limit) ?? '2000',
    words: search.q ?? '',
    card: search.card ?? search.center,
    table: search.view !== 'table' ? null : search.list === 'edges' ? 'edges' : 'cards',
  };
}

/** @returns what one looks at, and how to look at something else; `step` leaves a place to come back to. */
export function useView() {
  const search: ViewSearch = route.useSearch();
  const navigate = route.useNavigate();
  const view = useMemo(() => viewOf(search), [search]);
  const change = useCallback(
    (changes: ViewSearch, step = false) =>
      void navigate({
        search: (before: ViewSearch) => ({ ...before, ...changes }),
        replace: !step,
        resetScroll: false,
      }),
    [navigate],
  );
  return { view, change };
}

/** What a toggle makes of a list in the address: all of them is none there. */
export function toggled<T extends string>(
  all: readonly T[],
  on: ReadonlySet<T>,
  one: T,
): string | undefined {
  const next = all.filter((each) => (each === one ? !on.has(each) : on.has(each)));
  return next.length === all.length || next.length === 0 ? undefined : next.join(',');
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').filter(Boolean);
}

function chosen<T extends string>(all: readonly T[], text: string | undefined): ReadonlySet<T> {
  const wanted = new Set<string>(listed(text));
  const some = all.filter((one) => wanted.has(one));
  return new Set(some.length === 0 ? all : some);
}

function instant(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text;
}
