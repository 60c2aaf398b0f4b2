import type { DetailKind } from '../../contracts/conversation';
import { lexicalTerms } from '../terms';
import { type DetailMessage, detailsOf } from './details';
import { STORY_LINES, storyLine, withoutDate } from './story';
import {
  asLine,
  noParts,
  type SummaryPart,
  type SummaryParts,
  summaryParts,
  summaryText,
} from './summary-text';

/** o200k tokens of a text. */
export type Count = (text: string) => number;

export interface Budget {
  tokens: number;
  count: Count;
}

/** A message as it is told. */
export type ToldMessage = DetailMessage & { n: number };

export const PART_OF: Readonly<Record<DetailKind, SummaryPart>> = {
  decision: 'decisions',
  concrete: 'details',
  open: 'open',
};

/** Shares of the budget; what a part does not need the details get. */
const SHARES = { decisions: 0.2, open: 0.12, story: 0.08 } as const;
/** Of the details' room: what was said first stays. It is what the rest goes back to, and fades first everywhere else. */
const OPENING_SHARE = 0.55;
/** Tokens of the mark of a line and of its break. */
export const LINE_COST = 2;

/**
 * The summary by the rules: what was decided, what was concrete, what is open, and the story in a line a stretch, within
 * its budget. What had room before is weighed against what is new; the beginning keeps its place.
 *
 * @param previous the summary so far; null where there is none
 */
export function standInSummary(
  previous: string | null,
  messages: readonly ToldMessage[],
  budget: Budget,
): string {
  const before = previous === null ? noParts() : summaryParts(previous);
  const parts: SummaryParts = {
    decisions: [...before.decisions],
    details: [...before.details],
    open: [...before.open],
    story: [...before.story, ...storyLine(messages)].slice(-STORY_LINES),
  };
  for (const message of messages) {
    for (const { kind, text } of detailsOf(message)) {
      const line = lineOf({ ...message, text });
      if (kind !== 'open') parts.open = parts.open.filter((one) => !isSettledBy(one, line));
      parts[PART_OF[kind]].push(line);
    }
  }
  return summaryText(fitted(parts, budget));
}

/** A summary that somebody else wrote, cut to its budget: the same shares hold. */
export function fitSummary(text: string, budget: Budget): string {
  const parts = summaryParts(text);
  const whole = summaryText(parts);
  return budget.count(whole) <= budget.tokens ? whole : summaryText(fitted(parts, budget));
}

/** `2023-05-08 Caroline: I went …`; the date where the clause has none of that day. */
export function lineOf(said: Omit<DetailMessage, 'content'> & { text: string }): string {
  const day = said.at.slice(0, 10);
  return asLine(`${day} ${said.name ?? said.role}: ${said.text}`);
}

const DONE =
  /\b(?:done|sent|booked|fixed|finished|completed|resolved|confirmed|paid|called|submitted|received|settled|closed|cancelled|canceled|delivered|approved|erledigt|gesendet|gebucht|hecho|enviado|fait|envoyé|fatto)\b|完了|完成|済み/iu;
const SETTLED_BY = 0.5;

/** Whether what was open is done by what was said later: it says so, and is about the same. */
function isSettledBy(open: string, said: string): boolean {
  if (!DONE.test(said)) return false;
  const wanted = [...lexicalTerms(withoutDate(open)).keys()];
  const terms = lexicalTerms(said);
  const shared = wanted.filter((term) => terms.has(term)).length;
  return wanted.length > 0 && shared / wanted.length >= SETTLED_BY;
}

/** The parts cut to their shares. */
function fitted(parts: SummaryParts, { tokens, count }: Budget): SummaryParts {
  const titles = 4 * 4;
  const room = Math.max(0, tokens - titles);
  const cost = (line: string) => count(line) + LINE_COST;
  const decisions = latest(parts.decisions, room * SHARES.decisions, cost);
  const open = latest(parts.open, room * SHARES.open, cost);
  const story = latest(parts.story, room * SHARES.story, cost);
  const used = [...decisions, ...open, ...story].reduce((sum, line) => sum + cost(line), 0);
  // Decisions that had no room are concrete all the same.
  const kept = new Set([...decisions, ...open]);
  const rest = [...parts.details, ...parts.decisions, ...parts.open].filter(
    (one) => !kept.has(one),
  );
  return { decisions, open, story, details: detailsWithin(unique(rest), room - used, cost) };
}

/** The latest that fit, in order. */
function latest(lines: readonly string[], room: number, cost: (line: string) => number): string[] {
  const kept: string[] = [];
  let left = room;
  for (const line of [...unique(lines)].reverse()) {
    left -= cost(line);
    if (left < 0) break;
    kept.unshift(line);
  }
  return kept;
}

/** The first of all up to their share, and the weightiest of the rest; in the order of their days. */
function detailsWithin(
  lines: readonly string[],
  room: number,
  cost: (line: string) => number,
): string[] {
  const kept = new Set<string>();
  let left = room;
  const inOrder = byDay(lines);
  for (const line of inOrder) {
    const price = cost(line);
    if (left - price < room * (1 - OPENING_SHARE)) break;
    left -= price;
    kept.add(line);
  }
  const rest = inOrder
    .filter((line) => !kept.has(line))
    .map((line) => ({ line, price: cost(line) }));
  const byWorth = rest
    .map((one) => ({ ...one, worth: weightOfLine(one.line) / (8 + one.price) }))
    .sort((a, b) => b.worth - a.worth);
  for (const { line, price } of byWorth) {
    if (price > left) continue;
    left -= price;
    kept.add(line);
  }
  return inOrder.filter((line) => kept.has(line));
}

/** In the order of their days; a line that opens with none stays behind the one before it. */
function byDay(lines: readonly string[]): string[] {
  let day = '';
  const dated = lines.map((line, at) => {
    day = /^\d{4}-\d{2}-\d{2} /.exec(line)?.[0] ?? day;
    return { line, day, at };
  });
  return dated
    .sort((a, b) => (a.day === b.day ? a.at - b.at : a.day < b.day ? -1 : 1))
    .map(({ line }) => line);
}

function weightOfLine(line: string): number {
  const content = withoutDate(line);
  const details = detailsOf({
    role: 'assistant',
    name: null,
    content,
    at: `${line.slice(0, 10)}T00:00:00Z`,
  });
  return details.reduce(
    (sum, { weight, kind }) => sum + weight + (kind === 'concrete' ? 0 : 1),
    0.1,
  );
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)];
}
