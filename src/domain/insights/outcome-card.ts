import type { OutcomeResult } from '../../contracts/insight';
import type { CardKind, Sign } from '../../contracts/names';
import { clip, counted, finish, sentences, upperFirst } from '../distill/plain-text';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations';
import { changeInWords } from './change';

/** What the card of an outcome tells: about three sentences. */
export interface ToldOutcome {
  /** The insight's title, or what its card says. */
  found: string;
  /** Null where a person has blocked the action: its words are shown to nobody. */
  action: string | null;
  result: OutcomeResult;
  /** RFC 3339. */
  taken_at: string;
  at: string;
  /** What decided it; null where it was only reported. */
  metric: { name: string; unit: string | null; before: number; after: number } | null;
  /** Relative change; null where it stood at 0, or nobody says. */
  size: number | null;
}

const MOST_FOUND = 200;
const MOST_ACTION = 300;

/**
 * What was found, what was done, and what came of it.
 *
 * @example
 * 'Labor runs high on Tuesdays. Tried: cut the Tuesday double shift. It helped: in 14 days labor_percent went from 34
 * to 29 %, 15 % less.'
 */
export function outcomeSummary(told: ToldOutcome): string {
  const found = finish(clip(upperFirst(sentences(told.found)[0] ?? told.found), MOST_FOUND));
  const done =
    told.action === null
      ? 'An action was tried that is blocked now.'
      : finish(`Tried: ${clip(told.action.trim(), MOST_ACTION)}`);
  return [found, done, cameOfIt(told)].filter((part) => part !== '').join(' ');
}

/** Kind and sign of the card: what helped is an approach, what made it worse a warning. */
export const CARD_OF_RESULT: Readonly<Record<OutcomeResult, { kind: CardKind; sign: Sign }>> = {
  improved: { kind: 'experience', sign: 'worked' },
  unchanged: { kind: 'experience', sign: 'neutral' },
  worse: { kind: 'constraint', sign: 'failed' },
};

const VERDICTS: Readonly<Record<OutcomeResult, string>> = {
  improved: 'It helped',
  unchanged: 'It changed nothing that counts',
  worse: 'It made things worse',
};

function cameOfIt({ result, taken_at, at, metric, size }: ToldOutcome): string {
  const time = timeBetween(taken_at, at);
  const by = size === null || size === 0 ? '' : `, ${changeInWords(size)}`;
  if (metric === null) {
    const later = time === null ? '' : ` after ${time}`;
    return `${VERDICTS[result]}${by}, as was reported${later}.`;
  }
  const { name, unit, before, after } = metric;
  const shown = unit === null ? figure(after) : `${figure(after)} ${unit}`;
  if (before === after)
    return `${VERDICTS[result]}: after ${time ?? MOMENT} ${name} stood at ${shown} still.`;
  return `${VERDICTS[result]}: in ${time ?? MOMENT} ${name} went from ${figure(before)} to ${shown}${by}.`;
}

const MOMENT = 'less than a minute';

/** Whole days from two on, hours from two on, else minutes; null for less than one. */
function timeBetween(from: string, to: string): string | null {
  const ms = Date.parse(to) - Date.parse(from);
  if (ms >= 2 * DAY_MS) return counted(Math.round(ms / DAY_MS), 'day');
  if (ms >= 2 * HOUR_MS) return counted(Math.round(ms / HOUR_MS), 'hour');
  return ms >= MINUTE_MS ? counted(Math.floor(ms / MINUTE_MS), 'minute') : null;
}

/** Six digits that count, without a power of ten where it can be read without. */
function figure(value: number): string {
  const rounded = Number(value.toPrecision(6));
  return Math.abs(rounded) < 1e15 ? String(rounded) : rounded.toExponential(3);
}
