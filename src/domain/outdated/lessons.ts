import type { Card } from '../../contracts/card';
import { fieldName } from '../distill/changed-fields';
import { DAY_MS } from '../durations';
import { literally } from '../literally';
import { TRUST_RANK } from '../policy';
import { epochMs } from '../read-time';
import { STATED_LIMIT } from './blame';
import { withoutOutdated } from './outdated-words';
import type { Refusal } from './refusals';
import type { Operation } from './trial';

/** As much of a lesson as tells whether it still holds: a note of the passes, or a sentence of theirs. */
export type LessonCard = Pick<
  Card,
  'id' | 'kind' | 'status' | 'summary' | 'hints' | 'valid_from' | 'trust'
>;

/** What is left of a lesson, and which failure says that the rest does not hold. */
export interface OutdatedLesson {
  refusal: Refusal;
  /** Null where nothing is left. */
  kept: string | null;
}

/** What the passes write: notes, sentences and facts of a reflection, skills. */
const LESSONS: ReadonlySet<Card['kind']> = new Set<Card['kind']>([
  'insight',
  'knowledge',
  'skill_lesson',
]);
/** `deploys.release_build` */
const OPERATION = /\b[\w-]+\.[a-z]\w*_\w+\b/;
/** `on 2026-03-02`; any other day is a value. */
const DAY = /\b(?:on|since) (\d{4}-\d{2}-\d{2})\b/g;

/** What stands right after a value that is told to have failed. */
const FAILED_AFTER = /^(?:,? or [^,.;]{1,40})?\)? (?:→|it failed|failed|fails|left out)/;
/** And what stands right before it. */
const FAILED_BEFORE = /(?:\bnot|\binstead of|\brather than|\bno longer|\(|\bwithout) $/;
/** `another batch size (180)`: of a failure that came before a success. */
const ANOTHER = /\banother [^()]{1,40}\($/;

/**
 * A lesson on an operation without the lines that speak for a value that newer failures refuse; null where it holds
 * as it is. A line that tells of several operations is told apart by their names; one that names none belongs to
 * the operation of the card. A line is as old as the day that it names, else as the card. Of a skill, which is one text,
 * the value alone is taken out.
 *
 * @param text what is left of it
 * @param refusals that stand, of this one service and operation
 */
export function outdatedLesson(
  card: LessonCard,
  text: string,
  { service, operation }: Pick<Operation, 'service' | 'operation'>,
  refusals: readonly Refusal[],
): OutdatedLesson | null {
  if (!LESSONS.has(card.kind) || (card.hints.service ?? service) !== service) return null;
  const label = service === null ? operation : `${service}.${operation}`;
  const isItsOwn = card.hints.operation === operation;
  const vouched = refusals.filter(({ failure }) => failure.rank >= TRUST_RANK[card.trust] * 2);
  const lines = text.split('\n');
  const against = lines.map((line) => {
    const isAbout = line.includes(label) || (isItsOwn && !OPERATION.test(line));
    if (!isAbout) return undefined;
    const at = Math.min(epochMs(card.valid_from), ...daysIn(line));
    return vouched.findLast((refusal) => refusal.failure.at > at && speaksFor(line, refusal));
  });
  const refusal = against.find((one) => one !== undefined);
  if (refusal === undefined) return null;
  if (card.kind === 'skill_lesson') {
    const kept = withoutOutdated(text, refusal);
    return kept === text ? null : { refusal, kept };
  }
  const kept = lines.filter((_line, at) => against[at] === undefined);
  const isTitle = lines.length > 1 && kept.length === 1;
  return { refusal, kept: kept.length === 0 || isTitle ? null : kept.join('\n') };
}

/** The ends of the days that a line names. */
function daysIn(line: string): number[] {
  return [...line.matchAll(DAY)].map(([, day]) => epochMs(`${day}T00:00:00Z`) + DAY_MS - 1);
}

/** Whether a line says of a refused value that it works, or is to be used. */
function speaksFor(line: string, refusal: Refusal): boolean {
  const { field, limit } = refusal;
  if (limit !== null) {
    const stated = [...line.matchAll(STATED_LIMIT)].map((found) => Number(found[1]));
    if (stated.some((other) => other !== limit)) return true;
  }
  const name = literally(fieldName(field));
  const given = new RegExp(`(?<![\\p{L}\\p{N}])${name} ([^\\s,;()]+)(?: → ([^\\s,;()]+))?`, 'giu');
  for (const found of line.matchAll(given)) {
    const [all, first = '', changed] = found;
    const end = (found.index ?? 0) + all.length;
    if (changed !== undefined) {
      if (isRefused(changed, refusal)) return true;
    } else if (isRefused(first, refusal) && !isAgainst(line, found.index ?? 0, end)) return true;
  }
  return isBare(refusal.value) && speaksForWord(line, refusal.value);
}

/** A card may name a mode without saying that it is one. */
function speaksForWord(line: string, value: string): boolean {
  const word = new RegExp(`(?<![\\p{L}\\p{N}_-])${literally(value)}(?![\\p{L}\\p{N}_-])`, 'giu');
  return [...line.matchAll(word)].some(
    ({ index }) => !isAgainst(line, index, index + value.length),
  );
}

function isAgainst(line: string, start: number, end: number): boolean {
  const before = line.slice(0, start);
  return FAILED_AFTER.test(line.slice(end)) || FAILED_BEFORE.test(before) || ANOTHER.test(before);
}

function isRefused(shown: string, refusal: Refusal): boolean {
  return refusal.isRefused(shown.replace(/[.:”"]+$/, ''));
}

function isBare(value: string): boolean {
  return /^\p{L}{3,}$/u.test(value);
}
