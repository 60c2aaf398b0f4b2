import type { SettledEvent } from '../contracts/event';
import type { Policy } from '../contracts/policy';
import { durationMs } from '../domain/durations';
import { isStrike, type Strike, stepOf, strikesInWindow } from '../domain/strike-step';
import type { NewCard } from './card-writes';
import type { Tx } from './database';

/**
 * Counts a failed step once per event and team.
 * @returns the most strikes of that step that lie in one window together with this one, in whatever
 *   order they were heard of; null where the event is no strike, or names no step or team.
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
  const windowMs = durationMs(policy.strikes.window);
  const at = Date.parse(event.occurred_at);
  const others = await tx.query<Strike>(
    `WITH struck AS (
       INSERT INTO strikes (workspace_id, event_id, team_id, workflow, step, occurred_at, card_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT DO NOTHING
     )
     SELECT event_id, occurred_at
       FROM strikes
      WHERE workspace_id = $1 AND team_id = $3 AND workflow = $4 AND step = $5
        AND occurred_at > $8 AND occurred_at < $9 AND event_id <> $2`,
    [
      tx.workspace,
      event.event_id,
      team,
      step.workflow,
      step.step,
      event.occurred_at,
      card.id,
      new Date(at - windowMs),
      new Date(at + windowMs),
    ],
  );
  const all = [...others, { event_id: event.event_id, occurred_at: event.occurred_at }];
  const windows = all
    .map((last) => Date.parse(last.occurred_at))
    .filter((end) => end >= at)
    .map((end) => strikesInWindow(all, end, windowMs).length);
  return Math.max(...windows);
}
