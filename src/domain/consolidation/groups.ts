import type { CardScope } from '../../contracts/card';
import type { Visibility } from '../../contracts/names';
import { byAge, type Episode, isUnresolvedWarning, LEAST_SOURCES } from './episode';

/** What all sources of a note have in common, so that the note has no reader that one of them has not. */
export interface GroupOf {
  scope: CardScope;
  subject: string | null;
  project: string | null;
  visibility: Visibility;
  share: string;
  topic: string | null;
}

export interface PlannedGroup extends GroupOf {
  /** Oldest first: what the note is made from. */
  sources: Episode[];
  /** Of the sources those that retire; the others are warnings that nothing resolved, and what shows how it is done now. */
  retires: string[];
}

/**
 * What a card is about where its operation has too few for a note of their own: the service it worked with, since one
 * note then tells of all that was done there; else its own topic, else the task's type.
 */
export function topicOf(card: Pick<Episode, 'hints' | 'topic'>): string | null {
  return card.hints.service ?? card.topic ?? card.hints.task_type;
}

/** `mailer.send_batch`; null of a card of no operation. */
export function operationOf({ hints }: Pick<Episode, 'hints'>): string | null {
  const { service, operation } = hints;
  return service === null || operation === null ? null : `${service}.${operation}`;
}

/** What each card is about: its operation where that has enough for a note, which is then found by it. */
type TopicIn = (card: Episode) => string | null;

function topicsAmong(pool: readonly Episode[]): TopicIn {
  const byOperation = new Map<string, Episode[]>();
  const keyed = (card: Episode) => JSON.stringify([memberOf(card), operationOf(card)]);
  for (const card of pool)
    byOperation.set(keyed(card), [...(byOperation.get(keyed(card)) ?? []), card]);
  return (card) => {
    const operation = operationOf(card);
    const own = operation === null ? [] : (byOperation.get(keyed(card)) ?? []);
    return isEnough(own) ? operation : topicOf(card);
  };
}

/**
 * What a note of these is about once some of its sources are gone: what it was about, where each of them is about that
 * too, else what they have in common by the same rules; null where they have nothing. A topic that a pass wrote may be
 * of what went, and counts for none.
 */
export function topicAgain(
  sources: readonly Pick<Episode, 'hints' | 'topic' | 'writer'>[],
  before: string | null,
): string | null {
  const said = sources.map((card) => (card.writer === 'system' ? { ...card, topic: null } : card));
  const shared = (topic: string | null) =>
    topic !== null && said.every((card) => [operationOf(card), topicOf(card)].includes(topic));
  const [first] = said;
  if (first === undefined) return null;
  return [before, operationOf(first), topicOf(first)].find(shared) ?? null;
}

/** Two cards of one text belong to the same readers and to the same member. */
export function memberOf(card: Episode): string {
  const { scope, subject, project, visibility, share } = card;
  return JSON.stringify([scope.type, scope.id, subject, project, visibility, share]);
}

/**
 * Groups of at least three episodes, of which the oldest retire, as many as `mostRetired`. What is beyond it waits,
 * warnings that nothing resolved and proofs excepted: they retire nothing.
 *
 * @param proofs ids, by `proofsAmong`
 */
export function groupsOf(
  sources: readonly Episode[],
  mostRetired: number,
  proofs: ReadonlySet<string> = new Set(),
): PlannedGroup[] {
  const stays = (card: Episode) => isUnresolvedWarning(card) || proofs.has(card.id);
  let pool = [...sources].sort(byAge);
  const topicIn = topicsAmong(pool);
  const keyOf = (card: Episode) => JSON.stringify([memberOf(card), topicIn(card)]);
  const keyOfGroup = ([first]: readonly Episode[]) => (first === undefined ? '' : keyOf(first));
  for (;;) {
    const groups = withoutHalves(collected(pool, keyOf));
    const viable = groups.filter(isEnough);
    const taken = oldest(
      viable.flatMap((group) => group.filter((card) => !stays(card))),
      mostRetired,
    );
    const chosen = viable.map((group) => group.filter((card) => stays(card) || taken.has(card.id)));
    const kept = withoutHalves(chosen).filter(isEnough);
    // What a group gives back may be another's: again, without those that came to nothing. Of one of which nothing
    // was chosen the viable group alone knows what it was.
    const inKept = new Set(kept.map(keyOfGroup));
    const lost = new Set(viable.map(keyOfGroup).filter((key) => !inKept.has(key)));
    if (lost.size === 0) return kept.map((group) => planned(group, topicIn, stays));
    pool = pool.filter((card) => !lost.has(keyOf(card)));
  }
}

function collected(pool: readonly Episode[], keyOf: (card: Episode) => string): Episode[][] {
  const groups = new Map<string, Episode[]>();
  for (const card of pool) {
    const key = keyOf(card);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [card]);
    else group.push(card);
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function withoutHalves(groups: readonly Episode[][]): Episode[][] {
  return groups.map((group) => {
    const halves = new Set(halvesAmong(group));
    return group.filter(({ id }) => !halves.has(id));
  });
}

/**
 * Cards that contradict another one that is not among these: what came of a loser alone is dropped with it, so
 * both sides are told together or neither.
 */
export function halvesAmong(group: readonly Episode[]): string[] {
  let left = group;
  for (;;) {
    const ids = new Set(left.map(({ id }) => id));
    const whole = left.filter(({ conflicts }) => conflicts.every((one) => ids.has(one.with)));
    if (whole.length === left.length) {
      return group.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
    }
    left = whole;
  }
}

/** What a note has told already does not make another one. */
function isEnough(group: readonly Episode[]): boolean {
  return group.filter((card) => !card.spoken).length >= LEAST_SOURCES;
}

function oldest(cards: readonly Episode[], most: number): Set<string> {
  return new Set(
    [...cards]
      .sort(byAge)
      .slice(0, most)
      .map(({ id }) => id),
  );
}

function planned(
  group: Episode[],
  topicIn: TopicIn,
  stays: (card: Episode) => boolean,
): PlannedGroup {
  const [first] = group;
  if (first === undefined) throw new Error('a group has sources');
  const { scope, subject, project, visibility, share } = first;
  const topic = topicIn(first);
  return {
    scope,
    subject,
    project,
    visibility,
    share,
    topic,
    sources: group,
    retires: group.filter((card) => !stays(card)).map(({ id }) => id),
  };
}
