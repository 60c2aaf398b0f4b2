import type { TombstoneKind } from '../contracts/erasure';
import type { WorkspaceHasher } from './hashing';

/** What stands in place of an id that was erased: 32 bytes that nobody without the key can guess an id from. */
export function tombstoneHash(hasher: WorkspaceHasher, kind: TombstoneKind, id: string): Buffer {
  return hasher.hash(`tombstone/${kind}`, id);
}
