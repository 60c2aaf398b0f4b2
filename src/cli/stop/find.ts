import type { CardFilters } from '../../client/card-requests';
import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import { given } from '../../client/given';
import type { CardStatus } from '../../contracts/names';
import type { CardStop, InjectedAgent, StopAction } from '../../contracts/stop';

export interface StopSearch {
  client: CairnClient;
  filters: CardFilters;
  derived: boolean;
  action: StopAction;
  dryRun: boolean;
  reason: string | undefined;
  /** Said after each page. */
  progress(tally: StopTally): void;
}

/** What a search has stopped, or would have. */
export interface StopTally {
  action: StopAction;
  dry_run: boolean;
  /** Cards that were found by where they come from. */
  found: number;
  /** Cards that were changed, what came of the found ones included. */
  stopped: number;
  /** Of those, cards that only what they came from led to. */
  derived: number;
  /** Ids of all that were changed. */
  cards: string[];
  /** Whose contexts any of them was put into. Recalls are those of each card, the most of them. */
  injected: InjectedAgent[];
  /** Waiting proposals that rest on one of them. */
  proposals: string[];
  /** Cards that could not be stopped, and why. */
  failed: { id: string; code: string; detail: string }[];
}

/** A page of cards, each with its own transaction. */
const PAGE = 100;

const IN_USE: readonly CardStatus[] = [
  'pending',
  'active',
  'validated',
  'rejected',
  'superseded',
  'archived',
];

/**
 * Finds cards by where they come from and stops one after the other, page by page. What is stopped is found
 * no more, so that a search which was broken off goes on by being repeated.
 */
export async function stopAll(search: StopSearch): Promise<StopTally> {
  const { client, action, dryRun, derived, reason } = search;
  const tally: StopTally = {
    action,
    dry_run: dryRun,
    found: 0,
    stopped: 0,
    derived: 0,
    cards: [],
    injected: [],
    proposals: [],
    failed: [],
  };
  const stopped = new Set<string>();
  const found = new Set<string>();
  const status = action === 'delete' ? [...IN_USE, 'quarantined' as const] : [...IN_USE];
  let cursor: string | undefined;
  do {
    const page = await client.cards.list({
      ...search.filters,
      status,
      limit: PAGE,
      ...given({ cursor }),
    });
    for (const { id } of page.items) {
      found.add(id);
      if (stopped.has(id)) continue;
      try {
        const stop = await client.cards.stop(id, {
          derived,
          action,
          dry_run: dryRun,
          ...given({ reason }),
        });
        for (const card of stop.cards) if (card.changed) stopped.add(card.id);
        note(tally, stop);
      } catch (error) {
        // One of many that cannot be stopped does not keep the others; nothing answering keeps all.
        if (!(error instanceof CairnError) || error.status === 0 || error.status >= 500)
          throw error;
        tally.failed.push({ id, code: error.code, detail: error.detail });
      }
    }
    Object.assign(tally, {
      found: found.size,
      stopped: stopped.size,
      derived: [...stopped].filter((id) => !found.has(id)).length,
      cards: [...stopped],
    });
    search.progress(tally);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return tally;
}

function note(tally: StopTally, { injected, proposals }: CardStop): void {
  for (const one of injected.agents) {
    const known = tally.injected.find(({ agent }) => agent === one.agent);
    if (known === undefined) {
      tally.injected.push({ ...one });
      continue;
    }
    known.recalls = Math.max(known.recalls, one.recalls);
    if (one.last_at > known.last_at) known.last_at = one.last_at;
  }
  for (const id of proposals) if (!tally.proposals.includes(id)) tally.proposals.push(id);
}
