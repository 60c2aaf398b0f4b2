import type { EndedTask } from '../contracts/learning';
import { casesOf } from '../domain/learning/learned-skill';
import { novelty, sequenceOf, triviality } from '../domain/learning/novelty';
import { readersOf } from '../domain/learning/same-readers';
import { skillOfTask } from '../domain/learning/skill-of-task';
import { hasFailed } from '../domain/learning/task-step';
import type { Tx } from '../store/database';
import type { ReadSource } from '../store/filing-as-read';
import { scopesSwitchedOn } from '../store/filing-scopes';
import {
  readEarlierTasks,
  readEnding,
  readTrace,
  type TaskTrace,
} from '../store/filing-task-trace';
import type { LearnedDraft, Words } from '../store/learned-drafts';
import { readSettings } from '../store/settings';

/** The task that an event ended; null where it has no card any more. */
export async function traceOf(tx: Tx, eventId: string, now: Date): Promise<TaskTrace | null> {
  const ending = await readEnding(tx, eventId);
  return ending === null ? null : await readTrace(tx, ending, now);
}

/** All that a task was told by, with the card of the event that ended it, as they were read. */
export function cardsOf({ ending, steps, sources }: TaskTrace): ReadSource[] {
  const told = [...steps, ...sources.map((card) => ({ ...card, card_id: card.id })), ending];
  const versions = new Map(told.map(({ card_id, version }) => [card_id, version]));
  return [...versions].map(([id, version]) => ({ id, version })).sort(byId);
}

function byId(one: ReadSource, other: ReadSource): number {
  return one.id < other.id ? -1 : 1;
}

/** Whether a task is to be learned from, and how novel it is by the rarity of its steps. */
export async function endedTask(
  tx: Tx,
  eventId: string,
  { now, hasModel }: { now: Date; hasModel: boolean },
): Promise<EndedTask> {
  const settings = await readSettings(tx);
  const least = settings?.policy.learning.novelty ?? 0;
  const left = (reason: EndedTask['reason']): EndedTask => ({
    ...{ card_id: null, outcome: null, steps: 0, failures: 0, reason, novelty: null },
    ...{ least_novelty: least, asks_model: hasModel },
  });
  if (settings === null || settings.memoryMode === 'off') return left('memory_off');
  const ending = await readEnding(tx, eventId);
  if (ending === null || !IN_USE.includes(ending.status)) return left('not_carded');
  if (!ending.is_final) return left('not_final');
  const on = await scopesSwitchedOn(tx, [{ type: 'agent', id: ending.agent }]);
  if (on.length === 0) return left('memory_off');
  const trace = await readTrace(tx, ending, now);
  const { steps, flagged } = trace;
  const { outcome } = ending;
  const earlier = (await readEarlierTasks(tx, trace)).map(sequenceOf);
  const reason = triviality({ outcome, flagged, steps, earlier });
  return {
    card_id: ending.card_id,
    outcome,
    steps: steps.length,
    failures: steps.filter(hasFailed).length,
    reason,
    novelty: reason === null ? novelty(sequenceOf(steps), earlier) : null,
    least_novelty: least,
    asks_model: hasModel,
  };
}

const IN_USE = ['pending', 'active', 'validated'];

const BY_RULE: Words = { distilled_by: 'fallback', model: null, prompt_version: null };

/**
 * The rules' skill of a task, with its sources, its tests and its score; null where none of it may be read any more, or
 * a text of it was found to speak to its reader since.
 */
export function learnedByRule(trace: TaskTrace, score: number): LearnedDraft | null {
  const { ending, steps, sources } = trace;
  const [first] = sources;
  if (first === undefined || trace.flagged) return null;
  // What was asked is told where whoever reads the steps may read the card that says so.
  const isRead = sources.some(({ id }) => id === ending.card_id);
  const told = isRead
    ? {
        task_type: ending.task_type,
        goal: ending.tells === 'request' ? ending.summary : '',
        asked: ending.asked,
      }
    : { task_type: null, goal: '', asked: '' };
  return {
    skill: skillOfTask({ ...told, steps }),
    scope: first.scope,
    sources: sources.map((card) => ({
      id: card.id,
      version: card.version,
      readers: readersOf(card),
    })),
    events: [...new Set([...steps.flatMap(({ event_id }) => event_id ?? []), ending.event_id])],
    cases: casesOf(steps, ending),
    novelty: score,
    words: BY_RULE,
    sensitive: false,
  };
}
