import type { Json } from '../../contracts/event';
import type { ErrorFamily } from '../../contracts/names';
import { errorMessage } from './error-message';
import { looksLikeInstruction } from './instruction-like';
import { clip, isPlural, lowerFirst, oneLine, spelledOut } from './plain-text';

const REASON_LIMIT = 150;

/** Told instead of a message that is missing, or that must not be quoted. */
const FALLBACK: Readonly<Record<ErrorFamily, string>> = {
  not_found: 'what it named was not found',
  permission: 'it was not allowed',
  rate_limit: 'there were too many requests',
  timeout: 'it took too long',
  validation: 'an input was not accepted',
  conflict: 'it was there already',
  insufficient: 'there was not enough left',
  syntax: 'there was a syntax error',
  auth: 'the credentials were not accepted',
  unavailable: 'the service was not available',
  unfinished: 'the work stopped before it was done',
  other: 'the error gave no usable message',
};

/**
 * Why it failed, as a clause that follows `It failed:`. A value that `said` names already is dropped:
 * `Channel External not found` becomes `the channel was not found`.
 */
export function failureReason(
  error: Json | undefined,
  family: ErrorFamily | null,
  said: string,
  verb: string | null,
): string | null {
  const message = errorMessage(error);
  if (message === null) return null;
  if (looksLikeInstruction(`${message.kind} ${message.text}`)) return FALLBACK[family ?? 'other'];
  const text = clean(message.text);
  if (!/\p{L}{2,}|\d{3}/u.test(text)) return FALLBACK[family ?? 'other'];
  if (message.telling) return clip(classClause(message.kind, text, verb), REASON_LIMIT);
  return clip(asClause(text, said), REASON_LIMIT);
}

function clean(text: string): string {
  return spelledOut(oneLine(text))
    .replace(/(['"`])\{\1/g, 'opening brace')
    .replace(/(['"`])\}\1/g, 'closing brace')
    .replace(/(['"`])\[\1/g, 'opening bracket')
    .replace(/<[^<>]{0,80}>/g, ' ')
    .replace(/\{[^{}]*\}|\[[^[\]]{3,}\]/g, ' ')
    .replace(/[{}[`\\|]+/g, ' ')
    .replace(/\]+(?!['"])/g, ' ')
    .replace(/[\w.+-]+@[\w-]+\.[\w.]+/g, 'an address')
    .replace(/["'](an? (?:address|phone number|account|card|external address))["']/g, '$1')
    .replace(/\be-?mail (?=an address)/gi, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function classClause(kind: string, text: string, verb: string | null): string {
  const name = kind
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
  const article = /^[aeiou]/.test(name) ? 'an' : 'a';
  if (/^syntax/.test(name) && verb === 'edit')
    return `the edit introduced ${article} ${name}, ${text}`;
  return `${article} ${name}, ${lowerFirst(text)}`;
}

const STATE =
  '(?:not (?:found|available|enough|allowed|supported|permitted|valid|authorized|eligible|recognized|defined)|already (?:in|exists?|taken|booked|used|assigned|registered|a member)|unavailable|missing|invalid|required|expired|denied|exceeded)';
const STARTS_WHOLE =
  /^(?:the|a|an|no|not|it|you|your|this|that|there|unable|cannot|could|can't|couldn't|failed|invalid|missing|too|only|please|must|expected|unexpected|access|permission|requests?|got|at|in|on|for|i|we)\b/i;

function asClause(message: string, said: string): string {
  let text = lowerFirst(message.replace(/^(?:sorry|unfortunately)[,!.]? /i, ''));
  text = text.replace(
    /^([\w.]+): [Ii]nput should/,
    (_all, field: string) => `the ${field.replace(/[_.]+/g, ' ')} should`,
  );
  const none = /^no ([\w ]{2,40}?) (found|available|matched)\b/i.exec(text);
  if (none !== null) return text.replace(none[0], `no ${none[1] ?? ''} were ${none[2] ?? ''}`);
  const short = /^not enough (\w+)/i.exec(text);
  if (short !== null) {
    return `there ${isPlural(short[1] ?? '') ? 'were' : 'was'} ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  }
  const state = new RegExp(
    `^([\\p{L}][\\p{L} ]{1,40}?)(?: (["'#]?[^ ]+(?: \\p{Lu}[\\p{L}.]+)?["']?))? (${STATE})`,
    'u',
  ).exec(text);
  if (state !== null && !STARTS_WHOLE.test(text)) {
    const noun = state[1] ?? '';
    const value = state[2] ?? '';
    const known =
      /^(?:is|are|was|were|does|do|has|be|been)$/.test(value) ||
      / (?:is|are|was|were|has|does)$/.test(noun);
    if (!known) {
      const bare = value.replace(/^["'#]|["']$/g, '');
      const plainWord = /^[a-z]+$/.test(bare) && !said.includes(`${noun} ${bare}`);
      const dropped =
        !/ (?:with|named|called|id)\b/.test(noun) &&
        (value === '' || (!plainWord && namedAlone(bare, said)));
      const subject = dropped
        ? `the ${noun}`
        : plainWord
          ? `the ${noun} ${bare}`
          : `${noun} ${bare}`;
      const rest = text.slice(state[0].length - (state[3] ?? '').length);
      return `${subject} ${/^already exist/.test(rest) ? '' : /^already/.test(rest) ? 'is ' : 'was '}${rest}`;
    }
  }
  if (
    !STARTS_WHOLE.test(text) &&
    /^[a-z]+(?: [a-z]+){0,3} (?:does|do|is|was|are|were|has|have|had|cannot|can|must|should|may|stopped|already|needs?|did)\b/.test(
      text,
    )
  ) {
    return `the ${text}`;
  }
  return text;
}

/** Said already, and not as one of several: then `the flight` is clear. */
function namedAlone(value: string, said: string): boolean {
  const at = said.indexOf(value);
  if (at < 0) return false;
  return (
    !/[(,] ?$| and $/.test(said.slice(Math.max(0, at - 5), at)) &&
    !/^(?:,| and )/.test(said.slice(at + value.length, at + value.length + 5))
  );
}

export function familyReason(family: ErrorFamily): string {
  return FALLBACK[family];
}
