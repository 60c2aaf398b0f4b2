import type { CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { LearnedCase } from '../domain/learning/learned-skill';
import type { SkillDraft } from '../domain/learning/skill-of-task';
import type { Tx } from './database';
import { areAsRead, type ReadSource } from './filing-as-read';
import { keepDraft, readDraft } from './run-drafts';

/** Who found the words. */
export interface Words {
  distilled_by: 'model' | 'fallback';
  model: string | null;
  prompt_version: string | null;
}

/** A card that something was learned from, as it was read. */
export interface LearnedSource extends ReadSource {
  /** Who may read it (`readersOf`). */
  readers: string;
}

/** A skill before it is filed, with all that it is filed by. */
export interface LearnedDraft {
  skill: SkillDraft;
  /** Where it is to stand: where its sources do. */
  scope: CardScope;
  sources: LearnedSource[];
  /** All of the task, in order, with the one that ended it. */
  events: string[];
  cases: LearnedCase[];
  /** 1–10. */
  novelty: number;
  words: Words;
  /** Its words hold what redaction takes out. */
  sensitive: boolean;
}

/** The sentence that a failed task's card is to end with. */
export interface ReflectionDraft {
  reflection: string;
  /** Of the card that it is for. */
  version: number;
  /** The cards that it was found in, the one that it is for among them, as they were read. */
  sources: ReadSource[];
  words: Words;
}

const SKILL = 'skill';
const REFLECTION = 'reflection';

export async function keepLearned(
  tx: Tx,
  operationId: string,
  draft: LearnedDraft,
  now: Date,
): Promise<void> {
  await keepAsRead(tx, operationId, SKILL, draft, now);
}

/** Null where there is none, or it was erased. */
export async function readLearned(tx: Tx, operationId: string): Promise<LearnedDraft | null> {
  return await readDraft<LearnedDraft>(tx, operationId, SKILL);
}

export async function keepReflection(
  tx: Tx,
  operationId: string,
  draft: ReflectionDraft,
  now: Date,
): Promise<void> {
  await keepAsRead(tx, operationId, REFLECTION, draft, now);
}

/** Nothing where one of its sources is no more what was read: what it said may have been erased. */
async function keepAsRead(
  tx: Tx,
  operationId: string,
  part: string,
  draft: LearnedDraft | ReflectionDraft,
  now: Date,
): Promise<void> {
  if (!(await areAsRead(tx, draft.sources))) return;
  const sources = draft.sources.map(({ id }) => id);
  await keepDraft(tx, operationId, { part, sources, draft: draft as unknown as JsonObject }, now);
}

/** Null where there is none, or it was erased. */
export async function readReflection(tx: Tx, operationId: string): Promise<ReflectionDraft | null> {
  return await readDraft<ReflectionDraft>(tx, operationId, REFLECTION);
}
