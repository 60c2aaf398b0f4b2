import isEmail from 'validator/lib/isEmail';
import { MASK, type Scan } from './span';

/** RFC 5321: 64 octets before the `@`, 255 after it. */
const LOCAL = 64;
const DOMAIN = 255;

const LOCAL_CHAR = /[\p{L}\p{M}\p{N}.!#$&'*+/=?^_`{|}~-]/u;
const DOMAIN_RUN =
  /(?:[\p{L}\p{M}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,62})\.){1,8}[\p{L}\p{M}\p{N}-]{2,24}/uy;

/** Endings that are files or packages rather than domains: `icon@2x.png`, `pkg@1.2.tgz`. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|ico|css|scss|less|js|mjs|cjs|ts|tsx|jsx|map|json|ya?ml|tgz|gz|zip|whl|txt|mdx?|html?|py|rb|go|rs|java|class|lock|toml|exe|dll|so|pdf|\d{1,64})$/i;

function localStart(text: string, at: number): number {
  let start = at;
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2);
    return open !== -1 && at - open <= LOCAL && !/[\n@]/.test(text.slice(open, at)) ? open : at;
  }
  while (start > 0 && at - start < LOCAL) {
    const char = text[start - 1] ?? '';
    if (char === MASK || !LOCAL_CHAR.test(char)) break;
    start -= 1;
  }
  // Signs that a sentence, a query string or a quotation put before the address.
  for (;;) {
    const char = text[start] ?? '';
    if (start < at && /[.'`*=/?&{|}#$!^~-]/.test(char)) start += 1;
    else break;
  }
  const inner = text.slice(start, at);
  const cut = Math.max(
    inner.lastIndexOf('='),
    inner.lastIndexOf('/'),
    inner.lastIndexOf('?'),
    inner.lastIndexOf('&'),
    inner.lastIndexOf('`'),
    inner.lastIndexOf('|'),
    inner.lastIndexOf('{'),
  );
  return cut === -1 ? start : start + cut + 1;
}

function domainEnd(text: string, at: number): number {
  DOMAIN_RUN.lastIndex = at;
  const run = DOMAIN_RUN.exec(text)?.[0].slice(0, DOMAIN);
  if (run === undefined) return bracketedEnd(text, at);
  const trimmed = run.replace(/-{1,64}$/, '');
  // `a@b.example.And`: the sentence goes on; only the letters of the last label decide.
  return at + trimmed.length;
}

function bracketedEnd(text: string, at: number): number {
  const literal = /^\[[0-9A-Fa-f.:]{7,45}\]/.exec(text.slice(at, at + 48))?.[0];
  return literal === undefined ? at : at + literal.length;
}

function isAddress(address: string): boolean {
  if (FILE_ENDING.test(address) || /[.-]$/.test(address)) return false;
  return isEmail(address, {
    allow_utf8_local_part: true,
    allow_ip_domain: true,
    ignore_max_length: true,
  });
}

/**
 * What was written on to an address is none of it: `ada@example.org-17`, `ada@example.org.17`. The longest
 * beginning that is an address, else the whole; a file stays a file.
 */
function addressIn(whole: string): string {
  for (let address = whole; !FILE_ENDING.test(address) || /\.\d{1,64}$/.test(address); ) {
    if (isAddress(address)) return address;
    const cut = Math.max(address.lastIndexOf('.'), address.lastIndexOf('-'));
    if (cut <= address.lastIndexOf('@')) break;
    address = address.slice(0, cut);
  }
  return whole;
}

/** From each `@` to both sides, within the lengths that an address can have. */
export function detectEmails(scan: Scan): void {
  const { text } = scan;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const whole = domainEnd(text, at + 1);
    if (whole === at + 1) continue;
    const start = localStart(text, at);
    if (start === at) continue;
    const end = start + addressIn(text.slice(start, whole)).length;
    const address = text.slice(start, end);
    // `git@host:org/repo` is a login; `user@host:port` is not told apart and stays an address.
    if (
      /^git@/i.test(address) ||
      (text[end] === ':' && /^:[\w.-]{1,64}\//.test(text.slice(end, end + 70)))
    )
      continue;
    if (!isAddress(address)) continue;
    scan.spans.push({
      start,
      end,
      type: 'email',
      normalised: address.normalize('NFC').toLowerCase(),
    });
    at = end - 1;
  }
  detectSpelledEmails(scan);
}

const SPELLED =
  /([\p{L}\p{N}._+-]{1,64})[ \t]?(?:[[({<]|\s-|_)[ \t]?at[ \t]?(?:[\])}>]|-\s|_)[ \t]?([\p{L}\p{N}-]{1,63}(?:(?:\.|[ \t]?[[({<][ \t]?(?:dot|\.)[ \t]?[\])}>][ \t]?)[\p{L}\p{N}-]{1,63}){1,4})/giu;
const SPELLED_TRIGGER = /[[({<]\s?at\s?[\])}>]/i;

/** `ada [at] example [dot] org`. */
function detectSpelledEmails(scan: Scan): void {
  if (!SPELLED_TRIGGER.test(scan.text)) return;
  for (const match of scan.text.matchAll(SPELLED)) {
    const domain = (match[2] ?? '').replace(
      /[ \t]?[[({<][ \t]?(?:dot|\.)[ \t]?[\])}>][ \t]?/gi,
      '.',
    );
    const end = match.index + match[0].length;
    const normalised = `${match[1]}@${domain}`.toLowerCase();
    if (isAddress(normalised))
      scan.spans.push({ start: match.index, end, type: 'email', normalised });
  }
}
