import type { FastifyRequest } from 'fastify';
import type { TombstoneKind } from '../contracts/erasure';
import type { TombstonesApplied, TombstonesFile } from '../contracts/erasure-proof';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import { readTombstonesFile, type TombstonesRefusal } from '../intake/tombstones-file';
import { type ErasureRoot, requestErasure } from '../store/erasure-requests';
import { returnedIds } from '../store/erasure-returned';
import { newId } from '../store/ids';
import { Signer } from '../store/signing';
import { writeTombstones } from '../store/tombstones-all';
import type { ApiDependencies } from './app';
import { buriedIn, tombstones } from './erasure-proof';
import { writeOnce } from './idempotency';
import { badRequest } from './problem';

/** Written at a time. */
const BATCH = 1_000;

const REFUSALS: Readonly<Record<TombstonesRefusal, string>> = {
  signature_invalid: 'the file was changed after it was signed, or is none of these',
  other_key: 'the file was signed with another secret key: its hashes mean nothing here',
  other_workspace: 'the file is of another workspace',
};

/**
 * After a restore to an earlier point: buries once more what was erased since, looks which of it came back, and asks
 * for an erasure of that. Every part may be done again.
 */
export async function applyTombstones(
  deps: ApiDependencies,
  request: FastifyRequest,
  file: TombstonesFile,
): Promise<TombstonesApplied> {
  const { workspace, principal } = request.caller.context;
  const read = readTombstonesFile(file, workspace, new Signer(deps.secretKey));
  if ('refused' in read) throw badRequest(REFUSALS[read.refused], '/signature');
  const now = deps.clock();
  const restored = newId('ers', now);
  let written = 0;
  // First: from here on nothing of it is taken in any more.
  for (let at = 0; at < read.tombstones.length; at += BATCH) {
    const batch = read.tombstones.slice(at, at + BATCH);
    written += await deps.database.inWorkspace(workspace, (tx) =>
      writeTombstones(tx, restored, batch),
    );
  }
  const erased = await tombstones(deps, workspace);
  const buried = buriedIn(erased, deps, workspace);
  const found = await returnedIds(deps.database, workspace, buried);
  // A conversation goes with whom it was with, which its row names.
  const roots = found.flatMap(({ kind, id }): ErasureRoot[] => {
    const at = erased.get(`${kind}:${buried.hashOf(kind, id)}`) ?? now;
    return kind === 'conversation' ? [] : [{ kind, id, at }];
  });
  const returned: TombstonesApplied['returned'] = {};
  for (const { kind } of roots) returned[kind] = (returned[kind] ?? 0) + 1;
  if (roots.length === 0) return { written, returned, erasure_id: null, operation_id: null };
  const hasher = workspaceHasher(deps.secretKey, workspace);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const reference = await requestErasure(tx, {
        roots,
        dryRun: false,
        legalBasis: null,
        reason: null,
        by: principal,
        channel: 'api',
        now,
        hash: (kind: TombstoneKind, id: string) => tombstoneHash(hasher, kind, id),
      });
      return { status: 202, reference, body: reference };
    },
    rebuild: async (_tx, reference) => reference,
  });
  deps.pokeOutbox();
  const { erasure_id, operation_id } = answer.body as { erasure_id: string; operation_id: string };
  return { written, returned, erasure_id, operation_id };
}
