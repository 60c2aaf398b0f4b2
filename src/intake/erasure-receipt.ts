import type {
  ErasureCounts,
  ErasureEndStatus,
  ErasureReceipt,
  SearchedPlace,
  Tombstone,
} from '../contracts/erasure';
import type { Json } from '../contracts/event';
import { type Signer, verifySignature } from '../store/signing';
import { canonicalJson } from './hashing';

export interface ReceiptParts {
  erasure: {
    id: string;
    workspace: string;
    status: ErasureEndStatus;
    requestedAt: Date;
    /** What was named. */
    selector: readonly Tombstone[];
    legalBasis: string | null;
    counts: ErasureCounts;
    /** Erasures that ran beside it. */
    beside: readonly string[];
  };
  /** Of each id that was erased. */
  tombstones: readonly Tombstone[];
  places: readonly SearchedPlace[];
  verifiedAt: Date;
  signer: Signer;
}

/** What is left of an erasure to be shown: times, numbers and keyed hashes, signed by the installation. */
export function receiptOf({
  erasure,
  tombstones,
  places,
  verifiedAt,
  signer,
}: ReceiptParts): ErasureReceipt {
  const at = verifiedAt.toISOString();
  const unsigned: Omit<ErasureReceipt, 'signature' | 'key_id' | 'public_key'> = {
    erasure_id: erasure.id,
    workspace: erasure.workspace,
    status: erasure.status,
    requested_at: erasure.requestedAt.toISOString(),
    completed_at: at,
    selector: [...erasure.selector].sort(byHash),
    legal_basis: erasure.legalBasis,
    counts: erasure.counts,
    places: [...places],
    hashes: [...tombstones].sort(byHash).map(({ kind, hash }) => `${kind}:${hash}`),
    verified_at: at,
    ...(erasure.beside.length === 0 ? {} : { beside: [...erasure.beside] }),
  };
  return { ...unsigned, ...signer.sign('erasure_receipt', signedBytes(unsigned)) };
}

function byHash(one: Tombstone, other: Tombstone): number {
  const [a, b] = [`${one.kind}:${one.hash}`, `${other.kind}:${other.hash}`];
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * `valid`: signed by this installation, and unchanged. `foreign`: by another one's key, or after the secret key was
 * another. `invalid`: changed after it was signed, or signed by nobody.
 */
export type ReceiptSignature = 'valid' | 'foreign' | 'invalid';

export function signatureOf(receipt: ErasureReceipt, signer: Signer): ReceiptSignature {
  const { signature, key_id, public_key, ...unsigned } = receipt;
  const signed = { signature, key_id, public_key };
  if (!verifySignature('erasure_receipt', signedBytes(unsigned), signed)) return 'invalid';
  return key_id === signer.keyId ? 'valid' : 'foreign';
}

function signedBytes(unsigned: object): Buffer {
  return Buffer.from(canonicalJson(unsigned as { [key: string]: Json }), 'utf8');
}
