import { readOptions } from '../src/config/options';
import { configuredEmbedder } from '../src/models/configured';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';

let lane: CaptureLane;

beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane.stop());

test('cards are filed without vectors, and get them once an embedder is there', async () => {
  const said: string[] = [];
  const off = await configuredEmbedder(
    readOptions({ CAIRN_EMBEDDING_MODEL: 'none' }),
    () => Promise.reject(new Error('nothing is to be fetched')),
    (line) => said.push(line),
  );
  expect(said).toEqual(['CAIRN_EMBEDDING_MODEL=none: recall goes by words, not by meaning']);

  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [
    {
      event_id: 'without-vector',
      kind: 'service_call',
      agent: 'scout',
      service: 'mailer',
      operation: 'send',
      outcome: 'worked',
      occurred_at: '2026-03-01T10:00:00Z',
    },
  ]);
  if (input === undefined) throw new Error('nothing was recorded');
  const vectors = (): Promise<{ model: string }[]> =>
    lane.rows(workspace, 'SELECT model FROM card_embeddings');

  const filed = await lane.working({ embedder: off, distiller: null }, async () =>
    (await lane.startCapture(input)).result(),
  );
  expect(filed).toMatchObject({ disposition: 'carded', embedded: false });
  expect(await vectors()).toEqual([]);
  expect(await lane.rows(workspace, "SELECT id FROM outbox WHERE action = 'start_embed'")).toEqual(
    [],
  );

  const hashed = createHashedEmbedder();
  await lane.working({ embedder: hashed, distiller: null }, () =>
    lane.env.client.workflow.execute('embed', {
      workflowId: `embed/${workspace}/late`,
      taskQueue: 'cairn-workflows',
      args: [{ workspace }],
    }),
  );
  expect(await vectors()).toEqual([{ model: hashed.id }]);
});
