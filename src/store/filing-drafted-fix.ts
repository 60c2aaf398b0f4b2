import type { ConfigFixChange } from '../contracts/proposal';
import type { Tx } from './database';

export interface FixToDraft {
  title: string;
  summary: string;
  change: ConfigFixChange;
  /** Of the warnings that are still in use, the latest last. */
  warnings: { summary: string }[];
}

/** @returns null where it is open no more, or in another version. */
export async function readFixToDraft(
  tx: Tx,
  id: string,
  version: number,
): Promise<FixToDraft | null> {
  const [row] = await tx.query<FixToDraft>(
    `SELECT p.title, p.summary, p.change,
            COALESCE((SELECT jsonb_agg(jsonb_build_object('summary', c.summary) ORDER BY c.valid_from, c.id)
                        FROM cards c
                       WHERE c.workspace_id = $1 AND c.id = ANY (p.evidence)
                         AND c.status IN ('pending', 'active', 'validated')
                         AND NOT 'instruction_like' = ANY (c.flags)), '[]') AS warnings
       FROM proposals p
      WHERE p.workspace_id = $1 AND p.id = $2 AND p.version = $3 AND p.status IN ('open', 'reopened')`,
    [tx.workspace, id, version],
  );
  return row ?? null;
}

export interface DraftedFix {
  id: string;
  version: number;
  change: ConfigFixChange;
  /** Redacted. */
  summary: string;
  fix: string;
}

/** Words only, before anybody was told that it waits. @returns false where it was decided meanwhile */
export async function saveDraftedFix(tx: Tx, draft: DraftedFix): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE proposals SET summary = $4, change = $5, drafted_by = 'model'
      WHERE workspace_id = $1 AND id = $2 AND version = $3 AND status IN ('open', 'reopened')
     RETURNING id`,
    [
      tx.workspace,
      draft.id,
      draft.version,
      draft.summary,
      JSON.stringify({ ...draft.change, fix: draft.fix }),
    ],
  );
  return rows.length > 0;
}
