import type { CardDraft } from '../contracts/card';
import type { CardToRedistill } from '../contracts/messages';
import type { CardStatus, Trust } from '../contracts/names';
import { sentences } from '../domain/distill/plain-text';
import { withReflection } from '../domain/learning/reflection-of-failure';
import { heldBack } from '../domain/policy';
import { DISTILL_TRIES, endOfDistilling } from '../domain/redistilling';
import { cardIndexText, lexicalTerms, termCount } from '../domain/terms';
import { writeAudit } from './audit';
import { queueLateVectors, reindexCard } from './card-edits';
import { auditHolding } from './card-holding';
import type { CardVector } from './card-writes';
import { unmake } from './card-writes-unmade';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import { entityRows } from './entity-writes';
import type { CandidateRow } from './filing-candidates';
import { linkAnew } from './filing-late-vectors';
import { areInUse } from './filing-sources';
import { readSettings } from './settings';

/**
 * The next cards that wait for a model, by event. Those that no model may write any more are settled in
 * passing, with the reason.
 */
export async function readCardsToRedistill(
  tx: Tx,
  after: string,
  limit: number,
): Promise<{ cards: CardToRedistill[]; settled: number; next: string | null }> {
  const rows = await tx.query<CardToRedistill & { status: CardStatus; has_payload: boolean }>(
    `SELECT k.event_id, c.id AS card_id, c.version, c.status, e.payload IS NOT NULL AS has_payload
       FROM captures k
       JOIN cards c ON c.workspace_id = k.workspace_id AND c.id = k.card_id
       JOIN events e ON e.workspace_id = k.workspace_id AND e.event_id = k.event_id
      WHERE k.workspace_id = $1 AND k.needs_distill AND k.event_id > $2
      ORDER BY k.event_id
      LIMIT $3`,
    [tx.workspace, after, limit],
  );
  const cards: CardToRedistill[] = [];
  let settled = 0;
  for (const { status, has_payload, ...card } of rows) {
    const end = endOfDistilling(status, has_payload);
    if (end === null) {
      cards.push(card);
    } else {
      await settleDistilling(tx, card.event_id, end);
      settled += 1;
    }
  }
  return { cards, settled, next: rows.length < limit ? null : (rows.at(-1)?.event_id ?? null) };
}

async function settleDistilling(
  tx: Tx,
  eventId: string,
  end: 'judged' | 'retired' | 'payload_missing',
): Promise<void> {
  await tx.query(
    `WITH dropped AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2
     )
     UPDATE captures SET needs_distill = false, distill_end = $3
      WHERE workspace_id = $1 AND event_id = $2 AND needs_distill`,
    [tx.workspace, eventId, end],
  );
}

/** Counts an answer that was of no use; after `DISTILL_TRIES` of them the stand-in's words stay. */
export async function countUselessAnswer(tx: Tx, eventId: string): Promise<void> {
  await tx.query(
    `UPDATE captures
        SET distill_tries = distill_tries + 1, needs_distill = distill_tries + 1 < $3,
            distill_end = CASE WHEN distill_tries + 1 >= $3 THEN 'gave_up' END
      WHERE workspace_id = $1 AND event_id = $2 AND needs_distill`,
    [tx.workspace, eventId, DISTILL_TRIES],
  );
}

/** A card with the words that a model has found for it. */
export interface Rewriting {
  row: CandidateRow;
  eventId: string;
  draft: CardDraft;
  trust: Trust;
  importance: number | null;
  /** What is indexed and embedded from now on. */
  text: string;
  /** What it names, by `entityRows`. */
  entities: string;
}

interface RewritingRow extends CandidateRow {
  draft: CardDraft;
  /** Its last sentence is what its task taught. */
  reflected: boolean;
  trust: Trust;
  importance: number | null;
  agent_id: string | null;
  team_id: string | null;
}

