/** What shows that something is gone, and keeps it so after a restore. */

import type { ErasureEndStatus, ErasureReceipt, SearchedPlace, TombstoneKind } from './erasure';

/** Body of `POST /v1/erasures/verify`. */
export interface VerifyErasure {
  receipt: ErasureReceipt;
  /** Texts that are to be nowhere; looked for in every durable place, and kept in none. */
  search?: string[];
}

/** Where an id that was erased stands again: how many rows of a table name it. */
export interface ReturnedPlace {
  place: string;
  kind: TombstoneKind;
  found: number;
}

/** What `POST /v1/erasures/verify` answers. */
export interface ErasureVerification {
  /** Signed by this installation, not `unverified`, nothing has come back, and no text was found. */
  ok: boolean;
  erasure_id: string;
  /** As what it ended, by its receipt; of one that is `held` what was kept is among what is there. */
  status: ErasureEndStatus;
  /** Where its own search still found something. */
  left: SearchedPlace[];
  /** `foreign`: by another key than this installation's; `invalid`: changed, or signed by nobody. */
  signature: 'valid' | 'foreign' | 'invalid';
  /** How many of its hashes are no tombstones here: those of an earlier backup, until they are applied. */
  missing: number;
  returned: ReturnedPlace[];
  /** Empty where no text was given. */
  places: SearchedPlace[];
}

/** What `GET /v1/tombstones` gives and `POST /v1/tombstones` takes: kept beside a backup. No id stands in it. */
export interface TombstonesFile {
  format: 'cairn-tombstones';
  version: 1;
  workspace: string;
  made_at: string;
  /** `hash`: of an id under the key of the workspace, hex. */
  tombstones: { kind: TombstoneKind; hash: string; at: string }[];
  signature: string;
  key_id: string;
  public_key: string;
}

/** What `POST /v1/tombstones` answers. */
export interface TombstonesApplied {
  /** Tombstones that were not there. */
  written: number;
  /** Ids of the database that they stand for, by kind. */
  returned: Partial<Record<TombstoneKind, number>>;
  /** The erasure that takes them away again; null where nothing had come back. */
  erasure_id: string | null;
  operation_id: string | null;
}
