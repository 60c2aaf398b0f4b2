import { createHash } from 'node:crypto';
import type { DistilledBy } from '../contracts/names';
import type { Earlier } from '../domain/reflection/again';
import type { Candidate, CandidateType } from '../domain/reflection/candidate';
import type { Tx } from './database';
import { newId } from './ids';

/** Who found it, for provenance. */
export interface FoundBy {
  distilled_by: DistilledBy;
  model: string | null;
  prompt_version: string | null;
}

/** A candidate as it is kept: everything that a later approval needs. */
export type KeptDraft = Candidate & FoundBy;

export interface Reflection {
  id: string;
  run_id: string;
  type: CandidateType;
  draft: KeptDraft | null;
  sources: string[];
}

export interface NewReflection {
  runId: string;
  draft: KeptDraft;
  matterHash: string;
  decision: Earlier['decision'];
  rule: number | null;
  reason: string;
  cardId?: string | null;
  edgeId?: string | null;
  proposalId?: string | null;
  now: Date;
}

/** Of the same readers and the same matter there is one, whoever finds it again in whatever words. */
export function matterHashOf(type: CandidateType, member: string, matter: string): string {
  return createHash('sha256')
    .update(JSON.stringify([type, member, matter]))
    .digest('hex');
}

export function newReflectionId(now: Date): string {
  return newId('refl', now);
}

export async function keepReflection(tx: Tx, id: string, kept: NewReflection): Promise<void> {
  const { draft, now } = kept;
  await tx.query(
    `INSERT INTO reflections (workspace_id, id, run_id, type, matter_hash, draft, sources, confidence, evidence,
                              agents, decision, rule, reason, card_id, edge_id, proposal_id, created_at, decided_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      tx.workspace,
      id,
      kept.runId,
      draft.type,
      kept.matterHash,
      JSON.stringify(draft),
      draft.sources,
      draft.confidence,
      draft.evidence,
      draft.agents,
      kept.decision,
      kept.rule,
      kept.reason,
      kept.cardId ?? null,
      kept.edgeId ?? null,
      kept.proposalId ?? null,
      now,
      kept.decision === 'escalated' ? null : now,
    ],
  );
}

/** Held until the transaction ends; null where there is none. */
export async function holdReflection(tx: Tx, id: string): Promise<Reflection | null> {
  const [row] = await tx.query<Reflection>(
    `SELECT id, run_id, type, draft, sources FROM reflections WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
    [tx.workspace, id],
  );
  return row ?? null;
}

/** What the person said whom it was escalated to. */
export async function settleReflection(
  tx: Tx,
  id: string,
  settled: {
    decision: 'approved' | 'rejected';
    cardId?: string | null;
    edgeId?: string | null;
    at: Date;
  },
): Promise<void> {
  await tx.query(
    `UPDATE reflections
        SET decision = $3, reason = 'person', card_id = $4, edge_id = $5, decided_at = $6
      WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      id,
      settled.decision,
      settled.cardId ?? null,
      settled.edgeId ?? null,
      settled.at,
    ],
  );
}
