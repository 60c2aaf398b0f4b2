import { parse } from 'ipaddr.js';
import type { Scan } from './span';

const V4 = /(?<![\p{L}\p{N}_.])(?<!\d,)(?:\d{1,3}\.){3}\d{1,3}(?![\p{L}\p{N}_]|\.\d|\.[*x])/gu;
/** Two colons with at most one group between them; all that IPv6 has and most text lacks. */
const V6_TRIGGER = /:[0-9A-Fa-f]{0,4}:/g;
const V6 =
  /(?<![\p{L}\p{N}_:.])(?:[0-9A-Fa-f]{0,4}:){2,7}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{0,4})(?![\p{L}\p{N}_:]|\.\d)/uy;

/** Signs that four numbers are a version: an operator, a package's name, a word, a product's slash. */
const VERSION_BEFORE =
  /(?:[=~<>^!]=|=>|[<^~]|(?<![A-Za-z"'/])>|\bv|\bver\.?|[Vv]ersions?|[Rr]elease|[Bb]uild|[Ff]irmware|[Ss]ections?|[Ii]dentifier|§|[Cc]hapter|[Pp]atch|[Uu]pgraded? (?:to|from)|[A-Za-z0-9]-|[A-Za-z)]\/|@|\boid\b|\(==|kernel|driver|schema)[ :="'(`]{0,3}$/;
const URL_BEFORE =
  /(?:\/\/|(?:host|addr|address|ip|server|peer|client|remote)[\w-]{0,8} ?[:=]{1,2} ?["']?)$/i;
const VERSION_AFTER =
  /^(?:-[A-Za-z]|-py\d|\.(?:tar|zip|whl|tgz|jar|exe|dll|deb|rpm)|[+-](?:rc|beta|alpha)|\*)/;

/** Ranges that tell nobody where a machine is, and so stay as they are. */
const KEPT = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
  'multicast',
  'broadcast',
  'unspecified',
]);

/** `255.255.240.0`: contiguous ones from the left. */
function isNetmask(address: string): boolean {
  const parts = address.split('.').map(Number);
  if (parts[0] !== 255) return false;
  const bits = parts.map((part) => part.toString(2).padStart(8, '0')).join('');
  return /^1{0,32}0{0,32}$/.test(bits);
}

/** The address in its one spelling, or null where it stays. */
function external(written: string): string | null {
  try {
    const address = parse(written);
    const plain =
      address.kind() === 'ipv6' && 'isIPv4MappedAddress' in address && address.isIPv4MappedAddress()
        ? address.toIPv4Address()
        : address;
    return KEPT.has(plain.range()) ? null : plain.toString();
  } catch {
    return null;
  }
}

function isVersion(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 32), start);
  if (VERSION_AFTER.test(text.slice(end, end + 8))) return true;
  return VERSION_BEFORE.test(before) && !URL_BEFORE.test(before);
}

export function detectAddresses(scan: Scan): void {
  const { text } = scan;
  for (const match of text.matchAll(V4)) {
    const start = match.index;
    const end = start + match[0].length;
    const parts = match[0].split('.');
    if (parts.some((part) => Number(part) > 255 || /^0\d/.test(part))) continue;
    if (isNetmask(match[0]) || isVersion(text, start, end)) continue;
    const normalised = external(match[0]);
    if (normalised !== null) scan.spans.push({ start, end, type: 'external_ip', normalised });
  }
  detectV6(scan);
}

function detectV6(scan: Scan): void {
  const { text } = scan;
  V6_TRIGGER.lastIndex = 0;
  for (let hit = V6_TRIGGER.exec(text); hit !== null; hit = V6_TRIGGER.exec(text)) {
    let start = hit.index;
    while (start > 0 && hit.index - start < 4 && /[0-9A-Fa-f]/.test(text[start - 1] ?? ''))
      start -= 1;
    V6.lastIndex = start;
    const written = V6.exec(text)?.[0];
    if (written === undefined) continue;
    V6_TRIGGER.lastIndex = Math.max(V6_TRIGGER.lastIndex, start + written.length);
    const groups = written.split(':').filter((group) => group !== '');
    // `a::b` in code and `10:30:45` in a log are no addresses; eight groups, or `::` and a digit, are.
    if (written.includes('::') ? groups.length < 2 || !/\d/.test(written) : groups.length < 7)
      continue;
    if (written.includes('::') && groups.length < 3 && !/^2[0-9a-f]{3}|^f[cdef]/i.test(written))
      continue;
    const normalised = external(written);
    if (normalised === null) continue;
    scan.spans.push({ start, end: start + written.length, type: 'external_ip', normalised });
  }
}
