import type { CardDraft } from '../contracts/card';
import type { SettledEvent } from '../contracts/event';
import type { CaptureResult, EdgeWritten } from '../contracts/messages';
import type { Disposition, PrincipalKind, Trust } from '../contracts/names';
import type { Policy } from '../contracts/policy';
import { initialConfidence } from '../domain/confidence';
import type { OwnWarning } from '../domain/distill/distill';
import { durationMs } from '../domain/durations';
import { initialStatus } from '../domain/initial-status';
import { heldBack, trustOf } from '../domain/policy';
import { stepOf } from '../domain/strike-step';
import { writeAudit } from './audit';
import { settleCapture } from './captures';
import { auditHolding, HELD_FOR, heldCard } from './card-holding';
import { type CardVector, indexTextOf, insertCard, type NewCard } from './card-writes';
import { writeCompetenceCard } from './card-writes-competence';
import { insertLinkedCard } from './card-writes-linked';
import { proveBySession } from './card-writes-proven';
import { observeCompetence } from './competence';
import { type Tx, violatedIndex } from './database';
import type { NewEdge, WrittenEdge } from './edge-writes';
import type { FoundCapture } from './filing-admission';
import { queueLearning } from './filing-learning';
import { areAsShown, areInUse, quotedIn } from './filing-sources';
import { followStep } from './filing-steps';
import { newId } from './ids';

/** A draft together with what filing needs of its event. */
export interface DraftToFile {
  draft: CardDraft;
  event: SettledEvent;
  reporter: { kind: PrincipalKind; id: string };
  team: string | null;
  policy: Policy;
  /** The warnings that the draft quotes, as they were read. */
  quoted: readonly OwnWarning[];
  /** What is indexed and embedded. */
  embeddedText: string;
}

export interface Filing {
  toFile: DraftToFile;
  operationId: string;
  vector: readonly number[] | null;
  embedder: { id: string; makesVectors: boolean };
  workflowId: string | null;
  runId: string | null;
  now: Date;
}

export interface Filed {
  record: CaptureResult;
  card: NewCard;
  /** The cards that it was compared with. */
  compared: string[];
}

/** @returns null where the event's payload is gone. */
export function draftToFile(found: FoundCapture, draft: CardDraft): DraftToFile | null {
  const { event, reporter, team, policy, ownWarnings } = found;
  if (event === null) return null;
  const parts = { draft, event, reporter, team, policy, quoted: quotedIn(draft, ownWarnings) };
  return { ...parts, embeddedText: indexTextOf(cardOf(parts, { id: '', now: new Date(0) })) };
}

/**
 * Files one card with its vector, edges, competence, strike and audit, in the caller's transaction.
 * The capture row admits one filing: whoever comes second gets the record of the first.
 */
export async function fileDraft(tx: Tx, filing: Filing): Promise<Filed> {
  const { event, draft, policy } = filing.toFile;
  const { quoted } = filing.toFile;
  const isQuoted =
    (await areInUse(tx, draft.derived_from)) && (await areAsShown(tx, event.event_id, quoted));
  if (!isQuoted) throw new WorldMovedOn('a card that it quotes');
  const id = newId('card', filing.now);
  const card = cardOf(filing.toFile, { id, now: filing.now, filing });

  const isHeld = card.status === 'quarantined';
  const { edges, compared } = isHeld
    ? await insertHeldCard(tx, filing, card)
    : await insertLinkedCard(tx, {
        card,
        vector: vectorOf(filing),
        policy: policy.link,
        lineage: lineageOf(card, draft),
        mayReplace: true,
        now: filing.now,
      });
  // Of a card that is held back too: the step did fail and the work was done, which the event says in
  // fields of its own; else whoever plants a sentence in an error would hide the failure with it.
  const strikes = await followStep(tx, card, event, filing.toFile.team, policy, filing.now);
  const record = await observeCompetence(tx, event, filing.now, filing.toFile.reporter);
  if (record !== null && !isHeld) {
    await writeCompetenceCard(tx, record, {
      cardId: id,
      team: filing.toFile.team,
      agent: event.agent,
      reporter: filing.toFile.reporter,
      trust: card.trust,
      workflowId: filing.workflowId,
      runId: filing.runId,
      makesVectors: filing.embedder.makesVectors,
      now: filing.now,
    });
  }
  await proveBySession(tx, event, card.trust, filing.now);
  if (!isHeld) await queueLearning(tx, event, filing.now);
  await writeAudit(tx, {
    at: filing.now,
    actor: filing.toFile.reporter,
    action: 'card.created',
    target: { type: 'card', id },
    versions: [1],
    channel: 'workflow',
    workflowId: filing.workflowId,
  });
  if (isHeld) {
    const { now: at, workflowId } = filing;
    await auditHolding(tx, { id, versions: [1], at, channel: 'workflow', workflowId });
  }
  const result: CaptureResult = {
    event_id: event.event_id,
    operation_id: filing.operationId,
    disposition: isHeld ? 'quarantined' : 'carded',
    reason: isHeld ? HELD_FOR : null,
    card_id: id,
    kind: card.kind,
    sign: card.sign,
    edges: edgesOf(edges, id),
    distilled_by: draft.distilled_by,
    embedded: filing.vector !== null,
    strikes,
  };
  await settleAsFiled(tx, filing, result);
  return { record: result, card, compared };
}

