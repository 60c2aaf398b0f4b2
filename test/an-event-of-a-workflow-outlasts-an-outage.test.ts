import { type CairnActivities, createCairnActivities } from '../src/adapters/temporal/activities';
import type { OutboxSender } from '../src/api/outbox-sender';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { startApi, type TestApi } from './support/api';
import { type CaptureLane, LANE_SECRET } from './support/capture-lane';
import { describeNative } from './support/database';
import { asRuntime, keyFor, startAgent, startRuntimeLane } from './support/native/runtime-lane';
import { ShutDoor } from './support/native/shut-door';
import { startOutbox } from './support/outbox';

jest.setTimeout(120_000);

const models = { embedder: createHashedEmbedder(), distiller: null };
const EVENT = { kind: 'observation', outcome: 'neutral', text: 'The importer wants UTF-8.' };
/** With the backoff of the activity, about six minutes. */
const TRIES = 12;
const OUTAGE_MS = 360_000;

describeNative('while Cairn is away', () => {
  let lane: CaptureLane;
  let api: TestApi;
  let sender: OutboxSender;
  beforeAll(async () => {
    lane = await startRuntimeLane('time-skipping');
    const testDatabase = { url: lane.databaseUrl, kind: 'native', drop: async () => {} } as const;
    api = await startApi({ testDatabase });
    sender = startOutbox(lane.database, lane.env.client);
  });
  afterAll(async () => {
    await sender.stop();
    await api.close();
    await lane.stop();
  });

  const start = (type: string, args: unknown[]) => startAgent(lane.env.client, type, args);

  async function behind(
    via: 'http' | 'postgres',
  ): Promise<{ door: ShutDoor; cairn: CairnActivities; workspace: string }> {
    const workspace = await lane.workspace();
    const key = await keyFor(lane, workspace, { kind: 'runtime', id: 'harness' });
    const door = await ShutDoor.before(via === 'http' ? api.url : lane.databaseUrl);
    const cairn = createCairnActivities(
      via === 'http'
        ? { url: door.url, key }
        : { databaseUrl: door.url, secretKey: LANE_SECRET, key },
    );
    return { door, cairn, workspace };
  }

  it.each(['http', 'postgres'] as const)(
    'an event is tried again over %s until it is taken, and is of the time when it was reported',
    async (via) => {
      const { door, cairn, workspace } = await behind(via);
      let tries = 0;
      const cairnRecordEvent: CairnActivities['cairnRecordEvent'] = async (input) => {
        tries += 1;
        if (tries === TRIES) await door.open();
        return await cairn.cairnRecordEvent(input);
      };
      const began = await lane.env.currentTimeMs();
      const captured = await lane.working(models, () =>
        asRuntime(
          lane.env,
          cairn,
          async () => await (await start('reportsOne', [{ agent: 'herald' }, EVENT])).result(),
          { activities: { cairnRecordEvent } },
        ),
      );
      door.close();
      expect(captured).toMatchObject({ disposition: 'carded', kind: 'knowledge' });
      expect(tries).toBe(TRIES);
      const now = await lane.env.currentTimeMs();
      expect(now - began).toBeGreaterThan(OUTAGE_MS);
      const rows = await lane.rows<{ occurred_at: string }>(
        workspace,
        'SELECT occurred_at FROM cards JOIN events USING (workspace_id, event_id)',
      );
      expect(rows).toHaveLength(1);
      expect(Date.parse(rows[0]?.occurred_at ?? '')).toBeLessThan(now - OUTAGE_MS);
    },
  );

  it.each(['http', 'postgres'] as const)(
    'an event over %s is given up no later than the workflow says',
    async (via) => {
      const { cairn } = await behind(via);
      const options = { agent: 'herald', recordWithin: '10 minutes' };
      await asRuntime(lane.env, cairn, async () => {
        const handle = await start('isRefused', [options, EVENT]);
        expect(await handle.result()).toMatch(/^no refusal: ActivityFailure/);
        const { events } = await handle.fetchHistory();
        const tries = events?.map((event) => event.activityTaskStartedEventAttributes?.attempt);
        expect(Math.max(...(tries ?? []).map((tried) => tried ?? 0))).toBeGreaterThan(10);
      });
    },
  );
});
