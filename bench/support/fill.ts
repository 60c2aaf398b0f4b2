import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createCaptureActivities } from '../../src/activities/capture';
import type { SettledEvent } from '../../src/contracts/event';
import { Intake } from '../../src/intake/intake';
import type { Embedder } from '../../src/models/embedder';
import type { Database } from '../../src/store/database';

const BATCH = 100;
const AT_ONCE = 4;

/**
 * Cards by the real intake and the real steps of a capture, without a workflow for each: what is measured
 * afterwards reads them. Where there are fewer events than cards, the fleet comes again under other names.
 */
export async function fill(
  database: Database,
  embedder: Embedder,
  events: readonly SettledEvent[],
  cards: number,
): Promise<void> {
  const clock = () => new Date();
  const intake = new Intake({ database, clock, secretKey: randomUUID() + randomUUID() });
  const { captureAtOnce } = createCaptureActivities({
    database,
    clock,
    embedder,
    distiller: 'fallback',
  });
  const principal = { kind: 'person', id: 'owner', role: 'owner', bootstrap: true } as const;
  const by = { workspace: 'default', principal } as const;
  const environment = new MockActivityEnvironment();
  for (let at = 0; at < cards; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, cards - at) }, (_, n) =>
      nth(events, at + n),
    );
    const items = await intake.record(by, batch);
    const queue = items.map(({ event_id, operation_id, status, reason }) => {
      if (status !== 'accepted' || !event_id || !operation_id) {
        throw new Error(`not accepted: ${JSON.stringify(reason)}`);
      }
      return { workspace: by.workspace, event_id, operation_id, stand_in: false };
    });
    const worker = async (): Promise<void> => {
      for (let input = queue.shift(); input !== undefined; input = queue.shift()) {
        await environment.run(captureAtOnce, input);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    await database.acrossWorkspaces((tx) => tx.query('DELETE FROM outbox'));
  }
}

function nth(events: readonly SettledEvent[], n: number): SettledEvent {
  const event = events[n % events.length];
  if (event === undefined) throw new Error('there are no events');
  const round = Math.floor(n / events.length);
  if (round === 0) return event;
  const renamed = (name: string): string => `${name}-${round}`;
  return {
    ...event,
    event_id: renamed(event.event_id),
    agent: renamed(event.agent),
    ...(event.parent_event === undefined ? {} : { parent_event: renamed(event.parent_event) }),
    ...(event.task === undefined ? {} : { task: renamed(event.task) }),
  };
}
