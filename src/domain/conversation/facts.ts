import type { MessageRole } from '../../contracts/conversation';
import { looksLikeInstruction } from '../distill/instruction-like';
import { clip } from '../distill/plain-text';
import { asThird } from '../distill/request-phrase';
import { SAID_ON } from '../said-on';
import { clausesOf } from './clauses';
import { type DateSaid, datesIn, withDates } from './dates-in';
import { FACT_RULES, type FactRule } from './fact-rules';

/** A message as facts are looked for in it. */
export interface FactMessage {
  n: number;
  role: MessageRole;
  name: string | null;
  content: string;
  /** RFC 3339. */
  at: string;
}

/** Something that lasts, as its subject said it of themselves. */
export interface Fact {
  /** One sentence that says of whom it is and when it was said. */
  text: string;
  /** The message that it stands in. */
  n: number;
  /** RFC 3339. */
  at: string;
}

/** Design §7: none under two messages, the last ten only. */
export const LEAST_MESSAGES = 2;
export const LAST_MESSAGES = 10;
/** Of one compaction. */
const MOST_FACTS = 20;
const LENGTH = 240;
const WHO = 'The user';

/** What was not meant as it stands. */
const NOT_MEANT =
  /\b(?:if|suppose|supposing|imagine|what if|pretend|hypothetical(?:ly)?|let(?:'|’)?s say|as if|role-?play|wish(?:ed)?|would|could|might|maybe|perhaps|should|for example|e\.g\.|unless|in case|used to|someone|somebody|anyone)\b/i;
/** What somebody else said. */
const REPORTED =
  /\b(?:said|says|told|tells|wrote|writes|asked|asks|replied|thinks|thought|claims?|according to|quotes?|lyrics|reads)\b|:\s*$/i;
const QUOTED = /"[^"]*"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|(?<!\p{L})'[^']{2,}'(?!\p{L})|`[^`]*`/gu;
const QUESTION = /[?？]["”’')\]]*$/u;
/** Where what is said of oneself ends and its reasons begin. What bounds it stays: "never after noon" is not "never". */
const TAIL =
  /\s+(?:because|since|so that|so|but|which|though|although|and (?:i|we|it|that|then|my|the|it's|they)|as (?:it|i|well))\b.*$|,\s+(?:and|but|so|which|because|since|though|it|that|i|we|please|can|could|do|thanks|thank)\b.*$|\s[–—-]\s.*$|[;:(].*$/i;
/** It speaks of the one who is spoken to, or of what was said before. */
const OF_OTHERS = /^(?:your|yours|this|that|these|those|it|them|him|her)\b/i;
/** They come again each year. */
const YEARLY = /^(?:birthday|anniversary|name day)$/i;

/**
 * The facts that a subject tells of themselves, by the rules: name, place, work, family, likes, health, possessions,
 * dated plans and standing wishes. Nothing from a question, from what is only supposed, quoted or told of others, from
 * the assistant, or from text that speaks to its reader as an instruction. Of the last ten messages; none under two
 * unless `least` says so.
 *
 * @param messages in order
 * @param subject the name of whom the conversation is about; null where only their words are known
 * @param least messages under which there are none: 1 for a text that is no beginning of a conversation
 */
export function factsIn(
  messages: readonly FactMessage[],
  subject: string | null,
  least = LEAST_MESSAGES,
): Fact[] {
  const spoken = messages.filter(({ role }) => role === 'user' || role === 'assistant');
  if (spoken.length < least) return [];
  const facts = new Map<string, Fact>();
  for (const message of spoken.slice(-LAST_MESSAGES)) {
    if (message.role !== 'user') continue;
    for (const text of factsOf(message, subject)) {
      const key = text.replace(SAID_ON, '').toLowerCase();
      facts.set(key, { text, n: message.n, at: message.at });
    }
  }
  return [...facts.values()].slice(-MOST_FACTS);
}

function factsOf(message: FactMessage, subject: string | null): string[] {
  const { content, at } = message;
  if (looksLikeInstruction(content, 'request')) return [];
  const who = message.name ?? subject ?? WHO;
  const found: string[] = [];
  for (const clause of clausesOf(content.replace(/^>.*$/gm, ' ').replace(/```[\s\S]*?```/g, ' '))) {
    if (QUESTION.test(clause)) continue;
    const plain = clause.replace(QUOTED, ' ').replace(/[’]/g, "'");
    for (const part of plain.split(
      /;\s+|,\s+(?:and|but)\s+(?=I\b|my\b)|\s+(?:and|but)\s+(?=I(?:'m)?\b|my\b)/i,
    )) {
      const fact = factOf(part.trim(), who, at);
      if (fact !== null && !looksLikeInstruction(fact, 'told')) found.push(fact);
    }
  }
  return found;
}

function factOf(clause: string, who: string, at: string): string | null {
  if (NOT_MEANT.test(clause)) return null;
  for (const rule of FACT_RULES) {
    const match = rule.pattern.exec(clause);
    if (match === null || REPORTED.test(clause.slice(0, match.index))) continue;
    const said = sentenceOf(rule, match, { who, at });
    if (said !== null) return said;
  }
  return null;
}

function sentenceOf(
  rule: FactRule,
  match: RegExpExecArray,
  { who, at }: { who: string; at: string },
): string | null {
  const raw = (match.groups?.value ?? '').replace(TAIL, '').replace(/[\s.!,…]+$/u, '');
  if (OF_OTHERS.test(raw)) return null;
  const dates = YEARLY.test(match.groups?.attribute ?? '') ? [] : datesIn(raw, at);
  if (rule.dated === true && !dates.some(({ date }) => isAhead(date, at))) return null;
  const value = asThird(
    rule.dated ? withDates(raw, dates) : undated(raw, dates, at),
    'named',
  ).trim();
  const attribute = asThird(match.groups?.attribute ?? '', 'named')
    .toLowerCase()
    .trim();
  const verb = match.groups?.verb?.toLowerCase() ?? '';
  if (value === '' || value.split(' ').length > MOST_WORDS) return null;
  const said = rule.says({ who, of: possessive(who), value, attribute, verb });
  if (said === null) return null;
  return `${clip(said, LENGTH)} (said on ${at.slice(0, 10)}).`;
}

const MOST_WORDS = 24;

/** A date at the end is when it began, and no part of a value that is compared with later ones. */
function undated(raw: string, dates: readonly DateSaid[], at: string): string {
  const last = dates.at(-1);
  if (last === undefined || last.end < raw.length || last.start === 0) return withDates(raw, dates);
  const before = raw.slice(0, last.start).replace(/[\s,]+(?:on|in|since|from|back in)?\s*$/i, '');
  return withDates(before, datesIn(before, at));
}

function possessive(who: string): string {
  return `${who}${/s$/i.test(who) ? '’' : "'s"}`;
}

/** From the day that it was said on; of a month or a year the whole counts. */
function isAhead(date: string, at: string): boolean {
  const day = date.replace(/^(?:week|weekend) of /, '').slice(0, 10);
  const now = at.slice(0, day.length);
  return /^\d/.test(day) && day >= now;
}
