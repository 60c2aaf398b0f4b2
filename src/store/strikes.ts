import type { SettledEvent } from '../contracts/event';
import type { Policy } from '../contracts/policy';
import { durationMs } from '../domain/durations';
import { isStrike, stepOf } from '../domain/strike-step';
import type { NewCard } from './card-writes';
import type { Tx } from './database';

/**
 * Counts a failed step once per event and team.
 * @returns the strikes of that step within the window before this one, this one included;
 *   null where the event is no strike, or names no step or team.
 */
export async function recordStrike(
  tx: Tx,
  card: NewCard,
  event: SettledEvent,
  team: string | null,
  policy: Policy,
): Promise<number | null> {
  const step = stepOf(event);
  if (!isStrike(event.outcome) || step === null || team === null) return null;
  const since = new Date(Date.parse(event.occurred_at) - durationMs(policy.strikes.window));
  const { count } = await tx.one<{ count: number }>(
    `WITH struck AS (
       INSERT INTO strikes (workspace_id, event_id, team_id, workflow, step, occurred_at, card_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING
     )
     SELECT 1 + count(*) AS count
       FROM strikes
      WHERE workspace_id = $1 AND team_id = $3 AND workflow = $4 AND step = $5
        AND occurred_at > $8 AND occurred_at <= $6 AND event_id <> $2`,
    [
      tx.workspace,
      event.event_id,
      team,
      step.workflow,
      step.step,
      event.occurred_at,
      card.id,
      since,
    ],
  );
  return count;
}
