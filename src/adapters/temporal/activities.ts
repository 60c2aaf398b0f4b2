import { Context, heartbeat } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { executionOf } from '../../activities/execution';
import { permanent, transient } from '../../activities/failure';
import type { CairnClient } from '../../client/client';
import type { JsonObject, SettledEvent } from '../../contracts/event';
import type { RecallAnswer } from '../../contracts/recall';
import type {
  EventDefaults,
  EventRecorded,
  RecalledContext,
  RecordFromInput,
  RuntimeMemoryActivities,
  WorkflowEvent,
} from '../../contracts/runtime-memory';
import { CaptureStarts } from './capture-start';
import { eventOf, requireEvent, sessionOf } from './event-of';
import { httpRecorder, runtimeClient } from './http-recorder';
import { leavingCodesOnly } from './leaving';
import { postgresRecorder } from './postgres-recorder';
import type { Recorder } from './recorder';

export type { RuntimeMemoryActivities, WorkflowEvent } from '../../contracts/runtime-memory';

/**
 * Makes an event of a reference, beside the worker. The same reference has to make the same event: a step that is
 * tried again under its id with other content is refused (`event_id_conflict`).
 */
export type EventLoader = (reference: JsonObject) => Promise<WorkflowEvent> | WorkflowEvent;

export interface CairnActivitiesOptions {
  /** Of a runtime or of an agent: the scope of everything comes from it. */
  key: string;
  /** The API's base URL, e.g. `http://127.0.0.1:4747`. Recalls go there; events too, unless by Postgres. */
  url?: string;
  /**
   * Cairn's own Postgres, where it is a real server: events are then recorded from this process. Not the one that
   * `npm start` embeds, which has one session and uses it.
   */
  databaseUrl?: string;
  /** `CAIRN_SECRET_KEY` of the installation; comes with `databaseUrl`. */
  secretKey?: string;
  /** How events are recorded: `postgres` where `databaseUrl` is given, else `http`. */
  via?: 'http' | 'postgres';
  /** By name, for `captureFrom`. */
  loaders?: Readonly<Record<string, EventLoader>>;
}

export type CairnActivities = RuntimeMemoryActivities & {
  /** Of the connections to Postgres, once the worker has ended. It is no activity. */
  close(): Promise<void>;
};

/** A workflow that was told of the event starts its capture in milliseconds; should it die first, the outbox does. */
const HOLD_MS = 10_000;
/** One look at a capture; then the activity ends and comes again, so that no slot is held for an outage. */
const LOOK_MS = 15_000;
const HEARTBEAT_MS = 5_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * The activities that `cairn()` calls from a workflow, for the worker of a runtime of one's own.
 *
 * @throws a sentence that says what is missing
 * @example
 * const memory = createCairnActivities({ url: 'http://127.0.0.1:4747', key });
 * const worker = await Worker.create({ taskQueue, workflowsPath, activities: { ...mine, ...memory } });
 * await worker.run();
 * await memory.close();
 */
export function createCairnActivities(options: CairnActivitiesOptions): CairnActivities {
  const client = options.url === undefined ? null : runtimeClient(options.url, options.key);
  const recorder = recorderOf(options, client);
  const starts = new CaptureStarts();

  async function record(
    event: WorkflowEvent,
    defaults: EventDefaults,
    mode: RecordFromInput['mode'],
  ): Promise<EventRecorded> {
    const start = await starts.startOf(mode);
    const whole = eventOf(event, defaults, executionOf());
    return { ...(await recorder.record(whole, start === 'child' ? HOLD_MS : 0)), start };
  }

  const activities: RuntimeMemoryActivities = {
    cairnRecordEvent: ({ event, defaults, mode }) =>
      leavingCodesOnly(() => record(event, defaults, mode)),

    cairnRecordEventFrom: ({ loader, reference, defaults, mode }) =>
      leavingCodesOnly(async () => {
        const load = options.loaders?.[loader];
        if (load === undefined) throw permanent('not_configured');
        return await record(await loaded(load, reference), defaults, mode);
      }),

    cairnAwaitCapture: (operation) =>
      leavingCodesOnly(async () => {
        const beating = setInterval(heartbeat, HEARTBEAT_MS);
        try {
          const { cancellationSignal, cancelled } = Context.current();
          const settled = await Promise.race([
            recorder.settled(operation, LOOK_MS, cancellationSignal),
            cancelled,
          ]);
          if (settled === null) throw transient('capture_pending', LOOK_AGAIN_MS);
          return settled;
        } finally {
          clearInterval(beating);
        }
      }),

    cairnRecall: ({ request, agent, person, session }) =>
      leavingCodesOnly(async () => {
        if (client === null) throw permanent('not_configured');
        const reader = client.with({
          ...(agent === undefined ? {} : { agent }),
          session: sessionOf(session, executionOf().workflowId),
          ...(person === undefined ? {} : { person, executionMode: 'interactive' }),
        });
        const answer = await reader.recall(request);
        return answer === null ? null : toldOnce(answer);
      }),
  };
  // Not to be spread into a worker's activities.
  return Object.defineProperty(activities, 'close', {
    enumerable: false,
    value: () => recorder.close(),
  }) as CairnActivities;
}

/** What `recordEvent` answers: the ids of an event that is durable, and of its capture. */
export type RecordedEvent = Omit<EventRecorded, 'start'>;

/**
 * The activity alone, for a workflow that starts the capture by itself: `capture` on `cairn-workflows`, with
 * `workflow_id` as its id and `{workspace, event_id, operation_id}` as its argument. Within ten seconds: after that
 * a server of Cairn starts it, so that no event is left without.
 *
 * @throws a sentence that says what is missing
 */
export function createRecordEvent(options: CairnActivitiesOptions): {
  recordEvent(event: SettledEvent): Promise<RecordedEvent>;
  close(): Promise<void>;
} {
  const client = options.url === undefined ? null : runtimeClient(options.url, options.key);
  const recorder = recorderOf(options, client);
  return {
    recordEvent: (event) =>
      leavingCodesOnly(async () => {
        requireEvent(event);
        return await recorder.record(event, HOLD_MS);
      }),
    close: () => recorder.close(),
  };
}

function recorderOf(options: CairnActivitiesOptions, client: CairnClient | null): Recorder {
  const {
    databaseUrl,
    secretKey,
    key,
    via = databaseUrl === undefined ? 'http' : 'postgres',
  } = options;
  if (via === 'http') {
    if (client === null) throw new Error('Events go over HTTP: give the url of the API.');
    return httpRecorder(client);
  }
  if (databaseUrl === undefined || secretKey === undefined) {
    throw new Error(
      'Events go to Postgres: give databaseUrl and secretKey (CAIRN_SECRET_KEY), both as the servers of Cairn have them.',
    );
  }
  return postgresRecorder({ databaseUrl, secretKey, key });
}

/** A loader may say itself that there is no use in trying again; any other error of it may quote what it read. */
async function loaded(load: EventLoader, reference: JsonObject): Promise<WorkflowEvent> {
  try {
    return await load(reference);
  } catch (error) {
    if (error instanceof ApplicationFailure) throw error;
    throw transient('loader_failed');
  }
}

/** The words of the cards stand in the context; once is enough for a history. */
function toldOnce(answer: RecallAnswer): RecalledContext {
  const { recall_id, context_version, intent, context, tokens, degraded } = answer;
  return {
    recall_id,
    context_version,
    intent,
    context,
    tokens,
    cards: answer.cards.map(({ id, kind, sign, status, score, via }) => {
      return { id, kind, sign, status, score, via };
    }),
    ...(degraded === undefined ? {} : { degraded }),
  };
}
