import type { CardKind, CardStatus } from '../contracts/names';
import type { InjectedAgent } from '../contracts/stop';
import { MOST_NAMED } from '../contracts/stop';
import type { Tx } from './database';

/** A card with how it came from the one that was named. */
export interface Descendant {
  id: string;
  kind: CardKind;
  status: CardStatus;
  version: number;
  edited_at: string;
  relation: 'derived_from' | 'supersedes' | null;
  from: string | null;
  generation: number;
}

export class TooManyDescendants extends Error {}

/**
 * A card, and with `derived` all that came of it: cards derived from it and such as took its place, and what
 * came of those, whatever their status is and whoever may see them. Nearest first. A competence card is the sum
 * of many: it is counted again, and not stopped with one of them.
 * @returns empty where there is no such card
 * @throws TooManyDescendants where there are more than `most`
 */
export async function readDescendants(
  tx: Tx,
  id: string,
  { derived, most }: { derived: boolean; most: number },
): Promise<Descendant[]> {
  const found = await tx.query<Descendant>(
    `SELECT c.id, c.kind, c.status, c.version, c.edited_at, NULL AS relation, NULL AS "from", 0 AS generation
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id],
  );
  const known = new Set(found.map((card) => card.id));
  let here = derived ? [...known] : [];
  for (let generation = 1; here.length > 0; generation += 1) {
    const next = await childrenOf(tx, here, generation);
    const fresh = next.filter((card) => !known.has(card.id) && known.add(card.id));
    found.push(...fresh);
    if (found.length > most) throw new TooManyDescendants();
    here = fresh.map((card) => card.id);
  }
  return found;
}

async function childrenOf(
  tx: Tx,
  cards: readonly string[],
  generation: number,
): Promise<Descendant[]> {
  return await tx.query<Descendant>(
    `SELECT DISTINCT ON (c.recorded_at, c.id)
            c.id, c.kind, c.status, c.version, c.edited_at, e.type AS relation, e.to_card AS "from",
            $3::int AS generation
       FROM edges e
       JOIN cards c ON c.workspace_id = e.workspace_id AND c.id = e.from_card
      WHERE e.workspace_id = $1 AND e.to_card = ANY ($2) AND e.type IN ('derived_from', 'supersedes')
        AND c.kind <> 'competence'
      ORDER BY c.recorded_at, c.id, e.type, e.to_card`,
    [tx.workspace, cards, generation],
  );
}

/**
 * The same, each held until the transaction ends. It looks until it finds no more: whoever was writing a card
 * from one of these at that moment has either committed it by then, or will find that one stopped.
 */
export async function holdDescendants(
  tx: Tx,
  id: string,
  bounds: { derived: boolean; most: number },
): Promise<Descendant[]> {
  let held = 0;
  for (;;) {
    const found = await readDescendants(tx, id, bounds);
    if (found.length === held) return found;
    await tx.query(
      `SELECT c.id FROM cards c
        WHERE c.workspace_id = $1 AND c.id = ANY ($2)
        ORDER BY c.id
          FOR NO KEY UPDATE`,
      [tx.workspace, found.map((card) => card.id)],
    );
    held = found.length;
  }
}

/** Whose contexts these cards were put into; a use of several of them in one recall counts once. */
export async function readInjections(
  tx: Tx,
  cards: readonly string[],
): Promise<{ recalls: number; agents: InjectedAgent[] }> {
  const agents = await tx.query<InjectedAgent & { all_recalls: number }>(
    `SELECT r.agent_id AS agent, count(DISTINCT r.id) AS recalls, max(r.at) AS last_at,
            sum(count(DISTINCT r.id)) OVER () AS all_recalls
       FROM recall_cards rc
       JOIN recalls r ON r.workspace_id = rc.workspace_id AND r.id = rc.recall_id
      WHERE rc.workspace_id = $1 AND rc.card_id = ANY ($2)
      GROUP BY r.agent_id
      ORDER BY max(r.at) DESC, r.agent_id
      LIMIT ${MOST_NAMED}`,
    [tx.workspace, cards],
  );
  return {
    recalls: Number(agents[0]?.all_recalls ?? 0),
    agents: agents.map(({ all_recalls: _all, ...agent }) => agent),
  };
}

/** Ids of the proposals that still wait and rest on one of these cards, the newest first. */
export async function proposalsOn(tx: Tx, cards: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT p.id FROM proposals p
      WHERE p.workspace_id = $1 AND p.evidence && $2::text[] AND p.status IN ('open', 'reopened')
      ORDER BY p.created_at DESC, p.id
      LIMIT ${MOST_NAMED}`,
    [tx.workspace, cards],
  );
  return rows.map((row) => row.id);
}
