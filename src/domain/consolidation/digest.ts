import type { Sign } from '../../contracts/names';
import { epochMs, wholeDays } from '../read-time';
import { compareText, type Episode } from './episode';
import { labelOf } from './lessons';
import { toldOf } from './told-failure';

/** A line that a model is shown: one episode, or several that say the same. */
export interface DigestLine {
  n: number;
  sign: Sign;
  age_days: number;
  summary: string;
  resolved: boolean;
  times: number;
  /** Ids of the cards that it stands for. */
  sources: string[];
}

/**
 * A group as a model reads it: the same failure of the same work once with its count, failures first, the newest
 * first within them.
 *
 * @param most lines; what is beyond stands in none of them
 * @param now epoch milliseconds
 */
export function digestOf(cards: readonly Episode[], most: number, now: number): DigestLine[] {
  const same = new Map<string, Episode[]>();
  for (const card of [...cards].sort(newestFirst)) {
    const said = card.sign === 'failed' ? toldOf(card).mark : card.summary;
    const key = JSON.stringify([labelOf(card), card.sign, card.resolved !== null, said]);
    same.set(key, [...(same.get(key) ?? []), card]);
  }
  return [...same.values()]
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, most)
    .flatMap((group, at) => {
      const [newest] = group;
      if (newest === undefined) return [];
      return {
        n: at + 1,
        sign: newest.sign,
        age_days: wholeDays(newest.valid_from, now),
        summary: newest.summary,
        resolved: newest.resolved !== null,
        times: group.length,
        sources: group.map(({ id }) => id),
      };
    });
}

/** Failures before the rest; sorting keeps the order of age among equals. */
function weight(group: readonly Episode[]): number {
  return group[0]?.sign === 'failed' ? 1 : 0;
}

function newestFirst(a: Episode, b: Episode): number {
  return epochMs(b.valid_from) - epochMs(a.valid_from) || compareText(a.id, b.id);
}
