import type { CardHints } from '../contracts/card';
import type { CardKind, DistilledBy, Sign } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import { standingOf } from '../domain/consolidation/note';
import { durationMs } from '../domain/durations';
import type { NewCard } from './card-writes';
import type { Tx } from './database';
import { newId } from './ids';
import { policyOf } from './settings';

/** What a pass says in a card that it makes of others; all else is theirs. */
export interface MadeOfSources {
  kind: CardKind;
  sign: Sign;
  summary: string;
  topic: string | null;
  /** Laid over what the sources have in common. */
  hints?: Partial<CardHints>;
  /** The greatest of the sources' where none is given. */
  importance?: number;
  /** The mean of the sources' where none is given. */
  confidence?: number;
  flags?: string[];
  /** The pass, as provenance names it. */
  pass: string;
  words: { model: string | null; prompt_version: string | null; distilled_by: DistilledBy };
  workflowId: string | null;
  runId: string | null;
  now: Date;
}

/**
 * A card that a pass makes of others, which have one member and one set of readers: where they stand, about what they
 * are about, with no more trust, standing or time than the least of them, and no longer than the policy lets one of
 * its kind last. Whoever files it shares it as its sources are (`shareAsSources`).
 */
export async function cardOfSources(
  tx: Tx,
  sources: readonly Episode[],
  made: MadeOfSources,
): Promise<NewCard> {
  const [first] = sources;
  if (first === undefined) throw new Error('what a pass makes rests on cards');
  const { scope, subject, project, visibility } = first;
  const { kind, sign, summary, topic, words, workflowId, runId, now } = made;
  const standing = standingOf(sources);
  const { status, trust, agent, expires_at: ends, valid_from: validFrom } = standing;
  return {
    id: newId('card', now),
    kind,
    sign,
    status,
    statusBefore: null,
    summary,
    hints: { ...standing.hints, ...made.hints },
    inputFields: {},
    key: null,
    subject,
    topic,
    project,
    session: null,
    task: null,
    parentEvent: null,
    agent,
    team: await teamOf(tx, agent),
    scope,
    visibility,
    importance: made.importance ?? standing.importance,
    confidence: made.confidence ?? standing.confidence,
    trust,
    flags: made.flags ?? [],
    metadata: {},
    validFrom,
    validTo: null,
    recordedAt: now,
    expiresAt: await endOf(tx, kind, ends, now),
    eventId: null,
    writer: { kind: 'system', id: made.pass },
    workflowId,
    runId,
    model: words.model,
    promptVersion: words.prompt_version,
    distilledBy: words.distilled_by,
    supersededBy: null,
  };
}

/** The earlier of the sources' end and of the horizon of its kind; null where there is neither. */
async function endOf(tx: Tx, kind: CardKind, ends: string | null, now: Date): Promise<Date | null> {
  const horizon = (await policyOf(tx)).retention.by_kind[kind];
  const times = [
    ...(ends === null ? [] : [Date.parse(ends)]),
    ...(horizon === null ? [] : [now.getTime() + durationMs(horizon)]),
  ];
  return times.length === 0 ? null : new Date(Math.min(...times));
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
