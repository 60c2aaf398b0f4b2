import type { Tx } from './database';

/** What a quota may be set for. */
export type Quota = 'events_per_day' | 'cards' | 'payload_bytes' | 'open_conversations';

const COUNTS: Readonly<Record<Quota, string>> = {
  events_per_day: `
    SELECT count(*) FROM events
     WHERE workspace_id = $1 AND recorded_at >= date_trunc('day', $2::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`,
  cards: `SELECT count(*) FROM cards WHERE workspace_id = $1 AND status <> 'deleted' AND $2::timestamptz IS NOT NULL`,
  payload_bytes: `
    SELECT COALESCE(sum(pg_column_size(payload)), 0) FROM events
     WHERE workspace_id = $1 AND payload IS NOT NULL AND $2::timestamptz IS NOT NULL`,
  open_conversations: `
    SELECT count(*) FROM conversations WHERE workspace_id = $1 AND status = 'open' AND $2::timestamptz IS NOT NULL`,
};

/** How much of one the workspace uses now. It reads all rows that it counts, so it is not for every call. */
export async function countUsage(tx: Tx, quota: Quota, now: Date): Promise<number> {
  const { used } = await tx.one<{ used: number }>(`SELECT (${COUNTS[quota]})::bigint AS used`, [
    tx.workspace,
    now,
  ]);
  return used;
}

/** Which of these events were recorded before. */
export async function recordedBefore(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    'SELECT event_id AS id FROM events WHERE workspace_id = $1 AND event_id = ANY ($2)',
    [tx.workspace, ids],
  );
  return new Set(rows.map(({ id }) => id));
}
