import { isDeepStrictEqual } from 'node:util';
import type { ConfigFixChange } from '../contracts/proposal';
import type { Tx } from './database';
import { holdProposal } from './proposal-row';

export interface FixToDraft {
  title: string;
  summary: string;
  change: ConfigFixChange;
  /** The cards that it rests on. */
  evidence: string[];
  /** Of the warnings that are still in use, the latest last. */
  warnings: { id: string; version: number; summary: string }[];
}

/** @returns null where it is open no more, or in another version. */
export async function readFixToDraft(
  tx: Tx,
  id: string,
  version: number,
): Promise<FixToDraft | null> {
  const [row] = await tx.query<FixToDraft>(
    `SELECT p.title, p.summary, p.change, p.evidence,
            COALESCE((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'version', c.version, 'summary', c.summary) ORDER BY c.valid_from, c.id)
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
  /** What the words were found in. */
  read: FixToDraft;
  /** Redacted. */
  summary: string;
  fix: string;
}

/**
 * Words only, before anybody was told that it waits. They are found while no transaction is open: looked at again once
 * the row is held, what they were found in has to be as it was read, every warning of it. What was erased, corrected or
 * stopped meanwhile does not come back in a model's words; the template's stand then.
 * @returns false where it was decided meanwhile, or is not what was read
 */
export async function saveDraftedFix(tx: Tx, draft: DraftedFix): Promise<boolean> {
  const { id, version, read, summary, fix } = draft;
  if ((await holdProposal(tx, id)) === null) return false;
  const now = await readFixToDraft(tx, id, version);
  if (now === null || !isDeepStrictEqual(now, read)) return false;
  await tx.query(
    `UPDATE proposals SET summary = $3, change = $4, drafted_by = 'model' WHERE workspace_id = $1 AND id = $2`,
    [tx.workspace, id, summary, JSON.stringify({ ...now.change, fix })],
  );
  return true;
}
