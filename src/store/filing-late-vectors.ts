import type { CardStatus, EdgeType } from '../contracts/names';
import { RECALLED_STATUSES } from '../contracts/names';
import { EDGES_PER_TYPE, type LinkType, linkAll, type PlannedEdge } from '../domain/link';
import { writeAudit } from './audit';
import type { CardVector } from './card-writes';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import { textToEmbed } from './embedded-text';
import { asLinkCandidate, type CandidateRow, findCandidates } from './filing-candidates';
import { readSettings } from './settings';

/** A card that waits for its vector, as it was read. */
export interface CardToEmbed {
  /** `similarity` is null: it is the card itself. */
  row: CandidateRow;
  status: CardStatus;
  version: number;
  eventId: string | null;
  /** The same text that filing embeds. */
  text: string;
  /** Vectors of another model are there: its edges have been weighed by similarity before. */
  linkedBefore: boolean;
}

interface WaitingRow extends CandidateRow {
  status: CardStatus;
  version: number;
  event_id: string | null;
  agent_id: string | null;
  team_id: string | null;
  linked_before: boolean;
}

/**
 * Everything that is not deleted or evicted and has no vector, and what filing marked. Retired cards too, so that a
 * restored one is found at once; those with a vector of another model are re-embedded. Scalar
 * subqueries and no joins: each is one probe of a primary key, also on tables that were never analyzed,
 * where a join compared all with all (measured: 1 s for 5,000 cards, against 0.3 s for 20,000).
 */
const WAITING = `
       FROM cards c
      WHERE c.workspace_id = $1 AND c.status <> 'deleted' AND c.evicted_at IS NULL
        AND ((SELECT e.card_id FROM card_embeddings e
               WHERE e.workspace_id = c.workspace_id AND e.card_id = c.id AND e.field = 'summary'
               LIMIT 1) IS NULL
          OR (SELECT k.needs_embed FROM captures k
               WHERE k.workspace_id = c.workspace_id AND k.event_id = c.event_id))`;

/** The newest first: recent work is what the next recall asks for. */
export async function readCardsToEmbed(
  tx: Tx,
  model: string,
  limit: number,
): Promise<CardToEmbed[]> {
  const rows = await tx.query<WaitingRow>(
    `WITH waiting AS (SELECT c.id, c.recorded_at ${WAITING} ORDER BY c.recorded_at DESC, c.id LIMIT $3)
     SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, c.status, c.version, c.event_id, c.agent_id, a.team_id,
            EXISTS (SELECT 1 FROM card_embeddings o
                     WHERE o.workspace_id = $1 AND o.card_id = c.id AND o.model <> $2) AS linked_before
       FROM waiting w
       JOIN cards c ON c.workspace_id = $1 AND c.id = w.id
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      ORDER BY w.recorded_at DESC, c.id`,
    [tx.workspace, model, limit],
  );
  return rows.map(cardToEmbed);
}

export async function countCardsToEmbed(tx: Tx): Promise<number> {
  const { waiting } = await tx.one<{ waiting: number }>(`SELECT count(*) AS waiting ${WAITING}`, [
    tx.workspace,
  ]);
  return waiting;
}

/**
 * Writes a late vector and the edges that it brings, in the caller's transaction.
 * Compare-and-set: a card that was edited since it was read gets nothing, for its text may be another.
 * @returns the number of new edges, or null where the card had moved on
 */
export async function fileLateVector(
  tx: Tx,
  card: CardToEmbed,
  vector: CardVector,
  pass: { now: Date; workflowId: string },
): Promise<number | null> {
  const { now, workflowId } = pass;
  if (!(await insertLateVector(tx, card, vector, now))) return null;
  const isLive = RECALLED_STATUSES.some((status) => status === card.status);
  if (card.linkedBefore || !isLive) return 0;
  const linked = await linkAnew(tx, card.row, vector, now);
  if (linked > 0) {
    await writeAudit(tx, {
      at: now,
      actor: { kind: 'system', id: 'embed' },
      action: 'card.linked',
      target: { type: 'card', id: card.row.id },
      changed: ['edges'],
      versions: [card.version],
      channel: 'workflow',
      workflowId,
    });
  }
  return linked;
}

