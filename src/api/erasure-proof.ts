import type { TombstoneKind } from '../contracts/erasure';
import type { ErasureVerification, VerifyErasure } from '../contracts/erasure-proof';
import { signatureOf } from '../intake/erasure-receipt';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import { searchPlaces } from '../store/erasure-places';
import { type Buried, returnedIds } from '../store/erasure-returned';
import { Signer } from '../store/signing';
import { allTombstones, type DatedTombstone } from '../store/tombstones-all';
import type { ApiDependencies } from './app';

/**
 * Looks at a receipt once more: is it ours and unchanged, did it leave nothing, has an id of it come back, and does one of the texts stand
 * in a durable place? The texts are looked for and kept nowhere.
 */
export async function verifyErasure(
  deps: ApiDependencies,
  workspace: string,
  { receipt, search = [] }: VerifyErasure,
): Promise<ErasureVerification> {
  const signature =
    receipt.workspace === workspace ? signatureOf(receipt, new Signer(deps.secretKey)) : 'foreign';
  const requestedAt = new Date(receipt.requested_at);
  const erased = new Map(receipt.hashes.map((hash) => [hash, requestedAt]));
  const ids = await returnedIds(deps.database, workspace, buriedIn(erased, deps, workspace));
  const returned = ids.flatMap(({ kind, tables }) =>
    [...tables].map(([table, found]) => ({ place: `table ${table}`, kind, found })),
  );
  const known = await tombstones(deps, workspace);
  const missing = receipt.hashes.filter((hash) => !known.has(hash)).length;
  const places =
    search.length === 0
      ? []
      : await searchPlaces(
          { database: deps.database, histories: null, files: null, ...deps.durable },
          // Whoever asks for a text asks whether it is anywhere, whoever said it.
          { workspace, terms: { ids: [], texts: search }, requestedAt, sharedIsFound: true },
        );
  const ok =
    signature === 'valid' &&
    receipt.status !== 'unverified' &&
    missing === 0 &&
    returned.length === 0 &&
    places.every(({ found }) => found === 0);
  return {
    ok,
    erasure_id: receipt.erasure_id,
    status: receipt.status,
    left: receipt.places.filter(({ found }) => found > 0),
    signature,
    missing,
    returned: summed(returned),
    places,
  };
}

/** By table and kind, not by id: none is named. */
function summed(returned: ErasureVerification['returned']): ErasureVerification['returned'] {
  const sums = new Map<string, ErasureVerification['returned'][number]>();
  for (const { place, kind, found } of returned) {
    const key = `${place} ${kind}`;
    sums.set(key, { place, kind, found: (sums.get(key)?.found ?? 0) + found });
  }
  return [...sums.values()];
}

/** Those of the workspace, by kind and hash. */
export async function tombstones(
  { database }: Pick<ApiDependencies, 'database'>,
  workspace: string,
): Promise<Map<string, Date>> {
  const all = await database.inWorkspace(workspace, allTombstones);
  return new Map(all.map((tombstone) => [keyOf(tombstone), tombstone.at]));
}

const keyOf = ({ kind, hash }: Pick<DatedTombstone, 'kind' | 'hash'>): string =>
  `${kind}:${hash.toString('hex')}`;

/** How ids are hashed here, and which of them are erased. */
export function buriedIn(
  erased: ReadonlyMap<string, Date>,
  { secretKey }: Pick<ApiDependencies, 'secretKey'>,
  workspace: string,
): Buried {
  const hasher = workspaceHasher(secretKey, workspace);
  return {
    hashOf: (kind: TombstoneKind, id: string) => tombstoneHash(hasher, kind, id).toString('hex'),
    erasedAt: (kind, hash) => erased.get(`${kind}:${hash}`) ?? null,
  };
}
