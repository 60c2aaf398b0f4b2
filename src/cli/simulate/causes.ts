import { RECALLED_STATUSES } from '../../contracts/names';
import type { CairnArm } from './cairn/arm';
import type { Pile } from './pile';
import type { Repeat } from './repeats';

/**
 * Why a mistake was repeated, the first that holds:
 *
 * - `contradicted`: what was read said two things;
 * - `stale`: what was read speaks for what was sent, which held once;
 * - `misread`: what was read says what is so, and the reader did otherwise;
 * - `half_told`: something was read about the input, and not what was to be known;
 * - `unread`: a card that could have taught it was shown, and the reader took nothing from its words;
 * - `not_recalled`: the agent may see such a card, and it was not among what was shown;
 * - `retired`: the agent may see such cards only where they are no longer in use;
 * - `not_shared`: such cards of earlier days are other agents' own, one of them a team mate's;
 * - `other_team`: such cards of earlier days are own cards of agents of the other team;
 * - `too_fresh`: all such cards are of this day, other agents' own: nobody has decided about them yet;
 * - `not_kept`: no such event has a card.
 */
export const CAUSES = [
  'contradicted',
  'stale',
  'misread',
  'half_told',
  'unread',
  'not_recalled',
  'retired',
  'not_shared',
  'other_team',
  'too_fresh',
  'not_kept',
] as const;
export type Cause = (typeof CAUSES)[number];

export interface Explained {
  cause: Cause;
  /** Where old or other words were read: what became of those that would have taught it. */
  missing: Cause | null;
  /** Of the lessons: what the memory did with each. */
  fate: Record<string, number>;
}

const IN_USE: ReadonlySet<string> = new Set(RECALLED_STATUSES);

/** Of an arm that shows everything to everybody. */
export function causeInPile(repeat: Repeat, shown: Pile['shown']): Explained {
  const seen = shown();
  const fate = tallyOf(
    repeat.lessons.map(({ event }) => (seen.has(event) ? 'shown' : 'not_recalled')),
  );
  return explained(repeat, fate);
}

/** Of lessons about which the answer says nothing, so many of the newest are looked up. */
const LOOKED_UP = 8;

export async function causeInCairn(repeat: Repeat, arm: CairnArm): Promise<Explained> {
  const answer = arm.recalled();
  const shown = new Set(answer?.cards.map(({ id }) => id));
  const dropped = new Map(answer?.dropped?.map(({ id, reason }) => [id, reason]));
  const silent: string[] = [];
  const fates = repeat.lessons.flatMap(({ event }) => {
    const card = arm.cardOf(event);
    if (card === null) return ['no_card'];
    if (shown.has(card)) return ['shown'];
    if (dropped.has(card)) return [`dropped_${dropped.get(card)}`];
    silent.push(card);
    return [];
  });
  if (isUntold(fromRead(repeat)) && !fates.includes('shown')) {
    const seen = silent.slice(-LOOKED_UP).map(async (card) => {
      const status = await arm.sight(repeat.agent, card);
      return status === null ? 'not_visible' : IN_USE.has(status) ? 'not_found' : status;
    });
    fates.push(...(await Promise.all(seen)));
  }
  return explained(repeat, tallyOf(fates));
}

function explained(repeat: Repeat, fate: Record<string, number>): Explained {
  const read = fromRead(repeat);
  const missing = isUntold(read) ? fromFates(fate, repeat) : null;
  return { cause: read ?? missing ?? 'unread', missing: read === null ? null : missing, fate };
}

/** Nothing was read of what is so. */
function isUntold(read: Cause | null): boolean {
  return read === null || read === 'stale' || read === 'half_told';
}

function fromRead(repeat: Repeat): Cause | null {
  const { contradicted, read, choice } = repeat;
  if (contradicted) return 'contradicted';
  if (read.some(({ says, choices }) => says !== 'out' && choices.includes(choice))) return 'stale';
  if (repeat.toldTruth) return 'misread';
  return read.length > 0 ? 'half_told' : null;
}

function fromFates(fate: Record<string, number>, { lessons, day, team }: Repeat): Cause {
  if (fate.shown) return 'unread';
  const names = Object.keys(fate);
  if (names.some((name) => /^(?:not_found|not_recalled|dropped_)/.test(name))) {
    return 'not_recalled';
  }
  if (names.some((name) => name !== 'not_visible' && name !== 'no_card')) return 'retired';
  if (!fate.not_visible) return 'not_kept';
  const earlier = lessons.filter((one) => one.day < day);
  if (earlier.length === 0) return 'too_fresh';
  return earlier.some((one) => one.team === team) ? 'not_shared' : 'other_team';
}

function tallyOf(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