/** @returns null where the card is no longer the one that was read, or its draft is gone. */
export async function readRewriting(tx: Tx, card: CardToRedistill): Promise<Rewriting | null> {
  const [found] = await tx.query<RewritingRow>(
    `SELECT c.id, c.kind, c.sign, c.summary, c.service, c.operation, c.workflow, c.step, c.task_type,
            c.subject, c.key, c.topic, c.keywords, c.error_signature, c.input_fields, c.valid_from,
            c.scope_type, c.scope_id, c.agent_id, c.trust, a.team_id, d.draft,
            EXISTS (SELECT 1 FROM card_versions v
                     WHERE v.workspace_id = c.workspace_id AND v.card_id = c.id AND v.action = 'reflected') AS reflected,
            COALESCE((e.payload ->> 'importance')::int, (d.draft ->> 'importance')::int) AS importance
       FROM captures k
       JOIN cards c ON c.workspace_id = k.workspace_id AND c.id = k.card_id
       JOIN events e ON e.workspace_id = k.workspace_id AND e.event_id = k.event_id
       JOIN capture_drafts d ON d.workspace_id = k.workspace_id AND d.event_id = k.event_id
       LEFT JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
      WHERE k.workspace_id = $1 AND k.event_id = $2 AND k.needs_distill AND c.version = $3`,
    [tx.workspace, card.event_id, card.version],
  );
  if (found === undefined) return null;
  const { draft: said, trust, importance, agent_id, team_id, reflected, ...before } = found;
  // What its task taught stays the last word of a card that is worded anew.
  const lesson = reflected ? sentences(before.summary).at(-1) : undefined;
  const draft =
    lesson === undefined ? said : { ...said, summary: withReflection(said.summary, lesson) };
  const row = {
    ...before,
    summary: draft.summary,
    topic: draft.topic,
    keywords: draft.keywords,
    similarity: null,
  };
  const indexed = { ...row, agent: agent_id, team: team_id, hints: row };
  return {
    row,
    eventId: card.event_id,
    draft,
    trust,
    importance,
    text: cardIndexText(indexed),
    entities: entityRows(indexed),
  };
}

export interface RewritingContext {
  vector: CardVector | null;
  workflowId: string | null;
  runId: string | null;
  now: Date;
}

/** Nobody asked for it in particular: the pass itself is the one who wrote. */
const ACTOR = { kind: 'system', id: 'redistill' } as const;

/**
 * Puts the model's words in the place of the stand-in's, in the caller's transaction: the same card, its
 * next version, its postings, vector, edges and audit. What rules decide (kind, sign, error, fields) stays.
 * Compare-and-set on the version: what anybody changed meanwhile is never written over. New words that the
 * policy holds back take the card out of use with them, and link it to nothing.
 * @returns the number of new edges, or null where the card had moved on, or one that its new words quote
 */
export async function rewriteCard(
  tx: Tx,
  rewriting: Rewriting,
  card: CardToRedistill,
  context: RewritingContext,
): Promise<number | null> {
  const { now, vector, workflowId } = context;
  if (!(await areInUse(tx, rewriting.draft.derived_from))) return null;
  if (!(await isDraftThere(tx, rewriting.eventId))) return null;
  const isHeld = await isHeldBack(tx, rewriting);
  const terms = lexicalTerms(rewriting.text);
  const version = await replaceWords(tx, { ...rewriting, isHeld }, card, termCount(terms), context);
  if (version === null) return null;
  await reindexCard(
    tx,
    { id: card.card_id, version, at: now },
    { terms, entities: rewriting.entities },
    vector,
  );
  if (vector === null) await queueLateVectors(tx, now);
  const linked = isHeld ? 0 : await linkAnew(tx, rewriting.row, vector, now);
  await replaceLineage(tx, card.card_id, rewriting.draft.derived_from, now);
  await writeAudit(tx, {
    at: now,
    actor: ACTOR,
    action: 'card.redistilled',
    target: { type: 'card', id: card.card_id },
    changed: ['summary', 'topic', 'keywords', 'importance'],
    versions: [card.version, version],
    channel: 'workflow',
    workflowId,
  });
  if (isHeld) {
    const versions = [card.version, version];
    await auditHolding(tx, {
      id: card.card_id,
      versions,
      at: now,
      channel: 'workflow',
      workflowId,
    });
    const by = { actor: ACTOR, channel: 'workflow', workflowId, at: now };
    await unmake(tx, { cards: [card.card_id], root: card.card_id, ...by });
  }
  return linked;
}

