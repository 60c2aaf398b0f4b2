/**
 * Learn: a task has ended, and what it taught becomes a skill; of one that failed, a sentence.
 *
 * Id: `learn/<workspace>/<task>`, one a task. Started by the outbox with the card of the event that ended the task,
 * together with Signal `task_ended`, so that a loop which runs hears of a further ending of its task.
 * States of each ending: waits for what settles around it → read and scored → a skill is drafted, compared, tested,
 * put to the gate and filed; or the card of its last event gets its sentence. What a model misses the rules do.
 * May arrive: Signal `task_ended` at any time; endings are looked at one after the other, each once, each with a run
 * of its own in `runs`.
 * Ends: completed, once nothing waits; its result is the record of the last ending.
 *
 * About 15 events an ending that teaches nothing, 25 by the rules, 40 with a model. It continues as new when the
 * server suggests it.
 */
import {
  ActivityFailure,
  CancellationScope,
  continueAsNew,
  defineSignal,
  isCancellation,
  log,
  setHandler,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import {
  type EndedTask,
  type FiledSkill,
  type LearnRecord,
  type LearnResult,
  type LearnRun,
  TASK_ENDED_SIGNAL,
} from '../contracts/learning';
import type { LearnInput, RunEnd } from '../contracts/passes';
import { failureTypeOf } from './failure-type';
import { asking, learning } from './learn-activities';
import { passes } from './pass-activities';
import { movesOn } from './versioning';

export const taskEnded = defineSignal<[LearnInput]>(TASK_ENDED_SIGNAL);

/** What belongs to a task settles before and after the event that ends it. */
const SETTLING = '30s';
/** A draft whose sources somebody changed meanwhile is made again from what they say now. */
const DRAFTS = 3;

setWorkflowOptions(movesOn, learn);

export async function learn(input: LearnRun): Promise<LearnRecord> {
  const { waiting = [], done = 0, ...first } = input;
  const queue: LearnInput[] = [];
  const seen = new Set<string>();
  const hear = (ending: LearnInput) => {
    if (seen.has(ending.event_id)) return;
    seen.add(ending.event_id);
    queue.push(ending);
  };
  setHandler(taskEnded, hear);
  for (const ending of [first, ...waiting]) hear(ending);

  const record: LearnRecord = { endings: done, last: null };
  for (let ending = queue.shift(); ending !== undefined; ending = queue.shift()) {
    await sleep(SETTLING);
    record.last = await lookAt(ending);
    record.endings += 1;
    const [next, ...others] = queue;
    if (next !== undefined && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof learn>({ ...next, waiting: others, done: record.endings });
    }
  }
  upsertMemo({ run_id: workflowInfo().runId, endings: record.endings, ...record.last });
  return record;
}

async function lookAt(ending: LearnInput): Promise<LearnResult> {
  try {
    const task = await learning.readTask(ending);
    const story = new Story(ending.event_id, task);
    if (task.card_id !== null) {
      if (task.reason === 'task_failed') await reflect(ending, task, story);
      if (task.failures > 0) await noteFailures(ending, story);
      if (task.novelty !== null) await teach(ending, task, story);
    }
    const { result, calls, tokens } = story;
    await learning.endLearning({ ...ending, result, calls, tokens });
    return result;
  } catch (error) {
    const { workspace, operation_id } = ending;
    await CancellationScope.nonCancellable(() =>
      passes.endPass({ workspace, operation_id, end: endOf(error) }),
    );
    throw error;
  }
}

function endOf(error: unknown): RunEnd['end'] {
  if (isCancellation(error)) return { state: 'cancelled', counts: {} };
  return { state: 'failed', error: failureTypeOf(error) ?? 'internal_error', counts: {} };
}

async function noteFailures(ending: LearnInput, story: Story): Promise<void> {
  const { cases } = await learning.noteFailures(ending);
  story.result.failure_cases = cases;
}

/** One sentence for the card of a task that failed. */
async function reflect(ending: LearnInput, task: EndedTask, story: Story): Promise<void> {
  const { result } = story;
  const said = task.asks_model
    ? await story.asked('reflection', () => asking.reflectOnTask(ending))
    : null;
  const byModel = said?.drafted === true;
  const drafted = byModel || (await learning.draftReflection(ending)).drafted;
  result.reflected = drafted ? await learning.fileReflection(ending) : 'nothing_to_add';
  if (drafted) result.reflected_by = byModel ? 'model' : 'fallback';
}

async function teach(ending: LearnInput, task: EndedTask, story: Story): Promise<void> {
  const { result } = story;
  const scored = task.asks_model
    ? await story.asked('score', () => asking.scoreTask(ending))
    : null;
  const novelty = scored?.novelty ?? task.novelty ?? 0;
  result.novelty = novelty;
  result.scored_by = scored === null ? 'fallback' : 'model';
  result.reason = scored?.why ?? null;
  result.learned = 'known';
  if (novelty < task.least_novelty) return;
  story.files(await drafted({ ...ending, novelty }, task, story));
}

/** Drafts and files; again where what it was drafted from moved on meanwhile. */
async function drafted(
  draft: LearnInput & { novelty: number },
  task: EndedTask,
  story: Story,
): Promise<FiledSkill> {
  const { workspace, operation_id, event_id } = draft;
  const ending: LearnInput = { workspace, operation_id, event_id };
  for (let tries = 1; ; tries += 1) {
    const written = task.asks_model
      ? await story.asked('skill', () => asking.writeSkill(draft))
      : null;
    if (written === null) await learning.draftSkill(draft);
    story.result.written_by = written === null ? 'fallback' : 'model';
    const filed = await learning.fileSkill(ending);
    if (filed.learned !== 'moved' || tries === DRAFTS) return filed;
    log.warn('what a skill was drafted from moved on; drafting it anew', { tries });
  }
}

/** What is known of one ending, and what it cost. */
class Story {
  readonly result: LearnResult;
  calls = 0;
  tokens = 0;

  constructor(eventId: string, task: EndedTask) {
    this.result = {
      status: 'completed',
      event_id: eventId,
      outcome: task.outcome,
      learned: task.card_id === null ? 'not_looked_at' : 'trivial',
      reason: task.reason,
      novelty: null,
      scored_by: null,
      written_by: null,
      skill_card: null,
      skill_version: null,
      similarity: null,
      proposal_id: null,
      reflected: null,
      reflected_by: null,
      failure_cases: 0,
      model_failure: null,
    };
  }

  /** Asks the model; null where it gave nothing in its tries, and then the rules have the word. */
  async asked<Answer extends { calls: number; tokens: number }>(
    what: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer | null> {
    // Who missed one answer misses the next: one that is away is asked once a task.
    if (this.result.model_failure !== null) return null;
    try {
      const answer = await ask();
      this.calls += answer.calls;
      this.tokens += answer.tokens;
      return answer;
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      this.result.model_failure = failureTypeOf(error) ?? 'model_timeout';
      log.warn('the model gave no answer in its tries; the rules stand in', { what });
      return null;
    }
  }

  files(filed: FiledSkill): void {
    const { learned, card_id, version, similarity, reason, proposal_id } = filed;
    Object.assign(this.result, {
      learned,
      skill_card: card_id,
      skill_version: version,
      similarity,
      reason: reason ?? this.result.reason,
      proposal_id,
      status: learned === 'moved' ? 'partial' : 'completed',
    } satisfies Partial<LearnResult>);
  }
}
