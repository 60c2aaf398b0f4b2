import type { RedactionType } from '../contracts/names';
import { MASK, type Span } from './span';

/** What replaces a text that could not be scanned; never the text itself. */
export const REDACTION_FAILED = '[REDACTION_FAILED]';

/** Matches every placeholder this module writes, so that none is redacted a second time. */
export const PLACEHOLDER =
  /\[(?:REDACTED_[A-Z_]{3,14}|REDACTION_FAILED|(?:EMAIL|PHONE|EXT_IP)_(?=[2-7]{0,63}[A-Za-z])[A-Za-z2-7]{10,64})\]/g;

const TAG = /^(?=[2-7]{0,63}[A-Za-z])[A-Za-z2-7]{10,64}$/;

export type Tag = (type: 'EMAIL' | 'PHONE' | 'EXT_IP', normalised: string) => string;

/**
 * @throws if the workspace's tag is not 10–64 base32 characters: a shorter one could be guessed, and
 * another alphabet would not be recognised as a placeholder. The caller then fails closed.
 */
function tagged(
  kind: 'EMAIL' | 'PHONE' | 'EXT_IP',
  span: Span,
  original: string,
  tag: Tag,
): string {
  const value = tag(kind, span.normalised ?? original);
  if (!TAG.test(value)) throw new Error('a redaction tag must be 10 to 64 base32 characters');
  return `[${kind}_${value}]`;
}

export function placeholderOf(span: Span, original: string, tag: Tag): string {
  const type: RedactionType = span.type;
  switch (type) {
    case 'email':
      return tagged('EMAIL', span, original, tag);
    case 'phone':
      return tagged('PHONE', span, original, tag);
    case 'external_ip':
      return tagged('EXT_IP', span, original, tag);
    case 'failed':
      return REDACTION_FAILED;
    case 'token':
    case 'auth_header':
    case 'private_key':
    case 'password':
    case 'card':
    case 'iban':
    case 'ssn':
    case 'name':
      return `[REDACTED_${type.toUpperCase()}]`;
    default:
      return type satisfies never;
  }
}

/** The text with every placeholder replaced by as many mask characters. */
export function maskPlaceholders(text: string): string {
  if (!text.includes('[RED') && !text.includes('[EMAIL_') && !text.includes('[PHONE_')) {
    if (!text.includes('[EXT_IP_')) return text;
  }
  return text.replace(PLACEHOLDER, (found) => MASK.repeat(found.length));
}
