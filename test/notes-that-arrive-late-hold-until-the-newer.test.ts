import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane.stop());

test('an older value that arrives after a newer one is superseded, and held until the newer began', async () => {
  const workspace = await lane.workspace();
  const note = (event_id: string, occurred_at: string, text: string) => ({
    event_id,
    kind: 'observation' as const,
    agent: 'scout',
    key: 'refund-limit',
    outcome: 'neutral' as const,
    occurred_at,
    text,
  });
  for (const event of [
    note('newer', '2026-06-02T09:00:00Z', 'The refund limit is 250 a case.'),
    note('older', '2026-06-01T09:00:00Z', 'The refund limit is 100 a case.'),
  ]) {
    const [input] = await lane.record(workspace, [event]);
    await lane.working({ embedder: createHashedEmbedder(), distiller: null }, async () => {
      if (input === undefined) throw new Error('not recorded');
      await (await lane.startCapture(input)).result();
    });
  }
  const cards = await lane.rows(
    workspace,
    'SELECT event_id, status, valid_from, valid_to FROM cards ORDER BY event_id',
  );
  expect(cards).toEqual([
    {
      event_id: 'newer',
      status: 'active',
      valid_from: '2026-06-02T09:00:00.000Z',
      valid_to: null,
    },
    {
      event_id: 'older',
      status: 'superseded',
      valid_from: '2026-06-01T09:00:00.000Z',
      valid_to: '2026-06-02T09:00:00.000Z',
    },
  ]);
});
