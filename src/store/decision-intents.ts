import type { Decision } from '../contracts/proposal';
import { keepReason } from './card-edits';
import type { Tx } from './database';
import { newId } from './ids';

/** A decision that came through the API, before Temporal hears of it. */
export interface DecisionIntent {
  id: string;
  proposalId: string;
  version: number;
  by: string;
  decision: Decision;
  winner: string | null;
  /** Redacted. */
  reason: string | null;
  at: Date;
}

/** Keeps what a person said, once: asked again, the first words stay. */
export async function keepIntent(tx: Tx, intent: DecisionIntent): Promise<void> {
  const reasonId = intent.reason === null ? null : newId('reason', intent.at);
  const made = await tx.query(
    `INSERT INTO decision_intents (workspace_id, id, proposal_id, version, by_person, decision, winner, reason_id,
                                   created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT DO NOTHING
     RETURNING id`,
    [
      tx.workspace,
      intent.id,
      intent.proposalId,
      intent.version,
      intent.by,
      intent.decision,
      intent.winner,
      reasonId,
      intent.at,
    ],
  );
  if (made.length === 0 || reasonId === null || intent.reason === null) return;
  await keepReason(tx, reasonId, intent.reason, intent.at);
}

/** How often this person decided it and was refused: the next try is another one, and is looked at anew. */
export async function refusalsSoFar(tx: Tx, proposalId: string, person: string): Promise<number> {
  const { n } = await tx.one<{ n: number }>(
    `SELECT count(*) AS n FROM proposal_decisions
      WHERE workspace_id = $1 AND proposal_id = $2 AND by_person = $3 AND outcome <> 'taken'`,
    [tx.workspace, proposalId, person],
  );
  return n;
}

/** Whether this very decision, by the id of its update, has been taken. */
export async function wasTaken(tx: Tx, proposalId: string, decisionId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT 1 FROM proposal_decisions
      WHERE workspace_id = $1 AND proposal_id = $2 AND id = $3 AND outcome = 'taken'`,
    [tx.workspace, proposalId, decisionId],
  );
  return rows.length > 0;
}
