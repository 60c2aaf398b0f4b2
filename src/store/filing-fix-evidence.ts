import type { TeamStep } from '../contracts/proposal';
import { type FixDraft, type FixWarning, templateFix } from '../domain/config-fix';
import type { Tx } from './database';
import { GONE } from './strikes';

export interface EvidenceLeft {
  /** In the order of the evidence. */
  ids: string[];
  warnings: FixWarning[];
}

/**
 * Of the cards behind a fix, those that still bear witness. One that was rejected, deleted, erased or
 * quarantined does not; one that something newer took the place of does, and so does one that was held back
 * as it was filed: that the step failed is true whatever its text says, until a person stops it.
 */
export async function evidenceLeft(tx: Tx, evidence: readonly string[]): Promise<EvidenceLeft> {
  const rows = await tx.query<FixWarning & { id: string }>(
    `SELECT c.id, c.error_family, c.error_signature
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2)
        AND (c.status NOT IN ('rejected', 'deleted', 'quarantined')
          OR (c.status = 'quarantined' AND c.version = 1 AND NOT EXISTS (
                SELECT 1 FROM strikes s
                 WHERE s.workspace_id = $1 AND s.event_id = c.event_id AND s.settled_by = $3)))
      ORDER BY array_position($2, c.id)`,
    [tx.workspace, evidence, GONE],
  );
  return {
    ids: rows.map(({ id }) => id),
    warnings: rows.map(({ error_family, error_signature }) => ({ error_family, error_signature })),
  };
}

/** The words of a fix from what is left of its evidence. */
export function wordedAnew(
  { team, workflow, step }: TeamStep,
  { ids, warnings }: EvidenceLeft,
): FixDraft {
  return templateFix({ team, workflow, step }, warnings, ids.length);
}
