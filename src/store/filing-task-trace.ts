import type { CardStatus, EventKind, Outcome } from '../contracts/names';
import type { Episode } from '../domain/consolidation/episode';
import { durationMs } from '../domain/durations';
import { endsTask } from '../domain/learning/ends-task';
import { mainReaders, ofReaders, readersOf } from '../domain/learning/same-readers';
import type { TaskStep } from '../domain/learning/task-step';
import { readSources } from './card-writes-episodes';
import type { Tx } from './database';
import { policyOf } from './settings';
import { SUBJECTS_OFF } from './subjects';

/** The event that ended a task, and its card. */
export interface Ending {
  event_id: string;
  card_id: string;
  version: number;
  status: CardStatus;
  summary: string;
  /** Whether it tells what was asked, how it ended, or is a call of the task, which tells only of itself. */
  tells: 'request' | 'end' | 'step';
  flagged: boolean;
  outcome: Outcome;
  task: string;
  session: string | null;
  agent: string;
  delegate: string | null;
  task_type: string | null;
  /** What was asked, as the event has it; empty once its payload is gone, and of one that does not tell it. */
  asked: string;
  /** RFC 3339. */
  at: string;
  is_final: boolean;
}

/** A task as it was done, by those whose work has the same readers. */
export interface TaskTrace {
  ending: Ending;
  /** In order of time. */
  steps: TaskStep[];
  /** The cards that it rests on, the ending's among them where it has those readers, as they were read. */
  sources: Episode[];
  /** A text on the way speaks to the machine that reads it, or is held back. */
  flagged: boolean;
}

/** More of a task is not looked at. */
const MOST_STEPS = 200;
/** Of a scope, cards before the task by which its novelty is judged. */
const EARLIER_CARDS = 1_000;
const ANSWER_CHARACTERS = 20_000;
const ASKED_CHARACTERS = 4_000;
/** An agent's sub-agents, and theirs; as deep as sight goes (design §4). */
const DEPTH = 3;

/** @returns null where the event has no card, or no task, or is about somebody whose memory is off */
export async function readEnding(tx: Tx, eventId: string): Promise<Ending | null> {
  const [row] = await tx.query<Ending & { kind: EventKind; final: boolean | null }>(
    `SELECT e.event_id, c.id AS card_id, c.version, c.status, c.summary, e.outcome, c.task, c.session, e.kind,
            CASE WHEN e.kind IN ('delegation', 'chat') THEN 'request' WHEN ${IS_CALL} THEN 'step' ELSE 'end' END AS tells,
            e.agent_id AS agent, e.payload #>> '{delegate,agent}' AS delegate, c.task_type, e.occurred_at AS at,
            c.flags <> '{}' AS flagged, (e.payload ->> 'final')::boolean AS final,
            CASE WHEN e.kind IN ('delegation', 'chat')
                 THEN left(COALESCE(${textOf('input')}, e.payload ->> 'text', ''), ${ASKED_CHARACTERS})
                 ELSE '' END AS asked
       FROM captures k
       JOIN cards c ON c.workspace_id = k.workspace_id AND c.id = k.card_id
       JOIN events e ON e.workspace_id = k.workspace_id AND e.event_id = k.event_id
      WHERE k.workspace_id = $1 AND k.event_id = $2 AND c.task IS NOT NULL
        AND (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE`,
    [tx.workspace, eventId],
  );
  if (row === undefined) return null;
  const { kind, final, ...ending } = row;
  // The loop was started by an event that said so; once its payload is gone it is taken at its word.
  return {
    ...ending,
    is_final: final === null ? true : endsTask({ kind, task: ending.task, final }),
  };
}

type StepRow = TaskStep & { status: CardStatus; flagged: boolean };

/**
 * The task that an event ended, from the last time it ended until then: what its agent, the agents below it and the
 * one that it was delegated to did in its session. Of work with different readers, that of whoever did most of it
 * stands; what others did is not put together with it.
 */
