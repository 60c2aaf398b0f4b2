import { MockActivityEnvironment } from '@temporalio/testing';
import { createModelActivities } from '../src/activities/model';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { Database } from '../src/store/database';
import { LANE_SECRET, recordAsRuntime } from './support/capture-lane';
import { createTestDatabase, type TestDatabase } from './support/database';
import { failedCall } from './support/distilling';
import { type FakeProvider, SAYS, startFakeProvider } from './support/fake-provider';
import { until } from './support/until';

let provider: FakeProvider;
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  [provider, testDatabase] = await Promise.all([startFakeProvider(), createTestDatabase()]);
  const { url } = testDatabase;
  database = new Database({
    url,
    connections: 1,
    acquireTimeoutMs: 20_000,
    onIdleError: () => undefined,
  });
});
afterAll(async () => {
  await provider?.close();
  await database?.close();
  await testDatabase?.drop();
});

describe('a model call whose activity is cancelled', () => {
  it('is given up, heard of at the first heartbeat, and leaves no draft', async () => {
    await database.inWorkspace('acme', (tx) =>
      tx.query(
        "INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('acme', 'Acme', now())",
      ),
    );
    await recordAsRuntime(database, 'acme', [failedCall()]);
    provider.script(SAYS.hang);
    const { distillByModel } = createModelActivities({
      database,
      clock: () => new Date(),
      distiller: createOpenAiDistiller({
        apiKey: 'none',
        baseUrl: provider.baseUrl,
        model: 'small',
        clock: () => new Date(),
      }),
      secretKey: LANE_SECRET,
    });
    const activity = new MockActivityEnvironment();
    let heartbeats = 0;
    activity.on('heartbeat', () => {
      heartbeats += 1;
    });
    const running = activity.run(distillByModel, { workspace: 'acme', event_id: 'call-1' });
    await until('it is asked', () => provider.requests.length > 0);
    expect(heartbeats).toBe(1);
    activity.cancel('CANCELLED');
    await expect(running).rejects.toMatchObject({ name: 'CancelledFailure' });
    await until('the call is given up', () => provider.givenUp() > 0);
    const drafts = await database.inWorkspace('acme', (tx) =>
      tx.query('SELECT 1 FROM capture_drafts'),
    );
    expect(drafts).toEqual([]);
  });
});