/**
 * What a capture was decided on is no longer so: its next try, which reads all of it again, decides anew.
 * A person stopped its source at this moment, or a card that its text quotes.
 */
class WorldMovedOn extends Error {}

/**
 * A card that is held back decides nothing: it is compared with no other, gets no edge but its lineage,
 * which erasure walks, and leaves what stands under its key in place.
 */
async function insertHeldCard(
  tx: Tx,
  filing: Filing,
  card: NewCard,
): Promise<{ edges: WrittenEdge[]; compared: string[] }> {
  const lineage = lineageOf(card, filing.toFile.draft);
  return { edges: await insertCard(tx, card, vectorOf(filing), lineage), compared: [] };
}

/** Edges as the record of a capture names them, seen from its card. */
export function edgesOf(edges: readonly WrittenEdge[], cardId: string): EdgeWritten[] {
  return edges.map((edge) => ({
    id: edge.id,
    type: edge.type,
    to: edge.from_card === cardId ? edge.to_card : edge.from_card,
    confidence: edge.confidence,
  }));
}

/** A race that the unique index on content decided: the same work was carded under another id. */
export function lostToTwin(error: unknown): boolean {
  return violatedIndex(error) === 'captures_one_card_per_content';
}

/** Another try of the same capture, one that ran out of its time for instance, has filed it. */
export function lostToItself(error: unknown): boolean {
  return violatedIndex(error) === 'cards_one_per_event';
}

/** Records that the same work has its card already. */
export async function settleAsTwin(tx: Tx, filing: Filing): Promise<CaptureResult> {
  const settled = { disposition: 'duplicate_content', reason: 'same_content' } as const;
  const eventId = filing.toFile.event.event_id;
  await settleCapture(tx, { eventId, ...settled, runId: filing.runId, now: filing.now });
  return withoutCard(eventId, filing.operationId, settled.disposition, settled.reason);
}

/** The record of a capture that is settled; null while it is pending. */
export function recordOf(eventId: string, found: FoundCapture): CaptureResult | null {
  if (found.disposition === 'pending') return null;
  if (found.record !== null) return found.record;
  return withoutCard(eventId, found.operationId, found.disposition, found.reason);
}

export function withoutCard(
  eventId: string,
  operationId: string,
  disposition: Disposition,
  reason: string | null,
): CaptureResult {
  return {
    event_id: eventId,
    operation_id: operationId,
    disposition,
    reason,
    card_id: null,
    kind: null,
    sign: null,
    edges: [],
    distilled_by: null,
    embedded: false,
    strikes: null,
  };
}

/**
 * Compare-and-set: only a pending capture becomes carded or quarantined, and none whose source a person has
 * stopped since it was read. A filing that lost the race rolls back whole, on the unique index of the card's
 * event or of its content, or here.
 */