export async function readTrace(tx: Tx, ending: Ending, now: Date): Promise<TaskTrace> {
  const rows = await tx.query<StepRow>(
    `WITH RECURSIVE below AS (
       SELECT a.id, 0 AS depth FROM unnest($6::text[]) a (id)
       UNION
       SELECT a.id, b.depth + 1
         FROM below b
         JOIN agents a ON a.workspace_id = $1 AND a.parent_agent = b.id
        WHERE b.depth < ${DEPTH}
     ),
     before AS (
       SELECT max(p.valid_from) AS at
         FROM cards p
         JOIN events e ON e.workspace_id = p.workspace_id AND e.event_id = p.event_id
        WHERE p.workspace_id = $1 AND ${EPISODE('p')} = $3 AND p.task = $4 AND p.agent_id = $6[1]
          AND p.valid_from < $5::timestamptz AND p.event_id <> $2
          AND (e.kind = 'delegation' OR e.payload ->> 'final' = 'true')
     )
     SELECT c.id AS card_id, c.version, c.status, c.event_id, COALESCE(c.service, c.workflow, 'task') AS service,
            COALESCE(c.operation, c.step) AS operation, e.outcome, c.summary, c.error_family, c.error_signature,
            c.input_fields, c.valid_from AS at, c.agent_id AS agent, c.flags <> '{}' AS flagged,
            left(${textOf('output')}, ${ANSWER_CHARACTERS}) AS output
       FROM cards c
       JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
      WHERE c.workspace_id = $1 AND ${EPISODE('c')} = $3 AND (c.task = $4 OR c.task IS NULL)
        AND c.agent_id IN (SELECT b.id FROM below b)
        AND c.valid_from <= $5::timestamptz
        AND c.valid_from > COALESCE((SELECT b.at FROM before b), '-infinity')
        AND COALESCE(c.operation, c.step) IS NOT NULL AND e.kind NOT IN ('delegation', 'chat')
        AND (${IS_CALL} OR e.payload ->> 'final' IS DISTINCT FROM 'true' AND c.event_id <> $2) AND c.status <> 'deleted'
        AND (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE
      ORDER BY c.event_id = $2, c.valid_from, c.recorded_at, c.id
      LIMIT ${MOST_STEPS}`,
    [
      tx.workspace,
      ending.event_id,
      ending.session ?? ending.task,
      ending.task,
      ending.at,
      [...new Set([ending.agent, ending.delegate ?? ending.agent])],
    ],
  );
  const { resolve } = await policyOf(tx);
  const ids = [...new Set([...rows.map(({ card_id }) => card_id), ending.card_id])];
  const cards = await readSources(tx, ids, { now, tieMs: durationMs(resolve.tie) });
  const usable = rows.filter(({ status }) => IN_USE.includes(status));
  const readers = mainReaders(usable.map(({ card_id }) => cards.get(card_id)));
  const steps = usable.filter(({ card_id }) => ofReaders(cards.get(card_id), readers));
  return {
    ending,
    steps: steps.map(stepOf),
    sources: [...new Set([...steps.map(({ card_id }) => card_id), ending.card_id])].flatMap(
      (id) => {
        const card = cards.get(id);
        return card !== undefined && ofReaders(card, readers) ? [card] : [];
      },
    ),
    flagged: ending.flagged || rows.some((row) => row.flagged || row.status === 'quarantined'),
  };
}

/** Of the steps, those that whoever reads the ending's card may read too. */
export function readByEnding({ ending, steps, sources }: TaskTrace): TaskStep[] {
  const own = sources.find(({ id }) => id === ending.card_id);
  if (own === undefined) return [];
  const byId = new Map(sources.map((card) => [card.id, card]));
  return steps.filter(({ card_id }) => ofReaders(byId.get(card_id), readersOf(own)));
}

/** The tasks of the same scope before this one, each as its steps; the latest thousand cards of them. */
export async function readEarlierTasks(tx: Tx, trace: TaskTrace): Promise<TaskStep[][]> {
  const [first] = trace.sources;
  if (first === undefined) return [];
  const { scope } = first;
  const rows = await tx.query<TaskStep & { whole: string }>(
    `SELECT c.id AS card_id, c.version, c.event_id, COALESCE(c.service, c.workflow, 'task') AS service,
            COALESCE(c.operation, c.step) AS operation, e.outcome, '' AS summary, c.error_family, c.error_signature,
            c.input_fields, c.valid_from AS at, c.agent_id AS agent, NULL AS output,
            jsonb_build_array(c.task, c.parent_event)::text AS whole
       FROM cards c
       JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
      WHERE c.workspace_id = $1 AND c.scope_type = $2 AND c.scope_id = $3 AND c.task IS NOT NULL
        AND c.valid_from < $4::timestamptz AND NOT c.id = ANY ($5)
        AND COALESCE(c.operation, c.step) IS NOT NULL AND e.kind NOT IN ('delegation', 'chat')
        AND c.status NOT IN ('deleted', 'rejected', 'quarantined')
      ORDER BY c.recorded_at DESC, c.id DESC
      LIMIT ${EARLIER_CARDS}`,
    [
      tx.workspace,
      scope.type,
      scope.id,
      trace.steps[0]?.at ?? trace.ending.at,
      trace.steps.map(({ card_id }) => card_id),
    ],
  );
  const tasks = new Map<string, TaskStep[]>();
  for (const { whole, ...step } of rows) tasks.set(whole, [...(tasks.get(whole) ?? []), step]);
  return [...tasks.values()].map((steps) =>
    steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.card_id < b.card_id ? -1 : 1)),
  );
}

const IN_USE: readonly CardStatus[] = ['pending', 'active', 'validated'];

/** As the index `cards_by_episode` has it. */
const EPISODE = (card: string) =>
  `(CASE WHEN ${card}.session IS NULL THEN ${card}.task ELSE ${card}.session END)`;

/** A call is a step of its task even where it ends it; what else ends one only tells of it. */
const IS_CALL = "e.kind IN ('service_call', 'workflow_step')";

/** A field of the payload as text, whatever it is. */
function textOf(field: string): string {
  return `CASE jsonb_typeof(e.payload -> '${field}') WHEN 'string' THEN e.payload ->> '${field}'
          ELSE (e.payload -> '${field}')::text END`;
}

function stepOf({ status: _status, flagged: _flagged, ...step }: StepRow): TaskStep {
  return step;
}
