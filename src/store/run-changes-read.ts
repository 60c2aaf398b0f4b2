import type { RunChangeLine, RunDraft } from '../contracts/run';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

/** A run's own lines, and those of its units. */
const MATCHING = `
  SELECT c.run_id, c.n, c.change, c.card_id, c.version_before, c.version_after, c.related, c.reason, c.at,
         c.undone_at, c.not_undone
    FROM run_changes c
   WHERE c.workspace_id = $1
     AND c.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND (r.id = $2 OR r.parent_id = $2))`;

/** Unit by unit, and in each in the order in which it was done. */
export async function listChanges(
  tx: Tx,
  run: string,
  page: { after: readonly [string, number] | null; limit: number },
): Promise<Slice<RunChangeLine>> {
  const values = [tx.workspace, run];
  const rows = await tx.query<RunChangeLine>(
    `${MATCHING} AND ($3::text IS NULL OR (c.run_id, c.n) > ($3, $4))
     ORDER BY c.run_id, c.n
     LIMIT $5`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, MATCHING, values) };
}

/** Texts that a dry run and its units left, unit by unit; of a run that did what it said there are none. */
export async function listDrafts(tx: Tx, run: string, limit: number): Promise<RunDraft[]> {
  return await tx.query<RunDraft>(
    `SELECT d.run_id, d.part, d.sources, d.draft
       FROM runs r
       JOIN run_drafts d ON d.workspace_id = r.workspace_id AND d.run_id = r.id
      WHERE r.workspace_id = $1 AND (r.id = $2 OR r.parent_id = $2) AND r.dry_run
      ORDER BY d.run_id, d.part
      LIMIT $3`,
    [tx.workspace, run, limit],
  );
}
