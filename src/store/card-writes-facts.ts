import { RECALLED_STATUSES } from '../contracts/names';
import { attributeOf } from '../domain/attribute';
import { CONVERSATION_FACT_CONFIDENCE } from '../domain/confidence';
import type { Fact } from '../domain/conversation/facts';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { keywordsOf } from '../domain/distill/keywords';
import { durationMs } from '../domain/durations';
import { initialStatus } from '../domain/initial-status';
import { heldBack, trustOf } from '../domain/policy';
import { writeAudit } from './audit';
import { queueLateVectors } from './card-edits';
import { auditHolding, heldCard } from './card-holding';
import { insertCard, type NewCard } from './card-writes';
import { insertLinkedCard } from './card-writes-linked';
import type { CompactedConversation } from './compaction-reads';
import type { Tx } from './database';
import type { NewEdge } from './edge-writes';
import { newId } from './ids';
import { noteChanges } from './run-changes';
import type { WorkspaceSettings } from './settings';

/** Whose words the facts are in, and which run files them. */
export interface FactsFiling {
  conversation: CompactedConversation;
  settings: WorkspaceSettings;
  operationId: string;
  workflowId: string;
  runId: string;
  /** Null where the rules found them. */
  by: { model: string; prompt_version: string } | null;
  makesVectors: boolean;
  /** What stands about the subject already. */
  known: readonly KnownFact[];
  now: Date;
}

const MOST_KNOWN = 1_000;

/** A card about the subject that stands. */
export interface KnownFact {
  id: string;
  summary: string;
  valid_from: string;
  workflow_id: string | null;
}

/** What is known of a subject as the agent may see it now, the newest first. */
export async function knownOf(
  tx: Tx,
  { agent, subject }: Pick<CompactedConversation, 'agent' | 'subject'>,
  now: Date,
): Promise<KnownFact[]> {
  return await tx.query<KnownFact>(
    `SELECT c.id, c.summary, c.valid_from, c.workflow_id
       FROM (SELECT DISTINCT v.card_id FROM visible_cards($1, $2, NULL, false, NULL, $3::timestamptz) v) seen
       JOIN cards c ON c.workspace_id = $1 AND c.id = seen.card_id
      WHERE c.subject = $4 AND c.kind = 'knowledge' AND c.status = ANY ($5)
        AND (c.expires_at IS NULL OR c.expires_at > $3)
      ORDER BY c.recorded_at DESC, c.id
      LIMIT ${MOST_KNOWN}`,
    [tx.workspace, agent, now, subject, RECALLED_STATUSES],
  );
}

/**
 * Files facts as cards of the agent that has the conversation, linked like any other: a newer value of an attribute
 * conflicts with the older one, and beats it. What the policy holds back is held back.
 * @returns their ids
 */
export async function fileFacts(
  tx: Tx,
  facts: readonly Fact[],
  filing: FactsFiling,
): Promise<string[]> {
  const { settings, now, operationId, workflowId } = filing;
  const ids: string[] = [];
  for (const fact of facts) {
    const made = factCard(fact, filing);
    const isHeld = heldBack(settings.policy, made);
    const card = isHeld ? heldCard(made) : made;
    if (isHeld) await insertCard(tx, card, null, []);
    else {
      const policy = settings.policy.link;
      const lineage = otherValues(card, filing.known);
      await insertLinkedCard(tx, {
        card,
        vector: null,
        policy,
        lineage,
        mayReplace: false,
        now,
      });
    }
    await writeAudit(tx, {
      at: now,
      actor: card.writer,
      action: 'card.created',
      target: { type: 'card', id: card.id },
      versions: [1],
      channel: 'workflow',
      workflowId,
    });
    if (isHeld) {
      await auditHolding(tx, {
        id: card.id,
        versions: [1],
        at: now,
        channel: 'workflow',
        workflowId,
      });
    }
    ids.push(card.id);
  }
  if (ids.length > 0 && filing.makesVectors) await queueLateVectors(tx, now);
  const changes = ids.map((id) => ({ change: 'created' as const, card_id: id, version_after: 1 }));
  await noteChanges(tx, operationId, changes, now);
  return ids;
}

/**
 * Another value of the same attribute of the same subject is a conflict, however different its words are. What was
 * said later in the same conversation is a correction, and takes the place of what was said before.
 */
function otherValues(card: NewCard, known: readonly KnownFact[]): NewEdge[] {
  const own = attributeOf(card.summary, card.subject);
  if (own === null) return [];
  return known.flatMap((fact) => {
    const other = attributeOf(fact.summary, card.subject);
    if (other === null || other.name !== own.name || other.value === own.value) return [];
    const type = isCorrected(card, fact) ? 'supersedes' : 'conflicts';
    const reason = `another value for the same subject's ${own.name}`;
    return [{ type, from: card.id, to: fact.id, confidence: card.confidence, reason }];
  });
}

function isCorrected(card: NewCard, fact: KnownFact): boolean {
  const isOfOne =
    fact.workflow_id !== null && talkOf(fact.workflow_id) === talkOf(card.workflowId ?? '');
  return isOfOne && Date.parse(fact.valid_from) <= Date.parse(card.validFrom);
}

/** `compact/<workspace>/<conversation>/<n>` without the number. */
function talkOf(workflowId: string): string {
  return workflowId.slice(0, workflowId.lastIndexOf('/'));
}

function factCard(fact: Fact, filing: FactsFiling): NewCard {
  const { conversation, settings, workflowId, runId, by, now } = filing;
  const { agent, team, subject, project } = conversation;
  const { text: summary, at } = fact;
  const horizon = settings.policy.retention.by_kind.knowledge;
  const said = Date.parse(at);
  return {
    id: newId('card', now),
    kind: 'knowledge',
    sign: 'neutral',
    status: initialStatus('agent'),
    statusBefore: null,
    summary,
    hints: {
      ...{ service: null, operation: null, task_type: null, workflow: null, step: null },
      keywords: keywordsOf({} as Parameters<typeof keywordsOf>[0], {}, summary),
      ...{ error_signature: null, error_family: null },
    },
    inputFields: {},
    ...{ key: null, subject, topic: null, project, session: null, task: null, parentEvent: null },
    agent,
    team,
    scope: { type: 'agent', id: agent },
    visibility: 'private',
    importance: null,
    confidence: CONVERSATION_FACT_CONFIDENCE,
    trust: trustOf(settings.policy, 'agent', { agent, kind: 'chat' }),
    flags: looksLikeInstruction(summary, 'told') ? ['instruction_like'] : [],
    metadata: {},
    // It holds from when it was said; nobody says today what is true from tomorrow on.
    validFrom: new Date(Math.min(said, now.getTime())).toISOString(),
    validTo: null,
    recordedAt: now,
    expiresAt: horizon === null ? null : new Date(now.getTime() + durationMs(horizon)),
    eventId: null,
    writer: { kind: 'agent', id: agent },
    workflowId,
    runId,
    model: by?.model ?? null,
    promptVersion: by?.prompt_version ?? null,
    distilledBy: by === null ? 'fallback' : 'model',
    supersededBy: null,
  };
}
