import { type Refusal, refusalsOf, workedSince } from '../outdated/refusals';
import { givenValue, type Trial, trialsByOperation } from '../outdated/trial';
import { type Episode, isUnresolvedWarning } from './episode';
import { memberOf } from './groups';

/**
 * What shows how an operation is done now, by id: of each value that is refused the newest failure that says so, and
 * the newest success beside it. They are told in a note like all others, and stay: a note has room for a few lines, is
 * one of several, and cannot tell later what has changed.
 *
 * @param sources of one scope, whoever may read them: each is judged among those of the same readers
 */
export function proofsAmong(sources: readonly Episode[]): Set<string> {
  const members = new Map<string, Episode[]>();
  for (const card of sources) {
    const member = memberOf(card);
    members.set(member, [...(members.get(member) ?? []), card]);
  }
  return new Set([...members.values()].flatMap(proofsOf));
}

function proofsOf(cards: readonly Episode[]): string[] {
  const open = new Set(cards.filter(isUnresolvedWarning).map(({ id }) => id));
  return trialsByOperation(cards).flatMap(({ trials }) => {
    const successes = trials.filter(({ worked }) => worked);
    const newest = new Map<string, Refusal>();
    for (const refusal of refusalsOf(trials)) {
      if (workedSince(refusal, successes) !== undefined) continue;
      const key = refusedBy(refusal);
      const known = newest.get(key);
      if (known === undefined || isNewer(refusal.failure, known.failure)) newest.set(key, refusal);
    }
    const refusals = [...newest.values()];
    const good = successes.findLast((one) =>
      refusals.every((refusal) => !refusal.isRefused(givenValue(one, refusal.field))),
    );
    const warnings = refusals.map(({ failure }) => failure.id).filter((id) => !open.has(id));
    return refusals.length === 0 || good === undefined ? warnings : [...warnings, good.id];
  });
}

/** One value, all amounts, or one way of writing. */
function refusedBy({ field, value, limit }: Refusal): string {
  return JSON.stringify([field, limit === null ? value.toLowerCase() : 'limit']);
}

function isNewer(a: Trial, b: Trial): boolean {
  return a.at > b.at || (a.at === b.at && a.id > b.id);
}
