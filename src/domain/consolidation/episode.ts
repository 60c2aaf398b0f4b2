import type { Card } from '../../contracts/card';
import { type CardStatus, RECALLED_STATUSES } from '../../contracts/names';
import type { InputFields } from '../input-fields';
import { isWarning } from '../link-confidence';
import { epochMs } from '../read-time';
import type { Vector } from '../similarity';

/** Below this many, episodes are shown as they are. */
export const LEAST_SOURCES = 3;

/** A card as a consolidation reads it: what decides whether it may be summed up, and what it says. */
export interface Episode
  extends Pick<
    Card,
    | 'id'
    | 'version'
    | 'kind'
    | 'tier'
    | 'sign'
    | 'status'
    | 'summary'
    | 'hints'
    | 'key'
    | 'subject'
    | 'topic'
    | 'project'
    | 'scope'
    | 'visibility'
    | 'importance'
    | 'confidence'
    | 'trust'
    | 'flags'
    | 'valid_from'
    | 'recorded_at'
    | 'expires_at'
    | 'use_count'
  > {
  input_fields: InputFields;
  /** Kind of whoever wrote it; `person` too where a person has put it into words since. */
  writer: 'person' | 'agent' | 'runtime' | 'system';
  /** Whose work it was. */
  agent: string | null;
  /** Of a warning, the reason of the edge `satisfies` that leads to it; null while nothing resolved it. */
  resolved: string | null;
  /** Whom it is shared with, agents and groups, as one text: two cards of one text have the same readers. */
  share: string;
  vector: { model: string; values: Vector } | null;
  /** Cards in use that it contradicts, and whether no rule settles which is right. */
  conflicts: readonly { with: string; open: boolean }[];
  /** A wisdom note came of it already. */
  spoken: boolean;
  /** A proposal about it waits for a decision. */
  held: boolean;
}

/** A failure or a block to which no later success leads: it stands as it is until one does. */
export function isUnresolvedWarning(card: Pick<Episode, 'kind' | 'sign' | 'resolved'>): boolean {
  return isWarning(card) && card.resolved === null;
}

/**
 * Whether a pass may sum a card up: an episode in use, recorded before the pass's day, that no person wrote or
 * validated, and about which nothing is undecided.
 *
 * @param before start of the day, RFC 3339
 */
export function isSource(card: Episode, before: string): boolean {
  return (
    isMergeable(card, before) && card.status !== 'validated' && !card.conflicts.some((c) => c.open)
  );
}

/** As a source, but that it may be validated, since what others are merged into stays as it is. */
export function isMergeable(card: Episode, before: string): boolean {
  return (
    card.tier === 'episodic' &&
    (RECALLED_STATUSES as readonly CardStatus[]).includes(card.status) &&
    card.key === null &&
    card.flags.length === 0 &&
    card.writer !== 'person' &&
    !card.held &&
    !card.conflicts.some((conflict) => conflict.open) &&
    epochMs(card.recorded_at) < epochMs(before)
  );
}

/** Oldest first, by id where two were recorded at one time. */
export function byAge(a: Episode, b: Episode): number {
  return epochMs(a.recorded_at) - epochMs(b.recorded_at) || compareText(a.id, b.id);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
