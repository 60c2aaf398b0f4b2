import type { HeldType, HoldSelector, LegalHold } from '../contracts/legal-hold';
import { sqlState, type Tx } from './database';
import { type Slice, type SliceRequest, sliceById } from './paging';

/** Raised by the tables themselves where a statement would remove what is held (0034). */
const HELD_STATE = 'CH001';

/** Whether Postgres refused a statement since a hold keeps one of its rows. */
export function isHeldRefusal(error: unknown): boolean {
  return sqlState(error) === HELD_STATE;
}

/**
 * Which of these are held, and by which holds. The one place that is asked before anything is removed; statements
 * ask `is_held`, which is the same.
 * @returns only those that are held
 */
export async function heldBy(
  tx: Tx,
  type: HeldType,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<{ id: string; holds: string[] }>(
    `SELECT asked.id, array_agg(h.id ORDER BY h.id) AS holds
       FROM unnest($3::text[]) AS asked (id)
      CROSS JOIN LATERAL holds_on($1, $2, asked.id) AS h (id)
      WHERE EXISTS (SELECT 1 FROM legal_holds WHERE workspace_id = $1)
      GROUP BY asked.id`,
    [tx.workspace, type, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, holds }) => [id, holds]));
}

/** As the table has it: lists, of which the API names one each. */
const SELECT = `
  SELECT h.id, h.set_by, h.created_at, h.changed_at, r.text AS reason,
         jsonb_strip_nulls(jsonb_build_object(
           'subject', h.subjects[1], 'person', h.people[1], 'agent', h.agents[1], 'source', h.sources[1],
           'project', h.projects[1],
           'event_ids', CASE WHEN h.event_ids <> '{}' THEN to_jsonb(h.event_ids) END,
           'card_ids', CASE WHEN h.card_ids <> '{}' THEN to_jsonb(h.card_ids) END)) AS selector
    FROM legal_holds h
    LEFT JOIN reasons r ON r.workspace_id = h.workspace_id AND r.id = h.reason_id
   WHERE h.workspace_id = $1`;

export async function readHold(tx: Tx, id: string): Promise<LegalHold | null> {
  const [row] = await tx.query<LegalHold>(`${SELECT} AND h.id = $2`, [tx.workspace, id]);
  return row ?? null;
}

export async function listHolds(tx: Tx, page: SliceRequest): Promise<Slice<LegalHold>> {
  return await sliceById<LegalHold>(tx, SELECT, [tx.workspace], page);
}

export interface HoldToPut {
  id: string;
  selector: HoldSelector;
  /** Of a reason that is kept already. */
  reasonId: string;
  /** A person's id. */
  by: string;
  at: Date;
}

/** Sets a hold, or changes what one keeps. @returns whether it was made */
export async function putHold(tx: Tx, hold: HoldToPut): Promise<boolean> {
  const { subject, person, agent, source, project, event_ids, card_ids } = hold.selector;
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  const { made } = await tx.one<{ made: boolean }>(
    `INSERT INTO legal_holds (workspace_id, id, subjects, people, agents, sources, projects, event_ids, card_ids,
                              reason_id, set_by, created_at, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)
     ON CONFLICT (workspace_id, id) DO UPDATE
        SET subjects = EXCLUDED.subjects, people = EXCLUDED.people, agents = EXCLUDED.agents,
            sources = EXCLUDED.sources, projects = EXCLUDED.projects, event_ids = EXCLUDED.event_ids,
            card_ids = EXCLUDED.card_ids, reason_id = EXCLUDED.reason_id, set_by = EXCLUDED.set_by,
            changed_at = EXCLUDED.changed_at
     RETURNING xmax = 0 AS made`,
    [
      tx.workspace,
      hold.id,
      one(subject),
      one(person),
      one(agent),
      one(source),
      one(project),
      event_ids ?? [],
      card_ids ?? [],
      hold.reasonId,
      hold.by,
      hold.at,
    ],
  );
  return made;
}

/** What it kept may go from now on. @returns whether there was one */
export async function liftHold(tx: Tx, id: string): Promise<boolean> {
  const gone = await tx.query(
    'DELETE FROM legal_holds WHERE workspace_id = $1 AND id = $2 RETURNING id',
    [tx.workspace, id],
  );
  return gone.length > 0;
}
