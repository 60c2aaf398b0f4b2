import type { RedactionType } from '../contracts/names';
import { PROVIDER_TRIGGER, type SecretName, secretName } from './secret-names';
import { MASK, type Scan } from './span';
import { isCamelCase, isExpression, isStandIn, isUuid, looksRandom } from './value-shapes';

/**
 * `name = value` in all its spellings: code, environment, YAML, JSON inside text, XML, headers,
 * command lines and prose. A cheap trigger finds the word, the name around it is judged once, and
 * only then is a value read, 512 units at most.
 */
const WORDS =
  /pass|pwd|\bpw\b|_pw\b|psw|(?<![a-z])psk(?![a-z])|secret|token|cred|key|auth|bearer|jwt|sess|cookie|oauth|(?<![a-z])(?:sig(?:nature)?|otp|pat)(?![a-z])|mnemonic|xsrf|passwort|kennwort|contrase|senha|wachtwoord|has[lł]o|пароль|密[码碼]|パスワード|비밀번호|(?:account|tenant|client|access)[_ ]?id/;

const TRIGGER = new RegExp(`${WORDS.source}|${PROVIDER_TRIGGER}`, 'gi');

const NAME_LEFT = 64;
const NAME_RIGHT = 64;
const VALUE = 512;

const isNameChar = (char: string | undefined) =>
  char !== undefined && /[\p{L}\p{N}_.$-]/u.test(char);

/** Between name and value: closing quotes, a type, an operator, opening quote and string prefix. */
const OPERATOR =
  /(["'`]?[\])]{0,2}["'`]?)([ \t]{0,16})(?:(?:string|str|String|text|varchar|Optional\[str\]) ?)?(?:(:?[=!?.|~+]{0,2}=(?:=|>|~|&gt;)?|:{1,3}=?>?|=>|->|>|,|\((?=[@fbruLl$]{0,2}["'`])|value\s?[=:]|\s{0,4}\n[ \t]{0,16}value:)([ \t]{0,16}(?:\\?\r?\n[ \t]{0,16})?))?(?:[@fbruLl$]{0,2}(["'`]))?/iy;

