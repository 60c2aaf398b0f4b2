import type { Clock } from '../contracts/clock';
import type { ModelSpent, ScoredTask } from '../contracts/learning';
import type { LearnInput } from '../contracts/passes';
import { looksLikeInstruction } from '../domain/distill/instruction-like';
import { groundedSkill } from '../domain/learning/learned-skill';
import { oneSentence } from '../domain/learning/reflection-of-failure';
import { goalOf, workOf } from '../domain/learning/skill-of-task';
import { callOf, hasFailed, type TaskStep } from '../domain/learning/task-step';
import type { FailureReflector } from '../models/failure-reflector';
import type { SkillWords, SkillWriter } from '../models/skill-writer';
import type { ToldStep } from '../models/trace';
import type { ModelUsage } from '../models/usage';
import type { Database } from '../store/database';
import { readByEnding, type TaskTrace } from '../store/filing-task-trace';
import { keepLearned, keepReflection } from '../store/learned-drafts';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import { namesOfScope } from '../store/skills-of-scope';
import { permanent } from './failure';
import { cardsOf, learnedByRule, traceOf } from './learn-task';
import { askModel, redactorOf } from './model-calls';

export interface LearnModelDependencies {
  database: Database;
  clock: Clock;
  /** Null where no model is configured: then the rules stand in. */
  skillWriter: SkillWriter | null;
  failureReflector: FailureReflector | null;
  /** Keys the tokens of a workspace, the same as at intake. */
  secretKey: string;
}

/** Each fails with a code of `src/contracts/failures.ts`; `event_missing` where the task is there no more. */
export interface LearnModelActivities {
  scoreTask(input: LearnInput): Promise<ScoredTask>;
  /** Leaves the model's skill, redacted and held to what happened. */
  writeSkill(input: LearnInput & { novelty: number }): Promise<ModelSpent>;
  /** Leaves the model's sentence; where it has nothing fit to be kept it leaves none. */
  reflectOnTask(input: LearnInput): Promise<ModelSpent & { drafted: boolean }>;
}

const ERROR_LIMIT = 160;

/** No transaction is open while the model is asked. */
export function createLearnModelActivities(deps: LearnModelDependencies): LearnModelActivities {
  const { database, clock, skillWriter, failureReflector } = deps;

  const read = async ({ workspace, event_id }: LearnInput) => {
    const work = await database.inWorkspace(workspace, async (tx) => {
      const trace = await traceOf(tx, event_id, clock());
      const settings = await readSettings(tx);
      if (trace === null || settings === null) return null;
      const [first] = trace.sources;
      const known = first === undefined ? [] : [...(await namesOfScope(tx, first.scope))];
      return { trace, settings, known };
    });
    if (work === null) throw permanent('event_missing');
    return work;
  };

  return {
    scoreTask: async (input) => {
      if (skillWriter === null) throw permanent('model_not_configured');
      const { trace, known } = await read(input);
      const scored = await askModel((signal) =>
        skillWriter.score(shownSteps(trace.steps), known, signal),
      );
      const { novelty, reason_code: why = null, usage } = scored;
      return { novelty, why, ...spent(usage) };
    },

    writeSkill: async (input) => {
      if (skillWriter === null) throw permanent('model_not_configured');
      const { trace, settings } = await read(input);
      const byRule = learnedByRule(trace, input.novelty);
      if (byRule === null) throw permanent('event_missing');
      const said = await askModel((signal) => skillWriter.write(shownSteps(trace.steps), signal));
      const { worded, sensitive } = redactedSkill(
        said,
        redactorOf(deps.secretKey, input.workspace, settings),
      );
      const skill = groundedSkill(worded, byRule.skill, trace.steps, byRule.cases);
      const words = {
        distilled_by: 'model',
        model: skillWriter.model,
        prompt_version: skillWriter.promptVersion,
      } as const;
      await database.inWorkspace(input.workspace, (tx) =>
        keepLearned(tx, input.operation_id, { ...byRule, skill, words, sensitive }, clock()),
      );
      return spent(said.usage);
    },

    reflectOnTask: async (input) => {
      if (failureReflector === null) throw permanent('model_not_configured');
      const { trace, settings } = await read(input);
      const { ending } = trace;
      const steps = readByEnding(trace);
      const said = await askModel((signal) =>
        failureReflector.reflect(
          {
            // A call tells only of itself: what the task was, its calls tell.
            goal: ending.tells === 'step' ? workOf(steps) : goalOf(ending.summary),
            status: ending.outcome === 'blocked' ? 'blocked' : 'failed',
            trace: shownSteps(steps),
          },
          signal,
        ),
      );
      const reflection = fitSentence(said.reflection, input.workspace, settings);
      if (reflection !== null) await keepSentence(input, trace, reflection);
      return { ...spent(said.usage), drafted: reflection !== null };
    },
  };

  function fitSentence(
    said: string,
    workspace: string,
    settings: WorkspaceSettings,
  ): string | null {
    const sentence = oneSentence(redactorOf(deps.secretKey, workspace, settings)(said));
    return sentence === '' || looksLikeInstruction(sentence, 'told') ? null : sentence;
  }

  async function keepSentence(
    { workspace, operation_id }: LearnInput,
    trace: TaskTrace,
    reflection: string,
  ): Promise<void> {
    const { version } = trace.ending;
    const words = {
      distilled_by: 'model',
      model: failureReflector?.model ?? null,
      prompt_version: failureReflector?.promptVersion ?? null,
    } as const;
    await database.inWorkspace(workspace, (tx) =>
      keepReflection(
        tx,
        operation_id,
        { reflection, version, sources: cardsOf(trace), words },
        clock(),
      ),
    );
  }
}

function shownSteps(steps: readonly TaskStep[]): ToldStep[] {
  return steps.map((step, at) => {
    const { service, operation, outcome, summary, error_family, error_signature } = step;
    const error = error_signature ?? error_family;
    return {
      ...{ n: at + 1, service, operation, outcome, summary },
      ...(error === null || !hasFailed(step)
        ? {}
        : { error: `${callOf(step)}: ${error}`.slice(0, ERROR_LIMIT) }),
    };
  });
}

function spent({ calls, tokens_in, tokens_out }: ModelUsage): ModelSpent {
  return { calls, tokens: tokens_in + tokens_out };
}

/** The model may have put together again what redaction had taken apart: that makes the skill a sensitive one. */
function redactedSkill(
  said: SkillWords & { description: string },
  redacted: (text: string) => string,
) {
  let sensitive = false;
  const clean = (text: string): string => {
    const without = redacted(text);
    sensitive ||= without !== text;
    return without;
  };
  const { name, description, purpose, preconditions, steps, failure_handling, causes } = said;
  const worded = {
    name: clean(name),
    description: clean(description),
    document: {
      purpose: clean(purpose),
      preconditions: preconditions.map(clean),
      steps: steps.map((step) => ({ ...step, text: clean(step.text) })),
      failure_handling: failure_handling.map(({ when, then, source }) => ({
        when: clean(when),
        then: clean(then),
        source,
      })),
      causes: causes.map(clean),
    },
  };
  return { worded, sensitive };
}
