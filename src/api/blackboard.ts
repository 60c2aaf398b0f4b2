import type { Page } from '../contracts/run';
import type { BlackboardEntry } from '../contracts/session';
import { listEntries, logBoardRead, readEntry } from '../store/blackboard';
import type { Tx } from '../store/database';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { BY_ID, pageOf, positionIn } from './paging';
import { notFound } from './problem';
import { lookerOf, requireSession } from './session-access';

/** @throws Problem 404 where nothing stands under the key, or the session is over or another tree's */
export async function readBlackboard(
  deps: ApiDependencies,
  caller: Caller,
  { session, key }: { session: string; key: string },
): Promise<BlackboardEntry> {
  return await reading(deps, caller, session, async (tx) => {
    const entry = await readEntry(tx, session, key);
    if (entry === null) throw noEntry();
    return { answer: entry, shown: 1 };
  });
}

/** A page of a blackboard by key. @throws Problem 404 where the session is over or another tree's */
export async function listBlackboard(
  deps: ApiDependencies,
  caller: Caller,
  session: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<Page<BlackboardEntry>> {
  const after = positionIn(cursor, BY_ID)?.[0] ?? null;
  return await reading(deps, caller, session, async (tx) => {
    const { rows, total } = await listEntries(tx, session, { after, limit });
    const page = pageOf(rows, limit, (row) => [row.key], total);
    return { answer: page, shown: page.items.length };
  });
}

/** That a person looks is logged in the same transaction: no log, no answer. */
async function reading<T>(
  deps: ApiDependencies,
  caller: Caller,
  session: string,
  read: (tx: Tx) => Promise<{ answer: T; shown: number }>,
): Promise<T> {
  const agent = lookerOf(deps, caller, session);
  return await deps.database.inWorkspace(caller.context.workspace, async (tx) => {
    const found = await requireSession(tx, caller, session, agent);
    if (found.status === 'ended') throw notFound('session');
    const { answer, shown } = await read(tx);
    if (agent === null) {
      await logBoardRead(tx, caller.context, { at: deps.clock(), count: shown });
    }
    return answer;
  });
}

export function noEntry() {
  return notFound('entry of the blackboard');
}
