import type { Scan } from './span';

const HEADER =
  /(?:-{4,5} ?)?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?|PuTTY-User-Key-File-\d/g;
const FOOTER =
  /END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?: ?-{4,5})?|Private-MAC: ?[0-9a-f]{8,64}/g;

/** A line of a key block: base64 at length, a short last line, or a header such as `Proc-Type:`. */
const KEY_LINE =
  /[ \t"'`>|#+,]{0,16}(?:[A-Za-z0-9+/=_-]{16,512}|[A-Za-z0-9+/]{1,76}={1,2}|[A-Z][A-Za-z-]{2,30}: ?[^\n]{0,120})?[ \t"'`,+\\;]{0,8}(?:\r?\n|$)/y;
const LINE_START = /[\s"'`]{0,8}(?=[A-Za-z0-9+/=]{16})/y;
const LINE_PART = /[A-Za-z0-9+/=]{16}[A-Za-z0-9+/=]*/y;
const LINE_GAP = /[ \t]{1,2}/y;
const LINE_PARTS = 128;

const CUT_FOOTER = /[\s"'`]{0,8}-{3,5}(?:E(?:ND?)?[A-Z0-9 ]{0,40})?-{0,5}(?![A-Za-z-])/y;

/** A block longer than this is no key; without its end the lines that look like one are taken. */
const LONGEST = 64 * 1024;

/** A key in one line, its own lines joined by blanks or by nothing; `at` where there is none. */
function oneLineEnd(text: string, at: number): number {
  LINE_START.lastIndex = at;
  if (LINE_START.exec(text) === null) return at;
  let end = at;
  let next = LINE_START.lastIndex;
  for (let parts = 0; parts < LINE_PARTS; parts += 1) {
    LINE_PART.lastIndex = next;
    if (LINE_PART.exec(text) === null) break;
    end = LINE_PART.lastIndex;
    LINE_GAP.lastIndex = end;
    if (LINE_GAP.exec(text) === null) break;
    next = LINE_GAP.lastIndex;
  }
  return end;
}

function truncatedEnd(text: string, at: number): number {
  let end = at;
  KEY_LINE.lastIndex = at;
  // The rest of the header's own line, then line by line; an empty line is taken once.
  for (let lines = 0; lines < 2000; lines += 1) {
    const match = KEY_LINE.exec(text);
    if (match === null || match[0] === '') break;
    if (match[0].trim() !== '') end = KEY_LINE.lastIndex;
    else if (lines > 1) break;
  }
  end = Math.max(end, oneLineEnd(text, at));
  CUT_FOOTER.lastIndex = end;
  return CUT_FOOTER.exec(text) === null ? end : CUT_FOOTER.lastIndex;
}

/** PEM, OpenSSH, PGP and PuTTY keys, whole or cut off, with real or escaped line ends. */
export function detectPrivateKeys(scan: Scan): void {
  const { text } = scan;
  let footerAt = -1;
  HEADER.lastIndex = 0;
  for (let hit = HEADER.exec(text); hit !== null; hit = HEADER.exec(text)) {
    const bodyAt = HEADER.lastIndex;
    // The footer only moves forward, so many headers without one cost a single search.
    if (footerAt < bodyAt && footerAt !== Number.POSITIVE_INFINITY) {
      FOOTER.lastIndex = bodyAt;
      const footer = FOOTER.exec(text);
      footerAt = footer === null ? Number.POSITIVE_INFINITY : footer.index;
    }
    let end = truncatedEnd(text, bodyAt);
    if (footerAt - bodyAt < LONGEST) {
      FOOTER.lastIndex = footerAt;
      FOOTER.exec(text);
      end = Math.max(end, FOOTER.lastIndex);
    }
    // Only blanks were taken: leave the line end to the text around.
    while (end > bodyAt && /\s/.test(text[end - 1] ?? '')) end -= 1;
    scan.spans.push({ start: hit.index, end, type: 'private_key' });
    HEADER.lastIndex = Math.max(end, HEADER.lastIndex);
  }
  detectBareKeys(scan);
}

const CHAIN_KEY = /(?<![0-9A-Za-z])(?:0x)?[0-9a-fA-F]{64}(?![0-9A-Za-z])/g;
const CHAIN_WORDS = /priv(?:ate)?[ _-]?key|wallet|secp256k1|mnemonic|metamask/i;
const PHRASE =
  /(?:seed|mnemonic|recovery|secret|backup)[ _-]?(?:phrase|words?|mnemonic)[^a-z\n]{1,8}(?:(?:is|are)[: ]{1,3})?((?:[a-z]{3,8}[ ,]{1,3}){11,23}[a-z]{3,8})/gi;

/** Twelve words of three letters, or a key in hex. */
const SHORTEST_BARE = 47;

/** Raw hex keys and seed phrases read like hashes and prose, so a word nearby decides. */
function detectBareKeys(scan: Scan): void {
  const { text } = scan;
  if (text.length < SHORTEST_BARE) return;
  if (CHAIN_WORDS.test(text)) {
    for (const match of text.matchAll(CHAIN_KEY)) {
      const end = match.index + match[0].length;
      const around =
        text.slice(Math.max(0, match.index - 100), match.index) + text.slice(end, end + 80);
      if (CHAIN_WORDS.test(around) && new Set(match[0]).size > 6) {
        scan.spans.push({ start: match.index, end, type: 'private_key' });
      }
    }
  }
  for (const match of text.matchAll(PHRASE)) {
    const words = match[1] ?? '';
    const end = match.index + match[0].length;
    scan.spans.push({ start: end - words.length, end, type: 'private_key' });
  }
}
