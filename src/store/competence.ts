import type { CompetenceRecord } from '../contracts/competence';
import type { SettledEvent } from '../contracts/event';
import type { PrincipalKind } from '../contracts/names';
import { confidenceAsOf, wilsonLowerBound } from '../domain/competence';
import type { Tx } from './database';

/**
 * A settled delegation counts once for the agent that did the work and the kind of task it was.
 * An agent's own key counts for no record of its own, nor for one of another team: nobody vouches for itself, and
 * nobody talks a stranger down.
 * @returns the record as it is now, its row held until the transaction ends; null where the event is no
 *   delegation, names no kind of task, or was counted before
 */
export async function observeCompetence(
  tx: Tx,
  event: SettledEvent,
  now: Date,
  reporter: { kind: PrincipalKind; id: string } = { kind: 'runtime', id: '' },
): Promise<CompetenceRecord | null> {
  const taskType = event.task_type ?? event.operation;
  if (event.kind !== 'delegation' || taskType === undefined) return null;
  const [row] = await tx.query<CompetenceRow>(
    `WITH observed AS (
       INSERT INTO competence_observations
              (workspace_id, event_id, agent_id, task_type, outcome, cost, duration_ms, occurred_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8
        WHERE $9 <> 'agent' OR ($3 <> $10 AND EXISTS (
                SELECT 1
                  FROM agents d
                  JOIN agents r ON r.workspace_id = d.workspace_id AND r.id = $10
                 WHERE d.workspace_id = $1 AND d.id = $3 AND (d.team_id = r.team_id OR d.parent_agent = r.id)))
       ON CONFLICT DO NOTHING
       RETURNING *
     )
     INSERT INTO competence AS c (workspace_id, agent_id, task_type, attempts, completed, cost_total, costed,
                                  duration_total, timed, last_at)
     SELECT workspace_id, agent_id, task_type, 1, (outcome = 'worked')::int, COALESCE(cost, 0),
            (cost IS NOT NULL)::int, COALESCE(duration_ms, 0), (duration_ms IS NOT NULL)::int, occurred_at
       FROM observed
     ON CONFLICT (workspace_id, agent_id, task_type) DO UPDATE
        SET attempts       = c.attempts + 1,
            completed      = c.completed + EXCLUDED.completed,
            cost_total     = c.cost_total + EXCLUDED.cost_total,
            costed         = c.costed + EXCLUDED.costed,
            duration_total = c.duration_total + EXCLUDED.duration_total,
            timed          = c.timed + EXCLUDED.timed,
            last_at        = GREATEST(c.last_at, EXCLUDED.last_at)
     RETURNING c.agent_id, c.task_type, c.attempts, c.completed, c.cost_total, c.costed, c.duration_total,
               c.timed, c.last_at, c.card_id`,
    [
      tx.workspace,
      event.event_id,
      event.delegate?.agent ?? event.agent,
      taskType,
      event.outcome,
      event.delegate?.cost ?? null,
      event.delegate?.duration_ms ?? null,
      event.occurred_at,
      reporter.kind,
      reporter.id,
    ],
  );
  return row === undefined ? null : recordOf(row, now);
}

/** Whose record, of which kind of task. */
export type CompetenceKey = Pick<CompetenceRecord, 'agent' | 'task_type'>;

/**
 * The figures anew from what is counted after `change`, the record held before: a delegation that is being
 * counted at this moment is in both or adds itself afterwards. A record of nothing is gone.
 */
