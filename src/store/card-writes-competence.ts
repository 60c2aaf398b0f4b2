import type { CardScope } from '../contracts/card';
import type { CompetenceRecord } from '../contracts/competence';
import type { Trust, WriterKind } from '../contracts/names';
import { competenceSummary, confidenceOf } from '../domain/competence';
import type { PlannedEdge } from '../domain/link';
import { writeAudit } from './audit';
import { queueLateVectors } from './card-edits';
import { insertCard, type NewCard } from './card-writes';
import { nameCompetenceCard } from './competence';
import type { Tx } from './database';
import type { NewEdge } from './edge-writes';
import { newId } from './ids';
import { supersede } from './superseding';

/** The delegation that was settled, and who says so. */
export interface Delegation {
  /** Null where no card tells of it any more. */
  cardId: string | null;
  /** The team of the agent that delegated; null without one. */
  team: string | null;
  /** The agent that delegated. */
  agent: string;
  reporter: { kind: WriterKind; id: string };
  trust: Trust;
  workflowId: string | null;
  runId: string | null;
  /** Through which door; the workflow's where none is said. */
  channel?: string;
  /** Why the last card is replaced, where it is not one more task. */
  reason?: string;
  /** Whether vectors are made at all; this one's comes late. */
  makesVectors: boolean;
  now: Date;
}

/**
 * Says in one card what the record says: who did how many of these tasks. It takes the place of the last
 * such card, stands in the team of the agent it is about, and comes from the delegation. The record's row is
 * held, so that two delegations of one agent replace one after the other.
 */
export async function writeCompetenceCard(
  tx: Tx,
  record: CompetenceRecord,
  delegation: Delegation,
): Promise<void> {
  const { now } = delegation;
  const { team, scope } = await placeOf(tx, record.agent, delegation);
  const card: NewCard = {
    id: newId('card', now),
    kind: 'competence',
    sign: 'neutral',
    status: 'active',
    statusBefore: null,
    summary: competenceSummary(record.agent, record.task_type, record),
    hints: {
      service: null,
      operation: null,
      task_type: record.task_type,
      workflow: null,
      step: null,
      keywords: [],
      error_signature: null,
      error_family: null,
    },
    inputFields: {},
    key: `competence:${record.agent}/${record.task_type}`,
    subject: null,
    topic: null,
    project: null,
    session: null,
    task: null,
    parentEvent: null,
    agent: record.agent,
    team,
    scope,
    visibility: 'private',
    importance: null,
    confidence: confidenceOf(record),
    trust: delegation.trust,
    flags: [],
    metadata: {},
    // Since it was recorded, and not since the work: what it says is the sum of all that was heard of.
    validFrom: now.toISOString(),
    validTo: null,
    recordedAt: now,
    expiresAt: null,
    eventId: null,
    writer: delegation.reporter,
    workflowId: delegation.workflowId,
    runId: delegation.runId,
    model: null,
    promptVersion: null,
    distilledBy: 'fallback',
    supersededBy: null,
  };
  const replaces: PlannedEdge[] =
    record.card_id === null
      ? []
      : [
          {
            type: 'supersedes',
            from: card.id,
            to: record.card_id,
            confidence: 1,
            reason: delegation.reason ?? 'the same record, with one more task',
          },
        ];
  const standing = await supersede(tx, card, replaces, new Map(), now);
  const source = sourceOf(card.id, delegation.cardId);
  await insertCard(tx, { ...card, ...standing }, null, [...replaces, ...source]);
  await nameCompetenceCard(tx, record, card.id);
  await writeAudit(tx, {
    at: now,
    actor: delegation.reporter,
    action: 'card.created',
    target: { type: 'card', id: card.id },
    versions: [1],
    channel: delegation.channel ?? 'workflow',
    workflowId: delegation.workflowId,
  });
  if (delegation.makesVectors) await queueLateVectors(tx, now);
}

function sourceOf(card: string, delegation: string | null): NewEdge[] {
  if (delegation === null) return [];
  const source = { type: 'derived_from', from: card, to: delegation } as const;
  return [{ ...source, confidence: 1, reason: 'the delegation that was counted last' }];
}

/** The team of the agent it is about; of one that nobody knows, or without a team, that of who delegated. */
async function placeOf(
  tx: Tx,
  agent: string,
  delegation: Delegation,
): Promise<{ team: string | null; scope: CardScope }> {
  const [known] = await tx.query<{ team_id: string | null }>(
    'SELECT team_id FROM agents WHERE workspace_id = $1 AND id = $2',
    [tx.workspace, agent],
  );
  const team = known?.team_id ?? delegation.team;
  if (team !== null) return { team, scope: { type: 'team', id: team } };
  return { team, scope: { type: 'agent', id: delegation.agent } };
}
