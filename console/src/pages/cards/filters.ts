/** The filters of the list of cards: in the address as text, and as `GET /v1/cards` takes them. */
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Query } from '../../api/http';

export const FILTERS = [
  'q',
  'kind',
  'sign',
  'status',
  'scope',
  'agent',
  'team',
  'service',
  'operation',
  'subject',
  'since',
  'until',
] as const;
export type Filter = (typeof FILTERS)[number];

/** Those that take several values at once, in the address with commas between. */
export const SEVERAL: ReadonlySet<string> = new Set(['kind', 'sign', 'status']);

export type Changes = Partial<Record<Filter | 'deleted' | 'new', string | null>>;

const route = getRouteApi('/cards');

export function useFilters() {
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/cards' });
  const change = (changes: Changes, replace = false) => {
    void navigate({
      replace,
      search: (now) => {
        const kept = Object.entries({ ...now, ...changes }).filter(
          ([, value]) => value !== null && value !== undefined && value !== '',
        );
        return Object.fromEntries(kept) as typeof now;
      },
    });
  };
  const isDeleted = search.deleted !== undefined;
  const query = useMemo(() => queryOf(search, isDeleted, new Date()), [search, isDeleted]);
  return { search, change, query, isDeleted };
}

export function valuesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

/** One value more or less; of a filter that takes one only, this one or none. */
export function toggled(name: Filter, now: string | undefined, value: string): string | null {
  const values = valuesOf(now);
  if (values.includes(value)) return values.filter((one) => one !== value).join(',') || null;
  return SEVERAL.has(name) ? [...values, value].join(',') : value;
}

function queryOf(
  search: Partial<Record<Filter, string | undefined>>,
  isDeleted: boolean,
  now: Date,
): Query {
  const query: Record<string, string | string[]> = {};
  for (const name of FILTERS) {
    const text = search[name];
    if (text === undefined) continue;
    if (SEVERAL.has(name)) query[name] = valuesOf(text);
    else if (name === 'since' || name === 'until') query[name] = instantOf(text, now);
    else query[name] = text;
  }
  if (isDeleted) query.status = ['deleted'];
  return query;
}

const HOUR_MS = 3_600_000;

/** `PT24H` and `P7D` are so long before now; an instant stays as it is. */
export function instantOf(text: string, now: Date): string {
  const [, days, hours] = /^P(?:(\d+)D|T(\d+)H)$/.exec(text) ?? [];
  if (days === undefined && hours === undefined) return text;
  const back = (Number(days ?? 0) * 24 + Number(hours ?? 0)) * HOUR_MS;
  return new Date(now.getTime() - back).toISOString();
}

export function isInstant(text: string): boolean {
  return !/^P(?:\d+D|T\d+H)$/.test(text);
}
