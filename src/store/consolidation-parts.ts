import type { PartOutcome } from '../contracts/consolidation';
import type { JsonObject } from '../contracts/event';
import type { DistilledBy } from '../contracts/names';
import type { GroupOf } from '../domain/consolidation/groups';
import type { Lesson } from '../domain/consolidation/lessons';
import type { PlannedSource } from '../domain/consolidation/moved';
import type { Tx } from './database';
import { keepDraft, readDraft } from './run-drafts';

/** The words of a note before it is filed, and who found them. */
export interface NoteWords {
  lessons: Lesson[];
  distilled_by: DistilledBy;
  model: string | null;
  prompt_version: string | null;
}

/** A group on its way to become a note. */
export interface NotePart extends GroupOf {
  kind: 'note';
  /** As they were read, oldest first. */
  sources: PlannedSource[];
  words: NoteWords | null;
  /** What came of it; a commit that is tried again finds it here. */
  done: PartOutcome | null;
}

/** Near-duplicates on their way into the one that stays. */
export interface MergePart {
  kind: 'merge';
  keep: PlannedSource;
  sources: PlannedSource[];
  done: PartOutcome | null;
}

export type ConsolidationPart = NotePart | MergePart;

const PLAN = 'plan';
const DIGITS = 6;

/**
 * Keeps the plan of a run, once: a run that is begun again goes on with the plan that it has, and what was planned of
 * a card that was erased meanwhile is gone with it.
 */
export async function keepPlan(
  tx: Tx,
  operationId: string,
  parts: readonly ConsolidationPart[],
  counts: JsonObject,
  now: Date,
): Promise<void> {
  for (const [at, part] of parts.entries()) {
    await keepPart(tx, operationId, `part/${String(at + 1).padStart(DIGITS, '0')}`, part, now);
  }
  await keepDraft(tx, operationId, { part: PLAN, sources: [], draft: counts }, now);
}

/** What was counted when the plan was made; null while there is none. */
export async function planOf<T extends object>(tx: Tx, operationId: string): Promise<T | null> {
  return await readDraft<T>(tx, operationId, PLAN);
}

export async function keepPart(
  tx: Tx,
  operationId: string,
  name: string,
  part: ConsolidationPart,
  now: Date,
): Promise<void> {
  const sources = part.sources.map(({ id }) => id);
  if (part.kind === 'merge') sources.push(part.keep.id);
  const draft = part as unknown as JsonObject;
  await keepDraft(tx, operationId, { part: name, sources, draft }, now);
}

/** @returns null where it was erased, or the run ended. */
export async function readPart<T extends ConsolidationPart>(
  tx: Tx,
  operationId: string,
  name: string,
): Promise<T | null> {
  return await readDraft<T>(tx, operationId, name);
}

/** The next parts by name, of those that nothing came of yet; '' begins. */
export async function nextParts(
  tx: Tx,
  operationId: string,
  after: string,
  limit: number,
): Promise<{ part: string; kind: ConsolidationPart['kind']; sources: number }[]> {
  return await tx.query(
    `SELECT d.part, d.draft ->> 'kind' AS kind, jsonb_array_length(d.draft -> 'sources') AS sources
       FROM run_drafts d
      WHERE d.workspace_id = $1 AND d.run_id = $2 AND d.part > $3 AND d.part LIKE 'part/%'
        AND d.draft ->> 'done' IS NULL
      ORDER BY d.part
      LIMIT $4`,
    [tx.workspace, operationId, after, limit],
  );
}
