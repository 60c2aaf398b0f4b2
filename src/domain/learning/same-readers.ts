import type { Episode } from '../consolidation/episode';

type Placed = Pick<Episode, 'scope' | 'subject' | 'project' | 'visibility' | 'share'>;

/** Who may read a card, as one text: two cards of one text have the same readers, now and when sight changes. */
export function readersOf({ scope, subject, project, visibility, share }: Placed): string {
  return JSON.stringify([scope.type, scope.id, subject, project, visibility, share]);
}

export function ofReaders(card: Placed | undefined, readers: string | null): boolean {
  return card !== undefined && readers !== null && readersOf(card) === readers;
}

/** The readers of most of the cards, of as many the first met; null where there is none. */
export function mainReaders(cards: readonly (Placed | undefined)[]): string | null {
  const counts = new Map<string, number>();
  for (const card of cards) {
    if (card === undefined) continue;
    const readers = readersOf(card);
    counts.set(readers, (counts.get(readers) ?? 0) + 1);
  }
  let main: string | null = null;
  for (const [readers, count] of counts) {
    if (main === null || count > (counts.get(main) ?? 0)) main = readers;
  }
  return main;
}
