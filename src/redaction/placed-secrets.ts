/**
 * Secrets that only their place gives away: the argument of a command, a column of a file, the answer
 * in a dialog, the last part of a link. One row a place; group 1 of its pattern is the secret.
 */
import type { RedactionType } from '../contracts/names';
import { basicHoldsPair } from './credentials';
import type { Scan } from './span';
import { isExpression, isStandIn, isUuid, looksRandom } from './value-shapes';

export interface Place {
  place: string;
  /** What the text in lower case holds wherever the pattern can match; it spares other texts the pattern. */
  sign: string;
  pattern: RegExp;
  type: RedactionType;
  /** What group 1 must look like besides not being a stand-in; anything where it is left out. */
  check?: (secret: string) => boolean;
}

const isMixed = (text: string) => /[A-Za-z]/.test(text) && /[0-9]/.test(text);

/** A generated part of an address; an id that is a UUID or a number is none. */
const isLinkToken = (text: string) => isMixed(text) && !isUuid(text) && looksRandom(text, 16);

const isTyped = (text: string) => isMixed(text) && !/[/:]|\.\w/.test(text);

// biome-ignore format: one row a line, so that a new place is one line of a diff
export const PLACES: readonly Place[] = [
  { place: 'sudo reads it', sign: 'sudo', pattern: /\becho (?:-n )?["']?([^\s"'|]{3,128})["']? {0,2}\| {0,2}sudo -S/g, type: 'password' },
  { place: 'chpasswd reads it', sign: 'chpasswd', pattern: /["' ][\w.-]{1,64}:([^\s"'|]{3,128})["']? {0,2}\| {0,2}(?:sudo )?chpasswd/g, type: 'password' },
  { place: 'net user', sign: 'net user', pattern: /\bnet user \S{1,64} ([^\s/*"]{3,128})(?= \/)/gi, type: 'password' },
  { place: 'smbclient', sign: '%', pattern: / (?:-U|--user) {0,2}["']?[\w.\\@-]{1,64}%([^\s"'%]{3,128})/g, type: 'password' },
  { place: 'htpasswd', sign: 'htpasswd', pattern: /\bhtpasswd (?:-[A-Za-z]{1,4} ){0,3}-[A-Za-z]{0,4}b[A-Za-z]{0,4} [^\s]{1,128} [^\s]{1,64} ["']?([^\s"']{3,128})/g, type: 'password' },
  { place: 'login of a tool', sign: 'log', pattern: /\b[a-z][\w-]{1,24} (?:login|auth login|config add-authtoken) (?:--[\w-]{1,24}[ =]){0,2}["']?([A-Za-z0-9._-]{20,200})(?![\w.-])/g, type: 'token', check: isLinkToken },
  { place: 'curl sends a cookie', sign: 'curl', pattern: /\s(?:-b|--cookie) {0,2}["']?([\w.-]{1,64}=[^"'\n]{8,512})/g, type: 'auth_header', check: (text) => looksRandom(text, 12) },
  { place: 'cookies as an object', sign: 'ookies', pattern: /\bcookies?["']? ?[=:] ?\{[^{}\n]{0,200}?["'][\w.-]{1,64}["'] ?: ?["']([^"'\s]{16,512})["']/gi, type: 'auth_header', check: (text) => looksRandom(text, 16) },
  { place: 'cookie file', sign: '\t', pattern: /\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,64}\t([^\t\n]{8,512})/g, type: 'auth_header' },
  { place: '.pgpass', sign: ':5432:', pattern: /(?:^|\s)[\w.*-]{1,128}:5432:[\w*-]{1,64}:[\w.@-]{1,64}:([^\s:]{4,128})(?=\s|$)/g, type: 'password' },
  { place: 'registry login', sign: 'auth', pattern: /"auth"\s{0,4}:\s{0,4}"([A-Za-z0-9+/]{8,512}={0,2})"/g, type: 'auth_header', check: basicHoldsPair },
  { place: 'SQL user', sign: 'dentified', pattern: /\bidentified (?:with \w{1,32} )?(?:by|as) (?:password )?["']([^"'\n]{3,128})["']/gi, type: 'password' },
  { place: 'FTP and mail dialog', sign: 'pass ', pattern: /\bUSER [^\s]{1,64}\r?\n(?:3\d\d[^\n]{0,120}\n)?PASS ([^\s]{3,128})/g, type: 'password' },
  { place: 'Redis dialog', sign: 'auth ', pattern: /(?:^|[\n>] ?)AUTH (?:[\w.-]{1,64} )?([^\s"']{6,256})(?=\s|$)/g, type: 'password', check: isTyped },
  { place: 'SNMP', sign: 'community', pattern: /\bsnmp-server community ([^\s]{3,64})/g, type: 'password', check: (text) => !/^(?:public|private)$/i.test(text) },
  { place: 'router', sign: 'enable', pattern: /\benable (?:secret|password) \d{1,2} ([^\s]{4,200})/g, type: 'password' },
  { place: 'Wi-Fi code', sign: 'wifi:', pattern: /\bWIFI:(?:[A-Z]:[^;\n]{0,64};){0,4}P:([^;\n]{4,64});/g, type: 'password' },
  { place: 'PowerShell', sign: 'securestring', pattern: /\bConvertTo-SecureString (?:-String )?["']([^"'\n]{3,128})["']/gi, type: 'password' },
  { place: 'Terraform variable', sign: 'variable', pattern: /\bvariable "\w{0,48}(?:passw|secret|token|api_key|credential)\w{0,48}" ?\{[^{}"]{0,120}(?:"[^"\n]{0,120}"[^{}"]{0,60}){0,3}?\bdefault\s{0,8}=\s{0,8}"([^"\n]{3,256})"/g, type: 'password' },
  { place: 'a pair in prose', sign: '/', pattern: /\b(?:credentials?|creds|log-?in(?: details| data)?|username\/password|user\/pass(?:word)?)(?: (?:is|are|were))? ?[:=] ?["'`]?[\w.@+-]{1,64}["'`]? ?\/ ?["'`]?([^\s"'`,;/]{6,128})/gi, type: 'password', check: isTyped },
  { place: 'French sentence', sign: 'passe', pattern: /\bmots? de passe[^\d\n:=]{0,24}?(?:est|:|=|à) ?["'«]? ?([^\s"'»]{4,128})/gi, type: 'password', check: isTyped },
  { place: 'German sentence', sign: 'asswort', pattern: /passwort (?:lautet|heißt|war|ist jetzt|ist) ["'„]?([^\s"'“]{4,128})/gi, type: 'password', check: isTyped },
  { place: 'a link that opens something', sign: '/', pattern: /\/(?:verify|verification|reset|reset-password|password|magic|magic-link|confirm|confirmation|activate|activation|invite|invitation|unlock|hooks?|webhooks?)\/((?:[A-Za-z0-9_-]{8,40}\/)?[A-Za-z0-9_-]{16,256})(?![A-Za-z0-9_-])/g, type: 'token', check: isLinkToken },
  { place: 'a parameter that opens something', sign: '=', pattern: /[?&#;](?:code|key|ticket|invite|oobCode|magic|reset|confirmation)=([A-Za-z0-9._~-]{16,512})/g, type: 'token', check: isLinkToken },
];

/** One pass for each place whose sign the text holds. */
export function detectPlacedSecrets(scan: Scan): void {
  const { text } = scan;
  const lower = text.toLowerCase();
  for (const { sign, pattern, type, check } of PLACES) {
    if (!lower.includes(sign)) continue;
    for (const match of text.matchAll(pattern)) {
      const secret = trimmed(match[1] ?? '');
      if (secret === '' || isStandIn(secret) || isReference(secret)) continue;
      if (check !== undefined && !check(secret)) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      scan.spans.push({ start, end: start + secret.length, type });
    }
  }
}

/** The sentence's own signs at the end are no part of the secret. */
const trimmed = (text: string) => text.replace(/[.,;:]{1,4}$/, '');

const isReference = (text: string) => /^[$<{%]/.test(text) || isExpression(text);
