import type { JsonObject } from '../contracts/event';
import type { CardVersions } from '../contracts/proposal';
import type { Episode } from '../domain/consolidation/episode';
import type { GateVerdict } from '../domain/reflection/gate';
import { writeAudit } from './audit';
import { REFLECTION, writeFact, writeSkill } from './card-writes-found';
import type { Tx } from './database';
import { insertEdges } from './edge-writes';
import { openReflected } from './reflection-escalating';
import type { JudgedAs } from './reflection-found';
import type { Judgement } from './reflection-judging';
import { type KeptDraft, keepReflection, type NewReflection, newReflectionId } from './reflections';
import { type NewRunChange, noteChanges } from './run-changes';
import { keepDraft } from './run-drafts';

/** What the gate said of a candidate, and what it was said of. */
export interface Verdict extends GateVerdict {
  draft: KeptDraft;
  matterHash: string;
  versions: CardVersions;
  /** Held, of one member and one set of readers. */
  sources: readonly Episode[];
}

/** Does what the gate decided: written, kept as rejected, or put to a person. A dry run only says so. */
export async function writeVerdict(
  tx: Tx,
  verdict: Verdict,
  judgement: Judgement,
): Promise<JudgedAs> {
  if (judgement.dryRun) return await sayOnly(tx, verdict, judgement);
  switch (verdict.decision) {
    case 'approve':
      return await approve(tx, verdict, judgement);
    case 'reject':
      return await reject(tx, verdict, judgement);
    case 'escalate':
      return await escalate(tx, verdict, judgement);
    default:
      return verdict.decision satisfies never;
  }
}

async function approve(tx: Tx, verdict: Verdict, judgement: Judgement): Promise<JudgedAs> {
  const { operationId, now } = judgement;
  const { draft, sources } = verdict;
  const id = newReflectionId(now);
  const made = await make(tx, id, verdict, judgement);
  if (made === null) return 'known';
  await keep(tx, id, verdict, judgement, { decision: 'approved', ...made });
  const change: NewRunChange =
    draft.type === 'link'
      ? { change: 'linked', card_id: draft.from, related: [made.edgeId ?? '', draft.to] }
      : {
          change: 'created',
          card_id: made.cardId ?? null,
          version_after: 1,
          related: sources.map((card) => card.id),
        };
  await noteChanges(tx, operationId, [{ ...change, reason: verdict.reason }], now);
  return 'approved';
}

async function make(
  tx: Tx,
  id: string,
  { draft, sources }: Verdict,
  { workflowId, runId, makesVectors, now }: Judgement,
): Promise<Pick<NewReflection, 'cardId' | 'edgeId'> | null> {
  const write = { reflectionId: id, workflowId, runId, makesVectors, now };
  switch (draft.type) {
    case 'fact':
      return { cardId: await writeFact(tx, draft, sources, write) };
    case 'skill':
      return { cardId: await writeSkill(tx, draft, sources, write) };
    case 'link': {
      const { link: type, from, to, confidence, text: reason } = draft;
      const [edge] = await insertEdges(tx, [{ type, from, to, confidence, reason }], now);
      return edge === undefined ? null : { edgeId: edge.id };
    }
    default:
      return draft satisfies never;
  }
}

async function reject(tx: Tx, verdict: Verdict, judgement: Judgement): Promise<JudgedAs> {
  const id = newReflectionId(judgement.now);
  await keep(tx, id, verdict, judgement, { decision: 'rejected' });
  const related = verdict.sources.map((card) => card.id);
  const change: NewRunChange = { change: 'rejected', related, reason: verdict.reason };
  await noteChanges(tx, judgement.operationId, [change], judgement.now);
  return 'rejected';
}

async function escalate(tx: Tx, verdict: Verdict, judgement: Judgement): Promise<JudgedAs> {
  const { operationId, now } = judgement;
  const id = newReflectionId(now);
  const proposal = await openReflected(tx, id, verdict, now);
  if (proposal === null) return 'known';
  await keep(tx, id, verdict, judgement, { decision: 'escalated', proposalId: proposal });
  const change: NewRunChange = { change: 'proposed', related: [proposal], reason: verdict.reason };
  await noteChanges(tx, operationId, [change], now);
  return 'escalated';
}

/** The record of a decision, in its transaction: the row with what was found, and a line of the audit without it. */
async function keep(
  tx: Tx,
  id: string,
  { draft, matterHash, rule, reason }: Verdict,
  { operationId, workflowId, now }: Judgement,
  made: Pick<NewReflection, 'decision' | 'cardId' | 'edgeId' | 'proposalId'>,
): Promise<void> {
  const kept = { runId: operationId, draft, matterHash, rule, reason, ...made, now };
  await keepReflection(tx, id, kept);
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: REFLECTION },
    action: `reflection.${made.decision}`,
    target: { type: 'reflection', id },
    changed: [draft.type, reason],
    hashes: { run: operationId, rule },
    channel: 'workflow',
    workflowId,
  });
}

const WOULD_BE = { approve: 'approved', reject: 'rejected', escalate: 'escalated' } as const;

async function sayOnly(
  tx: Tx,
  { decision, rule, reason, draft }: Verdict,
  { operationId, batch, at, now }: Judgement,
): Promise<JudgedAs> {
  const related = [...draft.sources];
  const changes: Record<Verdict['decision'], NewRunChange> = {
    approve:
      draft.type === 'link'
        ? { change: 'linked', card_id: draft.from, related: [draft.to] }
        : { change: 'created', related },
    reject: { change: 'rejected', related },
    escalate: { change: 'proposed', related },
  };
  await noteChanges(tx, operationId, [{ ...changes[decision], reason }], now);
  const said = {
    type: draft.type,
    text: draft.text,
    decision,
    rule,
    reason,
    confidence: draft.confidence,
  };
  const part = `${draft.type}/${batch.n}.${at + 1}`;
  await keepDraft(tx, operationId, { part, sources: related, draft: said as JsonObject }, now);
  return WOULD_BE[decision];
}
