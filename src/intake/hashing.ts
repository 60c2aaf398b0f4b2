import { createHmac, hkdfSync } from 'node:crypto';
import type { Json } from '../contracts/event';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Keyed hashes of one workspace: nobody without the installation's key can guess what was hashed. */
export interface WorkspaceHasher {
  /** SHA-256 of the canonical JSON. */
  hash(purpose: string, value: Json): Buffer;
  /** 26 base32 characters, for the event part of a workflow id. */
  shortId(purpose: string, text: string): string;
}

export function workspaceHasher(secretKey: string, workspace: string): WorkspaceHasher {
  const key = Buffer.from(hkdfSync('sha256', secretKey, workspace, 'cairn/hash', 32));
  const hash = (purpose: string, value: Json): Buffer =>
    createHmac('sha256', key)
      .update(`${purpose}\n${canonicalJson(value)}`)
      .digest();
  return { hash, shortId: (purpose, text) => base32(hash(purpose, text)).slice(0, 26) };
}

/** The same text for the same value, whatever the order of its keys. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
}

function base32(bytes: Buffer): string {
  let bits = 0;
  let held = 0;
  let text = '';
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((held >>> bits) & 31);
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32.charAt((held << (5 - bits)) & 31) : text;
}
