import type { PersonRole } from '../contracts/names';
import type { Tx } from './database';
import { waysToSee } from './visible-cards';

/** People who look after any insight. */
const FOLLOWING_ROLES: readonly PersonRole[] = ['owner', 'operator', 'reviewer'];

/** Of an insight, what says whose it is. */
export interface Owned {
  card_id: string;
  owner_kind: string;
  owner_id: string;
}

/**
 * Whether they may say of an action that it was taken, when it is measured, and what came of it: an owner, operator or
 * reviewer; the agent that saved the insight, as long as it sees it, or in whose scope its card stands; a runtime that
 * saved it in no agent's name. Judged by what is so now.
 *
 * @param by who a runtime speaks for where it names an agent, else itself
 */
export async function mayFollowUp(
  tx: Tx,
  insight: Owned,
  by: { kind: string; id: string },
  now: Date,
): Promise<boolean> {
  const isOwner = insight.owner_kind === by.kind && insight.owner_id === by.id;
  switch (by.kind) {
    case 'person':
      return await hasRole(tx, by.id);
    case 'agent': {
      if (await isRestricted(tx, by.id)) return false;
      const reader = [tx.workspace, by.id, null, false, null, now] as const;
      const ways = await waysToSee(tx, reader, insight.card_id);
      return ways.includes('own') || (isOwner && ways.length > 0);
    }
    case 'runtime':
      return isOwner;
    default:
      return false;
  }
}

async function hasRole(tx: Tx, person: string): Promise<boolean> {
  const [found] = await tx.query<{ role: PersonRole }>(
    'SELECT role FROM people WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, person],
  );
  return found !== undefined && FOLLOWING_ROLES.includes(found.role);
}

/** Also of one that is not there. */
async function isRestricted(tx: Tx, agent: string): Promise<boolean> {
  const [found] = await tx.query<{ restricted: boolean }>(
    'SELECT restricted FROM agents WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, agent],
  );
  return found?.restricted !== false;
}
