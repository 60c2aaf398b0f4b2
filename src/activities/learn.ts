import type { EndedTask, FiledSkill, LearnResult, Reflected } from '../contracts/learning';
import type { LearnInput } from '../contracts/passes';
import { comparedText, nearestSkill } from '../domain/learning/nearest-skill';
import { reflectionOf } from '../domain/learning/reflection-of-failure';
import { hasFailed } from '../domain/learning/task-step';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import { fileLearned } from '../store/card-writes-learned';
import { fileReflection } from '../store/card-writes-sentence';
import { readByEnding, readEnding } from '../store/filing-task-trace';
import {
  keepLearned,
  keepReflection,
  type LearnedDraft,
  readLearned,
} from '../store/learned-drafts';
import type { LearnedFiling } from '../store/learned-world';
import { beginLearning, endLearning, filedBefore, reflectedBefore } from '../store/learning-runs';
import { addFailureCases } from '../store/skill-failures';
import { type ScopeSkill, skillsOfScope } from '../store/skills-of-scope';
import type { WordingDependencies } from './dependencies';
import { executionOf } from './execution';
import { cardsOf, endedTask, learnedByRule, traceOf } from './learn-task';

type Key = LearnInput;

export interface LearnActivities {
  /** Opens the run of this ending and reads its task: counts and codes. */
  readTask(input: Key): Promise<EndedTask>;
  /** Leaves the rules' skill of the task; null where the task is there no more. */
  draftSkill(input: Key & { novelty: number }): Promise<{ drafted: boolean }>;
  /** Compares, tests, asks the gate and files what was drafted, once. */
  fileSkill(input: Key): Promise<FiledSkill>;
  /** Leaves the rules' sentence for the card of a task that failed. */
  draftReflection(input: Key): Promise<{ drafted: boolean }>;
  fileReflection(input: Key): Promise<Reflected>;
  /** Makes calls that failed tests of the skills that were in the prompt. */
  noteFailures(input: Key): Promise<{ cases: number }>;
  endLearning(input: Key & { result: LearnResult; calls: number; tokens: number }): Promise<void>;
}

/** Of the comparison with a hundred skills; without vectors it goes by steps. */
const EMBEDDING_DEADLINE_MS = 5_000;

export function createLearnActivities(deps: WordingDependencies): LearnActivities {
  const { database, clock, embedder } = deps;
  return {
    readTask: ({ workspace, operation_id, event_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        await beginLearning(tx, { operationId: operation_id, ...executionOf() }, clock());
        return await endedTask(tx, event_id, { now: clock(), hasModel: deps.hasModel });
      }),

    draftSkill: ({ workspace, operation_id, event_id, novelty: score }) =>
      database.inWorkspace(workspace, async (tx) => {
        const trace = await traceOf(tx, event_id, clock());
        const draft = trace === null ? null : learnedByRule(trace, score);
        if (draft !== null) await keepLearned(tx, operation_id, draft, clock());
        return { drafted: draft !== null };
      }),

    fileSkill: async ({ workspace, operation_id }) => {
      const compared = await database.inWorkspace(workspace, async (tx) => {
        const draft = await readLearned(tx, operation_id);
        return draft === null ? null : { draft, known: await skillsOfScope(tx, draft.scope) };
      });
      const nearest = compared === null ? null : await mostAlike(embedder, compared);
      return await database.inWorkspace(workspace, async (tx) => {
        const before = await filedBefore(tx, operation_id);
        if (before !== null) return before;
        return await fileLearned(tx, {
          operationId: operation_id,
          ...executionOf(),
          now: clock(),
          makesVectors: makesVectors(embedder),
          nearest,
          approved: false,
        });
      });
    },

    draftReflection: ({ workspace, operation_id, event_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const trace = await traceOf(tx, event_id, clock());
        const reflection = trace === null ? null : reflectionOf(readByEnding(trace));
        if (trace === null || reflection === null) return { drafted: false };
        const { version } = trace.ending;
        const words = { distilled_by: 'fallback', model: null, prompt_version: null } as const;
        const draft = { reflection, version, sources: cardsOf(trace), words };
        await keepReflection(tx, operation_id, draft, clock());
        return { drafted: true };
      }),

    fileReflection: ({ workspace, operation_id, event_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const before = await reflectedBefore(tx, operation_id);
        const ending = await readEnding(tx, event_id);
        if (before !== null || ending === null) return before ?? 'card_moved';
        return await fileReflection(tx, {
          operationId: operation_id,
          cardId: ending.card_id,
          workflowId: executionOf().workflowId,
          now: clock(),
          makesVectors: makesVectors(embedder),
        });
      }),

    noteFailures: ({ workspace, event_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const trace = await traceOf(tx, event_id, clock());
        let cases = 0;
        for (const step of trace?.steps.filter(hasFailed) ?? []) {
          if (trace === null || step.event_id === null || step.agent === null) continue;
          const { service, operation, error_family, error_signature } = step;
          const failure = { service, operation, error_family, error_signature };
          const made = await addFailureCases(
            tx,
            {
              ...failure,
              eventId: step.event_id,
              cardId: step.card_id,
              agent: step.agent,
              session: trace.ending.session,
              occurredAt: new Date(step.at),
            },
            clock(),
          );
          cases += made.length;
        }
        return { cases };
      }),

    endLearning: ({ workspace, operation_id, result, calls, tokens }) =>
      database.inWorkspace(workspace, (tx) =>
        endLearning(tx, operation_id, { result, calls, tokens }, clock()),
      ),
  };
}

/** By vectors where the embedder gives them in time, else by steps. */
async function mostAlike(
  embedder: Embedder,
  { draft, known }: { draft: LearnedDraft; known: readonly ScopeSkill[] },
): Promise<LearnedFiling['nearest']> {
  if (known.length === 0) return null;
  const texts = [draft.skill, ...known].map(comparedText);
  const vectors = await embedAll(embedder, texts);
  const found = nearestSkill(draft.skill, known, vectors);
  if (found === null) return null;
  const { skill, similarity } = found;
  return { card_id: skill.card_id, version: skill.version, similarity };
}

async function embedAll(embedder: Embedder, texts: string[]): Promise<Float32Array[] | null> {
  if (!makesVectors(embedder)) return null;
  try {
    const vectors = await embedder.embed(texts, AbortSignal.timeout(EMBEDDING_DEADLINE_MS));
    return vectors.length === texts.length ? vectors : null;
  } catch {
    return null;
  }
}
