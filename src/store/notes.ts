import type { Card, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { Via } from '../contracts/names';
import { CARD_COLUMNS, CARD_USAGE, type CardRow, cardOf } from './card-row';
import type { VisibleCard } from './cards';
import type { Tx } from './database';
import { TOTAL_CAP } from './paging';
import type { ReaderArguments } from './visible-cards';

export interface NoteFilter {
  key: string;
  /** Null looks in every scope that the reader sees. */
  scope: CardScope | null;
}

/** A note's card, with when it was last written. */
export type NoteCard = Card & { edited_at: string };

interface NoteRow extends CardRow {
  edited_at: string;
  agent_id: string | null;
  team_id: string | null;
  input_fields: Record<string, string>;
  vias: Via[];
}

/** A note is the current knowledge card under a key. */
export const IS_NOTE = `c.key IS NOT NULL AND c.kind = 'knowledge' AND c.status IN ('pending', 'active', 'validated')`;

/**
 * Notes that the reader sees under a key; the nearest first: the reader's own, the team's, the
 * workspace's, then what others share. Of one scope, the one about nobody in particular.
 * Few cards share a key (`cards_by_key`), so each is judged by itself.
 */
export async function findNotes(
  tx: Tx,
  reader: ReaderArguments,
  filter: NoteFilter,
): Promise<(VisibleCard & { card: NoteCard })[]> {
  const rows = await tx.query<NoteRow>(
    `SELECT ${CARD_COLUMNS}, c.edited_at, c.input_fields, c.agent_id, a.team_id, seen.vias
       FROM cards c
       JOIN LATERAL (
         SELECT array_agg(DISTINCT v.via) AS vias
           FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
          WHERE v.card_id = c.id
       ) seen ON seen.vias IS NOT NULL
       ${CARD_USAGE}
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE c.workspace_id = $1 AND c.key = $7 AND ${IS_NOTE}
        AND ($8::text IS NULL OR (c.scope_type = $8 AND c.scope_id = $9))
      ORDER BY 'own' = ANY (seen.vias) DESC, 'team' = ANY (seen.vias) DESC,
               'workspace' = ANY (seen.vias) DESC, c.subject IS NULL DESC, c.edited_at DESC, c.id`,
    [...reader, filter.key, filter.scope?.type ?? null, filter.scope?.id ?? null],
  );
  return rows.map((row) => ({
    card: noteCardOf(row),
    vias: row.vias,
    agent: row.agent_id,
    team: row.team_id,
    inputFields: row.input_fields,
  }));
}

/** What of the notes that a reader sees is listed; null takes all. */
export interface NotesAsked {
  scope: CardScope | null;
  /** Contained in the note's metadata. */
  metadata: JsonObject | null;
  /** Keys that begin so are left out. */
  except?: string;
}

/** The notes that the reader sees, by key; one judgement of what is visible for page and total. */
export async function listNotes(
  tx: Tx,
  reader: ReaderArguments,
  { scope, metadata, except }: NotesAsked,
  page: { after: readonly [key: string, id: string] | null; limit: number },
): Promise<{ notes: NoteCard[]; total: number }> {
  const rows = await tx.query<CardRow & { edited_at: string; total: number }>(
    `WITH seen AS MATERIALIZED (
       SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
     ),
     note AS MATERIALIZED (
       SELECT c.id, c.key
         FROM seen
         JOIN LATERAL (
           SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
         ) c ON true
        WHERE ${IS_NOTE} AND ($7::text IS NULL OR (c.scope_type = $7 AND c.scope_id = $8))
          AND ($12::jsonb IS NULL OR c.metadata @> $12::jsonb)
          AND ($13::text IS NULL OR NOT starts_with(c.key, $13))
     ),
     total AS (
       SELECT count(*) AS total FROM (SELECT 1 FROM note LIMIT ${TOTAL_CAP + 1}) counted
     ),
     page AS (
       SELECT n.id
         FROM note n
        WHERE $9::text IS NULL OR (n.key, n.id) > ($9, $10)
        ORDER BY n.key, n.id
        LIMIT $11
     )
     SELECT total.total, ${CARD_COLUMNS}, c.edited_at
       FROM total
       LEFT JOIN page ON true
       LEFT JOIN cards c ON c.workspace_id = $1 AND c.id = page.id
       ${CARD_USAGE}
      ORDER BY c.key, c.id`,
    [
      ...reader,
      scope?.type ?? null,
      scope?.id ?? null,
      page.after?.[0] ?? null,
      page.after?.[1] ?? null,
      page.limit,
      metadata === null ? null : JSON.stringify(metadata),
      except ?? null,
    ],
  );
  const notes = rows.filter((row) => row.id !== null).map(noteCardOf);
  return { notes, total: rows[0]?.total ?? 0 };
}

function noteCardOf(row: CardRow & { edited_at: string }): NoteCard {
  return { ...cardOf(row), edited_at: row.edited_at };
}
