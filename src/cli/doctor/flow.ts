import type { Options } from '../../config/options';
import { type Check, fail, ok, warn } from './check';
import type { Samples } from './metrics';

/** Starts leave within a second; what waits longer waits for Temporal. */
const UNSENT_FOR_SECONDS = 30;

/** What waits, and for what: of each state that `/metrics` shows, a line. */
export function flow(samples: Samples, { model: named, noEmbedding }: Options): Check[] {
  return [
    backlog(samples),
    captures(samples),
    failedOnes(samples),
    model(samples, named !== null),
    vectors(samples, noEmbedding),
    ...reembedding(samples),
    ...workflows(samples),
  ];
}

function backlog(samples: Samples): Check {
  const unsent = samples.value('cairn_outbox_unsent') ?? 0;
  const age = samples.value('cairn_outbox_oldest_seconds') ?? 0;
  if (age < UNSENT_FOR_SECONDS) {
    return ok('backlog', unsent === 0 ? 'nothing waits to be sent' : `${unsent} on their way`);
  }
  return warn(
    'backlog',
    `${counted(unsent, 'start')} not sent, the oldest for ${lasting(age)}`,
    'Temporal is away or refuses (see its line and the log); they go by themselves once it is back',
  );
}

function captures(samples: Samples): Check {
  const stuck = samples.value('cairn_captures_stuck') ?? 0;
  const age = samples.value('cairn_captures_pending_oldest_seconds') ?? 0;
  const atModel = samples.value('cairn_captures_at_model') ?? 0;
  if (stuck === 0 && atModel > 0 && age >= 60) {
    return warn(
      'captures',
      `${counted(atModel, 'event')} with the model, the oldest waits for ${lasting(age)}`,
      'see that OPENAI_BASE_URL answers and its quota; after 15 minutes the rules write the card',
    );
  }
  if (stuck === 0) {
    return ok(
      'captures',
      age < 60 ? 'no event waits long' : `the oldest waits for ${lasting(age)}`,
    );
  }
  return fail(
    'captures',
    `${counted(stuck, 'event')} without a card for more than 5 minutes, the oldest for ${lasting(age)}`,
    'mend Temporal and the workers first (their lines); lost ones are started again within 15 minutes',
  );
}

/** An event is never lost: one that failed keeps its payload and its reason. */
function failedOnes(samples: Samples): Check {
  const failed = samples.value('cairn_captures{disposition="failed"}') ?? 0;
  if (failed === 0) return ok('failed', 'no event was given up');
  return warn(
    'failed',
    `${counted(failed, 'event')} given up, each with its reason`,
    'GET /v1/events?disposition=failed has them; reported once more, each gets another try',
  );
}

function model(samples: Samples, isNamed: boolean): Check {
  const waiting = samples.value('cairn_captures_to_distill') ?? 0;
  if (waiting === 0) return ok('distilling', 'no card waits for the model');
  if (!isNamed) {
    return ok(
      'distilling',
      `${counted(waiting, 'card')} by the rules; none is configured here, and one would write them again`,
    );
  }
  return warn(
    'distilling',
    `${counted(waiting, 'card')} by the rules, because the model was away or of no use`,
    'see that OPENAI_BASE_URL answers and its quota; they are written again by themselves within 20 minutes',
  );
}

function vectors(samples: Samples, areOff: boolean): Check {
  if (areOff) return ok('vectors', 'switched off: cards are found by words');
  const waiting = samples.value('cairn_cards_without_vector') ?? 0;
  if (waiting === 0) return ok('vectors', 'every card has one');
  return warn(
    'vectors',
    `${counted(waiting, 'card')} found by words only`,
    'the embedder is away or busy (GET /v1/runs?type=embed); they get theirs by themselves',
  );
}

/** A line only while it runs. Nobody has to start it: a process with another embedder does, and the sweep. */
function reembedding(samples: Samples): Check[] {
  const left = samples.value('cairn_cards_to_reembed') ?? 0;
  if (left === 0) return [];
  return [
    warn(
      're-embedding',
      `${counted(left, 'card')} to go; both models are searched until then`,
      'it goes on by itself (GET /v1/runs?type=reembed); where it does not, see that a worker with the new embedder runs',
    ),
  ];
}

/** What only Temporal and the workers of this process can tell. */
function workflows(samples: Samples): Check[] {
  const stuck = samples.value('cairn_workflows_stuck');
  const failures = samples.sum('cairn_workflow_task_failures_total');
  if (stuck !== null && stuck > 0) {
    return [
      fail(
        'workflows',
        `${counted(stuck, 'workflow')} stuck: each of their tasks fails`,
        "a fault of ours: temporal workflow list --query 'TemporalReportedProblems IS NOT NULL' names them, cairn.log or the worker's log says why",
      ),
    ];
  }
  if (failures > 0) {
    return [
      warn(
        'workflows',
        `${counted(failures, 'workflow task')} failed since the start, and none is stuck`,
        'look into the log; a few while workers are replaced are no matter',
      ),
    ];
  }
  return stuck === null ? [] : [ok('workflows', 'none is stuck')];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function lasting(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