/** An erasure takes a draft away whose quoted cards it writes again; they are held by now. */
async function isDraftThere(tx: Tx, eventId: string): Promise<boolean> {
  const rows = await tx.query(
    'SELECT 1 FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2',
    [tx.workspace, eventId],
  );
  return rows.length > 0;
}

/** By the policy of this moment; words without a flag ask for none. */
async function isHeldBack(tx: Tx, { draft, trust }: Rewriting): Promise<boolean> {
  if (draft.flags.length === 0) return false;
  const settings = await readSettings(tx);
  return settings !== null && heldBack(settings.policy, { flags: draft.flags, trust });
}

async function replaceWords(
  tx: Tx,
  { draft, importance, eventId, isHeld }: Rewriting & { isHeld: boolean },
  card: CardToRedistill,
  indexLength: number,
  { vector, workflowId, runId, now }: RewritingContext,
): Promise<number | null> {
  const [row] = await tx.query<{ version: number }>(
    `WITH rewritten AS (
       UPDATE cards
          SET summary = $4, topic = $5, keywords = $6, importance = $7, flags = $8, distilled_by = $9,
              model = $10, prompt_version = $11, workflow_id = $12, run_id = $13, index_length = $14,
              embedder = $15, version = version + 1, edited_at = $16,
              status = CASE WHEN $20 THEN 'quarantined' ELSE status END,
              status_before = CASE WHEN $20 THEN status ELSE status_before END
        WHERE workspace_id = $1 AND id = $2 AND version = $3 AND status IN ('pending', 'active')
       RETURNING *
     ),
     settled AS (
       UPDATE captures k
          SET needs_distill = false, distill_end = 'rewritten', needs_embed = $15::text IS NULL
         FROM rewritten r
        WHERE k.workspace_id = $1 AND k.event_id = $17
     ),
     dropped AS (
       DELETE FROM capture_drafts d USING rewritten r WHERE d.workspace_id = $1 AND d.event_id = $17
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT r.workspace_id, r.id, r.version, $16, $18, $19, 'redistilled', card_snapshot(to_jsonb(r))
       FROM rewritten r
     RETURNING version`,
    [
      tx.workspace,
      card.card_id,
      card.version,
      draft.summary,
      draft.topic,
      draft.keywords,
      importance,
      draft.flags,
      draft.distilled_by,
      draft.model,
      draft.prompt_version,
      workflowId,
      runId,
      indexLength,
      vector?.model ?? null,
      now,
      eventId,
      ACTOR.kind,
      ACTOR.id,
      isHeld,
    ],
  );
  return row?.version ?? null;
}

/** A clause that is gone leaves no lineage; the words of now say what they come from. */
async function replaceLineage(
  tx: Tx,
  cardId: string,
  sources: readonly string[],
  now: Date,
): Promise<void> {
  await tx.query(
    `DELETE FROM edges
      WHERE workspace_id = $1 AND from_card = $2 AND type = 'derived_from' AND NOT to_card = ANY ($3)`,
    [tx.workspace, cardId, sources],
  );
  const edges = sources.map((source) => ({
    type: 'derived_from' as const,
    from: cardId,
    to: source,
    confidence: 1,
    reason: 'a clause of this card comes from that warning',
  }));
  await insertEdges(tx, edges, now);
}

/**
 * Settles a rewriting that did not come about: its draft, which holds words of the event, goes.
 * @returns whether an earlier try of this very rewriting committed and was not heard of
 */
export async function dropRewriting(tx: Tx, eventId: string): Promise<boolean> {
  const { rewritten } = await tx.one<{ rewritten: boolean }>(
    `WITH dropped AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2
     )
     SELECT EXISTS (SELECT 1 FROM captures
                     WHERE workspace_id = $1 AND event_id = $2 AND distill_end = 'rewritten') AS rewritten`,
    [tx.workspace, eventId],
  );
  return rewritten;
}
