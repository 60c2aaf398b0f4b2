import type { Tx } from './database';
import type { ItemKind } from './erasure-items';

/** Rows that one statement adds; what is known is asked for by index. */
const ADDED = 1_000;

interface Following {
  kind: ItemKind;
  state: 'root' | 'open' | 'stands';
  /** Ids of rows of that kind that have to do with the items of this erasure `i`. */
  from: string;
}

/** Items that go, whatever was found of them so far. */
const GOES = `i.workspace_id = $1 AND i.erasure_id = $2 AND i.state IN ('root', 'falls')`;
const MAY_GO = `i.workspace_id = $1 AND i.erasure_id = $2 AND i.state IN ('root', 'falls', 'open', 'stands')`;

/** As `idPart` has it. */
const PART_OF_CONVERSATION = `(CASE WHEN k.id ~ '^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,119}$' THEN k.id
   ELSE '~' || left(encode(sha256(convert_to(k.id, 'UTF8')), 'hex'), 26) END)`;

/**
 * From what is known to what has to do with it, each by an index. A card is followed to what was derived from it as
 * long as it may go or be written again; whether that falls too is judged once all of it is known.
 */
const FOLLOWED: readonly Following[] = [
  {
    kind: 'card',
    state: 'root',
    from: `SELECT c.id FROM erasure_items i
             JOIN cards c ON c.workspace_id = $1 AND c.event_id = i.id
            WHERE ${GOES} AND i.kind = 'event'`,
  },
  {
    kind: 'event',
    state: 'root',
    from: `SELECT e.event_id AS id FROM erasure_items i
             JOIN cards c ON c.workspace_id = $1 AND c.id = i.id
             JOIN events e ON e.workspace_id = $1 AND e.event_id = c.event_id
            WHERE ${GOES} AND i.kind = 'card' AND i.state = 'root'`,
  },
  {
    // The same work, reported under another id.
    kind: 'event',
    state: 'root',
    from: `SELECT t.event_id AS id FROM erasure_items i
             JOIN events e ON e.workspace_id = $1 AND e.event_id = i.id AND e.dedupe_hash IS NOT NULL
             JOIN events t ON t.workspace_id = $1 AND t.dedupe_hash = e.dedupe_hash
            WHERE ${GOES} AND i.kind = 'event'`,
  },
  {
    // Facts: they tell of messages, and no edge leads there.
    kind: 'card',
    state: 'root',
    from: `SELECT c.id FROM erasure_items i
             JOIN conversations k ON k.workspace_id = $1 AND k.id = i.id
             JOIN cards c ON c.workspace_id = $1 AND c.subject = k.subject
                         AND starts_with(c.workflow_id, 'compact/' || $1 || '/' || ${PART_OF_CONVERSATION} || '/')
            WHERE ${GOES} AND i.kind = 'conversation'`,
  },
  {
    kind: 'card',
    state: 'root',
    from: `SELECT w.card_id AS id FROM erasure_items i
             JOIN pending_writes w ON w.workspace_id = $1 AND w.id = i.id AND w.card_id IS NOT NULL
            WHERE ${GOES} AND i.kind = 'pending_write'`,
  },
  {
    // What came of an action tells what its insight found.
    kind: 'card',
    state: 'root',
    from: `SELECT o.card_id AS id FROM erasure_items i
             JOIN insights n ON n.workspace_id = $1 AND n.card_id = i.id
             JOIN action_outcomes o ON o.workspace_id = $1 AND o.insight_id = n.id AND o.card_id IS NOT NULL
            WHERE ${GOES} AND i.kind = 'card'`,
  },
  {
    kind: 'card',
    state: 'open',
    from: `SELECT e.from_card AS id FROM erasure_items i
             JOIN edges e ON e.workspace_id = $1 AND e.to_card = i.id AND e.type = 'derived_from'
            WHERE ${MAY_GO} AND i.kind = 'card'`,
  },
  {
    // Of a failed task a sentence was said that may tell of its other steps.
    kind: 'card',
    state: 'stands',
    from: `SELECT r.id FROM erasure_items i
             JOIN cards c ON c.workspace_id = $1 AND c.id = i.id AND c.task IS NOT NULL
             JOIN cards r ON r.workspace_id = $1 AND r.task = c.task AND r.id <> c.id
              AND CASE WHEN r.session IS NULL THEN r.task ELSE r.session END
                = CASE WHEN c.session IS NULL THEN c.task ELSE c.session END
              AND EXISTS (SELECT 1 FROM card_versions v
                           WHERE v.workspace_id = $1 AND v.card_id = r.id AND v.action = 'reflected')
            WHERE ${GOES} AND i.kind = 'card'`,
  },
  {
    kind: 'proposal',
    state: 'root',
    from: `SELECT p.id FROM erasure_items i
             JOIN proposals p ON p.workspace_id = $1 AND p.evidence @> ARRAY[i.id]
            WHERE ${MAY_GO} AND i.kind = 'card'`,
  },
];

/** Of an item that is known: what is looked at once more where this comes up. */
const AGAIN = {
  // Named or found as derived before, it goes whatever else it rests on.
  root: `k.state IN ('open', 'stands')`,
  // Judged before, by what was known then.
  open: `k.state = 'done' AND k.was IN ('open', 'stands')`,
  stands: 'false',
} as const;

/** @returns how many items are new, or looked at once more; none where nothing leads any further */
export async function followItems(tx: Tx, erasureId: string): Promise<number> {
  let added = 0;
  for (const { kind, state, from } of FOLLOWED) {
    const again = AGAIN[state];
    const rows = await tx.query(
      `INSERT INTO erasure_items AS k (workspace_id, erasure_id, kind, id, state)
       SELECT DISTINCT $1, $2, $3, f.id, $4
         FROM (${from}) f
        WHERE NOT EXISTS (SELECT 1 FROM erasure_items k
                           WHERE k.workspace_id = $1 AND k.erasure_id = $2 AND k.kind = $3 AND k.id = f.id
                             AND NOT (${again}))
        LIMIT ${ADDED}
       ON CONFLICT (workspace_id, erasure_id, kind, id) DO UPDATE SET state = EXCLUDED.state, was = NULL WHERE ${again}
       RETURNING k.id`,
      [tx.workspace, erasureId, kind, state],
    );
    added += rows.length;
  }
  return added;
}
