import type { Tx } from './database';

/** A session or a task that rows were in. */
export interface Label {
  kind: 'session' | 'task';
  id: string;
}

/** A card has the labels of its event, whose payload may have gone long before. */
const LABELLED = {
  event: `FROM events e
         CROSS JOIN LATERAL (VALUES ('session', e.payload ->> 'session'), ('task', e.payload ->> 'task')) AS l (kind, id)
         WHERE e.workspace_id = $1 AND e.event_id = ANY ($2)`,
  card: `FROM cards c
         CROSS JOIN LATERAL (VALUES ('session', c.session), ('task', c.task)) AS l (kind, id)
         WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
};

/** In which sessions and tasks these events or cards were. */
export async function labelsOf(
  tx: Tx,
  kind: 'event' | 'card',
  ids: readonly string[],
): Promise<Label[]> {
  return await tx.query<Label>(
    `SELECT DISTINCT l.kind, l.id ${LABELLED[kind]} AND l.id IS NOT NULL`,
    [tx.workspace, ids],
  );
}

/** Of these labels those that a card still has. */
export async function labelsInUse(tx: Tx, labels: readonly string[]): Promise<Set<string>> {
  if (labels.length === 0) return new Set();
  const rows = await tx.query<{ label: string }>(
    `SELECT DISTINCT l.label
       FROM cards c
      CROSS JOIN LATERAL (VALUES (c.task), (c.session)) AS l (label)
      WHERE c.workspace_id = $1 AND l.label = ANY ($2)`,
    [tx.workspace, labels],
  );
  return new Set(rows.map(({ label }) => label));
}
