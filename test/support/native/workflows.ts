/** Workflows of a runtime of one's own, as the tests run them: they see Cairn as anyone who installs it does. */
import {
  condition,
  continueAsNew,
  defineSignal,
  defineUpdate,
  executeChild,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { RecordedEvent } from '../../../src/adapters/temporal/activities';
import {
  type CairnOptions,
  type Captured,
  cairn,
  type EventRecorded,
  type RecalledContext,
  refusalOf,
  type WorkflowEvent,
} from '../../../src/adapters/temporal/workflow/memory';
import type { JsonObject, SettledEvent } from '../../../src/contracts/event';
import type { CaptureResult } from '../../../src/contracts/messages';

/** Reports each event, waits for each, and answers what became of them. */
export async function reportsAll(
  options: CairnOptions,
  events: readonly WorkflowEvent[],
): Promise<Captured[]> {
  const memory = cairn(options);
  const captured: Captured[] = [];
  for (const event of events) captured.push(await memory.capture(event));
  return captured;
}

/** Of one id in several runs: each reports one event and goes on as a new one. */
export async function goesOn(options: CairnOptions, runs: number): Promise<EventRecorded> {
  const text = `the work of the run before the last ${runs} is done`;
  const { event } = await cairn(options).record({ kind: 'observation', outcome: 'neutral', text });
  if (runs > 1) await continueAsNew<typeof goesOn>(options, runs - 1);
  return event;
}

export async function reportsByReference(
  options: CairnOptions,
  loader: string,
  reference: JsonObject,
): Promise<Captured> {
  return await cairn(options).captureFrom(loader, reference);
}

/** What the runtime itself did in between. */
interface Own {
  between(): Promise<void>;
}

/** Does something of its own between recording and waiting. */
export async function dawdles(options: CairnOptions, event: WorkflowEvent): Promise<Captured> {
  const recorded = await cairn(options).record(event);
  await proxyActivities<Own>({ startToCloseTimeout: '30s' }).between();
  return await recorded.result();
}

interface ByHand {
  recordEvent(event: SettledEvent): Promise<RecordedEvent>;
}

/** Records by the activity alone, and starts the capture by itself. */
export async function reportsByHand(event: SettledEvent): Promise<CaptureResult> {
  const { recordEvent } = proxyActivities<ByHand>({ startToCloseTimeout: '10s' });
  const { workspace, event_id, operation_id, workflow_id } = await recordEvent(event);
  return await executeChild('capture', {
    workflowId: workflow_id,
    taskQueue: 'cairn-workflows',
    args: [{ workspace, event_id, operation_id }],
  });
}

/** Waits for a day, and reports how that ended. */
export async function isCancelled(options: CairnOptions, event: WorkflowEvent): Promise<void> {
  const memory = cairn(options);
  try {
    await sleep('1 day');
  } finally {
    await memory.record(event);
  }
}

/** Reports one event and waits for it. */
export async function reportsOne(options: CairnOptions, event: WorkflowEvent): Promise<Captured> {
  return await cairn(options).capture(event);
}

export async function isRefused(
  options: CairnOptions,
  event: WorkflowEvent,
): Promise<string | null> {
  return await cairn(options)
    .capture(event)
    .then(
      () => null,
      (error: unknown) => refusalOf(error) ?? `no refusal: ${String(error)}`,
    );
}

export const recall = defineUpdate<RecalledContext, [query: string]>('recall');
export const stop = defineSignal('stop');

/** An agent that lives: it recalls whenever it is asked something. */
export async function agentLoop(options: CairnOptions): Promise<number> {
  const memory = cairn(options);
  let asked = 0;
  let isOver = false;
  setHandler(recall, async (query) => {
    asked += 1;
    return await memory.recall({ query, limit: 20 });
  });
  setHandler(stop, () => {
    isOver = true;
  });
  await condition(() => isOver);
  return asked;
}
