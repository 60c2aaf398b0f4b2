import type { Episode } from '../domain/consolidation/episode';
import { noteText } from '../domain/consolidation/note-text';
import { durationMs } from '../domain/durations';
import { type CardVector, indexTextOf, type NewCard } from './card-writes';
import { readSources } from './card-writes-episodes';
import { cardOfSources } from './card-writes-of-sources';
import { type NotePart, readPart } from './consolidation-parts';
import type { Tx } from './database';
import { policyOf } from './settings';

/** The pass, as audit, history and provenance name it. */
export const CONSOLIDATION = 'consolidation';

/** Which part of which run, and when. */
export interface PartCommit {
  operationId: string;
  workflowId: string;
  runId: string;
  part: string;
  /** `2026-11-30`, of the pass. */
  day: string;
  dryRun: boolean;
  now: Date;
  /** Whether a vector is waited for at all. */
  makesVectors: boolean;
  /** Of the text that was read before; of another text it is not taken. */
  vector: { text: string; of: CardVector } | null;
}

/** The text that a part would be found by, for its vector; null where nothing is there to file. */
export async function textOfNote(tx: Tx, commit: PartCommit): Promise<string | null> {
  const part = await readPart<NotePart>(tx, commit.operationId, commit.part);
  if (part === null || part.words === null || part.done !== null) return null;
  const cards = await sourcesNow(tx, part, commit.now);
  return cards === null ? null : indexTextOf(await noteCard(tx, part, cards, commit));
}

/** The sources as they are now, in the order of the plan; null where one is not there any more. */
export async function sourcesNow(tx: Tx, part: NotePart, now: Date): Promise<Episode[] | null> {
  const policy = await policyOf(tx);
  const ids = part.sources.map(({ id }) => id);
  const cards = await readSources(tx, ids, { now, tieMs: durationMs(policy.resolve.tie) });
  const all = ids.flatMap((id) => cards.get(id) ?? []);
  return all.length === ids.length && all.length > 0 ? all : null;
}

/** The card that a note will be: no more than its sources are, and no more than the policy lets a note last. */
export async function noteCard(
  tx: Tx,
  part: NotePart,
  sources: readonly Episode[],
  { day, now, workflowId, runId }: PartCommit,
): Promise<NewCard> {
  const { words, topic } = part;
  if (words === null) throw new Error('a note is filed once it has its words');
  return await cardOfSources(tx, sources, {
    kind: 'insight',
    sign: 'neutral',
    summary: noteText(topic, day, sources.length, words.lessons),
    topic,
    pass: CONSOLIDATION,
    words,
    workflowId,
    runId,
    now,
  });
}
