/**
 * Insight: somebody acts on what was found, and when the window of that action is over its numbers are looked at.
 *
 * Id: `insight/<workspace>/<id>`, one for all actions of an insight. Started by the outbox, with Signal `changed`, when
 * an action is taken; by an Update on one that has ended; again by the sweep where it was terminated or lost, and then
 * it goes on where the rows stand.
 * States: looks at its rows → waits until the first window is over, or for somebody → measured (improved, unchanged or
 * worse, with its card) or unmeasured, in one transaction each → waits for the next.
 * May arrive, at any time: Updates `measure_now`, `extend` and `cancel`, which answer, and are taken in order, one at a
 * time; who asks is looked at where it is applied. Signal `changed`: an action was taken, or an outcome reported.
 * Query `state`.
 * Ends: completed with its record, once no action waits and nobody waits for an answer.
 *
 * About 30 events for one action, 12 more for each further one, 11 for each Update. It continues as new when the server
 * suggests it, which takes hundreds of them.
 */
import {
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  setHandler,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  CANCEL_FOLLOW_UP,
  EXTEND,
  type FollowUpAnswer,
  type FollowUpRequest,
  INSIGHT_CHANGED_SIGNAL,
  type InsightInput,
  type InsightResult,
  MEASURE_NOW,
} from '../contracts/insight';
import type { FollowedAction, FollowUpOrder, FollowUpState } from '../contracts/insight-messages';
import { STATE_QUERY } from '../contracts/proposal-messages';
import { followUpIn, followUpRefusal } from '../domain/insights/follow-up';
import { following } from './insight-activities';
import { movesOn } from './versioning';
import { untilTime, workflowTime } from './workflow-time';

export const changed = defineSignal(INSIGHT_CHANGED_SIGNAL);
export const state = defineQuery<InsightResult>(STATE_QUERY);
const orders = [MEASURE_NOW, EXTEND, CANCEL_FOLLOW_UP] as const satisfies FollowUpOrder[];

setWorkflowOptions(movesOn, insight);

export async function insight(input: InsightInput): Promise<InsightResult> {
  const { workspace, insight_id, operation_id } = input;
  const key: InsightInput = { workspace, insight_id, operation_id };
  const desk = new Desk(insight_id);
  for (const order of orders) {
    setHandler(
      defineUpdate<FollowUpAnswer, [FollowUpRequest]>(order),
      (request) => desk.answer(order, request),
      { validator: (request) => desk.check(order, request) },
    );
  }
  setHandler(changed, () => desk.stir());
  setHandler(state, () => desk.record());

  do {
    desk.isStirred = false;
    desk.stands(await following.lookAtInsight({ ...key, at: workflowTime() }));
    await waited(key, desk);
    if (workflowInfo().continueAsNewSuggested && (await desk.isIdle())) {
      await continueAsNew<typeof insight>(key);
    }
  } while (desk.isStirred || desk.hasWork || !(await ended(key, desk)));
  return desk.record();
}

/** Does what is asked, and waits, until no action waits, or there is something new in the rows, or the history is long. */
async function waited(key: InsightInput, desk: Desk): Promise<void> {
  for (;;) {
    const heard = desk.next();
    if (heard !== null) {
      const { order, request } = heard;
      const step = { ...key, order, request, at: workflowTime() };
      const { answer, now } = await following.orderFollowUp(step);
      desk.stands(now);
      heard.answer = answer;
      continue;
    }
    const { first } = desk;
    if (first === null || desk.isStirred || workflowInfo().continueAsNewSuggested) return;
    if (await condition(() => desk.isStirred || desk.hasWork, untilTime(first.measure_at)))
      continue;
    const { action_id } = first;
    desk.stands(await following.measureAction({ ...key, action_id, at: workflowTime() }));
  }
}

/** Writes the record; false where there is more to do after all. */
async function ended(key: InsightInput, desk: Desk): Promise<boolean> {
  const result = desk.record();
  if (!(await following.endInsight({ ...key, result, at: workflowTime() }))) return false;
  const { card_id, actions } = result;
  upsertMemo({ card_id, actions });
  // Nobody is left without an answer.
  return await desk.isIdle();
}

interface Heard {
  order: FollowUpOrder;
  request: FollowUpRequest;
  answer: FollowUpAnswer | null;
}

/** Where Updates lie until their turn, and what is known of the actions meanwhile. */
class Desk {
  isStirred = false;
  private readonly waiting: Heard[] = [];
  private current: FollowUpState = { card_id: null, actions: [] };

  constructor(private readonly insightId: string) {}

  get hasWork(): boolean {
    return this.waiting.length > 0;
  }

  /** The action whose window is over first; null where none waits. */
  get first(): FollowedAction | null {
    const waiting = this.current.actions.filter(({ status }) => status === 'taken');
    return waiting.reduce<FollowedAction | null>(
      (first, one) =>
        first === null || Date.parse(one.measure_at) < Date.parse(first.measure_at) ? one : first,
      null,
    );
  }

  /** Waits until everybody has an answer; false where there is something to do meanwhile. */
  async isIdle(): Promise<boolean> {
    const isAsked = () => this.hasWork || this.isStirred;
    await condition(() => isAsked() || allHandlersFinished());
    return !isAsked();
  }

  stands(current: FollowUpState): void {
    this.current = current;
  }

  stir(): void {
    this.isStirred = true;
  }

  /** Synchronous: what is refused here leaves no event. What was taken a moment ago is not known here yet. */
  check(order: FollowUpOrder, said: FollowUpRequest): void {
    const request = followUpIn(order, said);
    const known = this.current.actions.find(({ action_id }) => action_id === request?.action_id);
    const refusal =
      request === null ? 'malformed' : known ? followUpRefusal(order, known, request) : null;
    if (refusal !== null) throw ApplicationFailure.nonRetryable(refusal, refusal);
  }

  async answer(order: FollowUpOrder, said: FollowUpRequest): Promise<FollowUpAnswer> {
    const request = followUpIn(order, said) ?? said;
    const heard: Heard = { order, request, answer: null };
    this.waiting.push(heard);
    await condition(() => heard.answer !== null);
    return heard.answer as FollowUpAnswer;
  }

  next(): Heard | null {
    return this.waiting.shift() ?? null;
  }

  record(): InsightResult {
    const actions = this.current.actions.map(({ measure_at: _, ...action }) => action);
    return { insight_id: this.insightId, card_id: this.current.card_id, actions };
  }
}