/**
 * Compares a card that was filed before once more, by its vector or its words of now, and adds the edges
 * that this shows. What is linked stays linked as it is.
 * @returns the number of new edges
 */
export async function linkAnew(
  tx: Tx,
  row: CandidateRow,
  vector: CardVector | null,
  now: Date,
): Promise<number> {
  const settings = await readSettings(tx);
  if (settings === null) return 0;
  const candidates = await findCandidates(tx, {
    id: row.id,
    sign: row.sign,
    service: row.service,
    operation: row.operation,
    workflow: row.workflow,
    step: row.step,
    key: row.key,
    subject: row.subject,
    scope: { type: row.scope_type, id: row.scope_id },
    vector: vector?.values ?? null,
    embedder: vector?.model ?? '',
  });
  const planned = linkAll(
    asLinkCandidate(row),
    candidates.map(asLinkCandidate),
    settings.policy.link,
  );
  const fresh = lateEdges(row.id, planned, await readEdgesOf(tx, row.id));
  const written = await insertEdges(
    tx,
    fresh.map((edge) => ({ ...edge, reason: edge.reason.slice(0, 500) })),
    now,
  );
  return written.length;
}

export interface KnownEdge {
  type: EdgeType;
  from_card: string;
  to_card: string;
}

/**
 * Of the edges that similarity suggests, those that filing left open: two cards that are linked stay
 * linked as they are, and with those of filing a card has no more of a type than filing gives it.
 * A key's succession was settled when the card was filed.
 */
export function lateEdges(
  card: string,
  planned: readonly PlannedEdge[],
  known: readonly KnownEdge[],
): PlannedEdge[] {
  const evidence = known.filter(({ type }) => type !== 'derived_from');
  const linked = new Set(evidence.flatMap((edge) => [edge.from_card, edge.to_card]));
  const room = { ...EDGES_PER_TYPE };
  for (const { type, from_card } of evidence) {
    if (type in room && from_card === card) room[type as LinkType] -= 1;
  }
  return planned.filter((edge) => {
    if (edge.type === 'supersedes') return false;
    if (linked.has(edge.from === card ? edge.to : edge.from)) return false;
    if (edge.from !== card) return true;
    room[edge.type] -= 1;
    return room[edge.type] >= 0;
  });
}

async function readEdgesOf(tx: Tx, card: string): Promise<KnownEdge[]> {
  return await tx.query<KnownEdge>(
    `SELECT type, from_card, to_card FROM edges WHERE workspace_id = $1 AND from_card = $2
     UNION ALL
     SELECT type, from_card, to_card FROM edges WHERE workspace_id = $1 AND to_card = $2`,
    [tx.workspace, card],
  );
}

/** The update of the card is the comparison: it waits for an edit in hand and then sees its version. */
async function insertLateVector(
  tx: Tx,
  card: CardToEmbed,
  vector: CardVector,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query<{ id: string }>(
    `WITH card AS (
       UPDATE cards SET embedder = $4
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND status <> 'deleted'
       RETURNING workspace_id, id, version
     ),
     vector AS (
       INSERT INTO card_embeddings (workspace_id, card_id, field, model, dims, embedding, card_version, created_at)
       SELECT c.workspace_id, c.id, 'summary', $4, $5, $6::vector, c.version, $7 FROM card c
       ON CONFLICT (workspace_id, card_id, field, model) DO NOTHING
     ),
     settled AS (
       UPDATE captures k SET needs_embed = false
         FROM card c
        WHERE k.workspace_id = c.workspace_id AND k.event_id = $8 AND k.needs_embed
     )
     SELECT id FROM card`,
    [
      tx.workspace,
      card.row.id,
      card.version,
      vector.model,
      vector.dims,
      `[${vector.values.join(',')}]`,
      now,
      card.eventId,
    ],
  );
  return rows.length > 0;
}

function cardToEmbed(row: WaitingRow): CardToEmbed {
  const { status, version, event_id, agent_id, team_id, linked_before, ...card } = row;
  return {
    row: { ...card, similarity: null },
    status,
    version,
    eventId: event_id,
    linkedBefore: linked_before,
    text: textToEmbed({ ...card, agent_id, team_id }),
  };
}
