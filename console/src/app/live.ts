/**
 * What changed while one looks: the stream of changes (`GET /v1/stream`) marks the lists it names as
 * old, and those on the screen are read again. A lost connection is said, and mended.
 */
import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { topicsOf } from '../api/paging';

export type LiveState = 'connecting' | 'live' | 'lost' | 'off';

interface Change {
  topics?: string[];
}

/** Between two readings of the same lists: a busy fleet changes something every second. */
const PAUSE_MS = 1_500;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 15_000;
/** Above this many pages a list is not read again under the reader's eyes; it says that it is old. */
const MOST_PAGES = 3;

let state: LiveState = 'connecting';
const listeners = new Set<() => void>();

function setState(next: LiveState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Runs while the shell stands. Without the right to listen, lists are read again at times. */
export function useLive(allowed: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!allowed) {
      setState('off');
      const timer = setInterval(() => void client.invalidateQueries({ predicate: isRead }), 20_000);
      return () => clearInterval(timer);
    }
    let source: EventSource | null = null;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let pause: ReturnType<typeof setTimeout> | undefined;
    let waits = FIRST_RETRY_MS;
    let wasLost = false;
    const topics = new Set<string>();

    const flush = () => {
      pause = undefined;
      const all = topics.has('*');
      const stale = ({ queryKey }: Query) =>
        all || topicsOf(queryKey).some((topic) => topics.has(topic));
      void client.invalidateQueries({
        predicate: (query) => isRead(query) && stale(query) && !isLong(query),
      });
      topics.clear();
    };
    const changed = (names: readonly string[]) => {
      for (const name of names) topics.add(name);
      pause ??= setTimeout(flush, PAUSE_MS);
    };
    const open = () => {
      setState(wasLost ? 'lost' : 'connecting');
      source = new EventSource('/v1/stream');
      source.addEventListener('hello', () => {
        setState('live');
        waits = FIRST_RETRY_MS;
        // What happened in between is not known.
        if (wasLost) changed(['*']);
        wasLost = false;
      });
      source.addEventListener('change', (event) => {
        changed((JSON.parse(String(event.data)) as Change).topics ?? []);
      });
      source.onerror = () => {
        source?.close();
        // A stream does not say why it ended; where the session did, this answer shows the door.
        void client.invalidateQueries({ queryKey: ['session'] });
        wasLost = true;
        setState('lost');
        retry = setTimeout(open, waits);
        waits = Math.min(waits * 2, LAST_RETRY_MS);
      };
    };
    // A browser has six connections to a host: what nobody looks at gives its own back.
    const seen = () => {
      if (document.hidden) {
        source?.close();
        source = null;
        clearTimeout(retry);
        wasLost = true;
      } else if (source === null) open();
    };
    document.addEventListener('visibilitychange', seen);
    seen();
    return () => {
      document.removeEventListener('visibilitychange', seen);
      source?.close();
      clearTimeout(retry);
      clearTimeout(pause);
    };
  }, [allowed, client]);
}

/** A recall is asked once, since each is logged; who is signed in is read by itself. */
function isRead({ queryKey }: Query): boolean {
  return queryKey[0] !== 'recall' && queryKey[0] !== 'session';
}

function isLong(query: Query): boolean {
  const data = query.state.data as InfiniteData<unknown> | undefined;
  return Array.isArray(data?.pages) && data.pages.length > MOST_PAGES;
}
