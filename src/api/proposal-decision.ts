import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { DecisionRefusal, ProposalDetail } from '../contracts/proposal';
import type { DecideRequest } from '../contracts/proposal-messages';
import { refusalOf } from '../domain/proposal';
import { workspaceHasher } from '../intake/hashing';
import type { decisionSchema } from '../schemas/proposal';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import { keepIntent, refusalsSoFar, wasTaken } from '../store/decision-intents';
import { mayDecide } from '../store/proposal-deciding';
import { holdProposal, type ProposalRow } from '../store/proposal-row';
import type { ApiDependencies } from './app';
import { fitRemark } from './card-content';
import { refused } from './decision-refused';
import { requireSameRequest } from './idempotency';
import { badRequest, notFound, Problem } from './problem';
import { proposalFor } from './proposal-view';

export type DecisionBody = z.output<typeof decisionSchema>;

/** What has to be asked of the workflow, or what is known without it. */
type Asked =
  | { known: 'taken' }
  | { known: 'refused'; refusal: DecisionRefusal }
  | { known: null; updateId: string; request: DecideRequest };

/**
 * Takes a person's decision: keeps what they said, and has the proposal's workflow take it, which looks at
 * the right, the version and the world once more. The same decision of the same person on the same version
 * is one, however often it is asked for.
 *
 * @throws Problem 404, 400 for a winner that is no side, 403, 409, 410 as `REFUSALS` has it, 503 where
 *   nobody answered in time
 */
export async function decideProposal(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  body: DecisionBody,
): Promise<ProposalDetail> {
  const { workspace } = request.caller.context;
  const reason = await fitRemark(deps, request.caller, body.reason);
  await requireSameRequest(request, deps, 200);
  const asked = await deps.database.inWorkspace(workspace, (tx) =>
    prepare(tx, deps, request, id, { ...body, said: reason }),
  );
  if (asked.known === 'refused') throw await refused(deps, request, id, asked.refusal);
  if (asked.known === null) {
    const proposal = { workspace, id };
    const decided = await deps.decider.decide(proposal, asked.updateId, asked.request);
    if (decided.outcome === 'unheard') throw unheard();
    if (decided.outcome === 'refused') throw await refused(deps, request, id, decided.refusal);
  }
  const proposal = await deps.database.inWorkspace(workspace, (tx) =>
    proposalFor(tx, deps, request.caller, id),
  );
  if (proposal === null) throw notFound('proposal');
  return proposal;
}

async function prepare(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  body: DecisionBody & { said: string | null },
): Promise<Asked> {
  const { decision, version, winner = null } = body;
  const by = request.caller.context.principal.id;
  const row = await holdProposal(tx, id);
  if (row === null) throw notFound('proposal');
  requireSide(row, winner);
  const refusal = refusalOf(row, { decision, by, version });
  // Another version waits than the one that was named: what was said of an earlier one does not answer it.
  if (refusal === 'stale_version') return { known: 'refused', refusal };
  const updateId = await updateIdOf(tx, deps, request, id, body);
  if (await wasTaken(tx, id, updateId)) return { known: 'taken' };
  if (refusal !== null) return { known: 'refused', refusal };
  if (!(await mayDecide(tx, row, by))) {
    await auditRefusal(tx, deps, request, row);
    return { known: 'refused', refusal: 'not_allowed' };
  }
  const intentId = `intent_${updateId}`;
  await keepIntent(tx, {
    id: intentId,
    proposalId: id,
    version,
    by,
    decision,
    winner,
    reason: body.said,
    at: deps.clock(),
  });
  return { known: null, updateId, request: { decision, by, version, intent_id: intentId } };
}

/** @throws Problem 400: a winner is one of the two cards that contradict each other. */
function requireSide(row: ProposalRow, winner: string | null): void {
  if (winner === null) return;
  if (row.type !== 'contradiction') {
    throw badRequest('winner: only a contradiction has sides', '/winner');
  }
  if (!row.evidence.includes(winner)) {
    throw badRequest('winner: names none of the two cards in evidence', '/winner');
  }
}

/**
 * The same for the same decision, so that Temporal takes it once. After a refusal on record it is another
 * try: what stood in the way may be gone.
 */
async function updateIdOf(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  { decision, version, winner }: DecisionBody,
): Promise<string> {
  const by = request.caller.context.principal.id;
  const key = request.headers['idempotency-key'] ?? null;
  const refusals = await refusalsSoFar(tx, id, by);
  const hasher = workspaceHasher(deps.secretKey, tx.workspace);
  const parts = [id, version, by, decision, winner ?? null, key, refusals];
  return hasher.shortId('decision', JSON.stringify(parts));
}

/** What the workflow refuses it records itself; this it never hears of. */
async function auditRefusal(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  row: ProposalRow,
): Promise<void> {
  await writeAudit(tx, {
    at: deps.clock(),
    actor: caller.context.principal,
    action: 'proposal.decision_refused',
    target: { type: 'proposal', id: row.id },
    changed: ['not_allowed'],
    versions: [row.version],
    channel: caller.channel,
    workflowId: row.workflow_id,
  });
}

function unheard(): Problem {
  return new Problem(
    503,
    'decision_unheard',
    'nobody answered in time; it may have been taken, and asking again is safe: it is taken once',
    {},
    { 'retry-after': '5' },
  );
}
