import type { TombstonesFile } from '../contracts/erasure-proof';
import type { Json } from '../contracts/event';
import { type Signer, verifySignature } from '../store/signing';
import type { DatedTombstone } from '../store/tombstones-all';
import { canonicalJson } from './hashing';

/** What is kept beside a backup: which ids are erased, as keyed hashes, and since when. Signed by the installation. */
export function tombstonesFile(
  workspace: string,
  tombstones: readonly DatedTombstone[],
  { madeAt, signer }: { madeAt: Date; signer: Signer },
): TombstonesFile {
  const unsigned = {
    format: 'cairn-tombstones' as const,
    version: 1 as const,
    workspace,
    made_at: madeAt.toISOString(),
    tombstones: tombstones.map(({ kind, hash, at }) => ({
      kind,
      hash: hash.toString('hex'),
      at: at.toISOString(),
    })),
  };
  return { ...unsigned, ...signer.sign('tombstones', signedBytes(unsigned)) };
}

/** Why a file is not taken. */
export type TombstonesRefusal = 'signature_invalid' | 'other_key' | 'other_workspace';

/** @returns what to write, or why not */
export function readTombstonesFile(
  file: TombstonesFile,
  workspace: string,
  signer: Signer,
): { tombstones: DatedTombstone[] } | { refused: TombstonesRefusal } {
  const { signature, key_id, public_key, ...unsigned } = file;
  const signed = { signature, key_id, public_key };
  if (!verifySignature('tombstones', signedBytes(unsigned), signed)) {
    return { refused: 'signature_invalid' };
  }
  // Hashes of another key mean nothing here.
  if (key_id !== signer.keyId) return { refused: 'other_key' };
  if (file.workspace !== workspace) return { refused: 'other_workspace' };
  const tombstones = file.tombstones.map(({ kind, hash, at }) => ({
    kind,
    hash: Buffer.from(hash, 'hex'),
    at: new Date(at),
  }));
  return { tombstones };
}

function signedBytes(unsigned: object): Buffer {
  return Buffer.from(canonicalJson(unsigned as { [key: string]: Json }), 'utf8');
}
