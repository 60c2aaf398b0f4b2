/**
 * Identity numbers of other countries, counted as `ssn`. Only those stand alone whose shape and check
 * leave next to no room for chance; eight digits and a letter, or eleven digits, need a word for them.
 */
import type { Scan } from './span';

export interface Shape {
  country: string;
  pattern: RegExp;
  /** Told the characters without separators, in upper case. */
  check?: (id: string) => boolean;
}

const isDay = (month: string, day: string) =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;

const FINNISH = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE';

function isFinnish(id: string): boolean {
  const digits = id.slice(0, 6) + id.slice(7, 10);
  return isDay(id.slice(2, 4), id.slice(0, 2)) && FINNISH[Number(digits) % 31] === id[10];
}

function isSpanishForeigner(id: string): boolean {
  const number = Number(String('XYZ'.indexOf(id[0] ?? '')) + id.slice(1, 8));
  return SPANISH[number % 23] === id[8];
}

function isBrazilian(id: string): boolean {
  const digit = (length: number) => {
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += Number(id[at]) * (length + 1 - at);
    return ((sum * 10) % 11) % 10;
  };
  return !/^(\d)\1{1,22}$/.test(id) && digit(9) === Number(id[9]) && digit(10) === Number(id[10]);
}

function isChinese(id: string): boolean {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(id[at]), 0);
  return isDay(id.slice(10, 12), id.slice(12, 14)) && '10X98765432'[sum % 11] === id[17];
}

function isFrench(id: string): boolean {
  return 97 - Number(BigInt(id.slice(0, 13)) % 97n) === Number(id.slice(13));
}

// biome-ignore format: one row a line
export const SHAPES: readonly Shape[] = [
  { country: 'BR', pattern: /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g, check: isBrazilian },
  { country: 'CN', pattern: /(?<![\w.-])[1-9]\d{5}(?:19|20)\d{9}[\dXx](?![\w-])/g, check: isChinese },
  { country: 'ES', pattern: /(?<![\w-])[XYZxyz]-?\d{7}-?[A-Za-z](?![\w-])/g, check: isSpanishForeigner },
  { country: 'FI', pattern: /(?<![\w-])\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y](?![\w-])/g, check: isFinnish },
  { country: 'FR', pattern: /(?<![\w.-])[12] ?\d{2} ?(?:0[1-9]|1[0-2]) ?\d{2} ?\d{3} ?\d{3} ?\d{2}(?![\w-])/g, check: isFrench },
  { country: 'GB', pattern: /\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Za-ceghj-pr-tw-z]{2} \d{2} \d{2} \d{2} [A-Da-d](?![\w-])/g },
  { country: 'GB driver', pattern: /\b[A-Za-z]{2}[A-Za-z9]{3}\d[0156]\d(?:0[1-9]|[12]\d|3[01])\d[A-Za-z9]{2}\d[A-Za-z]{2}(?![\w-])/g },
  { country: 'IN', pattern: /(?<![\w-])[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z](?![\w-])/g },
  { country: 'IT', pattern: /\b[A-Za-z]{6}\d{2}[A-EHLMPR-Ta-ehlmpr-t]\d{2}[A-Za-z]\d{3}[A-Za-z](?![\w-])/g },
  { country: 'KR', pattern: /(?<![\w.-])\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])-[1-8]\d{6}(?![\w-])/g },
  { country: 'MX', pattern: /(?<![\w-])[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z\d]\d(?![\w-])/g },
  { country: 'US Medicare', pattern: /(?<![\w-])[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d(-?)[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y\d]\d\1[AC-HJKMNP-RT-Y]{2}\d{2}(?![\w-])/gi },
];

/** A word for an identity document, then at most a few more, then its number with five digits or more. */
const NAMED =
  /(?:passport|driv(?:er|ing)'?s? licen[cs]e|national (?:id|insurance|identity)|identity (?:card|number|code)|\bid card|\bnino?\b|\bn\.?i\.?f\b|\bn\.?i\.?e\b|\bdni\b|pesel|aadhaar|\bpan (?:card|no|number)|\bnric\b|\b(?:abn|acn|tfn|frn|brn|rrn|mbi|nhs|cpf|curp|bsn|tckn)\b|medicare|tax (?:id|file|number)|codice fiscale|personalausweis|steuer-?id|kimlik|personnummer|voter id)[^\d\n]{0,24}?(?<![A-Za-z0-9])([A-Z]{0,5} ?\d(?:[ .-]?[A-Z\d]){4,16})(?![A-Za-z0-9])/gi;

/** Letters in lower case behind the digits are the next word: `123456 and …`. */
const WRITTEN = /^[A-Za-z]{0,5} ?\d(?:[ .-]?(?:\d|[A-Z]|[a-z]$)){0,16}/;

export function detectNationalIds(scan: Scan): void {
  const { text } = scan;
  for (const { pattern, check } of SHAPES) {
    for (const match of text.matchAll(pattern)) {
      const id = match[0].replace(/[ .]|-(?!\d{3}[\dA-Y]$)/g, '').toUpperCase();
      if (check !== undefined && !check(id)) continue;
      scan.spans.push({ start: match.index, end: match.index + match[0].length, type: 'ssn' });
    }
  }
  for (const match of text.matchAll(NAMED)) {
    const start = match.index + match[0].length - (match[1] ?? '').length;
    const written = WRITTEN.exec(match[1] ?? '')?.[0] ?? '';
    if (written.replace(/\D/g, '').length < 5) continue;
    scan.spans.push({ start, end: start + written.length, type: 'ssn' });
  }
}
