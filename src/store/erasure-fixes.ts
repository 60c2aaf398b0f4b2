import {
  type ConfigFixChange,
  DECIDABLE_STATUSES,
  type ProposalStatus,
} from '../contracts/proposal';
import { durationMs } from '../domain/durations';
import { isStruckOut, type Strike, strikesInWindow } from '../domain/strike-step';
import type { Tx } from './database';
import { evidenceLeft, wordedAnew } from './filing-fix-evidence';
import { MOST_EVIDENCE } from './filing-steps';
import { type ProposalRow, setProposal } from './proposal-row';
import { policyOf } from './settings';

const GOES = `i.workspace_id = $1 AND i.erasure_id = $2
  AND (i.state IN ('root', 'falls') OR i.state = 'done' AND i.was IN ('root', 'falls'))`;

/** Of these a person, a runtime or the step itself has still to say something. */
const UNDER_WAY: readonly ProposalStatus[] = [...DECIDABLE_STATUSES, 'approved', 'applied'];

/**
 * A fix that waits for a decision, for its runtime or for what the step does from now on stays where so many failures
 * bear it out without what goes that it would be proposed by them: it is said again from those, as the same version,
 * since its workflow knows that one, and as it was decided. The row is held, and its words are gone.
 * @returns false where too few are left
 */
export async function saidAgain(
  tx: Tx,
  erasureId: string,
  row: ProposalRow,
  at: Date,
): Promise<boolean> {
  if (row.type !== 'config_fix' || !UNDER_WAY.includes(row.status)) return false;
  const change = row.change as ConfigFixChange;
  const { strikes: rule } = await policyOf(tx);
  const windowMs = durationMs(rule.window);
  const strikes = await strikesLeft(tx, erasureId, row.id, change);
  const [most = []] = strikes
    .map((last) => strikesInWindow(strikes, Date.parse(last.occurred_at), windowMs))
    .sort((a, b) => b.length - a.length);
  if (!isStruckOut(most, rule.count)) return false;
  const cardOf = new Map(strikes.map((strike) => [strike.event_id, strike.card_id]));
  const cards = most.flatMap(({ event_id }) => cardOf.get(event_id) ?? []);
  const left = await evidenceLeft(tx, cards.slice(-MOST_EVIDENCE));
  if (left.ids.length === 0) return false;
  const { title, summary, fix } = wordedAnew(change, left);
  await setProposal(tx, row, {
    status: row.status,
    evidence: left.ids,
    change: { ...change, fix },
    words: { title, summary, draftedBy: 'fallback' },
    at,
  });
  return true;
}

/** Failures of the step that no decision on another proposal has dealt with, without those that go. */
async function strikesLeft(
  tx: Tx,
  erasureId: string,
  proposalId: string,
  { team, workflow, step }: ConfigFixChange,
): Promise<(Strike & { card_id: string })[]> {
  return await tx.query(
    `SELECT s.event_id, s.occurred_at, s.card_id
       FROM strikes s
      WHERE s.workspace_id = $1 AND s.team_id = $3 AND s.workflow = $4 AND s.step = $5 AND (s.settled_by IS NULL OR s.settled_by = $6)
        AND NOT EXISTS (SELECT 1 FROM erasure_items i
                         WHERE ${GOES} AND (i.kind = 'event' AND i.id = s.event_id OR i.kind = 'card' AND i.id = s.card_id))
      ORDER BY s.occurred_at, s.event_id`,
    [tx.workspace, erasureId, team, workflow, step, proposalId],
  );
}
