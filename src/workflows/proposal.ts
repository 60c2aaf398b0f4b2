/**
 * Proposal: something waits for a person until it is decided, or until its time is over.
 *
 * Id: `proposal/<workspace>/<id>`. Started by the outbox, together with the row it is about; started again
 * by the sweep where it was terminated or lost, and then it goes on where the row stands.
 * States: open (reminders at their times) → decided by Update `decide`, which answers, or by Signal `decide`,
 * which does not, or expired → applied in one transaction after the right, the version and the world were
 * looked at again. An approved fix of a configuration waits for its runtime (Signal `fix_applied`) and is then
 * watched (Signal `fix_watched`): proven, or reopened as the next version, which is open again, or lapsed.
 * May arrive: decisions at any time. They are taken in order, one at a time; a later one is refused, and
 * recorded as refused. Query `state`.
 * Ends: completed with its record, once nobody waits for an answer any more.
 *
 * About 15 events for one that is approved, 6 more for each reminder and each refused decision. It continues
 * as new when the server suggests it, which takes hundreds of them.
 */
import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  defineQuery,
  defineSignal,
  defineUpdate,
  isCancellation,
  log,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { DECIDABLE_STATUSES } from '../contracts/proposal';
import {
  DECIDE,
  type DecideAnswer,
  type DecideRequest,
  type DecisionOutcome,
  type DecisionTaken,
  FIX_APPLIED_SIGNAL,
  FIX_WATCHED_SIGNAL,
  type ProposalInput,
  type ProposalResult,
  type ProposalRound,
  STATE_QUERY,
} from '../contracts/proposal-messages';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes';
import { decisionIn, refusalOf } from '../domain/proposal';
import { deciding, drafting } from './proposal-activities';
import { keyword } from './search-attribute-keys';
import { movesOn } from './versioning';
import { untilTime, workflowTime } from './workflow-time';

export const decide = defineUpdate<DecideAnswer, [DecideRequest]>(DECIDE);
export const decideBySignal = defineSignal<[DecideRequest]>(DECIDE);
export const fixApplied = defineSignal(FIX_APPLIED_SIGNAL);
export const fixWatched = defineSignal(FIX_WATCHED_SIGNAL);
export const state = defineQuery<ProposalResult>(STATE_QUERY);

/** What a run hands on to its next; what is handed on beside the input is counted already. */
export interface ProposalRun extends ProposalInput {
  done?: Pick<ProposalResult, 'reminders' | 'decisions' | 'channel'>;
}

setWorkflowOptions(movesOn, proposal);

export async function proposal(input: ProposalRun): Promise<ProposalResult> {
  const { workspace, proposal_id } = input;
  const key: ProposalInput = { workspace, proposal_id };
  const desk = new Desk(input);
  setHandler(decide, (request) => desk.answer(request), {
    validator: (request) => desk.check(request),
  });
  setHandler(decideBySignal, (request) => desk.hear(request));
  setHandler(fixApplied, () => desk.stir());
  setHandler(fixWatched, () => desk.stir());
  setHandler(state, () => desk.record());

  const begun = await deciding.beginProposal({ ...key, at: workflowTime() });
  desk.stands(begun);
  if (begun.asks_model) desk.stands(await drafted(key, begun));
  let fixId = begun.fix_id;
  while (fixId !== null || isOpen(desk.round)) {
    if (fixId === null) fixId = await decidedOrExpired(key, desk);
    else desk.stands(await watched(key, fixId, desk));
    if (!desk.isFixPending) fixId = null;
    if (workflowInfo().continueAsNewSuggested && (await desk.isIdle())) {
      await continueAsNew<typeof proposal>({ ...key, done: desk.tally });
    }
  }
  // Nobody is left without an answer.
  while (!(await desk.isIdle())) await refuseRest(key, desk);
  return desk.record();
}

/** @returns the fix that is to be watched now; null where it is over, or open still. */
async function decidedOrExpired(key: ProposalInput, desk: Desk): Promise<string | null> {
  const heard = await nextDecision(key, desk);
  if (heard === null) {
    desk.closes();
    desk.stands(
      await deciding.expireProposal({ ...key, version: desk.round.version, at: workflowTime() }),
    );
    return null;
  }
  const outcome = await taken(key, heard, desk);
  return outcome.outcome === 'taken' ? outcome.fix_id : null;
}

/** Waits for a decision, reminding of itself; null where the time is over and none was heard of. */
async function nextDecision(key: ProposalInput, desk: Desk): Promise<Heard | null> {
  const { round } = desk;
  for (const reminder of round.reminders) {
    if (await condition(() => desk.hasWork, untilTime(reminder))) return desk.next();
    const { version } = round;
    const { sent } = await deciding.remindProposal({
      ...key,
      version,
      due: reminder,
      at: workflowTime(),
    });
    if (sent) desk.tally.reminders += 1;
  }
  await condition(() => desk.hasWork, untilTime(round.expires_at));
  return desk.next();
}

async function taken(key: ProposalInput, heard: Heard, desk: Desk): Promise<DecisionOutcome> {
  const { id: decision_id, request, at: heard_at } = heard;
  const outcome = await deciding.decideProposal({ ...key, decision_id, request, heard_at });
  desk.settles(heard, outcome);
  return outcome;
}

