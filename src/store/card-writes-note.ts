import type { Episode } from '../domain/consolidation/episode';
import { standingOf } from '../domain/consolidation/note';
import { noteText } from '../domain/consolidation/note-text';
import { durationMs } from '../domain/durations';
import { type CardVector, indexTextOf, type NewCard } from './card-writes';
import { readSources } from './card-writes-episodes';
import { type NotePart, readPart } from './consolidation-parts';
import type { Tx } from './database';
import { newId } from './ids';
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
  const { words } = part;
  if (words === null) throw new Error('a note is filed once it has its words');
  const { status, trust, confidence, importance, valid_from, expires_at, hints, agent } =
    standingOf(sources);
  const horizon = (await policyOf(tx)).retention.by_kind.insight;
  const ends = [
    expires_at === null ? null : new Date(expires_at).getTime(),
    horizon === null ? null : now.getTime() + durationMs(horizon),
  ].filter((end) => end !== null);
  return {
    id: newId('card', now),
    kind: 'insight',
    sign: 'neutral',
    status,
    statusBefore: null,
    summary: noteText(part.topic, day, sources.length, words.lessons),
    hints,
    inputFields: {},
    key: null,
    subject: part.subject,
    topic: part.topic,
    project: part.project,
    session: null,
    task: null,
    parentEvent: null,
    agent,
    team: await teamOf(tx, agent),
    scope: part.scope,
    visibility: part.visibility,
    importance,
    confidence,
    trust,
    flags: [],
    metadata: {},
    validFrom: valid_from,
    validTo: null,
    recordedAt: now,
    expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends)),
    eventId: null,
    writer: { kind: 'system', id: CONSOLIDATION },
    workflowId,
    runId,
    model: words.model,
    promptVersion: words.prompt_version,
    distilledBy: words.distilled_by,
    supersededBy: null,
  };
}

/** Of an agent; null where nobody knows it. */
export async function teamOf(tx: Tx, agent: string | null): Promise<string | null> {
  if (agent === null) return null;
  const [known] = await tx.query<{ team_id: string | null }>(
    'SELECT team_id FROM agents WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, agent],
  );
  return known?.team_id ?? null;
}
