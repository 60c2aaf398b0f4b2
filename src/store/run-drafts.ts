import type { JsonObject } from '../contracts/event';
import type { Tx } from './database';

/**
 * Keeps text that a run works on, under the name of its part; kept again it is replaced. Where one of the cards that
 * it came from was erased meanwhile nothing is kept: an erasure would not look for it. Each card has a version, which
 * is held, so that an erasure comes after, and finds it, or before.
 */
export async function keepDraft(
  tx: Tx,
  operationId: string,
  { part, sources, draft }: { part: string; sources: readonly string[]; draft: JsonObject },
  now: Date,
): Promise<void> {
  const held = await tx.query<{ card_id: string }>(
    `SELECT v.card_id FROM card_versions v
      WHERE v.workspace_id = $1 AND v.card_id = ANY ($2)
      ORDER BY v.card_id, v.version
        FOR KEY SHARE`,
    [tx.workspace, sources],
  );
  const known = new Set(held.map(({ card_id }) => card_id));
  if (sources.some((id) => !known.has(id))) return;
  await tx.query(
    `INSERT INTO run_drafts (workspace_id, run_id, part, sources, draft, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, run_id, part)
     DO UPDATE SET sources = EXCLUDED.sources, draft = EXCLUDED.draft, created_at = EXCLUDED.created_at`,
    [tx.workspace, operationId, part, sources, JSON.stringify(draft), now],
  );
}

/** @returns null where there is none, or it was erased */
export async function readDraft<T extends object>(
  tx: Tx,
  operationId: string,
  part: string,
): Promise<T | null> {
  const [row] = await tx.query<{ draft: T }>(
    'SELECT draft FROM run_drafts WHERE workspace_id = $1 AND run_id = $2 AND part = $3',
    [tx.workspace, operationId, part],
  );
  return row?.draft ?? null;
}

/** Drafts that were filed are cards by now; those of a dry run stay, for whoever looks at it. */
export async function dropDrafts(tx: Tx, operationId: string): Promise<void> {
  await tx.query('DELETE FROM run_drafts WHERE workspace_id = $1 AND run_id = $2', [
    tx.workspace,
    operationId,
  ]);
}