/** A fix waits for its runtime, and then for what its step does. */
async function watched(key: ProposalInput, fixId: string, desk: Desk): Promise<ProposalRound> {
  const step = { ...key, fix_id: fixId };
  for (;;) {
    desk.isStirred = false;
    const fix = await deciding.watchFix({ ...step, at: workflowTime() });
    if (fix.status !== 'approved' && fix.status !== 'applied') return fix;
    desk.stands(fix);
    const moved = await condition(() => desk.isStirred || desk.hasWork, untilTime(fix.lapses_at));
    await refuseRest(key, desk);
    if (workflowInfo().continueAsNewSuggested) return fix;
    if (!moved) return await deciding.lapseFix({ ...step, at: workflowTime() });
  }
}

/** What is heard of too late is recorded as refused. */
async function refuseRest(key: ProposalInput, desk: Desk): Promise<void> {
  for (let heard = desk.next(); heard !== null; heard = desk.next()) await taken(key, heard, desk);
}

/** The model's words for a fix, or else those of the template, which stand already. */
async function drafted(key: ProposalInput, begun: ProposalRound): Promise<ProposalRound> {
  try {
    await drafting.draftFix({ ...key, version: begun.version });
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    log.warn('the model drafted no fix in its tries; the template stands');
  }
  return await deciding.openProposal({ ...key, at: workflowTime() });
}

interface Heard {
  id: string;
  /** Null where what came is no decision. */
  request: DecideRequest | null;
  at: string;
  outcome: DecisionOutcome | null;
}

/** Where decisions lie until their turn, and what is known of the proposal meanwhile. */
class Desk {
  isStirred = false;
  readonly tally: Pick<ProposalResult, 'reminders' | 'decisions' | 'channel'>;
  private readonly waiting: Heard[] = [];
  private current: ProposalRound | null = null;
  private isClosing = false;
  private signals = 0;

  constructor(private readonly input: ProposalRun) {
    this.tally = input.done ?? {
      reminders: 0,
      decisions: { taken: 0, refused: 0 },
      channel: null,
    };
  }

  /** @throws where it has not begun. */
  get round(): ProposalRound {
    if (this.current === null) throw ApplicationFailure.nonRetryable('nothing has begun');
    return this.current;
  }

  get hasWork(): boolean {
    return this.waiting.length > 0;
  }

  /** Waits until everybody has an answer; false where somebody decides meanwhile. */
  async isIdle(): Promise<boolean> {
    await condition(() => this.hasWork || allHandlersFinished());
    return !this.hasWork;
  }

  get isFixPending(): boolean {
    return this.round.status === 'approved' || this.round.status === 'applied';
  }

  stands(round: ProposalRound): void {
    const { type, status, version, expires_at, reminders } = round;
    const changed = this.current?.status !== status;
    this.current = { type, status, version, expires_at, reminders };
    this.isClosing = false;
    if (!changed) return;
    upsertSearchAttributes([
      { key: keyword(SEARCH_ATTRIBUTES.proposal), value: type },
      { key: keyword(SEARCH_ATTRIBUTES.proposalStatus), value: status },
    ]);
  }

  closes(): void {
    this.isClosing = true;
  }

  stir(): void {
    this.isStirred = true;
  }

  /** Synchronous: what is refused here leaves no event. */
  check(request: DecideRequest): void {
    const standing = this.isClosing ? { status: 'expired', version: 0 } : this.current;
    // Before it has begun only what is no decision at all is known to be none.
    const refusal = refusalOf(standing ?? { status: 'open', version: request?.version }, request);
    if (refusal !== null) throw ApplicationFailure.nonRetryable(refusal, refusal);
  }

  async answer(request: DecideRequest): Promise<DecideAnswer> {
    const heard = this.put(currentUpdateInfo()?.id ?? this.ownId(), request);
    await condition(() => heard.outcome !== null);
    const outcome = heard.outcome as DecisionOutcome;
    if (outcome.outcome === 'refused') {
      throw ApplicationFailure.nonRetryable(outcome.refusal, outcome.refusal);
    }
    return { status: outcome.status, version: outcome.version };
  }

  hear(request: DecideRequest): void {
    this.put(this.ownId(), request);
  }

  next(): Heard | null {
    return this.waiting.shift() ?? null;
  }

  settles(heard: Heard, outcome: DecisionOutcome): void {
    this.tally.decisions[outcome.outcome] += 1;
    if (outcome.outcome === 'taken') this.tally.channel = (outcome as DecisionTaken).channel;
    this.stands(outcome);
    heard.outcome = outcome;
  }

  record(): ProposalResult {
    return {
      proposal_id: this.input.proposal_id,
      type: this.round.type,
      status: this.round.status,
      version: this.round.version,
      ...this.tally,
    };
  }

  private put(id: string, request: DecideRequest): Heard {
    const heard: Heard = { id, request: decisionIn(request), at: workflowTime(), outcome: null };
    this.waiting.push(heard);
    return heard;
  }

  /** Of a signal, which brings none of its own. */
  private ownId(): string {
    this.signals += 1;
    return `${workflowInfo().runId}/${this.signals}`;
  }
}

function isOpen(round: ProposalRound): boolean {
  return DECIDABLE_STATUSES.some((status) => status === round.status);
}
