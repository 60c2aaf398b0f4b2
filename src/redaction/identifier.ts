import type { RedactionType } from '../contracts/names';
import { MAX_TEXT, type RedactionOptions, scanText } from './scanner';

const SECRETS: ReadonlySet<RedactionType> = new Set([
  'token',
  'auth_header',
  'private_key',
  'password',
  'card',
  'iban',
  'ssn',
  'failed',
]);

export interface IdentifierClass {
  secret: boolean;
  contact: 'email' | 'phone' | null;
  /** What a tag or a pseudonym of the contact is computed from: the same for all its spellings. */
  normalised: string | null;
}

/**
 * Identifiers and labels are joined on, so they are checked instead of redacted: a secret in one
 * refuses the event, a contact becomes a pseudonym or refuses it. Policy does not matter here, and
 * what cannot be scanned counts as a secret.
 *
 * @example classifyIdentifier('ada@example.org', options).contact // 'email'
 */
export function classifyIdentifier(id: string, _options: RedactionOptions): IdentifierClass {
  const none: IdentifierClass = { secret: false, contact: null, normalised: null };
  if (id.length > MAX_TEXT) return { ...none, secret: true };
  try {
    const spans = scanText(id, { names: [], keepContactData: false });
    if (spans.some((span) => SECRETS.has(span.type))) return { ...none, secret: true };
    const contact = spans.find((span) => span.type === 'email' || span.type === 'phone');
    if (contact === undefined) return none;
    // One of many ids that hold the same address is not that address: each has a pseudonym of its own.
    const isWhole = contact.end - contact.start === id.length;
    return {
      secret: false,
      contact: contact.type === 'email' ? 'email' : 'phone',
      normalised: isWhole ? (contact.normalised ?? id) : id.normalize('NFC').toLowerCase(),
    };
  } catch {
    return { ...none, secret: true };
  }
}
