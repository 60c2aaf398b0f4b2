import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  CANCEL_FOLLOW_UP,
  FOLLOW_UP_REFUSALS,
  type FollowUpAnswer,
  type FollowUpRefusal,
  type FollowUpRequest,
  type Insight,
  type InsightInput,
  type OutcomeResult,
} from '../contracts/insight';
import type { FollowUpOrder } from '../contracts/insight-messages';
import { followUpRefusal } from '../domain/insights/follow-up';
import { sizeRefusal } from '../domain/insights/reported';
import { followUpSeal } from '../intake/follow-up-seal';
import { workspaceHasher } from '../intake/hashing';
import type { OutcomeBody } from '../schemas/insight-follow-up';
import { keepReason } from '../store/card-edits';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import { openFollowUpRun, tellFollowUp } from '../store/insight-follow-up-runs';
import { type ActionRow, actionsOf } from '../store/insight-follow-ups';
import { reportOutcome } from '../store/insight-outcomes';
import { holdInsight } from '../store/insights';
import { baselinesOf } from '../store/metric-snapshots';
import { policyOf } from '../store/settings';
import type { ApiDependencies } from './app';
import { fitRemark } from './card-content';
import { readerOf } from './card-rights';
import { requireSameRequest, writeOnce } from './idempotency';
import { followerOf, requireFollowUpRight, requireInsight, requireInUse } from './insight-taking';
import { shownInsight } from './insight-view';
import { badRequest, notFound, Problem } from './problem';

/** What is said of an action that was taken: measure it now, later or never, or what came of it. */

/** Well after whoever asks has had their answer. */
const UNHEARD_AFTER_MS = 60_000;

/** One of an insight's actions, by the path of its routes. */
export interface NamedAction {
  insightId: string;
  actionId: string;
}

export interface Order {
  order: FollowUpOrder;
  /** As the caller wrote it. */
  reason?: string | undefined;
  /** When to measure, where the order is to extend; by when it was taken. */
  until?(action: ActionRow): Date;
}

/**
 * Has the insight's workflow do it, which looks at the right and at the action once more. The same request under one
 * `Idempotency-Key` is taken once; without one, asked again it answers with what there is.
 *
 * @throws Problem 404, 403, 409 as `REFUSALS` has it, 503 where nobody answered in time
 */
export async function orderFollowUp(
  deps: ApiDependencies,
  request: FastifyRequest,
  action: NamedAction,
  asked: Order,
): Promise<FollowUpAnswer> {
  const reason = await fitRemark(deps, request.caller, asked.reason);
  await requireSameRequest(request, deps, 200);
  const { workspace } = request.caller.context;
  const prepared = await deps.database.inWorkspace(workspace, (tx) =>
    prepare(tx, deps, request, action, { ...asked, said: reason }),
  );
  const { insight, said } = prepared;
  const updateId = updateIdOf(deps, request, said);
  const heard = await deps.follower.order(insight, asked.order, updateId, said);
  if (heard.outcome === 'unheard') throw unheard();
  if (heard.outcome === 'refused') throw refused(heard.refusal);
  const refusal = refusalIn(heard.answer);
  if (refusal !== null) throw refused(refusal);
  return heard.answer;
}

async function prepare(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  { insightId, actionId }: NamedAction,
  { order, until, said: reason }: Order & { said: string | null },
): Promise<{ insight: InsightInput; said: FollowUpRequest }> {
  const now = deps.clock();
  const seen = await requireInsight(tx, readerOf(caller, deps.clock), insightId);
  await requireFollowUpRight(tx, deps, caller, seen);
  requireInUse(seen);
  const insight = await holdInsight(tx, insightId);
  const action = (await actionsOf(tx, insightId)).find(({ id }) => id === actionId);
  if (insight === null || action === undefined) throw notFound('action');
  // A window counts from when it was taken: without that there is no time to compute.
  if (until !== undefined && action.taken_at === null) throw refused('not_taken');
  const time = until === undefined ? {} : { until: until(action).toISOString() };
  const refusal = followUpRefusal(order, action, time);
  if (refusal !== null) throw refused(refusal);
  const { card_id: cardId, owner_kind, owner_id } = insight;
  const agent = owner_kind === 'agent' ? owner_id : null;
  const operationId = await openFollowUpRun(tx, { insightId, cardId, agent }, now);
  // Where nobody hears of it now, the run that waits for its workflow is ended by it later.
  if (action.status !== 'taken') {
    await tellFollowUp(tx, insightId, now, new Date(now.getTime() + UNHEARD_AFTER_MS));
  }
  const kept =
    order === CANCEL_FOLLOW_UP && reason !== null ? { reason_id: newId('reason', now) } : null;
  if (kept !== null && reason !== null) await keepReason(tx, kept.reason_id, reason, now);
  const said = { action_id: actionId, by: followerOf(caller), ...time, ...kept };
  const ids = { workspace: tx.workspace, insight_id: insightId, operation_id: operationId };
  return { insight: ids, said: { ...said, seal: followUpSeal(deps.secretKey, ids, order, said) } };
}

