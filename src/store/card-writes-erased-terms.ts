import type { Json } from '../contracts/event';
import type { Tx } from './database';
import type { ItemKind } from './erasure-items';
import { noteTerms } from './erasure-terms';

/** What of these rows somebody said, by the items that they go with; a pass's words are its sources' words. */
const SAID: Partial<Record<ItemKind, string>> = {
  event:
    'SELECT e.payload AS said FROM events e WHERE e.workspace_id = $1 AND e.event_id = ANY ($2)',
  card: `SELECT jsonb_build_array(c.summary, c.topic, c.metadata, (
           SELECT jsonb_agg(jsonb_build_array(v.snapshot -> 'summary', v.snapshot -> 'topic', v.snapshot -> 'metadata'))
             FROM card_versions v WHERE v.workspace_id = $1 AND v.card_id = c.id)) AS said
           FROM cards c
          WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.writer_kind <> 'system'`,
  conversation: `SELECT jsonb_build_array(c.summary, (
           SELECT jsonb_agg(jsonb_build_array(m.content, m.extracted))
             FROM messages m WHERE m.workspace_id = $1 AND m.conversation_id = c.id)) AS said
           FROM conversations c
          WHERE c.workspace_id = $1 AND c.id = ANY ($2)`,
  session:
    'SELECT b.value AS said FROM blackboard b WHERE b.workspace_id = $1 AND b.session_id = ANY ($2)',
  pending_write:
    'SELECT w.content AS said FROM pending_writes w WHERE w.workspace_id = $1 AND w.id = ANY ($2)',
  subject:
    'SELECT to_jsonb(s.name) AS said FROM subjects s WHERE s.workspace_id = $1 AND s.id = ANY ($2)',
  person:
    'SELECT to_jsonb(p.name) AS said FROM people p WHERE p.workspace_id = $1 AND p.id = ANY ($2)',
  project:
    'SELECT to_jsonb(p.name) AS said FROM projects p WHERE p.workspace_id = $1 AND p.id = ANY ($2)',
};

/** Keeps what the search afterwards looks for, before the rows of these items go, in the same transaction. */
export async function noteWhatIsSaid(
  tx: Tx,
  erasureId: string,
  kind: ItemKind,
  ids: readonly string[],
): Promise<void> {
  const statement = SAID[kind];
  if (statement === undefined || ids.length === 0) return;
  const rows = await tx.query<{ said: Json | null }>(statement, [tx.workspace, ids]);
  const texts = rows.map(({ said }) => said);
  await noteTerms(tx, erasureId, { texts });
}
