import { clip, finish, upperFirst } from '../distill/plain-text';
import { epochMs } from '../read-time';
import { clipQuoted } from './clip-quoted';
import { compareText, type Episode } from './episode';
import { dayOf, LESSON_LIMIT } from './failure-lesson';
import { typicalInputs } from './input-contrast';
import type { Lesson } from './lessons';
import { taskIn } from './told-failure';

const QUOTE_LIMIT = 170;
/** Who did it is on the card; a note is about the work. */
const WHOSE = / Done by \S+(?: for .{1,80})?$/;
/** More than a scope has cards that a pass reads. */
const FOREMOST = 10_000;
const FOUND_NOTHING = /\bNothing was found\b/;

/** One work in which nothing failed. */
interface Routine {
  label: string;
  cards: Episode[];
}

/**
 * What works without a failure, most frequent first: how often, what it is usually given, and its last result in
 * the words of its card. Where there are more works than `room`, the last bullet lists the others.
 */
export function routineLessons(
  works: readonly (readonly [string, readonly Episode[]])[],
  room: number,
): Lesson[] {
  const smooth = works
    .filter(([, cards]) => cards.every(({ sign }) => sign !== 'failed'))
    .map(([label, cards]) => ({ label, cards: [...cards].sort(newestFirst) }))
    .sort((a, b) => weight(b) - weight(a) || compareText(a.label, b.label));
  if (smooth.length <= room) return smooth.map(told);
  const own = smooth.slice(0, Math.max(0, room - 1)).map(told);
  return room < 1 ? [] : [...own, listed(smooth.slice(own.length))];
}

function told(work: Routine): Lesson {
  const { label, cards } = work;
  const [example] = cards.filter(({ sign }) => sign === 'worked').concat(cards);
  const inputs = cards[0]?.hints.operation == null ? '' : typicalInputs(cards, 'mostly');
  const given = inputs === '' ? '' : ` (${inputs})`;
  const words = (example?.summary ?? '').replace(WHOSE, '');
  const about = example?.kind === 'delegation' ? upperFirst(taskIn(words)) : words;
  const last = finish(clipQuoted(about, QUOTE_LIMIT));
  const text = `${label} ${countsOf(cards)}${given}. ${cards.length === 1 ? 'On' : 'Last on'} ${dayOf(cards[0]?.valid_from ?? '')}: ${last}`;
  return { text: clip(text, LESSON_LIMIT), sources: cards.map(({ id }) => id) };
}

function countsOf(cards: readonly Episode[]): string {
  const worked = cards.filter(({ sign }) => sign === 'worked').length;
  const nothing = cards.filter(
    ({ sign, summary }) => sign === 'neutral' && FOUND_NOTHING.test(summary),
  ).length;
  const all = cards.length;
  if (worked === all)
    return all === 1 ? 'worked' : all === 2 ? 'worked both times' : `worked all ${all} times`;
  const parts = [
    worked === 0 ? '' : `worked ${worked} of ${all} times`,
    nothing === 0
      ? ''
      : nothing === all
        ? `found nothing ${often(all)}`
        : `found nothing ${often(nothing)}`,
  ].filter((part) => part !== '');
  if (parts.length > 0) return parts.join(' and ');
  return `was done ${often(all)} without a verdict`;
}

function often(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

function listed(works: readonly Routine[]): Lesson {
  const items: string[] = [];
  const sources: string[] = [];
  let length = 'Without a failure: '.length;
  for (const { label, cards } of works) {
    const item = `${label} (${often(cards.length)})`;
    if (items.length > 0 && length + item.length + 2 > LESSON_LIMIT) continue;
    items.push(item);
    length += item.length + 2;
    sources.push(...cards.map(({ id }) => id));
  }
  return { text: finish(clip(`Without a failure: ${items.join(', ')}`, LESSON_LIMIT)), sources };
}

/** Work that somebody rated is told before what was only done often, and last what nobody knows to have worked. */
function weight({ cards }: Routine): number {
  const best = Math.max(...cards.map(({ importance }) => importance ?? 0));
  const worked = cards.some(({ sign }) => sign === 'worked');
  return (best >= 7 ? FOREMOST * 2 : 0) + (worked ? FOREMOST : 0) + cards.length;
}

function newestFirst(a: Episode, b: Episode): number {
  return epochMs(b.valid_from) - epochMs(a.valid_from) || compareText(a.id, b.id);
}
