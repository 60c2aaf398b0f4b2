import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import {
  batches,
  cardsOf,
  changesOf,
  filed,
  notesOf,
  sourcesOf,
  startNight,
} from './support/night';

jest.setTimeout(120_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane?.stop());

async function night(workspace: string, history?: string) {
  const models = { embedder: createHashedEmbedder(), distiller: null };
  return await lane.working(models, async () => {
    const started = await startNight(lane, workspace, { scope: { type: 'agent', id: 'ada' } });
    const result = await started.result();
    const [unit] = await lane.rows<{ workflow_id: string }>(
      workspace,
      'SELECT workflow_id FROM runs WHERE parent_id IS NOT NULL ORDER BY created_at DESC LIMIT 1',
    );
    const handle = lane.env.client.workflow.getHandle(unit?.workflow_id ?? '');
    if (history !== undefined) await saveHistory(history, handle);
    return result;
  });
}

/** A warning of bob's, and the same success of ada's twice, the first of which was of use. */
async function stocked() {
  const workspace = await lane.workspace();
  const [warning = ''] = await filed(lane, workspace, batches('bob', [180]));
  const [used = '', other = ''] = await filed(lane, workspace, batches('ada', [80, 80]));
  await lane.rows(
    workspace,
    `INSERT INTO card_usage (workspace_id, card_id, use_count, last_used_at)
     SELECT workspace_id, id, CASE id WHEN $1 THEN 2 ELSE 1 END, now() FROM cards WHERE id IN ($1, $2)`,
    [used, other],
  );
  return { workspace, warning, used, other };
}

describe('two cards that say the same', () => {
  test('become the one that was of more use, with all that the other one had', async () => {
    const { workspace, warning, used, other } = await stocked();
    // Only the one that goes answers the warning: what stays has to take that over.
    await lane.rows(workspace, "DELETE FROM edges WHERE type = 'satisfies' AND from_card = $1", [
      used,
    ]);
    expect((await night(workspace, 'consolidate-scope.merged')).counts).toMatchObject({
      merges: 1,
      retired: 1,
    });
    const cards = new Map((await cardsOf(lane, workspace)).map((card) => [card.id, card]));
    expect(cards.get(other)).toMatchObject({ status: 'superseded', superseded_by: used });
    expect(cards.get(used)).toMatchObject({ status: 'active', version: 2 });
    expect(cards.get(used)?.summary).toMatch(/Seen 2 times, last on 2026-03-02\.$/);
    expect(await sourcesOf(lane, workspace, used)).toEqual([other]);
    expect(
      await lane.rows(workspace, 'SELECT use_count FROM card_usage WHERE card_id = $1', [used]),
    ).toEqual([{ use_count: 3 }]);
    const answers = await lane.rows<{ to_card: string }>(
      workspace,
      "SELECT to_card FROM edges WHERE type = 'satisfies' AND from_card = $1",
      [used],
    );
    expect(answers).toEqual([{ to_card: warning }]);
    expect(
      (await changesOf(lane, workspace)).map(({ change, card_id }) => [change, card_id]),
    ).toEqual([
      ['edited', used],
      ['retired', other],
    ]);
    const words = await lane.rows<{ term: string }>(
      workspace,
      "SELECT term FROM card_terms WHERE card_id = $1 AND term = 'seen'",
      [used],
    );
    expect(words).toHaveLength(1);
  });

  test('stay two where one is another scope, and where a person validated one its words stay', async () => {
    const { workspace, used, other } = await stocked();
    await filed(lane, workspace, batches('cid', [80]));
    await lane.rows(workspace, "UPDATE cards SET status = 'validated' WHERE id = $1", [other]);
    const before = (await cardsOf(lane, workspace)).find(({ id }) => id === other);
    expect((await night(workspace)).counts).toMatchObject({ merges: 1 });
    const cards = new Map((await cardsOf(lane, workspace)).map((card) => [card.id, card]));
    expect(cards.get(used)).toMatchObject({ status: 'superseded', superseded_by: other });
    expect(cards.get(other)).toEqual(before);
    expect([...cards.values()].filter(({ scope_id }) => scope_id === 'cid')).toMatchObject([
      { status: 'active' },
    ]);
    expect(await notesOf(lane, workspace)).toEqual([]);
  });
});

describe('a note', () => {
  test('answers the warnings that its sources answered, so that none seems open again', async () => {
    const workspace = await lane.workspace();
    const [warning = ''] = await filed(lane, workspace, batches('bob', [180]));
    await filed(lane, workspace, batches('ada', [80, 90, 100]));
    await night(workspace);
    const [note] = await notesOf(lane, workspace);
    const answers = await lane.rows(
      workspace,
      "SELECT to_card FROM edges WHERE type = 'satisfies' AND from_card = $1",
      [note?.id],
    );
    expect(answers).toEqual([{ to_card: warning }]);
  });
});
