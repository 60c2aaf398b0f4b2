import type { SettledEvent } from '../contracts/event';
import type { Policy } from '../contracts/policy';
import { type FixWarning, templateFix } from '../domain/config-fix';
import { isStrike, stepOf } from '../domain/strike-step';
import type { NewCard } from './card-writes';
import type { Tx } from './database';
import { openProposalFor } from './proposal-opening';
import { recordStrike, type Struck } from './strikes';

/** Evidence that one proposal names; a step that failed a thousand times is not shown a thousand times. */
export const MOST_EVIDENCE = 20;

/** How far ahead a reporter's clock may be; what lies further in the future has not happened. */
const CLOCK_SKEW = '5 minutes';

/**
 * What a settled event means for the step that it belongs to, in the transaction that files its card: a strike,
 * on the third one the proposal of a fix, and where a fix was applied one more look at it.
 * @returns the strikes of the window; null where the event is none
 */
export async function followStep(
  tx: Tx,
  card: NewCard,
  event: SettledEvent,
  team: string | null,
  policy: Policy,
  now: Date,
): Promise<number | null> {
  await observeFix(tx, card, event, team, now);
  const struck = await recordStrike(tx, card, event, team, policy);
  if (struck !== null && struck.count >= policy.strikes.count) await proposeFix(tx, struck, now);
  return struck?.count ?? null;
}

/** One a step: of a step whose fix waits, was approved or is watched nothing more is proposed. */
async function proposeFix(tx: Tx, struck: Struck, now: Date): Promise<void> {
  const { team, workflow, step } = struck.step;
  const evidence = struck.cards.slice(-MOST_EVIDENCE);
  const warnings = await tx.query<FixWarning>(
    `SELECT c.error_family, c.error_signature FROM cards c WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
    [tx.workspace, struck.cards],
  );
  const draft = templateFix(struck.step, warnings, struck.count);
  await openProposalFor(tx, {
    type: 'config_fix',
    matter: `config_fix:${JSON.stringify([team, workflow, step])}`,
    team,
    title: draft.title,
    summary: draft.summary,
    draftedBy: 'fallback',
    evidence,
    change: { ...struck.step, fix: draft.fix },
    proposedBy: { kind: 'system', id: 'cairn' },
    channel: 'workflow',
    now,
  });
}

/** What happened before the fix was applied says nothing of it, whenever it is heard of. */
async function observeFix(
  tx: Tx,
  card: NewCard,
  event: SettledEvent,
  team: string | null,
  now: Date,
): Promise<void> {
  const step = stepOf(event);
  if (step === null || team === null || event.outcome === 'neutral') return;
  await tx.query(
    `WITH seen AS (
       INSERT INTO fix_observations (workspace_id, fix_id, event_id, worked, card_id, occurred_at)
       SELECT $1, f.id, $5, $6, $7, $8
         FROM config_fixes f
        WHERE f.workspace_id = $1 AND f.team_id = $2 AND f.workflow = $3 AND f.step = $4
          AND f.status = 'applied' AND f.applied_at < $8::timestamptz
          AND $8::timestamptz <= $9::timestamptz + interval '${CLOCK_SKEW}'
       ON CONFLICT DO NOTHING
       RETURNING fix_id
     )
     INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'signal_proposal', p.workflow_id,
            jsonb_build_object('workspace', $1::text, 'proposal_id', p.id, 'signal', 'fix_watched'), $9, $9
       FROM seen s
       JOIN config_fixes f ON f.workspace_id = $1 AND f.id = s.fix_id
       JOIN proposals p ON p.workspace_id = $1 AND p.id = f.proposal_id`,
    [
      tx.workspace,
      team,
      step.workflow,
      step.step,
      event.event_id,
      !isStrike(event.outcome),
      card.id,
      event.occurred_at,
      now,
    ],
  );
}
