import type { SettledEvent } from '../contracts/event';
import type { Policy } from '../contracts/policy';
import type { StepFigures, TeamStep } from '../contracts/proposal';
import { durationMs } from '../domain/durations';
import { isStrike, type Strike, stepOf, strikesInWindow } from '../domain/strike-step';
import type { NewCard } from './card-writes';
import type { Tx } from './database';

/** What a failed step came to. */
export interface Struck {
  step: TeamStep;
  /** Of the window that holds most of them together with this one; what a decision has dealt with is not. */
  count: number;
  /** Cards of those, oldest first. */
  cards: string[];
}

/**
 * Counts a failed step once per event and team. Whoever counts holds the step's row until it is committed,
 * so that of three at the same moment the last one sees the others.
 * @returns the strikes of that step that lie in one window together with this one, in whatever order they
 *   were heard of; null where the event is no strike, or names no step or team.
 */
export async function recordStrike(
  tx: Tx,
  card: NewCard,
  event: SettledEvent,
  team: string | null,
  policy: Policy,
): Promise<Struck | null> {
  const own = stepOf(event);
  if (!isStrike(event.outcome) || own === null || team === null) return null;
  const step: TeamStep = { team, ...own };
  const windowMs = durationMs(policy.strikes.window);
  const at = Date.parse(event.occurred_at);
  await tx.query(
    `WITH struck AS (
       INSERT INTO strikes (workspace_id, event_id, team_id, workflow, step, occurred_at, card_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING
     )
     INSERT INTO strike_steps AS s (workspace_id, team_id, workflow, step, strikes)
     VALUES ($1, $3, $4, $5, 1)
     ON CONFLICT (workspace_id, team_id, workflow, step) DO UPDATE SET strikes = s.strikes + 1`,
    [tx.workspace, event.event_id, team, step.workflow, step.step, event.occurred_at, card.id],
  );
  const around = await tx.query<Strike & { card_id: string }>(
    `SELECT event_id, occurred_at, card_id
       FROM strikes
      WHERE workspace_id = $1 AND team_id = $2 AND workflow = $3 AND step = $4
        AND occurred_at > $5 AND occurred_at < $6 AND settled_by IS NULL`,
    [
      tx.workspace,
      team,
      step.workflow,
      step.step,
      new Date(at - windowMs),
      new Date(at + windowMs),
    ],
  );
  const cardOf = new Map(around.map((strike) => [strike.event_id, strike.card_id]));
  const windows = around
    .map((last) => Date.parse(last.occurred_at))
    .filter((end) => end >= at)
    .map((end) => strikesInWindow(around, end, windowMs))
    .sort((a, b) => b.length - a.length);
  const most = windows[0] ?? [];
  return {
    step,
    count: most.length,
    cards: most.flatMap((strike) => cardOf.get(strike.event_id) ?? []),
  };
}

/**
 * What a decision has dealt with counts for no later proposal: the step begins anew. That is what happened
 * before it, and the evidence itself, whose clock may have been ahead of ours. The step is held first, so that
 * a strike which is being counted at this moment is either dealt with too or sees what was.
 */
export async function settleStrikes(
  tx: Tx,
  step: TeamStep,
  proposalId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `SELECT 1 FROM strike_steps
      WHERE workspace_id = $1 AND team_id = $2 AND workflow = $3 AND step = $4
        FOR UPDATE`,
    [tx.workspace, step.team, step.workflow, step.step],
  );
  await tx.query(
    `UPDATE strikes SET settled_by = $5
      WHERE workspace_id = $1 AND team_id = $2 AND workflow = $3 AND step = $4
        AND settled_by IS NULL
        AND (occurred_at <= $6
          OR card_id = ANY (SELECT unnest(evidence) FROM proposals WHERE workspace_id = $1 AND id = $5))`,
    [tx.workspace, step.team, step.workflow, step.step, proposalId, at],
  );
}

/** What a strike is settled by whose card was taken away; the others are settled by a proposal. */
export const GONE = 'gone';

/**
 * Failures whose cards were taken away count for nothing. Their steps are held first, in one order, so that
 * a strike which is being counted at this moment sees what was.
 */
export async function discountStrikes(tx: Tx, cards: readonly string[]): Promise<void> {
  const struck = await tx.query<{ event_id: string }>(
    'SELECT event_id FROM strikes WHERE workspace_id = $1 AND card_id = ANY ($2)',
    [tx.workspace, cards],
  );
  if (struck.length === 0) return;
  const events = struck.map(({ event_id }) => event_id);
  await tx.query(
    `SELECT 1 FROM strike_steps p
      WHERE p.workspace_id = $1
        AND (p.team_id, p.workflow, p.step) IN (
              SELECT s.team_id, s.workflow, s.step FROM strikes s
               WHERE s.workspace_id = $1 AND s.event_id = ANY ($2))
      ORDER BY p.team_id, p.workflow, p.step
        FOR UPDATE`,
    [tx.workspace, events],
  );
  await tx.query(
    'UPDATE strikes SET settled_by = $3 WHERE workspace_id = $1 AND event_id = ANY ($2)',
    [tx.workspace, events, GONE],
  );
}

/** How the step did in the window before a fix: what failed, and cards of the same step that worked. */
export async function strikesBefore(
  tx: Tx,
  step: TeamStep,
  until: string,
  policy: Policy,
): Promise<StepFigures> {
  const from = new Date(Date.parse(until) - durationMs(policy.strikes.window));
  const { failed } = await tx.one<{ failed: number }>(
    `SELECT count(*) AS failed
       FROM strikes
      WHERE workspace_id = $1 AND team_id = $2 AND workflow = $3 AND step = $4
        AND occurred_at > $5 AND occurred_at <= $6 AND settled_by IS DISTINCT FROM $7`,
    [tx.workspace, step.team, step.workflow, step.step, from, until, GONE],
  );
  const { worked } = await tx.one<{ worked: number }>(
    `SELECT count(*) AS worked
       FROM events e
       LEFT JOIN agents a ON a.workspace_id = e.workspace_id AND a.id = e.agent_id
      WHERE e.workspace_id = $1 AND a.team_id = $2 AND e.outcome = 'worked'
        AND e.occurred_at > $5 AND e.occurred_at <= $6
        AND (e.payload ->> 'service' = $3 AND e.payload ->> 'operation' = $4
             AND e.payload -> 'workflow_step' IS NULL
          OR e.payload #>> '{workflow_step,workflow}' = $3 AND e.payload #>> '{workflow_step,step}' = $4)`,
    [tx.workspace, step.team, step.workflow, step.step, from, until],
  );
  return { worked, failed };
}
