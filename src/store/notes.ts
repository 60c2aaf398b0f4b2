import type { CardScope } from '../contracts/card';
import type { Via } from '../contracts/names';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { VisibleCard } from './cards';
import type { Tx } from './database';
import { countCapped } from './paging';
import type { ReaderArguments } from './visible-cards';

/** What makes a card a note: its key, and that it is the current one under it. */
const NOTES = `
  SELECT c.workspace_id, c.id, c.key
    FROM cards c
   WHERE c.workspace_id = $1
     AND c.id IN (SELECT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v)
     AND c.key IS NOT NULL AND c.kind = 'knowledge' AND c.status IN ('pending', 'active', 'validated')
     AND ($7::text IS NULL OR c.key = $7)
     AND ($8::text IS NULL OR (c.scope_type = $8 AND c.scope_id = $9))`;

export interface NoteFilter {
  key: string | null;
  scope: CardScope | null;
}

type NoteRow = CardRow & { agent_id: string | null; team_id: string | null; vias: Via[] };

/**
 * Notes that the reader sees under a key; the nearest first: the reader's own, the team's, the
 * workspace's, then what others share. Of one scope, the one about nobody in particular.
 */
export async function findNotes(
  tx: Tx,
  reader: ReaderArguments,
  filter: { key: string; scope: CardScope | null },
): Promise<VisibleCard[]> {
  const rows = await tx.query<NoteRow>(
    `WITH found AS (${NOTES})
     SELECT ${CARD_COLUMNS}, c.agent_id, a.team_id, seen.vias
       FROM found
       JOIN cards c USING (workspace_id, id)
       JOIN LATERAL (
         SELECT array_agg(DISTINCT v.via) AS vias
           FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
          WHERE v.card_id = found.id
       ) seen ON seen.vias IS NOT NULL
       ${CARD_USAGE}
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      ORDER BY 'own' = ANY (seen.vias) DESC, 'team' = ANY (seen.vias) DESC,
               'workspace' = ANY (seen.vias) DESC, c.subject IS NULL DESC, c.edited_at DESC, c.id`,
    [...reader, ...valuesOf(filter)],
  );
  return rows.map((row) => ({
    card: cardOf(row),
    vias: row.vias,
    agent: row.agent_id,
    team: row.team_id,
  }));
}

/** Ids of the notes that the reader sees, by key. */
export async function listNotes(
  tx: Tx,
  reader: ReaderArguments,
  filter: NoteFilter,
  page: { after: readonly [key: string, id: string] | null; limit: number },
): Promise<{ notes: (CardRow & { edited_at: string })[]; total: number }> {
  const values = [...reader, ...valuesOf(filter)];
  const total = await countCapped(tx, NOTES, values);
  const notes = await tx.query<CardRow & { edited_at: string }>(
    `SELECT ${CARD_COLUMNS}, c.edited_at
       FROM (${NOTES}) n
       JOIN cards c USING (workspace_id, id)
       ${CARD_USAGE}
      WHERE c.id IN (SELECT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v)
        AND ($10::text IS NULL OR (c.key, c.id) > ($10, $11))
      ORDER BY c.key, c.id
      LIMIT $12`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit],
  );
  return { notes, total };
}

function valuesOf(filter: NoteFilter): unknown[] {
  return [filter.key, filter.scope?.type ?? null, filter.scope?.id ?? null];
}