async function settleAsFiled(tx: Tx, filing: Filing, result: CaptureResult): Promise<void> {
  const { event, reporter } = filing.toFile;
  const rows = await tx.query<{ operation_id: string }>(
    `WITH settled AS (
       UPDATE captures
          SET disposition = $10, reason = $11, card_id = $3, settled_at = $4,
              needs_distill = $5, needs_embed = $6
        WHERE workspace_id = $1 AND event_id = $2 AND disposition = 'pending'
          AND NOT is_stopped($1, $12, $13, $14, $15)
       RETURNING operation_id
     ),
     dropped AS (
       DELETE FROM capture_drafts WHERE workspace_id = $1 AND event_id = $2
     ),
     late AS (
       INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
       SELECT $1, 'start_embed', 'embed/' || $1::text || '/late', jsonb_build_object('workspace', $1::text),
              $4::timestamptz + interval '5 seconds', $4
        WHERE $6 AND $9 AND NOT EXISTS (SELECT 1 FROM outbox
                                  WHERE workspace_id = $1 AND action = 'start_embed')
     )
     UPDATE runs r
        SET state = 'completed', started_at = COALESCE(r.started_at, $4), finished_at = $4, result = $7,
            run_id = COALESCE(r.run_id, $8)
       FROM settled s
      WHERE r.workspace_id = $1 AND r.id = s.operation_id
     RETURNING r.id AS operation_id`,
    [
      tx.workspace,
      result.event_id,
      result.card_id,
      filing.now,
      waitsForModel(filing.toFile.draft),
      !result.embedded,
      JSON.stringify(result),
      filing.runId,
      filing.embedder.makesVectors,
      result.disposition,
      result.reason,
      event.agent,
      reporter.kind,
      reporter.id,
      event.service ?? null,
    ],
  );
  if (rows.length === 0) throw new WorldMovedOn('the capture was settled or stopped meanwhile');
}

/**
 * The stand-in's cards are marked for a model, one that is configured later too. Of a flagged event the
 * stand-in's words are kept whatever a model says.
 */
function waitsForModel(draft: CardDraft): boolean {
  return draft.distilled_by === 'fallback' && !draft.flags.includes('instruction_like');
}

interface CardContext {
  id: string;
  now: Date;
  filing?: Filing;
}

function cardOf(parts: Omit<DraftToFile, 'embeddedText'>, context: CardContext): NewCard {
  const { draft, event, reporter, policy } = parts;
  const step = stepOf(event);
  const horizon = policy.retention.by_kind[draft.kind] ?? null;
  const trust = trustFor(policy, reporter.kind, event);
  const card: NewCard = {
    id: context.id,
    kind: draft.kind,
    sign: draft.sign,
    status: initialStatus(reporter.kind),
    statusBefore: null,
    summary: draft.summary,
    hints: {
      service: event.service ?? null,
      operation: event.operation ?? null,
      task_type: event.task_type ?? null,
      workflow: event.workflow_step?.workflow ?? step?.workflow ?? null,
      step: event.workflow_step?.step ?? step?.step ?? null,
      keywords: draft.keywords,
      error_signature: draft.error_signature,
      error_family: draft.error_family,
    },
    inputFields: draft.input_fields,
    key: event.key ?? null,
    subject: event.subject ?? null,
    topic: draft.topic,
    project: event.project ?? null,
    session: event.session ?? null,
    task: event.task ?? null,
    parentEvent: event.parent_event ?? null,
    agent: event.agent,
    team: parts.team,
    scope: { type: 'agent', id: event.agent },
    visibility: 'private',
    importance: event.importance ?? draft.importance,
    confidence: initialConfidence(reporter.kind === 'agent' ? 'agent' : 'runtime'),
    trust,
    flags: draft.flags,
    metadata: event.metadata ?? {},
    validFrom: event.occurred_at,
    recordedAt: context.now,
    expiresAt: horizon === null ? null : new Date(context.now.getTime() + durationMs(horizon)),
    eventId: event.event_id,
    writer: reporter,
    workflowId: context.filing?.workflowId ?? null,
    runId: context.filing?.runId ?? null,
    model: draft.model,
    promptVersion: draft.prompt_version,
    distilledBy: draft.distilled_by,
    validTo: null,
    supersededBy: null,
  };
  return heldBack(policy, card) ? heldCard(card) : card;
}

/** A person who reports settled work acts as a runtime. */
function trustFor(policy: Policy, reporter: PrincipalKind, event: SettledEvent): Trust {
  return trustOf(policy, reporter === 'agent' ? 'agent' : 'runtime', event);
}

function vectorOf(filing: Filing): CardVector | null {
  if (filing.vector === null) return null;
  return { model: filing.embedder.id, dims: filing.vector.length, values: filing.vector };
}

function lineageOf(card: NewCard, draft: CardDraft): NewEdge[] {
  return draft.derived_from.map((source) => ({
    type: 'derived_from',
    from: card.id,
    to: source,
    confidence: 1,
    reason: 'a clause of this card comes from that warning',
  }));
}
