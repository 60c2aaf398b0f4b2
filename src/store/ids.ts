import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** `<prefix>_` and 26 characters: 48 bits of the time, so that ids sort by it, and 80 random bits. */
export function newId(prefix: string, now: Date): string {
  let time = now.getTime();
  let stamp = '';
  for (let i = 0; i < 10; i += 1) {
    stamp = ALPHABET.charAt(time % 32) + stamp;
    time = Math.floor(time / 32);
  }
  let tail = '';
  for (const byte of randomBytes(16)) tail += ALPHABET.charAt(byte % 32);
  return `${prefix}_${stamp}${tail}`;
}

/** What may stand in a workflow id as it is: no separator, and short enough for Temporal's 255. */
const AS_IT_IS = /^[A-Za-z0-9][\w.:@-]{0,119}$/;

/** A model, a scope or a task as a part of a workflow id: itself, or `~` and 26 characters of its hash. */
export function idPart(name: string): string {
  if (AS_IT_IS.test(name)) return name;
  return `~${createHash('sha256').update(name).digest('hex').slice(0, 26)}`;
}
