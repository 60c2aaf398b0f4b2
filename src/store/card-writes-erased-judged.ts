import { type Ground, type Grounds, standingOf } from '../domain/erasure/standing';
import type { Tx } from './database';
import { type ItemState, setItems, withoutHeld } from './erasure-items';
import type { StagePosition } from './erasure-runs';

/** Cards judged in one transaction. */
const JUDGED = 500;

export interface Judged {
  touched: number;
  /** Null where all is judged. */
  next: StagePosition | null;
}

interface OpenCard extends Pick<Grounds, 'own'> {
  id: string;
  sources: Ground[];
}

/**
 * A source counts while it says something: what was deleted, refused, held back or purged bears nothing out. What is
 * in hand counts as what was found of it so far.
 */
const GROUND = `CASE i.state WHEN 'root' THEN 'erased' WHEN 'falls' THEN 'erased' WHEN 'open' THEN 'open'
                             WHEN 'stands' THEN 'rewritten' ELSE 'live' END`;

async function nextOpen(tx: Tx, erasureId: string, after: string): Promise<OpenCard[]> {
  return await tx.query<OpenCard>(
    `SELECT o.id,
            CASE WHEN c.event_id IS NULL THEN 'none'
                 WHEN ev.state IN ('root', 'done') THEN 'erased'
                 ELSE 'live' END AS own,
            COALESCE((SELECT jsonb_agg(${GROUND})
                        FROM edges e
                        JOIN cards s ON s.workspace_id = $1 AND s.id = e.to_card
                        LEFT JOIN erasure_items i ON i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind = 'card'
                                                 AND i.id = e.to_card
                       WHERE e.workspace_id = $1 AND e.from_card = o.id AND e.type = 'derived_from'
                         AND (i.state IN ('root', 'falls')
                           OR s.purged_at IS NULL AND s.status NOT IN ('deleted', 'rejected', 'quarantined'))),
                     '[]') AS sources
       FROM erasure_items o
       JOIN cards c ON c.workspace_id = $1 AND c.id = o.id
       LEFT JOIN erasure_items ev ON ev.workspace_id = $1 AND ev.erasure_id = $2 AND ev.kind = 'event'
                                 AND ev.id = c.event_id
      WHERE o.workspace_id = $1 AND o.erasure_id = $2 AND o.kind = 'card' AND o.state = 'open' AND o.id > $3
      ORDER BY o.id
      LIMIT ${JUDGED}`,
    [tx.workspace, erasureId, after],
  );
}

/**
 * Judges the next cards that come of something erased. They are gone through again as long as that decides any; what
 * is left then waits for each other alone, and falls.
 */
export async function judgeOpen(
  tx: Tx,
  erasureId: string,
  { after, changed = false }: StagePosition,
): Promise<Judged> {
  const cards = await nextOpen(tx, erasureId, after);
  const decided = new Map<ItemState, string[]>();
  for (const { id, ...grounds } of cards) {
    const state = stateOf(grounds);
    if (state !== null) decided.set(state, [...(decided.get(state) ?? []), id]);
  }
  let touched = 0;
  for (const [state, ids] of decided) {
    const free = state === 'falls' ? await withoutHeld(tx, erasureId, 'card', ids) : ids;
    await setItems(tx, erasureId, 'card', free, state);
    touched += ids.length;
  }
  const any = changed || touched > 0;
  if (cards.length === JUDGED) {
    return { touched, next: { part: 0, after: cards.at(-1)?.id ?? after, changed: any } };
  }
  if (any) return { touched, next: { part: 0, after: '', changed: false } };
  return { touched: await letFall(tx, erasureId), next: null };
}

function stateOf(grounds: Grounds): ItemState | null {
  const standing = standingOf(grounds);
  if (standing === 'open') return null;
  return standing === 'untouched' ? 'done' : standing;
}

/** What nothing outside bears out; also cards that are gone by now. */
async function letFall(tx: Tx, erasureId: string): Promise<number> {
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM erasure_items
      WHERE workspace_id = $1 AND erasure_id = $2 AND kind = 'card' AND state = 'open'`,
    [tx.workspace, erasureId],
  );
  const ids = rows.map(({ id }) => id);
  await setItems(tx, erasureId, 'card', await withoutHeld(tx, erasureId, 'card', ids), 'falls');
  return ids.length;
}

/** Leaves what a legal hold keeps before anything is judged by it; an event and its card are kept together. */
export async function leaveHeld(tx: Tx, erasureId: string): Promise<number> {
  const rows = await tx.query(
    `UPDATE erasure_items i SET state = 'held', was = i.state
      WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.state = 'root'
        AND i.kind IN ('event', 'card', 'conversation', 'pending_write')
        AND EXISTS (SELECT 1 FROM legal_holds h WHERE h.workspace_id = $1)
        AND (is_held($1, i.kind, i.id)
          OR i.kind = 'event' AND EXISTS (SELECT 1 FROM cards c
                                           WHERE c.workspace_id = $1 AND c.event_id = i.id AND is_held($1, 'card', c.id))
          OR i.kind = 'card' AND EXISTS (SELECT 1 FROM cards c
                                          WHERE c.workspace_id = $1 AND c.id = i.id AND c.event_id IS NOT NULL
                                            AND is_held($1, 'event', c.event_id)))
     RETURNING i.id`,
    [tx.workspace, erasureId],
  );
  return rows.length;
}
