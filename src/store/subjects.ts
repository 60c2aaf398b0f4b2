import type { Tx } from './database';

/** Ids of those about whom nothing is remembered any more, and nothing is shown to an agent; `$1` is the workspace. */
export const SUBJECTS_OFF = `SELECT s.id FROM subjects s WHERE s.workspace_id = $1 AND s.memory = 'off'`;

/** Which of these subjects nothing may be remembered about. */
export async function subjectsSwitchedOff(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM subjects WHERE workspace_id = $1 AND id = ANY ($2) AND memory = 'off'`,
    [tx.workspace, ids],
  );
  return new Set(rows.map((row) => row.id));
}
