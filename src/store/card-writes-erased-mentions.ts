import type { Tx } from './database';
import { type ErasureWalk, NOTHING_LEFT, type WalkBatch } from './erasure-walk';

/** Rows of other things that name what went, by the ids that an erasure has in hand. */
const KINDS = `('event', 'card', 'conversation', 'pending_write')`;

/** Ids that a document holds, as strings of their own anywhere in it. */
const namedIn = (document: string) => `
  (SELECT array_agg(DISTINCT i.id)
     FROM jsonb_path_query(${document}, 'lax $.**') AS v
     JOIN erasure_items i ON i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind IN ${KINDS} AND i.state = 'done'
                         AND i.was IN ('root', 'falls') AND i.id = v #>> '{}'
    WHERE jsonb_typeof(v) = 'string')`;

/** Rows that are about what went and nothing else go; `[table, column]`. */
const DELETED = [
  ['idempotency', 'resource'],
  ['import_lines', 'line'],
  ['outbox', 'arguments'],
] as const;

/** Written after an event was read, and perhaps after it went; `[table, column]`. */
const NOTED = [
  ['skill_tests', 'source_event'],
  ['strikes', 'event_id'],
  ['fix_observations', 'event_id'],
] as const;

/** Written after a card was read, and perhaps after it went. */
const LOGGED = ['recall_cards', 'card_usage', 'confidence_marks', 'strikes'] as const;

/** Of rows that stay the ids go. */
const EMPTIED = [
  ['runs', 'result'],
  ['proposals', 'change'],
  ['imports', 'problems'],
] as const;

/**
 * Takes what else names the erased out of the tables, in one walk over each, at the end: answers that are kept,
 * deliveries in flight, records of runs, the names of erased parents, and why people did what they did to them.
 */
export async function eraseMentions(tx: Tx, { erasureId }: ErasureWalk): Promise<WalkBatch> {
  const purged: Record<string, number> = {};
  const values = [tx.workspace, erasureId];
  for (const [table, column] of DELETED) {
    const gone = await tx.query(
      `DELETE FROM ${table} t WHERE t.workspace_id = $1 AND ${namedIn(`t.${column}`)} IS NOT NULL RETURNING 1`,
      values,
    );
    purged[table] = gone.length;
  }
  for (const [table, column] of EMPTIED) {
    await tx.query(
      `UPDATE ${table} t SET ${column} = without_strings(t.${column}, m.gone)
         FROM (SELECT s.ctid AS at, ${namedIn(`s.${column}`)} AS gone FROM ${table} s WHERE s.workspace_id = $1) m
        WHERE t.workspace_id = $1 AND t.ctid = m.at AND m.gone IS NOT NULL`,
      values,
    );
  }
  purged['deliveries'] = await dropDeliveries(tx, values);
  for (const table of LOGGED) {
    await tx.query(
      `DELETE FROM ${table} t WHERE t.workspace_id = $1
          AND t.card_id IN (SELECT i.id FROM erasure_items i
                             WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'card' AND i.state = 'done'
                               AND i.was IN ('root', 'falls'))`,
      values,
    );
  }
  for (const [table, column] of NOTED) {
    const late = await tx.query(
      `DELETE FROM ${table} t WHERE t.workspace_id = $1 AND t.${column} IN (${ERASED_EVENT}) RETURNING 1`,
      values,
    );
    purged[table] = (purged[table] ?? 0) + late.length;
  }
  for (const statement of PARENTS) await tx.query(statement, values);
  const reasons = await tx.query(
    `DELETE FROM reasons WHERE workspace_id = $1
        AND id IN (SELECT a.reason_id
                     FROM erasure_items i
                     JOIN audit_log a ON a.workspace_id = $1 AND a.target_type = i.kind AND a.target_id = i.id
                    WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.state = 'done' AND i.was IN ('root', 'falls')
                      AND a.reason_id IS NOT NULL)
     RETURNING 1`,
    values,
  );
  purged['reasons'] = reasons.length;
  return { ...NOTHING_LEFT, purged };
}

/** With what was to be sent of them; one that is on its way now finds nothing to note. */
async function dropDeliveries(tx: Tx, values: readonly unknown[]): Promise<number> {
  const gone = await tx.query(
    `WITH gone AS (
       DELETE FROM deliveries d
        WHERE d.workspace_id = $1 AND d.type <> 'erasure.completed' AND ${namedIn('d.data')} IS NOT NULL
       RETURNING d.webhook_id, d.n
     ),
     unsent AS (
       DELETE FROM outbox o USING gone g
        WHERE o.workspace_id = $1 AND o.webhook_id = g.webhook_id AND o.arguments ->> 'n' = g.n::text
     )
     SELECT webhook_id FROM gone`,
    values,
  );
  return gone.length;
}

const ERASED_EVENT = `
  SELECT i.id FROM erasure_items i
   WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'event' AND i.state = 'done'`;

const PARENTS = [
  `SELECT set_config('cairn.redacting', 'on', true) WHERE $1::text IS NOT NULL AND $2::text IS NOT NULL`,
  `UPDATE events e SET payload = e.payload - 'parent_event'
    WHERE e.workspace_id = $1 AND e.payload ->> 'parent_event' IN (${ERASED_EVENT})`,
  // Of whoever worked below an erased agent.
  `UPDATE events e SET payload = e.payload - 'parent_agent'
    WHERE e.workspace_id = $1
      AND EXISTS (SELECT 1 FROM erasure_items i
                   WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'agent' AND i.state <> 'held'
                     AND i.id = e.payload ->> 'parent_agent' AND (e.recorded_at <= i.at OR e.occurred_at <= i.at))`,
  `UPDATE cards c SET parent_event = NULL WHERE c.workspace_id = $1 AND c.parent_event IN (${ERASED_EVENT})`,
  `UPDATE card_versions v SET snapshot = jsonb_set(v.snapshot, '{parent_event}', 'null')
    WHERE v.workspace_id = $1 AND v.snapshot ->> 'parent_event' IN (${ERASED_EVENT})`,
  `UPDATE skill_versions v
      SET events = ARRAY(SELECT x FROM unnest(v.events) WITH ORDINALITY AS l (x, n)
                          WHERE x NOT IN (${ERASED_EVENT}) ORDER BY n)
    WHERE v.workspace_id = $1 AND EXISTS (SELECT 1 FROM unnest(v.events) AS l (x) WHERE x IN (${ERASED_EVENT}))`,
];
