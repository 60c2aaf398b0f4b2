import type { Episode } from '../consolidation/episode';
import { epochMs } from '../read-time';

/** Of the cards that bear something out the surest, of those the newest; undefined where none is left. */
export function bestSource(sources: readonly Episode[]): Episode | undefined {
  return [...sources].sort(
    (a, b) =>
      b.confidence - a.confidence ||
      epochMs(b.valid_from) - epochMs(a.valid_from) ||
      (a.id < b.id ? -1 : 1),
  )[0];
}

/** What is known of a card by its labels alone, where its words are gone and nothing is left to take others from. */
export function plainAccount({
  service,
  operation,
  sign,
}: {
  service: string | null;
  operation: string | null;
  sign: 'worked' | 'failed' | 'neutral';
}): string {
  const what = [operation, service].filter((part) => part !== null).join(' on ');
  const end = { worked: ' It worked.', failed: ' It failed.', neutral: '' }[sign];
  return `Some work${what === '' ? '' : ` (${what})`}, of which no more is kept.${end}`;
}
