import type { CardScope } from '../contracts/card';
import type { CompetenceRecord } from '../contracts/competence';
import type { JsonObject } from '../contracts/event';
import { RECALLED_STATUSES, type Trust, type WriterKind } from '../contracts/names';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
import { writeCompetenceCard } from './card-writes-competence';
import type { Stopping } from './card-writes-unfounded';
import { type CompetenceKey, forgetObservations, recountCompetence } from './competence';
import type { Tx } from './database';

/** The records that count work which one of these cards tells of; in one order, as they are held. */
export async function recordsOf(tx: Tx, cards: readonly string[]): Promise<CompetenceKey[]> {
  return await tx.query<CompetenceKey>(
    `SELECT DISTINCT o.agent_id AS agent, o.task_type
       FROM cards c
       JOIN competence_observations o ON o.workspace_id = c.workspace_id AND o.event_id = c.event_id
      WHERE c.workspace_id = $1 AND c.id = ANY ($2)
      ORDER BY o.agent_id, o.task_type`,
    [tx.workspace, cards],
  );
}

/**
 * Takes the work that stopped cards tell of out of the records: the figures are those of what is left, and
 * the card that says them is written anew. Where nothing is left there is no record, and its card is archived.
 * @param makesVectors whether a model will give the new card its vector
 * @returns how many records
 */
export async function recountStopped(
  tx: Tx,
  stopping: Stopping,
  makesVectors: boolean,
): Promise<number> {
  const { cards, at, actor, channel, root } = stopping;
  const keys = await recordsOf(tx, cards);
  const events = await eventsOf(tx, cards);
  for (const key of keys) {
    const { before, after } = await recountCompetence(tx, key, at, () =>
      forgetObservations(tx, key, events),
    );
    await writeAudit(tx, {
      at,
      actor,
      action: 'competence.recounted',
      target: { type: 'agent', id: key.agent },
      changed: ['attempts'],
      hashes: { stopped_with: root },
      channel,
    });
    const saying = {
      ...{ at, channel, makesVectors, actor: { ...actor, kind: 'person' } as const },
      ...{ reason: 'the same record, without work that was stopped', with: { stopped_with: root } },
    };
    await sayRecord(tx, before, after, saying);
  }
  return keys.length;
}

/** Why a record is said again, and by whom. */
export interface Saying {
  at: Date;
  actor: { kind: WriterKind; id: string };
  channel: string;
  reason: string;
  /** What the audit of a retired card names. */
  with: JsonObject;
  /** Whether a model will give the new card its vector. */
  makesVectors: boolean;
}

/** Has the card of a record say what is left of it; of nothing, it is archived. */
export async function sayRecord(
  tx: Tx,
  before: CompetenceRecord | null,
  after: CompetenceRecord | null,
  saying: Saying,
): Promise<void> {
  if (before?.card_id == null) return;
  if (after === null) await retire(tx, before.card_id, saying);
  else await rewrite(tx, after, before.card_id, saying);
}

async function eventsOf(tx: Tx, cards: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ event_id: string }>(
    `SELECT c.event_id FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.event_id IS NOT NULL`,
    [tx.workspace, cards],
  );
  return rows.map(({ event_id }) => event_id);
}

interface LastCard {
  scope: CardScope;
  trust: Trust;
  version: number;
  in_use: boolean;
}

async function lastCard(tx: Tx, id: string): Promise<LastCard | null> {
  const [row] = await tx.query<LastCard>(
    `SELECT jsonb_build_object('type', c.scope_type, 'id', c.scope_id) AS scope, c.trust, c.version,
            c.status = ANY ($3) AS in_use
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = $2
        FOR UPDATE`,
    [tx.workspace, id, RECALLED_STATUSES],
  );
  return row ?? null;
}

/** Where the last one stood, and of what was counted last among what is left. */
async function rewrite(
  tx: Tx,
  record: CompetenceRecord,
  last: string,
  { at, actor, channel, reason, makesVectors }: Saying,
): Promise<void> {
  const card = await lastCard(tx, last);
  if (card === null) return;
  const [source] = await tx.query<{ id: string }>(
    `SELECT c.id
       FROM competence_observations o
       JOIN cards c ON c.workspace_id = o.workspace_id AND c.event_id = o.event_id
      WHERE o.workspace_id = $1 AND o.agent_id = $2 AND o.task_type = $3 AND c.status = ANY ($4)
      ORDER BY o.occurred_at DESC, o.event_id DESC
      LIMIT 1`,
    [tx.workspace, record.agent, record.task_type, RECALLED_STATUSES],
  );
  await writeCompetenceCard(tx, record, {
    cardId: source?.id ?? null,
    team: card.scope.type === 'team' ? card.scope.id : null,
    agent: card.scope.id,
    reporter: actor,
    trust: card.trust,
    channel,
    reason,
    workflowId: null,
    runId: null,
    makesVectors,
    now: at,
  });
}

async function retire(tx: Tx, id: string, saying: Saying): Promise<void> {
  const { at, actor, channel } = saying;
  const card = await lastCard(tx, id);
  if (card === null || !card.in_use) return;
  const columns = { status: 'archived' } as const;
  const version = await changeCard(tx, {
    id,
    expected: card.version,
    columns,
    action: 'archived',
    actor,
    at,
  });
  if (version === null) throw new Error('a card whose row is held has moved on');
  await writeAudit(tx, {
    at,
    actor,
    action: 'card.archived',
    target: { type: 'card', id },
    changed: ['status'],
    versions: [card.version, version],
    hashes: saying.with,
    channel,
  });
}
