import type { TombstoneKind } from '../contracts/erasure';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import type { Tx } from '../store/database';
import { erasedAmong } from '../store/tombstones';
import type { ApiDependencies } from './app';
import { Problem } from './problem';

/** @throws Problem 410 for an id that was erased: it does not come back as something else */
export async function requireNotErased(
  tx: Tx,
  { secretKey }: Pick<ApiDependencies, 'secretKey'>,
  workspace: string,
  { kind, id }: { kind: Extract<TombstoneKind, 'conversation' | 'card' | 'event'>; id: string },
): Promise<void> {
  const hash = tombstoneHash(workspaceHasher(secretKey, workspace), kind, id);
  if ((await erasedAmong(tx, [{ kind, hash }])).size === 0) return;
  throw new Problem(410, 'erased', `this ${kind} was erased; give a new one an id of its own`);
}
