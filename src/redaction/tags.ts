import { createHmac } from 'node:crypto';
import type { Tag } from './placeholders';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** 16 base32 characters are 80 bits: no two addresses of a workspace share a tag by chance. */
const TAG_LENGTH = 16;

function base32(bytes: Uint8Array, length: number): string {
  let out = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5 && out.length < length) {
      bits -= 5;
      out += BASE32[(held >> bits) & 31];
    }
  }
  return out;
}

/**
 * The stable tags of one workspace: HMAC-SHA-256 under the installation's secret over workspace,
 * kind and normalised value. Every process that holds the secret gives the same tag, no other
 * workspace does, and without the secret an address cannot be tried against it.
 *
 * @example workspaceTagger(secret, 'acme')('EMAIL', 'ada@example.org') // 'k3vq…', 16 characters
 */
export function workspaceTagger(secretKey: Buffer | string, workspaceId: string): Tag {
  return (type, normalised) => {
    const mac = createHmac('sha256', secretKey)
      .update(`${workspaceId}\n${type}\n`)
      .update(normalised)
      .digest();
    const tag = base32(mac, TAG_LENGTH);
    // All-digit tags would read as a number; one in 10^11 is, and gets a letter of its own.
    return /[a-z]/.test(tag) ? tag : `a${tag.slice(1)}`;
  };
}