const PROSE =
  /\s{1,4}(?:(?:is|was|are|to|as|of|with|for|be|been|set|now|changed|updated|has|have|value|equals|reads?|says|it|ist|es|est|default|should|will|must)\b[ \t]{0,3}){0,5}(?:[:=]|-{1,2}(?= ))?\s{0,3}(?:\*\*|__)?(["'`]?)/iy;

function readName(text: string, at: number, length: number): { start: number; end: number } {
  let start = at;
  while (start > 0 && at - start < NAME_LEFT && isNameChar(text[start - 1])) start -= 1;
  let end = at + length;
  while (end - at < NAME_RIGHT && isNameChar(text[end])) end += 1;
  while (end > at + length && /[.-]/.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

function readQuoted(text: string, at: number, quote: string): { value: string; closed: boolean } {
  let end = at;
  const limit = Math.min(text.length, at + VALUE);
  while (end < limit && text[end] !== quote && text[end] !== '\n') end += 1;
  return { value: text.slice(at, end), closed: text[end] === quote };
}

const BARE = /[^\s"'`,;<&\uFFFC]{1,512}/y;
const BARE_HEADER = /[^\n"'`\uFFFC]{1,512}/y;

function readBare(text: string, at: number, pattern: RegExp): string {
  pattern.lastIndex = at;
  const found = pattern.exec(text)?.[0] ?? '';
  return found
    .replace(/[.,;:!?]{1,8}$/, '')
    .replace(/^([^([{]{0,512}?)[)\]}]{1,4}$/, '$1')
    .trimEnd();
}

/**
 * Signs that end a sentence end passwords too: what stands as a value may end with `!` or `?`, what a
 * sentence tells with `!`. A stop, a comma and a colon are the sentence's.
 */
const VALUE_SIGNS = /[.:!?]{0,7}[!?]/y;
const SENTENCE_SIGNS = /[.:!?]{0,7}!/y;

/** Where a value that was found to be a secret ends, with the signs behind it that are likely part of it. */
function endOf(text: string, end: number, kind: SecretName, signs: RegExp): number {
  if (kind !== 'password' && kind !== 'secret') return end;
  signs.lastIndex = end;
  return signs.test(text) ? signs.lastIndex : end;
}

function typeOf(kind: SecretName): RedactionType {
  switch (kind) {
    case 'password':
      return 'password';
    case 'auth':
      return 'auth_header';
    case 'secret':
    case 'token':
    case 'provider':
      return 'token';
    default:
      return kind satisfies never;
  }
}

const isWord = (value: string) => /^[\p{L}_-]{1,64}$/u.test(value);

/** A value in quotes was written as a literal, so names of secrets hide nearly all of them. */
function hidesQuoted(kind: SecretName, value: string): boolean {
  // `PASSWORD = "password"`: the name of a field, not what is in it.
  if (isStandIn(value) || (isWord(value) && secretName(value) === kind)) return false;
  switch (kind) {
    case 'password':
      return value.length >= 3 && !(/\s/.test(value) && /^[\p{L}\s.,:!?'()-]{0,512}$/u.test(value));
    case 'secret':
      return value.length >= 5 && !(/^[^0-9]{0,512}$/.test(value) && /[\s:/.]/.test(value));
    case 'token':
      return looksToken(value);
    case 'provider':
      return isGenerated(value);
    case 'auth':
      return value.length >= 4;
    default:
      return kind satisfies never;
  }
}

const isGenerated = (value: string) =>
  /^(?:[A-Za-z0-9]{20,128}|[A-Za-z0-9_=-]{32,128})$/.test(value) &&
  /[A-Za-z]/.test(value) &&
  /\d/.test(value) &&
  looksRandom(value, 20);

function looksToken(value: string): boolean {
  if (isUuid(value) || looksRandom(value)) return true;
  const digits = value.replace(/-/g, '');
  return /^[0-9]{12,24}$/.test(digits) && !/^1[5-9]\d{8}(?:\d{3}){0,3}$/.test(value);
}

/** A bare value may be code or the next word of a sentence, so letters alone are not enough. */
function hidesBare(kind: SecretName, value: string, tight: boolean): boolean {
  if (value.length < 3 || isStandIn(value)) return false;
  if (kind === 'provider') return isGenerated(value);
  if (kind === 'token')
    return (
      looksToken(value) &&
      (!isExpression(value) || (/^[\w.-]{20,512}$/.test(value) && /[\w-]{20}/.test(value)))
    );
  if (isExpression(value) || (isCamelCase(value) && !tight)) return false;
  if (/^[([]/.test(value) && isExpression(value.slice(1))) return false;
  if (
    /^_{0,2}[A-Z]?[a-z]{0,24}[A-Z]{0,4}[a-z]{1,24}(?:[A-Z][a-z]{1,24}){1,8}$|^[A-Z]{2,64}(?:_[A-Z0-9]{1,64}){1,8}$/.test(
      value,
    )
  )
    return false;
  // No word has twenty letters in lower case and no hyphen.
  if (/^[a-z]{20,128}$/.test(value)) return true;
  if (isWord(value)) {
    if (/_|-/.test(value) || secretName(value)) return false;
    return (tight && value.length >= 6) || looksRandom(value, 20);
  }
  // `[Reset`, `(see`: markup or an aside.
  if (/^[[(<]/.test(value) && isWord(value.replace(/^\W{1,4}|\W{1,4}$/g, ''))) return false;
  if (/^[0-9]{1,3}$/.test(value)) return false;
  return /[\p{L}\p{N}]/u.test(value);
}

interface Found {
  start: number;
  end: number;
}

/** `Digest username="x", response="…"`: the quotes belong to the header's parameters. */
const PARAMETERS =
  /"[^"\n]{0,256}"(?:, {0,2}[\w-]{1,32}=(?:"[^"\n]{0,256}"|[^",\n]{0,256})){0,20}/y;

/** `secret.assign("x")` and `password("x")` give a value; `password.startsWith("x")` asks for one. */
const SETTER = /(?:assign|set|put|value|literal|pass\w{0,8}|pwd|secret\w?|token|key)$/i;

/** A word is a value only where the line, the list or the quotation ends behind it. */
const ENDS_HERE = /^[ \t]{0,3}(?:$|[\r\n,;}"'`<&])/;

/** `pass` is a verb as well: only an operator makes it the name of something. */
const isVerb = (text: string, name: Found) => /^pass$/i.test(text.slice(name.start, name.end));

function afterOperator(text: string, name: Found, kind: SecretName): Found | null {
  OPERATOR.lastIndex = name.end;
  const match = OPERATOR.exec(text);
  if (match === null) return null;
  const [, closing = '', blanks = '', operator, , quote] = match;
  const at = OPERATOR.lastIndex;
  if (quote !== undefined) {
    if (operator === undefined && (blanks === '' || closing !== '' || isVerb(text, name)))
      return null;
    if (operator === ',' && closing === '') return null;
    // `cohere.Client("…")`: a provider's client is made with its key.
    const sets = kind === 'provider' || SETTER.test(text.slice(name.start, name.end));
    if (operator === '(' && !sets) return null;
    const { value, closed } = readQuoted(text, at, quote);
    // The quote was a closing one, or the next of a list of names: `['pass', 'pin']`.
    if (/^[,;)\]}]/.test(value)) return null;
    const loose = operator === ',' || (operator === undefined && kind !== 'password');
    if (
      loose &&
      (operator === ','
        ? !/\d/.test(value)
        : /^[\w.*\s-]{0,512}$/.test(value) && !looksToken(value))
    ) {
      return null;
    }
    const hides = kind === 'auth' ? hidesAuth(value) : hidesQuoted(kind, value);
    return hides && (closed || value.length >= 6) ? { start: at, end: at + value.length } : null;
  }
  if (operator === undefined || operator === ',' || operator.startsWith('(')) return null;
  if (/[:)]/.test(text[at] ?? '')) return null;
  if (kind === 'auth') {
    const value = readBare(text, at, BARE_HEADER);
    if (!hidesAuth(value)) return null;
    PARAMETERS.lastIndex = at + value.length;
    const more = /=$/.test(value) && PARAMETERS.exec(text) !== null;
    return { start: at, end: more ? PARAMETERS.lastIndex : at + value.length };
  }
  const value = readBare(text, at, BARE);
  const end = value === '' ? at : endOf(text, at + value.length, kind, VALUE_SIGNS);
  // `KEY=value` with no blanks is an environment or a command line, where values are literals.
  const upper = /^[A-Z0-9_]{3,128}$/.test(text.slice(name.start, name.end));
  const element = operator === '>' && text[name.start - 1] === '<' && text[end] === '<';
  if (element && (kind === 'password' || kind === 'secret') && isWord(value)) {
    return isStandIn(value) ? null : { start: at, end };
  }
  const tight = (operator === '=' && at === name.end + 1 && upper) || operator === ':';
  if (operator === '>' && (text[name.start - 1] !== '<' || /^[@:/]/.test(value))) return null;
  // `password: changed!` is told; `PASSWORD=letmein!` is set.
  const behind = operator === '=' ? end : at + value.length;
  if (isWord(value) && (isVerb(text, name) || !ENDS_HERE.test(text.slice(behind, behind + 4)))) {
    return null;
  }
  return hidesBare(kind, value, tight) ? { start: at, end } : null;
}

/** `Authorization: <scheme> <credentials>`, `Cookie: a=b; c=d`. Prose after the word is left alone. */
function hidesAuth(value: string): boolean {
  const text = value.trim();
  const [, rest = text] =
    /^(?:Bearer|Basic|Token|Digest|Negotiate|NTLM|ApiKey|Api-Key|Key|AWS4-HMAC-SHA256|Hawk|OAuth|Splunk|SSWS|GoogleLogin|JWT|Klaviyo-API-Key|Bot|DPoP)[ :=+]{1,4}(.{0,512})$/i.exec(
      text,
    ) ?? [];
  if (rest === '' || isStandIn(rest) || /^(?:\$|<|\{|%)/.test(rest) || /^\W{1,512}$/.test(rest))
    return false;
  if (isExpression(rest)) return false;
  if (rest !== text) return rest.length >= 4;
  if (/^[^\s=;]{1,64}=/.test(text)) return /(?:^|[;\s])[^\s=;]{1,64}=[^\s;]{4,512}/.test(text);
  // A scheme of somebody's own.
  const own = /^[A-Za-z][\w-]{1,24} (\S{8,512})$/.exec(text)?.[1] ?? text;
  return looksRandom(own) || isUuid(own);
}

/** `"value" == password`: the literal stands before the name. */
function beforeOperator(text: string, name: Found, kind: SecretName): Found | null {
  const left = text.slice(Math.max(0, name.start - VALUE), name.start);
  const match = /(["'`]) {0,4}(?:===?|!==?)[ \t]{0,4}$/.exec(left.slice(-16));
  if (match === null) return null;
  const end = name.start - match[0].length;
  const start = text.lastIndexOf(match[1] ?? '"', end - 1) + 1;
  if (start === 0 || end - start > VALUE) return null;
  return hidesQuoted(kind, text.slice(start, end)) ? { start, end } : null;
}

/** `the password is hunter2`: a sentence, so the value must have a digit or a sign, or be quoted. */
function inProse(text: string, name: Found, kind: SecretName): Found | null {
  PROSE.lastIndex = name.end;
  const match = PROSE.exec(text);
  if (match === null || kind === 'auth' || kind === 'provider' || isVerb(text, name)) return null;
  const at = PROSE.lastIndex;
  const quote = match[1] ?? '';
  const value = quote === '' ? readBare(text, at, BARE) : readQuoted(text, at, quote).value;
  const cut = value.replace(/(?:\*\*|__)$/, '');
  if (
    cut.length < 4 ||
    cut.length > 128 ||
    /^[([{<]/.test(cut) ||
    isCamelCase(cut) ||
    isStandIn(cut) ||
    isExpression(cut)
  )
    return null;
  const mixed = /\p{L}/u.test(cut) && /[0-9]/.test(cut);
  const literal =
    quote !== '' && /\S/.test(cut) && !/\s/.test(cut) && (mixed || kind === 'password');
  const numbered = kind !== 'password' && /^[A-Za-z]{1,128}-?\d{1,2}$/.test(cut);
  const typed =
    mixed && !numbered && !/^\d{1,4}(?:st|nd|rd|th|s|px|ms|kb|mb|gb|k|m|am|pm)$/i.test(cut);
  const odd = kind === 'password' && /[!@#$%^&*?]/.test(cut.slice(0, -1)) && /[\p{L}\d]/u.test(cut);
  if (kind === 'token' && !looksRandom(cut)) return null;
  if (!literal && !typed && !odd) return null;
  const end = at + cut.length;
  return { start: at, end: quote === '' ? endOf(text, end, kind, SENTENCE_SIGNS) : end };
}

export function detectKeywords(scan: Scan): void {
  const { text } = scan;
  TRIGGER.lastIndex = 0;
  for (let hit = TRIGGER.exec(text); hit !== null; hit = TRIGGER.exec(text)) {
    const name = readName(text, hit.index, hit[0].length);
    TRIGGER.lastIndex = Math.max(name.end, TRIGGER.lastIndex);
    const kind = nameKind(text, name);
    if (kind === null || text[name.end] === MASK) continue;
    const found =
      afterOperator(text, name, kind) ??
      beforeOperator(text, name, kind) ??
      inProse(text, name, kind);
    if (found !== null) scan.spans.push({ ...found, type: typeOf(kind) });
  }
}

/** Two words in prose (`secret key`, `api key`, `pass phrase`) are one name. */
function nameKind(text: string, name: Found): SecretName | null {
  const written = text.slice(name.start, name.end);
  const next = /^ (?:key|token|phrase|code|word|id)\b/i.exec(text.slice(name.end, name.end + 8));
  if (next !== null) {
    const joined = secretName(`${written}${next[0]}`);
    if (joined !== null) {
      name.end += next[0].length;
      return joined;
    }
  }
  if (/^keys?$/i.test(written)) {
    const owner = /([A-Za-z]{2,16}) $/.exec(text.slice(Math.max(0, name.start - 17), name.start));
    return owner === null ? null : secretName(`${owner[1]} key`);
  }
  return secretName(written);
}
