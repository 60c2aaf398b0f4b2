import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
/** 256 bits: a key is stored as a plain hash because nobody can try this many. */
const KEY_BYTES = 32;

/** A new secret key, e.g. `cairn_k3v…`: the prefix lets scanners of secrets know it. */
export function newKey(): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of randomBytes(KEY_BYTES)) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32.charAt((held >> bits) & 31);
    }
  }
  return `cairn_${text}${BASE32.charAt((held << (5 - bits)) & 31)}`;
}
