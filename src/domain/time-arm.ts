import { DAY_MS } from './durations';
import { epochMs } from './read-time';
import { lexicalTerms } from './terms';
import { anchorAsked } from './time-anchor';
import { timeAsked } from './time-question';

/** The time that a query speaks of. Epoch milliseconds, half open; null where it is open. */
export interface AskedPeriod {
  from: number | null;
  until: number | null;
}

/** What is told soon after it happened was recorded outside the period it speaks of. */
const TOLD_LATER = 0.5;
/** At least so long after the period, else as long as the period itself. */
const LEAST_SLACK_MS = 2 * DAY_MS;

/** The calendar time that the query speaks of, in the workspace's zone; null where it names none. */
export function periodAsked(query: string, now: number, timezone: string): AskedPeriod | null {
  const asked = timeAsked(query, now, timezone);
  return asked === null ? null : { from: asked.from, until: asked.until };
}

interface TimedCard {
  summary: string;
  valid_from: string;
}

/**
 * The period before, after or during the event that the query names ("before the outage"): that of the
 * latest card that says all the words of it. Null where the query names none, or no card answers to it.
 */
export function periodOfAnchor(query: string, cards: readonly TimedCard[]): AskedPeriod | null {
  const asked = anchorAsked(query);
  if (asked === null) return null;
  const words = [...lexicalTerms(asked.anchor).keys()];
  const answering = cards
    .filter((card) => {
      const said = lexicalTerms(card.summary);
      return words.length > 0 && words.every((word) => said.has(word));
    })
    .map((card) => epochMs(card.valid_from));
  if (answering.length === 0) return null;
  const at = Math.max(...answering);
  switch (asked.relation) {
    case 'before':
      return { from: null, until: at };
    case 'after':
      return { from: at, until: null };
    case 'during':
      return { from: at - DAY_MS, until: at + DAY_MS };
    default:
      return asked.relation satisfies never;
  }
}

/**
 * How a card fits the time asked after: 1 within it, half soon after it (what happened on Monday is told
 * on Tuesday), else null. It raises cards and hides none: a reading may be wrong.
 */
export function timeFit(validFrom: string, period: AskedPeriod): number | null {
  const at = epochMs(validFrom);
  const { from, until } = period;
  if (from !== null && at < from) return null;
  if (until === null || at < until) return 1;
  const slack = Math.max(LEAST_SLACK_MS, from === null ? 0 : until - from);
  return at < until + slack ? TOLD_LATER : null;
}

/** The candidates with their score in the arm of time; as they were where the query speaks of none. */
export function withTime<T extends TimedCard>(
  candidates: readonly T[],
  query: string,
  period: AskedPeriod | null,
): (T & { time?: number | null })[] {
  const asked = period ?? periodOfAnchor(query, candidates);
  if (asked === null) return [...candidates];
  return candidates.map((card) => ({ ...card, time: timeFit(card.valid_from, asked) }));
}
