import type { CaptureInput } from '../src/contracts/messages';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';
import { describeNative } from './support/database';
import { failedCall } from './support/distilling';

jest.setTimeout(120_000);

describeNative('cards that are filed at the same moment', () => {
  let lane: CaptureLane;
  beforeAll(async () => {
    lane = await CaptureLane.start('dev');
  });
  afterAll(() => lane.stop());

  test('every failure is resolved by its later success, though their transactions overlap', async () => {
    const workspace = await lane.workspace();
    const { error: _error, ...call } = failedCall();
    const pairs = Array.from({ length: 12 }, (_, index) => {
      const input = { channel: `Project_${index}`, limit: 10 + index };
      const failed = failedCall({
        event_id: `failed-${index}`,
        input,
        occurred_at: `2026-03-02T08:${10 + index}:00Z`,
      });
      const worked = {
        ...call,
        event_id: `worked-${index}`,
        outcome: 'worked' as const,
        input: { ...input, limit: 1 },
        output: ['Eve'],
        occurred_at: `2026-03-02T09:${10 + index}:00Z`,
      };
      return [failed, worked];
    }).flat();
    const inputs = await lane.record(workspace, pairs);
    await lane.working({ embedder: createHashedEmbedder(), distiller: null }, async () => {
      const handles = await Promise.all(
        inputs.map((input) => lane.startCapture(input as CaptureInput)),
      );
      await Promise.all(handles.map((handle) => handle.result()));
    });
    const resolved = await lane.rows<{ pair: string }>(
      workspace,
      `SELECT w.event_id || ' resolves ' || f.event_id AS pair
         FROM edges e
         JOIN cards w ON w.workspace_id = e.workspace_id AND w.id = e.from_card
         JOIN cards f ON f.workspace_id = e.workspace_id AND f.id = e.to_card
        WHERE e.type = 'satisfies'`,
    );
    const found = new Set(resolved.map(({ pair }) => pair));
    const missing = Array.from({ length: 12 }, (_, i) => `worked-${i} resolves failed-${i}`).filter(
      (pair) => !found.has(pair),
    );
    expect(missing).toEqual([]);
  });
});
