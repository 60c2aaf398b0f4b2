/** Credentials known by their place: URLs, auth schemes without a header name, and command lines. */
import { MASK, type Scan } from './span';
import { isStandIn, looksRandom } from './value-shapes';

const SCHEME_END = '://';

/** Last `@` before the path: passwords in the wild hold `@` themselves. */
function userinfoEnd(text: string, at: number): number {
  const limit = Math.min(text.length, at + 400);
  let last = -1;
  for (let index = at; index < limit; index += 1) {
    const char = text[index] ?? '';
    if (char === '@') last = index;
    else if (/[\s/?#"'`<>\\]/.test(char) || char === MASK) {
      if (last !== -1) return last;
      // `postgres://app:pa/ss@db`: a slash inside a password, if an `@` follows before the line ends.
      if (char !== '/' || !text.slice(at, index).includes(':')) return -1;
      const more = /^[^\s"'`<>@?#]{0,64}@[A-Za-z0-9.-]{1,80}(?::\d{2,5})?(?:[/?\s"'`]|$)/.exec(
        text.slice(index, index + 160),
      );
      const port = /:\d{1,5}$/.test(text.slice(at, index));
      return more === null || port ? -1 : index + more[0].indexOf('@');
    }
  }
  return last;
}

/** `scheme://user:password@host`, and a token alone before the `@`. */
export function detectUrlPasswords(scan: Scan): void {
  const { text } = scan;
  for (let hit = text.indexOf(SCHEME_END); hit !== -1; hit = text.indexOf(SCHEME_END, hit + 3)) {
    const start = hit + SCHEME_END.length;
    if (!/[A-Za-z0-9]/.test(text[hit - 1] ?? '')) continue;
    const end = userinfoEnd(text, start);
    if (end <= start) continue;
    const info = text.slice(start, end);
    const colon = info.indexOf(':');
    const user = colon === -1 ? info : info.slice(0, colon);
    const password = colon === -1 ? '' : info.slice(colon + 1);
    const secret = colon === -1 ? looksRandom(user, 16) : isUrlPassword(password);
    if (secret) scan.spans.push({ start, end, type: 'password' });
  }
}

function isUrlPassword(password: string): boolean {
  if (
    password === '' ||
    /\]$/.test(password) ||
    /^(?:\$\{|\$\(|\$[A-Z_]{1,256}$|\{|<|%[sdr(]|\*{1,256}$|\.{3}|x{3,256}$)/.test(password)
  )
    return false;
  return true;
}

const ORACLE = /jdbc:oracle:thin:([^\s/@"']{1,64}\/[^\s@"']{1,128})@/g;
const BUNDLER = /\b([0-9a-f]{8}:[0-9a-f]{8})@(?:gems|enterprise)\.contribsys\.com/g;
const SCHEMES =
  /\b(?:Bearer[ :=]{1,3}|(?:Basic|Digest|Negotiate|SSWS|Splunk|AWS4-HMAC-SHA256) {1,3})["'`]?(?: ?\+ ?["'`])?/gi;
const SCHEME_VALUE = /[A-Za-z0-9_\-.~+/=%|:]{8,512}/y;
const SIGNED = /Credential=|Signature=/g;

export function basicHoldsPair(value: string): boolean {
  if (!/^[A-Za-z0-9+/_-]{4,512}={0,2}$/.test(value)) return false;
  const plain = Buffer.from(value.slice(0, 512), 'base64').toString('latin1');
  return plain.includes(':') && /^[\x20-\x7e\xa0-\xff]{0,512}$/.test(plain);
}

/** `Bearer …`, `Basic …` wherever they stand; prose such as "bearer of news" holds nothing generated. */
export function detectAuthSchemes(scan: Scan): void {
  const { text } = scan;
  let signedTo = 0;
  SCHEMES.lastIndex = 0;
  for (let hit = SCHEMES.exec(text); hit !== null; hit = SCHEMES.exec(text)) {
    const start = SCHEMES.lastIndex;
    if (/^AWS4/i.test(hit[0])) {
      signedParts(scan, Math.max(start, signedTo - OVERLAP), start + SIGNED_REACH);
      signedTo = start + SIGNED_REACH;
      continue;
    }
    SCHEME_VALUE.lastIndex = start;
    const value = SCHEME_VALUE.exec(text)?.[0];
    if (value === undefined || isStandIn(value)) continue;
    const secret = /^basic/i.test(hit[0]) ? basicHoldsPair(value) : looksRandom(value, 10);
    if (!secret) continue;
    let end = start + value.length;
    while (end < text.length && /[A-Za-z0-9_\-.~+/=]/.test(text[end] ?? '')) end += 1;
    scan.spans.push({ start, end, type: 'auth_header' });
    SCHEMES.lastIndex = end;
  }
}

/** An AWS signature header is shorter than this. */
const SIGNED_REACH = 1024;

function signedParts(scan: Scan, at: number, end: number): void {
  const window = scan.text.slice(at, end);
  for (const part of window.matchAll(SIGNED)) {
    const start = at + part.index + part[0].length;
    const value = /^[A-Za-z0-9/+=_-]{8,256}/.exec(scan.text.slice(start, start + 256))?.[0];
    if (value !== undefined) {
      scan.spans.push({ start, end: start + value.length, type: 'auth_header' });
    }
  }
}

/** Short codes are digits alone, so only their names tell. */
const CODES =
  /\b(?:otp|pin|passcode|(?:verification|security|access|auth(?:entication)?|one[- ]?time|login|confirmation) (?:pass)?code|cvv2?|cvc2?)\b(?: ?(?:code|number|no\.?|is|was|[:=#-])){0,3}["'`]?[ :=#"'`]{1,4}(\d{3,8})(?![A-Za-z0-9_]|[.,:/-]\d)/gi;

/** `PIN: 4821`, `your OTP is 482913`, `cvv 123`. */
export function detectCodes(scan: Scan): void {
  for (const match of scan.text.matchAll(CODES)) {
    const code = match[1] ?? '';
    if (code.length < (/^cv/i.test(match[0]) ? 3 : 4)) continue;
    const end = match.index + match[0].length;
    scan.spans.push({ start: end - code.length, end, type: 'password' });
  }
}

const CURL_USER = /\bcurl\b|\bwget\b|\bhttpie?\b/g;
const USER_FLAG =
  /\s(?:-u|--user|--proxy-user|-U|--auth)[ =]{0,2}(["']?)([^\s"':]{0,64}:[^\s"']{0,128})/g;
const SHORT_FLAG =
  /\b(?:mysql|mysqldump|mysqladmin|mariadb|sshpass|redis-cli|mongo|mongosh|(?:docker|podman|registry|nerdctl|oras) login|az login|ldapsearch|sqlcmd|bcp|mosquitto_(?:pub|sub))\b/g;
const SHORT_VALUE = /\s-(?:p|a|w|P)[ ]?(["']?)([^\s"'-][^\s"']{3,127})/g;
const LONG_FLAG =
  /\s--?(?:[a-z]{1,16}-){0,3}(?:password|passwd|pass|pwd|passphrase|storepass|keypass|srcstorepass|deststorepass|secret|token|api-?key|access-?key|secret-?key|credentials?)[ \t]{1,4}(["']?)([^\s"'`-][^\s"'`]{2,255})/gi;

/** A program's flags are looked for this far behind its name; windows overlap by the longest flag. */
const REACH = 600;
const OVERLAP = 200;

function flagValues(scan: Scan, from: number, reach: number, pattern: RegExp): void {
  const window = scan.text.slice(from, from + reach);
  for (const match of window.matchAll(pattern)) {
    const value = match[2] ?? '';
    const bare = value.slice(value.indexOf(':') + 1) || value.slice(0, -1);
    if (
      bare.length < 3 ||
      isStandIn(bare) ||
      /^(?:[$<{%]|[.~]{0,2}\/[\w./-]{0,256}$)/.test(bare) ||
      value.includes('://') ||
      value.includes(MASK)
    )
      continue;
    const start = from + match.index + match[0].length - value.length;
    // `--password options instead of`: the sentence goes on.
    if (
      /^[a-z]{1,256}$/i.test(value) &&
      /^ [A-Za-z]/.test(scan.text.slice(start + value.length, start + value.length + 2))
    )
      continue;
    scan.spans.push({ start, end: start + value.length, type: 'password' });
  }
}

/** `curl -u user:pass`, `mysql -pSECRET`, `--password SECRET`. */
export function detectCommandLines(scan: Scan): void {
  for (const [programs, values] of [
    [CURL_USER, USER_FLAG],
    [SHORT_FLAG, SHORT_VALUE],
  ] as const) {
    let done = 0;
    programs.lastIndex = 0;
    for (let hit = programs.exec(scan.text); hit !== null; hit = programs.exec(scan.text)) {
      const from = Math.max(programs.lastIndex, done - OVERLAP);
      const end = programs.lastIndex + REACH;
      if (end - done >= OVERLAP) {
        flagValues(scan, from, end - from, values);
        done = end;
      }
    }
  }
  flagValues(scan, 0, scan.text.length, LONG_FLAG);
  for (const pattern of [ORACLE, BUNDLER]) {
    for (const match of scan.text.matchAll(pattern)) {
      const pair = match[1] ?? '';
      const start = match.index + match[0].indexOf(pair);
      scan.spans.push({ start, end: start + pair.length, type: 'password' });
    }
  }
}