export async function recountCompetence(
  tx: Tx,
  { agent, task_type }: CompetenceKey,
  now: Date,
  change: () => Promise<void>,
): Promise<{ before: CompetenceRecord | null; after: CompetenceRecord | null }> {
  const key = [tx.workspace, agent, task_type];
  const [before] = await tx.query<CompetenceRow>(
    'SELECT * FROM competence WHERE workspace_id = $1 AND agent_id = $2 AND task_type = $3 FOR UPDATE',
    key,
  );
  await change();
  const [after] = await tx.query<CompetenceRow>(
    `UPDATE competence c
        SET attempts = o.attempts, completed = o.completed, cost_total = o.cost_total, costed = o.costed,
            duration_total = o.duration_total, timed = o.timed, last_at = o.last_at
       FROM (SELECT count(*) AS attempts, count(*) FILTER (WHERE outcome = 'worked') AS completed,
                    COALESCE(sum(cost), 0) AS cost_total, count(cost) AS costed,
                    COALESCE(sum(duration_ms), 0) AS duration_total, count(duration_ms) AS timed,
                    max(occurred_at) AS last_at
               FROM competence_observations
              WHERE workspace_id = $1 AND agent_id = $2 AND task_type = $3) o
      WHERE c.workspace_id = $1 AND c.agent_id = $2 AND c.task_type = $3 AND o.attempts > 0
     RETURNING c.*`,
    key,
  );
  if (after === undefined) {
    await tx.query(
      'DELETE FROM competence WHERE workspace_id = $1 AND agent_id = $2 AND task_type = $3',
      key,
    );
  }
  return {
    before: before === undefined ? null : recordOf(before, now),
    after: after === undefined ? null : recordOf(after, now),
  };
}

/** What these events said of that record. */
export async function forgetObservations(
  tx: Tx,
  { agent, task_type }: CompetenceKey,
  events: readonly string[],
): Promise<void> {
  await tx.query(
    `DELETE FROM competence_observations
      WHERE workspace_id = $1 AND agent_id = $2 AND task_type = $3 AND event_id = ANY ($4)`,
    [tx.workspace, agent, task_type, events],
  );
}

/** The card that says so now. */
export async function nameCompetenceCard(
  tx: Tx,
  { agent, task_type }: CompetenceKey,
  cardId: string,
): Promise<void> {
  await tx.query(
    'UPDATE competence SET card_id = $4 WHERE workspace_id = $1 AND agent_id = $2 AND task_type = $3',
    [tx.workspace, agent, task_type, cardId],
  );
}

export interface CompetenceFilter {
  taskType: string | null;
  agent: string | null;
  team: string | null;
}

interface CompetenceRow {
  agent_id: string;
  task_type: string;
  attempts: number;
  completed: number;
  cost_total: number;
  costed: number;
  duration_total: number;
  timed: number;
  last_at: string;
  card_id: string | null;
}

/** Best evidence first: by the lower bound, then by the number of attempts. */
export async function listCompetence(
  tx: Tx,
  filter: CompetenceFilter,
  now: Date,
): Promise<CompetenceRecord[]> {
  const rows = await tx.query<CompetenceRow>(
    `SELECT c.agent_id, c.task_type, c.attempts, c.completed, c.cost_total, c.costed, c.duration_total,
            c.timed, c.last_at, c.card_id
       FROM competence c
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE c.workspace_id = $1
        AND ($2::text IS NULL OR c.task_type = $2)
        AND ($3::text IS NULL OR c.agent_id = $3)
        AND ($4::text IS NULL OR a.team_id = $4)
      ORDER BY c.agent_id, c.task_type`,
    [tx.workspace, filter.taskType, filter.agent, filter.team],
  );
  return rows
    .map((row) => recordOf(row, now))
    .sort((a, b) => b.lower_bound - a.lower_bound || b.attempts - a.attempts);
}

function recordOf(row: CompetenceRow, now: Date): CompetenceRecord {
  const bound = wilsonLowerBound(row.completed, row.attempts);
  return {
    agent: row.agent_id,
    task_type: row.task_type,
    attempts: row.attempts,
    completed: row.completed,
    completion_rate: row.completed / row.attempts,
    lower_bound: bound,
    lower_bound_now: confidenceAsOf(bound, row.last_at, now),
    cost_total: row.cost_total,
    cost_mean: row.costed === 0 ? null : row.cost_total / row.costed,
    duration_ms_mean: row.timed === 0 ? null : row.duration_total / row.timed,
    last_at: row.last_at,
    card_id: row.card_id,
  };
}
