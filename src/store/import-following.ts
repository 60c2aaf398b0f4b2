import type { JsonObject } from '../contracts/event';
import type { Tx } from './database';
import type { ExportTable } from './export-table';

/** What else is to happen where rows of a table came in. */
export async function follow(
  tx: Tx,
  { type }: ExportTable,
  made: readonly JsonObject[],
  now: Date,
): Promise<void> {
  if (type === 'policy') {
    await tx.query('UPDATE workspaces SET schedules_stale = true WHERE workspace_id = $1', [
      tx.workspace,
    ]);
  }
  if (type === 'card_grant') {
    // Who is in a group is said here, and not by the file.
    const shared = made.filter(({ grant_type }) => grant_type === 'agent_group');
    await tx.query('SELECT materialize_group_grants($1, c, NULL) FROM unnest($2::text[]) AS c', [
      tx.workspace,
      [...new Set(shared.map(({ card_id }) => String(card_id)))],
    ]);
  }
  if (type === 'proposal') {
    await tx.query(
      `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
       SELECT p.workspace_id, 'start_proposal', p.workflow_id,
              jsonb_build_object('workspace', p.workspace_id, 'proposal_id', p.id), $3, $3
         FROM proposals p
        WHERE p.workspace_id = $1 AND p.id = ANY ($2)
          AND (p.status IN ('open', 'reopened') OR (p.type = 'config_fix' AND p.status IN ('approved', 'applied')))`,
      [tx.workspace, made.map(({ id }) => String(id)), now],
    );
  }
}
