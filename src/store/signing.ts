import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign as signWith,
  verify as verifyWith,
} from 'node:crypto';

/** What is signed: a signature of one purpose is none of another. */
export type SigningPurpose = 'export' | 'erasure_receipt' | 'tombstones';

/** As it stands beside what was signed. */
export interface Signature {
  /** Ed25519 (RFC 8032), 64 bytes, base64url. */
  signature: string;
  /** Of the public key: `ed25519:` and 32 hex digits, the beginning of its SHA-256. */
  key_id: string;
  /** 32 bytes, base64url: whoever has it can verify, and nobody can sign with it. */
  public_key: string;
}

const SEED_BYTES = 32;
const KEY_ID_DIGITS = 32;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410): of a private one, and of a public one. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Signs with the key of the installation, which is derived from its secret key and kept nowhere. */
export class Signer {
  readonly keyId: string;
  readonly publicKey: string;
  private readonly key: KeyObject;

  constructor(secretKey: string) {
    const seed = Buffer.from(
      hkdfSync('sha256', secretKey, 'installation', 'cairn/signing', SEED_BYTES),
    );
    const der = Buffer.concat([PRIVATE_PREFIX, seed]);
    this.key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const spki = createPublicKey(this.key).export({ format: 'der', type: 'spki' });
    const raw = spki.subarray(PUBLIC_PREFIX.length);
    this.publicKey = raw.toString('base64url');
    this.keyId = keyIdOf(raw);
  }

  sign(purpose: SigningPurpose, bytes: Uint8Array): Signature {
    const signature = signWith(null, withPurpose(purpose, bytes), this.key).toString('base64url');
    return { signature, key_id: this.keyId, public_key: this.publicKey };
  }
}

/**
 * Whether `signature` is one of these bytes, for this purpose, by the key that it brings along. Whose key that
 * is, is said by `key_id` alone: compare it with the `keyId` of a `Signer`, or with one that a person accepted.
 * What is malformed verifies as false; nothing is thrown.
 */
export function verifySignature(
  purpose: SigningPurpose,
  bytes: Uint8Array,
  { signature, key_id, public_key }: Signature,
): boolean {
  const raw = Buffer.from(public_key, 'base64url');
  if (raw.length !== SEED_BYTES || keyIdOf(raw) !== key_id) return false;
  try {
    const der = Buffer.concat([PUBLIC_PREFIX, raw]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verifyWith(null, withPurpose(purpose, bytes), key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function keyIdOf(publicKey: Buffer): string {
  const digest = createHash('sha256').update(publicKey).digest('hex');
  return `ed25519:${digest.slice(0, KEY_ID_DIGITS)}`;
}

function withPurpose(purpose: SigningPurpose, bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`cairn/${purpose}\n`), bytes]);
}
