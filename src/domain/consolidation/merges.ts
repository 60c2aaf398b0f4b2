import { epochMs } from '../read-time';
import { alikeInputs, cosine } from '../similarity';
import { byAge, compareText, type Episode, isSource, isUnresolvedWarning } from './episode';
import { memberOf } from './groups';

/** Cosine from which two cards say the same (issue 7, point 1). */
export const MERGE_SIMILARITY = 0.8;
/** Of calls with inputs, how alike these have to be besides (design §7, *alike inputs*). */
export const MERGE_INPUTS = 0.75;

export interface PlannedMerge {
  /** The one that stays. */
  keep: Episode;
  /** Those that retire in its favour, oldest first. */
  merged: Episode[];
}

/**
 * Near-duplicates, each into the best card that it is like: validated, then most used, most confident, newest. A
 * warning that nothing resolved, and a card that a person validated, may be what stays and never what goes.
 *
 * @param mostRetired as many as may go, the oldest first
 */
export function mergesOf(
  cards: readonly Episode[],
  before: string,
  mostRetired: number,
): PlannedMerge[] {
  if (mostRetired <= 0) return [];
  const pairs = bucketsOf(cards).flatMap((bucket) => pairsOf(bucket, before));
  const going = [...pairs].sort((a, b) => byAge(a.goes, b.goes)).slice(0, mostRetired);
  const merges = new Map<string, PlannedMerge>();
  for (const { keep, goes } of going) {
    const merge = merges.get(keep.id) ?? { keep, merged: [] };
    merge.merged.push(goes);
    merges.set(keep.id, merge);
  }
  return [...merges.values()].sort((a, b) => compareText(a.keep.id, b.keep.id));
}

/** Whether two cards of the same kind, sign, member and operation say the same. */
export function areAlike(a: Episode, b: Episode): boolean {
  if (a.vector === null || b.vector === null || a.vector.model !== b.vector.model) return false;
  const [one, other] = [a.input_fields, b.input_fields];
  const haveInputs = Object.keys(one).length > 0 && Object.keys(other).length > 0;
  if (haveInputs && alikeInputs(one, other) < MERGE_INPUTS) return false;
  return cosine(a.vector.values, b.vector.values) >= MERGE_SIMILARITY;
}

function bucketsOf(cards: readonly Episode[]): Episode[][] {
  const buckets = new Map<string, Episode[]>();
  // What contradicts another card stays beside it.
  for (const card of cards.filter(({ conflicts }) => conflicts.length === 0)) {
    const { kind, sign, hints } = card;
    const { service, operation, error_signature: error } = hints;
    const key = JSON.stringify([memberOf(card), kind, sign, service, operation, error]);
    buckets.set(key, [...(buckets.get(key) ?? []), card]);
  }
  return [...buckets.values()].filter((bucket) => bucket.length > 1);
}

function pairsOf(bucket: readonly Episode[], before: string): { keep: Episode; goes: Episode }[] {
  const best = [...bucket].sort(bestFirst);
  const gone = new Set<string>();
  const pairs: { keep: Episode; goes: Episode }[] = [];
  for (const [at, keep] of best.entries()) {
    if (gone.has(keep.id)) continue;
    for (const goes of best.slice(at + 1)) {
      if (gone.has(goes.id) || !mayGo(goes, before) || !areAlike(keep, goes)) continue;
      gone.add(goes.id);
      pairs.push({ keep, goes });
    }
  }
  return pairs;
}

/** A warning stays until a success leads to it. */
function mayGo(card: Episode, before: string): boolean {
  return isSource(card, before) && !isUnresolvedWarning(card);
}

function bestFirst(a: Episode, b: Episode): number {
  return (
    Number(b.status === 'validated') - Number(a.status === 'validated') ||
    b.use_count - a.use_count ||
    b.confidence - a.confidence ||
    epochMs(b.valid_from) - epochMs(a.valid_from) ||
    compareText(a.id, b.id)
  );
}
