import { getRouteApi, useNavigate, useParams } from '@tanstack/react-router';
import type { InboxSearch } from './views';

const route = getRouteApi('/inbox');

export interface Inbox {
  /** Of the matter that is open. */
  id: string | undefined;
  search: InboxSearch;
  open(id: string): void;
  /** Another list, or another filter of it; what was open beside it is closed. */
  show(search: InboxSearch): void;
}

/** Where one is in the inbox; all of it stands in the address. */
export function useInbox(): Inbox {
  const search: InboxSearch = route.useSearch();
  const { id } = useParams({ strict: false });
  const navigate = useNavigate();
  return {
    id,
    search,
    open: (next) => void navigate({ to: '/inbox/$id', params: { id: next }, search }),
    show: (next) => void navigate({ to: '/inbox', search: next }),
  };
}

/** The matter to go on with: the next one of the list that still waits, or else the one before. */
export function goingOn<T extends { id: string }>(
  items: readonly T[],
  id: string,
  waits: (one: T) => boolean,
): string | null {
  const at = items.findIndex((one) => one.id === id);
  const after = items.slice(at + 1).find(waits);
  const before = items.slice(0, Math.max(at, 0)).reverse().find(waits);
  return (after ?? before)?.id ?? null;
}
