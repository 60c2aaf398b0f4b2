import type { Urgency } from '../contracts/insight';
import type { CardKind } from '../contracts/names';
import { PREVIEW_BOUNDS } from '../contracts/policy-preview';
import type { EventGroup, FailedStep, FlaggedGroup } from '../domain/policy-effects';
import type { ConflictCard } from '../domain/resolve';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** What a preview of the policy counts; every statement is bounded. Cards as a person of the workspace sees them. */

export interface RecentEvents {
  groups: EventGroup[];
  events: number;
  capped: boolean;
  /** Events of the window that rules or modes kept out of memory: nothing is left to look at. */
  notKept: number;
}

/** The newest events since then, those that no rule can tell apart counted together. */
export async function readRecentEvents(tx: Tx, since: Date): Promise<RecentEvents> {
  const groups = await tx.query<EventGroup>(
    `SELECT e.payload ->> 'service' AS service, e.payload ->> 'operation' AS operation, e.agent_id AS agent, e.kind,
            e.reporter_kind AS reporter, count(*) AS events
       FROM (SELECT payload, agent_id, kind, reporter_kind
               FROM events
              WHERE workspace_id = $1 AND recorded_at >= $2 AND payload IS NOT NULL
              ORDER BY recorded_at DESC
              LIMIT ${PREVIEW_BOUNDS.events + 1}) e
      GROUP BY 1, 2, 3, 4, 5`,
    [tx.workspace, since],
  );
  const { not_kept } = await tx.one<{ not_kept: number }>(
    `SELECT count(*) AS not_kept
       FROM (SELECT 1 FROM events
              WHERE workspace_id = $1 AND recorded_at >= $2 AND payload IS NULL
              LIMIT ${PREVIEW_BOUNDS.events}) gone`,
    [tx.workspace, since],
  );
  const events = groups.reduce((sum, group) => sum + group.events, 0);
  return { groups, events, capped: events > PREVIEW_BOUNDS.events, notKept: not_kept };
}

/** Flagged cards that events became since then, by what a trust rule looks at. */
export async function readFlagged(
  tx: Tx,
  reader: ReaderArguments,
  since: Date,
): Promise<FlaggedGroup[]> {
  return await tx.query<FlaggedGroup>(
    `SELECT c.service, c.operation, c.agent_id AS agent, e.kind, c.writer_kind AS reporter, c.flags,
            count(*) AS events
       FROM (SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v) seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id
       JOIN events e ON e.workspace_id = $1 AND e.event_id = c.event_id
      WHERE c.recorded_at >= $7 AND cardinality(c.flags) > 0
      GROUP BY 1, 2, 3, 4, 5, 6`,
    [...reader, since],
  );
}

/** Failures that no decision has dealt with, by step; those since then, the newest first. */
export async function readFailedSteps(tx: Tx, since: Date): Promise<FailedStep[]> {
  const rows = await tx.query<Omit<FailedStep, 'times'> & { times: string[] }>(
    `SELECT s.team_id AS team, s.workflow, s.step, jsonb_agg(s.occurred_at) AS times
       FROM (SELECT team_id, workflow, step, occurred_at
               FROM strikes
              WHERE workspace_id = $1 AND settled_by IS NULL AND occurred_at > $2
              ORDER BY occurred_at DESC
              LIMIT ${PREVIEW_BOUNDS.strikes}) s
      GROUP BY 1, 2, 3`,
    [tx.workspace, since],
  );
  return rows.map((row) => ({ ...row, times: row.times.map((at) => Date.parse(at)) }));
}

/** The scores of insights since then, as they were told, the newest first. */
export async function readUrgencies(
  tx: Tx,
  reader: ReaderArguments,
  since: Date,
): Promise<Urgency[]> {
  const rows = await tx.query<{ urgency: Urgency }>(
    `SELECT i.urgency
       FROM (SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v) seen
       JOIN insights i ON i.workspace_id = $1 AND i.card_id = seen.card_id
      WHERE i.created_at >= $7
      ORDER BY i.created_at DESC
      LIMIT ${PREVIEW_BOUNDS.insights}`,
    [...reader, since],
  );
  return rows.map(({ urgency }) => urgency);
}

/** Conflicts of which both ends are in use. */
export async function readConflicts(
  tx: Tx,
  reader: ReaderArguments,
): Promise<[ConflictCard, ConflictCard][]> {
  const side = (card: string) =>
    `jsonb_build_object('id', ${card}.id, 'sign', ${card}.sign, 'status', ${card}.status,
                        'valid_from', ${card}.valid_from, 'trust', ${card}.trust,
                        'confidence', ${card}.confidence)`;
  const rows = await tx.query<{ one: ConflictCard; other: ConflictCard }>(
    `WITH seen AS MATERIALIZED (
       SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
     ),
     conflicts AS MATERIALIZED (
       SELECT from_card, to_card FROM edges
        WHERE workspace_id = $1 AND type = 'conflicts'
        ORDER BY created_at DESC, id
        LIMIT ${PREVIEW_BOUNDS.conflicts}
     )
     SELECT ${side('a')} AS one, ${side('b')} AS other
       FROM conflicts e
       JOIN cards a ON a.workspace_id = $1 AND a.id = e.from_card
       JOIN cards b ON b.workspace_id = $1 AND b.id = e.to_card
      WHERE a.status IN ('pending', 'active', 'validated') AND b.status IN ('pending', 'active', 'validated')
        AND a.id IN (SELECT card_id FROM seen) AND b.id IN (SELECT card_id FROM seen)`,
    [...reader],
  );
  return rows.map(({ one, other }) => [one, other]);
}

/** How many cards in use of each kind were recorded before the time that stands for it. */
export async function countOlder(
  tx: Tx,
  reader: ReaderArguments,
  horizons: readonly { kind: CardKind; before: Date }[],
): Promise<Map<CardKind, number>> {
  const rows = await tx.query<{ kind: CardKind; cards: number }>(
    `SELECT c.kind, count(*) AS cards
       FROM (SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v) seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id
       JOIN jsonb_to_recordset($7::jsonb) AS h (kind text, before timestamptz) ON h.kind = c.kind
      WHERE c.status IN ('pending', 'active', 'validated') AND c.recorded_at < h.before
      GROUP BY c.kind`,
    [...reader, JSON.stringify(horizons)],
  );
  return new Map(rows.map(({ kind, cards }) => [kind, cards]));
}

/** Payloads of events that were recorded before then; counted up to the bound. */
export async function countPayloadsBefore(tx: Tx, before: Date): Promise<number> {
  const { payloads } = await tx.one<{ payloads: number }>(
    `SELECT count(*) AS payloads
       FROM (SELECT 1 FROM events
              WHERE workspace_id = $1 AND recorded_at < $2 AND payload IS NOT NULL
              LIMIT ${PREVIEW_BOUNDS.events}) old`,
    [tx.workspace, before],
  );
  return payloads;
}
