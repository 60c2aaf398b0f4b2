import type { CardKind, Section, Sign } from '../contracts/names';
import { SECTIONS } from '../contracts/names';
import { epochMs } from './read-time';

export const SECTION_TITLES: Readonly<Record<Section, string>> = {
  avoid: 'Things to avoid',
  worked: 'What worked',
  who: 'Who is good at what',
  conventions: 'Team conventions',
  known: 'What is known',
  lessons: 'Lessons',
};

/** Design §4: consolidated lessons are the two or three newest. */
export const LESSONS_SHOWN = 3;
/** Of those so many are the newest notes of the passes, whatever the query is about; the others compete. */
export const NOTES_INJECTED = 2;

/** Where a card is shown (design §7). */
export function sectionOf(card: { kind: CardKind; sign: Sign }): Section {
  switch (card.kind) {
    case 'constraint':
      return 'avoid';
    case 'delegation':
      return card.sign === 'failed' ? 'avoid' : 'who';
    case 'experience':
    case 'skill_lesson':
      return 'worked';
    case 'competence':
      return 'who';
    case 'convention':
      return 'conventions';
    case 'knowledge':
      return 'known';
    case 'insight':
      return 'lessons';
    default:
      return card.kind satisfies never;
  }
}

/**
 * Cards by section in the fixed order, empty sections left out. Inside one the order depends on the
 * cards alone, never on their scores: `first` if it is there, then the oldest first, by id. So a
 * repeated recall gives the same bytes, and a new card comes after those already in a prompt.
 */
export function bySection<T extends { id: string; kind: CardKind; sign: Sign; valid_from: string }>(
  cards: readonly T[],
  first: string | null = null,
): { name: Section; title: string; cards: T[] }[] {
  return SECTIONS.map((name) => ({
    name,
    title: SECTION_TITLES[name],
    cards: cards
      .filter((card) => sectionOf(card) === name)
      .sort(
        (a, b) =>
          Number(b.id === first) - Number(a.id === first) ||
          epochMs(a.valid_from) - epochMs(b.valid_from) ||
          (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
      ),
  })).filter((section) => section.cards.length > 0);
}
