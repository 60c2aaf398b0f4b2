import { epochMs } from '../read-time';
import type { Episode } from './episode';
import { dayOf } from './failure-lesson';

const SEEN = / Seen (\d+) times, last on \d{4}-\d{2}-\d{2}\.$/;
/** A card holds 2,000 characters. */
const SUMMARY_LIMIT = 1_900;

/**
 * The text of the card that others were merged into, with how often it was seen and when last: `… Seen 4 times, last
 * on 2026-03-02.` Null where it is left as it is: a person's verdict is on these very words, or there is no room.
 */
export function seenAgain(keep: Episode, merged: readonly Episode[]): string | null {
  if (keep.status === 'validated') return null;
  const all = [keep, ...merged];
  const times = all.reduce((sum, card) => sum + Number(SEEN.exec(card.summary)?.[1] ?? 1), 0);
  const last = Math.max(...all.map((card) => epochMs(card.valid_from)));
  const words = keep.summary.replace(SEEN, '');
  const text = `${words} Seen ${times} times, last on ${dayOf(new Date(last).toISOString())}.`;
  return text.length > SUMMARY_LIMIT ? null : text;
}
