import type { HashedId } from './tombstones';

/** The pass, as audit, history and provenance name it. */
export const ERASURE = 'erasure';

export const ERASER = { kind: 'system', id: ERASURE } as const;

/** What every batch of one erasure has to know. */
export interface ErasureWalk {
  erasureId: string;
  workflowId: string;
  now: Date;
  /** When it was asked for: what its tombstones say. */
  at: Date;
  /** Keyed, as in `src/intake/tombstone-hash.ts`. */
  hash(kind: HashedId['kind'], id: string): Buffer;
  /** Whether a vector is waited for at all. */
  makesVectors: boolean;
}

/** What a batch did. */
export interface WalkBatch {
  touched: number;
  /** Rows that went, by table. */
  purged: Record<string, number>;
  /** Whether its part has more to do. */
  more: boolean;
}

export const NOTHING_LEFT: WalkBatch = { touched: 0, purged: {}, more: false };

export function hashed(
  walk: ErasureWalk,
  kind: HashedId['kind'],
  ids: readonly string[],
): HashedId[] {
  return ids.map((id) => ({ kind, hash: walk.hash(kind, id) }));
}
