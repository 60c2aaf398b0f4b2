import type { AccessRow } from '../contracts/audit';
import type { Via } from '../contracts/names';
import type { ReadContext } from '../contracts/principal';
import type { Tx } from './database';
import { countCapped } from './paging';

export interface SeenCard {
  id: string;
  vias: readonly Via[];
}

/**
 * One row for each distinct way in which a read saw cards that the reader does not own; a read of own
 * cards writes none. It commits with the read: no log, no answer (design §4).
 */
export async function logAccess(
  tx: Tx,
  context: ReadContext,
  read: { surface: string; at: Date; cards: readonly SeenCard[]; recallId?: string },
): Promise<void> {
  const byWay = cardsByWay(read.cards);
  if (byWay.size === 0) return;
  const ways = [...byWay].map(([via, card_ids]) => ({ via, card_ids }));
  await tx.query(
    `INSERT INTO access_log (workspace_id, at, agent, person, execution_mode, session, via, surface, count,
                             card_ids, recall_id)
     SELECT $1, $2, surrogate_of($1, 'agent', $3), surrogate_of($1, 'person', $4), $5, $6, w.via, $7,
            jsonb_array_length(w.card_ids), ARRAY(SELECT jsonb_array_elements_text(w.card_ids)), $9
       FROM jsonb_to_recordset($8::jsonb) AS w (via text, card_ids jsonb)`,
    [
      tx.workspace,
      read.at,
      context.agent,
      personOf(context),
      context.execution_mode,
      context.session,
      read.surface,
      JSON.stringify(ways),
      read.recallId ?? null,
    ],
  );
}

/**
 * The person acted for, or who reads with their own eyes. A headless read for an agent has none, whoever
 * holds the key.
 */
export function personOf(context: ReadContext): string | null {
  if (context.person !== null) return context.person;
  if (context.agent !== null && context.execution_mode === 'headless') return null;
  return context.principal.kind === 'person' ? context.principal.id : null;
}

/** Cards that the reader owns are left out, in whatever other ways they are visible. */
export function cardsByWay(cards: readonly SeenCard[]): Map<Via, string[]> {
  const byWay = new Map<Via, string[]>();
  for (const card of cards) {
    if (card.vias.includes('own')) continue;
    for (const via of card.vias) byWay.set(via, [...(byWay.get(via) ?? []), card.id]);
  }
  return byWay;
}

export interface AccessFilter {
  agent: string | null;
  person: string | null;
  card: string | null;
  via: string | null;
  since: Date | null;
  until: Date | null;
  before: number | null;
  limit: number;
}

const MATCHING = `
       FROM access_log l
       LEFT JOIN surrogates agent  ON agent.workspace_id = l.workspace_id AND agent.id = l.agent
       LEFT JOIN surrogates person ON person.workspace_id = l.workspace_id AND person.id = l.person
      WHERE l.workspace_id = $1
        AND ($2::text IS NULL OR agent.name = $2)
        AND ($3::text IS NULL OR person.name = $3)
        AND ($4::text IS NULL OR l.card_ids @> ARRAY[$4])
        AND ($5::text IS NULL OR l.via = $5)
        AND ($6::timestamptz IS NULL OR l.at >= $6)
        AND ($7::timestamptz IS NULL OR l.at < $7)`;

/** Newest first; reader names through their surrogates. */
export async function listAccess(tx: Tx, filter: AccessFilter): Promise<AccessRow[]> {
  return await tx.query<AccessRow>(
    `SELECT l.id, l.at, COALESCE(agent.name, l.agent) AS agent, COALESCE(person.name, l.person) AS person,
            l.execution_mode, l.session, l.via, l.surface, l.count, l.card_ids
     ${MATCHING}
        AND ($8::bigint IS NULL OR l.id < $8)
      ORDER BY l.id DESC
      LIMIT $9`,
    [...matchingValues(tx, filter), filter.before, filter.limit],
  );
}

/** How many rows match, wherever a page starts; counted up to one more than the cap. */
export async function countAccess(tx: Tx, filter: AccessFilter): Promise<number> {
  return await countCapped(tx, `SELECT l.id ${MATCHING}`, matchingValues(tx, filter));
}

function matchingValues(tx: Tx, filter: AccessFilter): unknown[] {
  return [
    tx.workspace,
    filter.agent,
    filter.person,
    filter.card,
    filter.via,
    filter.since,
    filter.until,
  ];
}
