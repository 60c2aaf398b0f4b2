import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';
import { batches, cardsOf, expectNoHalfState, filed, notesOf, startNight } from './support/night';
import { olderBundle } from './support/older-bundle';

jest.setTimeout(240_000);

let lane: CaptureLane;
let bundle: string;
beforeAll(async () => {
  // The clock that jumps would jump over the other one's work: so the wait between two looks is a short one.
  [lane, bundle] = await Promise.all([
    CaptureLane.start('dev'),
    olderBundle('src/workflows/unit.ts', (text) => text.replace("'30s'", "'300ms'")),
  ]);
});
afterAll(() => lane?.stop());

describe('two nights over the same scopes at one time', () => {
  test('wait for each other, and tell nothing twice', async () => {
    const workspace = await lane.workspace();
    for (const agent of ['ada', 'bob']) {
      await filed(lane, workspace, batches(agent, [20, 180, 40, 250, 80, 100, 60]));
    }
    const models = { embedder: createHashedEmbedder(), distiller: null, bundle };
    const results = await lane.working(models, async () => {
      const nights = [await startNight(lane, workspace), await startNight(lane, workspace)];
      return await Promise.all(nights.map((one) => one.result()));
    });
    expect(results.map(({ status, units }) => [status, units])).toEqual([
      ['completed', 2],
      ['completed', 2],
    ]);
    expect(await notesOf(lane, workspace)).toHaveLength(2);
    const retired = results.reduce((sum, { counts }) => sum + (counts.retired ?? 0), 0);
    const cards = await cardsOf(lane, workspace);
    expect(cards.filter(({ status }) => status === 'superseded')).toHaveLength(retired);
    await expectNoHalfState(lane, workspace);
    const numbers = await lane.rows<{ workflow_id: string }>(
      workspace,
      "SELECT workflow_id FROM runs WHERE parent_id IS NOT NULL AND scope_id = 'ada' ORDER BY number",
    );
    expect(numbers.map(({ workflow_id: id }) => id.split('/').length)).toEqual([4, 5]);
  });
});