/** One a request under a key, so that Temporal takes it once; without a key each is another. */
function updateIdOf(
  deps: ApiDependencies,
  request: FastifyRequest,
  { action_id, by }: FollowUpRequest,
): string {
  const key = request.headers['idempotency-key'];
  const { workspace } = request.caller.context;
  const parts = [request.url, action_id, by.kind, by.id, key ?? randomUUID()];
  return workspaceHasher(deps.secretKey, workspace).shortId('follow-up', JSON.stringify(parts));
}

/** Of an answer; null where it did what was asked. */
function refusalIn({ code }: FollowUpAnswer): FollowUpRefusal | null {
  return FOLLOW_UP_REFUSALS.find((one) => one === code) ?? null;
}

const REFUSALS: Readonly<Record<FollowUpRefusal, { status: number; detail: string }>> = {
  malformed: { status: 400, detail: 'this cannot be asked of a follow-up' },
  no_action: { status: 404, detail: 'this insight has no such action' },
  not_allowed: {
    status: 403,
    detail: 'the agent whose insight it is, or an owner, operator or reviewer asks this',
  },
  not_taken: { status: 409, detail: 'this action has not been taken: say so first' },
  already_ended: {
    status: 409,
    detail: 'it is no longer waited for; read the insight to see what came of it',
  },
  not_later: { status: 409, detail: 'it is measured later than that already' },
  direct_decisions_off: { status: 403, detail: 'the policy wants decisions through the API' },
};

function refused(refusal: FollowUpRefusal): Problem {
  const { status, detail } = REFUSALS[refusal];
  return refusal === 'no_action' ? notFound('action') : new Problem(status, refusal, detail);
}

/** As where the card is not in use: it may be over its time, or have been taken out of use just now. */
function gone(): Problem {
  return new Problem(
    409,
    'not_in_use',
    'nothing is done about an insight whose card is not in use',
  );
}

function unheard(): Problem {
  return new Problem(
    503,
    'follow_up_unheard',
    'nobody answered in time; it may have been done, and asking again is safe',
    {},
    { 'retry-after': '5' },
  );
}

/**
 * Records what somebody says that an action came to, once per `Idempotency-Key`, and with it its card.
 * @throws Problem 404, 403, 400 for a size that is none of the result, 409 where it has an outcome or was cancelled, or the insight is not in use
 */
export async function reportOutcomeOnce(
  deps: ApiDependencies,
  request: FastifyRequest,
  insightId: string,
  { action_id: actionId, result, size, note }: OutcomeBody,
): Promise<Insight> {
  const { caller } = request;
  const said = await fitRemark(deps, caller, note);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const seen = await requireInsight(tx, readerOf(caller, deps.clock), insightId);
      await requireFollowUpRight(tx, deps, caller, seen);
      requireInUse(seen);
      const reported = await reportOutcome(tx, {
        ...{ insightId, actionId, result, size: size ?? null, note: said },
        by: followerOf(caller),
        channel: caller.channel,
        now: deps.clock(),
      });
      if (reported === 'insight_gone') throw gone();
      if (reported === 'no_action' || reported === 'already_ended') throw refused(reported);
      if (size !== undefined) await requireFittingSize(tx, insightId, { result, size });
      const body = await shownInsight(tx, deps, caller, insightId);
      return { status: 200, reference: { id: insightId }, body };
    },
    rebuild: (tx) => shownInsight(tx, deps, caller, insightId),
  });
  deps.pokeOutbox();
  return answer.body as Insight;
}

async function requireFittingSize(
  tx: Tx,
  insightId: string,
  reported: { result: OutcomeResult; size: number },
): Promise<void> {
  const { insights } = await policyOf(tx);
  const baseline = (await baselinesOf(tx, [insightId])).get(insightId) ?? [];
  const refusal = sizeRefusal(reported, baseline, insights.min_change);
  if (refusal !== null) throw badRequest(`size: ${refusal}`, '/size');
}
