import type { JsonObject } from '../contracts/event';
import { lexicalTerms, termCount } from '../domain/terms';
import { reindexCard } from './card-edits';
import type { Tx } from './database';
import { type EmbeddedRow, textToEmbed } from './embedded-text';
import { entityRows } from './entity-writes';

/** With the length of its indexed text, which does not travel; the team is that of its agent here. */
export async function withIndexLength(
  tx: Tx,
  rows: readonly JsonObject[],
): Promise<{ row: JsonObject; text: EmbeddedRow }[]> {
  const agents = rows.map(({ agent_id }) => agent_id).filter((id) => typeof id === 'string');
  const teams = await tx.query<{ id: string; team_id: string | null }>(
    'SELECT id, team_id FROM agents WHERE workspace_id = $1 AND id = ANY ($2)',
    [tx.workspace, agents],
  );
  const teamOf = new Map(teams.map(({ id, team_id }) => [id, team_id]));
  return rows.map((row) => {
    const team_id = teamOf.get(String(row.agent_id)) ?? null;
    const text = { ...row, team_id } as unknown as EmbeddedRow;
    return { row: { ...row, index_length: termCount(lexicalTerms(textToEmbed(text))) }, text };
  });
}

/** Makes what finds a card that came in: its postings and its names; its vector comes late. */
export async function indexImported(
  tx: Tx,
  row: JsonObject,
  text: EmbeddedRow,
  at: Date,
): Promise<void> {
  // What had left the index, or is but an id any more, stays so.
  if ((row.evicted_at ?? null) !== null || (row.purged_at ?? null) !== null) return;
  const terms = lexicalTerms(textToEmbed(text));
  const entities = entityRows({ ...text, agent: text.agent_id, team: text.team_id, hints: text });
  const card = { id: String(row.id), version: Number(row.version), at };
  await reindexCard(tx, card, { terms, entities }, null);
}

/** The counts take new ids only: where an older one came in they are counted anew. */
export async function countAnew(tx: Tx, ids: readonly string[]): Promise<void> {
  const [first] = [...ids].sort();
  if (first === undefined) return;
  const behind = await tx.query(
    `DELETE FROM statistics_marks WHERE workspace_id = $1 AND counted_to >= $2 RETURNING workspace_id`,
    [tx.workspace, first],
  );
  if (behind.length === 0) return;
  await tx.query('DELETE FROM term_statistics WHERE workspace_id = $1', [tx.workspace]);
  await tx.query('DELETE FROM scope_statistics WHERE workspace_id = $1', [tx.workspace]);
}
