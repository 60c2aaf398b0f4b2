import { madeOf } from './card-writes-made';
import type { Tx } from './database';

/** Whom a card is shared with: one agent, or all of a group. */
export type Grantee = { agent: string } | { group: string };

/**
 * Takes from whoever may no longer see a card what passes made of it too, in the transaction of the caller, which has
 * ended the grant of the card itself before.
 * @returns ids of the cards whose grant ended, by id
 */
export async function takeFromMade(tx: Tx, cardId: string, grantee: Grantee): Promise<string[]> {
  const made = await madeOf(tx, [cardId]);
  if (made.length === 0) return [];
  const { table, column, type, name } = rowsOf(grantee);
  const gone = await tx.query<{ card_id: string }>(
    `WITH held AS (
       SELECT g.card_id FROM ${table} g
        WHERE g.workspace_id = $1 AND g.card_id = ANY ($2) AND g.${column} = $3 ${type}
        ORDER BY g.card_id
          FOR UPDATE
     )
     DELETE FROM ${table} g USING held
      WHERE g.workspace_id = $1 AND g.card_id = held.card_id AND g.${column} = $3 ${type}
     RETURNING g.card_id`,
    [tx.workspace, made, name],
  );
  return await settled(tx, gone, grantee);
}

/**
 * What passes made of a card is shared no longer than the card: a grant that was renewed with an earlier end ends
 * theirs with it.
 * @returns ids of the cards whose grant ends earlier now, by id
 */
export async function shortenMade(
  tx: Tx,
  cardId: string,
  grantee: Grantee,
  until: Date | null,
): Promise<string[]> {
  if (until === null) return [];
  const made = await madeOf(tx, [cardId]);
  if (made.length === 0) return [];
  const { table, column, type, name } = rowsOf(grantee);
  const shortened = await tx.query<{ card_id: string }>(
    `UPDATE ${table} g SET expires_at = $4
      WHERE g.workspace_id = $1 AND g.card_id = ANY ($2) AND g.${column} = $3 ${type}
        AND (g.expires_at IS NULL OR g.expires_at > $4)
     RETURNING g.card_id`,
    [tx.workspace, made, name, until],
  );
  return await settled(tx, shortened, grantee);
}

function rowsOf(grantee: Grantee) {
  return 'agent' in grantee
    ? {
        table: 'card_grants',
        column: 'agent_id',
        type: "AND g.grant_type = 'explicit'",
        name: grantee.agent,
      }
    : { table: 'card_group_grants', column: 'group_id', type: '', name: grantee.group };
}

/** The rows by which the agents of a group see a card follow those of the group. */
async function settled(
  tx: Tx,
  rows: readonly { card_id: string }[],
  grantee: Grantee,
): Promise<string[]> {
  const ids = rows.map(({ card_id }) => card_id).sort();
  if ('agent' in grantee) return ids;
  for (const id of ids) {
    await tx.query('SELECT materialize_group_grants($1, $2, NULL)', [tx.workspace, id]);
  }
  return ids;
}
