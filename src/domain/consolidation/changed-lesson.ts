import { clip, finish } from '../distill/plain-text';
import { fieldGroups } from '../input-fields';
import type { Outdated } from '../outdated/outdated';
import { valueInWords } from '../outdated/outdated-words';
import { epochMs } from '../read-time';
import { compareText, type Episode } from './episode';
import { dayOf, LESSON_LIMIT } from './failure-lesson';
import type { Lesson } from './lessons';
import { toldOf } from './told-failure';

/** More fields than these have not changed at once; what is beyond is a coincidence. */
const MOST_CHANGES = 2;

/**
 * What has changed of one work, as it is now and since when: `since 2026-11-12 mode fast fails; mode bulk works`. It
 * rests on the cards that are out of date as well, so that they retire with it.
 *
 * @param cards of the work, those that are out of date included
 * @param outdated by id of the card
 */
export function changedLesson(
  label: string,
  cards: readonly Episode[],
  outdated: ReadonlyMap<string, Outdated>,
): Lesson | null {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const old = cards.flatMap(({ id }) => {
    const one = outdated.get(id);
    return one === undefined ? [] : [{ id, ...one }];
  });
  if (old.length === 0) return null;
  const newestFirst = [...old].sort(
    (a, b) => epochMs(b.since) - epochMs(a.since) || compareText(a.id, b.id),
  );
  const good = cards
    .filter(({ id, sign }) => sign === 'worked' && !outdated.has(id))
    .sort((a, b) => epochMs(b.valid_from) - epochMs(a.valid_from) || compareText(a.id, b.id))[0];
  const said = new Map<string, string>();
  // What a success has shown says more than what a failure has.
  for (const one of [...newestFirst.filter(({ value }) => value !== null), ...newestFirst]) {
    const winner = byId.get(one.winner);
    if (said.has(one.field) || winner === undefined) continue;
    said.set(one.field, changeOf(one, winner, good));
  }
  const changes = [...said.values()].slice(0, MOST_CHANGES);
  if (changes.length === 0) return null;
  const winners = old.map(({ winner }) => winner).filter((id) => byId.has(id));
  const sources = [
    ...old.map(({ id }) => id),
    ...winners,
    ...(good === undefined ? [] : [good.id]),
  ];
  return {
    text: clip(`${label}: ${changes.map(finish).join(' ')}`, LESSON_LIMIT),
    sources: [...new Set(sources)],
  };
}

function changeOf(
  { field, value, since }: Outdated,
  winner: Episode,
  good: Episode | undefined,
): string {
  const day = dayOf(since);
  if (value === null) {
    return winner.sign === 'worked'
      ? `since ${day} ${valueInWords(field, givenIn(winner, field))} works`
      : `since ${day} ${toldOf(winner).reason}`;
  }
  const fails = `since ${day} ${value === '' ? `without ${valueInWords(field, '')} it` : valueInWords(field, value)} fails`;
  const now = good === undefined ? '' : givenIn(good, field);
  if (good === undefined || epochMs(good.valid_from) < epochMs(since)) return fails;
  return `${fails}; ${now === '' ? `without ${valueInWords(field, '')} it` : valueInWords(field, now)} works`;
}

function givenIn(card: Episode, field: string): string {
  return fieldGroups(card.input_fields).get(field)?.values[0] ?? '';
}
