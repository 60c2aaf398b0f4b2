import { clip, oneLine } from '../distill/plain-text';
import { lexicalTerms } from '../terms';
import { comparable, holds, type Searched } from './check';
import { itemsOf } from './items-of';

/** Some 80 tokens. */
const LENGTH = 320;
const VALUE_LENGTH = 80;
const LINE_LENGTH = 160;
const BEGINNING = 150;
/** Characters of a result and of the answers that are looked at, leaves and lines of one. */
const READ_LIMIT = 262_144;
const ANSWERS_LIMIT = 20_000;
const MOST_LEAVES = 20_000;
const MOST_LINES = 8_000;
const LINE_READ = 2_000;
const DEPTH = 32;
/** An `id` of 3 is in every answer by chance. */
const LEAST_NUMBER = 10;
const LEAST_TEXT = 3;
const SAME_WORDS = 4;

/**
 * What an assistant took from a tool's result, to stand in place of its text: the fields of JSON whose values its
 * answers repeat, else the lines that they do, else, as without an answer, what it was and how it began. At most some
 * 80 tokens.
 *
 * @param answers what the assistant said after it
 * @example toolValue('{"order":{"total":608.0,"id":"A-17"}}', ['The total is 608.']) // 'order.total: 608'
 */
export function toolValue(raw: string, answers: readonly string[]): string {
  const said = answers.join('\n').slice(0, ANSWERS_LIMIT);
  const text: Searched = { words: ` ${comparable(said)} `, dates: new Set() };
  const value = parsed(raw);
  const taken =
    said === '' ? [] : value === undefined ? takenLines(raw, text, said) : takenFields(value, text);
  if (taken.length > 0) return within(taken);
  return clip(`${shapeOf(value, raw)} ${oneLine(raw).slice(0, BEGINNING)}`, LENGTH);
}

function parsed(raw: string): unknown {
  if (raw.length > READ_LIMIT || !/^\s*[[{]/.test(raw)) return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

interface Leaf {
  path: string;
  value: string;
}

/** Each value once, by the path that says most of it; a long text gives its lines. */
function takenFields(value: unknown, text: Searched): string[] {
  const leaves: Leaf[] = [];
  collect(value, '', leaves, 0);
  const seen = new Set<string>();
  const taken: string[] = [];
  for (const { path, value: said } of leaves) {
    if (said.length > LINE_READ || said.includes('\n')) {
      taken.push(...takenLines(said, text, text.words).map((line) => `${path}: ${line}`));
    } else if (isTelling(said) && !seen.has(said) && holds(text, said)) {
      seen.add(said);
      taken.push(`${path}: ${clip(oneLine(said), VALUE_LENGTH)}`);
    }
  }
  return taken;
}

function collect(value: unknown, path: string, leaves: Leaf[], depth: number): void {
  if (leaves.length >= MOST_LEAVES || depth > DEPTH) return;
  if (typeof value === 'string' || typeof value === 'number') {
    leaves.push({ path: path === '' ? 'value' : path, value: String(value) });
  } else if (Array.isArray(value)) {
    value.forEach((item, at) => {
      collect(item, `${path}[${at}]`, leaves, depth + 1);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      collect(item, path === '' ? key : `${path}.${key}`, leaves, depth + 1);
    }
  }
}

function isTelling(value: string): boolean {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) {
    return Math.abs(Number(value)) >= LEAST_NUMBER || value.includes('.');
  }
  return value.length >= LEAST_TEXT && /[\p{L}\p{N}]/u.test(value);
}

/** Lines that name something the answers name too, or have four words in a row with them; the tellingest first. */
function takenLines(raw: string, text: Searched, said: string): string[] {
  const terms = new Set(lexicalTerms(said).keys());
  const found: { line: string; at: number; score: number }[] = [];
  const lines = raw.slice(0, READ_LIMIT).split('\n', MOST_LINES);
  for (const [at, whole] of lines.entries()) {
    const line = oneLine(whole.slice(0, LINE_READ));
    const own = [...lexicalTerms(line).keys()];
    const shared = own.filter((term) => terms.has(term)).length;
    if (line === '' || shared === 0) continue;
    const items = itemsOf(line.slice(0, 520), []).filter(
      (item) => isTelling(item.text) && holds(text, item.text),
    );
    const first = items[0];
    if (first === undefined && !sharesWords(line, text)) continue;
    const score = items.length * 3 + shared - own.length / 50;
    found.push({ line: around(line, first?.at ?? 0), at, score });
  }
  const best = [...found].sort((a, b) => b.score - a.score || a.at - b.at).slice(0, 3);
  return best.sort((a, b) => a.at - b.at).map(({ line }) => line);
}

function sharesWords(line: string, text: Searched): boolean {
  const words = comparable(line).split(' ');
  for (let at = 0; at + SAME_WORDS <= words.length; at += 1) {
    const run = words.slice(at, at + SAME_WORDS).join(' ');
    if (run.length > 12 && text.words.includes(` ${run} `)) return true;
  }
  return false;
}

/** As much of a long line as stands around what was taken from it. */
function around(line: string, at: number): string {
  if (line.length <= LINE_LENGTH) return line;
  const from = Math.max(0, Math.min(at - LINE_LENGTH / 2, line.length - LINE_LENGTH));
  const piece = line.slice(from, from + LINE_LENGTH).trim();
  return `${from > 0 ? '…' : ''}${piece}${from + LINE_LENGTH < line.length ? '…' : ''}`;
}

function within(taken: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const one of taken) {
    if (kept.length > 0 && length + one.length + 2 > LENGTH) continue;
    kept.push(clip(one, LENGTH));
    length += one.length + 2;
  }
  return clip(kept.join('; '), LENGTH);
}

function shapeOf(value: unknown, raw: string): string {
  const size = `${raw.length} characters`;
  if (Array.isArray(value)) return `A list of ${value.length} (${size}), which begins:`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    const named = keys.slice(0, 6).join(', ');
    return `A record of ${keys.length} fields (${clip(named, 90)}; ${size}), which begins:`;
  }
  return `A text of ${raw.split('\n', MOST_LINES).length} lines (${size}), which begins:`;
}
