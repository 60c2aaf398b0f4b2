import type { ConsolidationActivities } from '../src/activities/consolidation';
import type { PassResult } from '../src/contracts/passes';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { changeCard } from '../src/store/card-edits';
import { grantToAgent, revokeFromAgent } from '../src/store/card-grants';
import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import {
  batches,
  cardsOf,
  changesOf,
  expectNoHalfState,
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

const person = { kind: 'person', id: 'owner' };

/** Runs a night; once its first note has its words, `meanwhile` happens, and then it is filed. */
async function heldOpen(
  workspace: string,
  meanwhile: () => Promise<void>,
  history?: string,
): Promise<PassResult> {
  let held = false;
  let failed: Error | null = null;
  const holding = (activities: ConsolidationActivities): ConsolidationActivities => ({
    ...activities,
    commitPart: async (input) => {
      if (!held) {
        held = true;
        await meanwhile().catch((error: Error) => {
          failed = error;
        });
      }
      return await activities.commitPart(input);
    },
  });
  const models = { embedder: createHashedEmbedder(), distiller: null, aroundNight: holding };
  return await lane.working(models, async () => {
    const started = await startNight(lane, workspace);
    const result = await started.result();
    if (failed !== null) throw failed;
    if (history !== undefined) {
      const [unit] = await lane.rows<{ workflow_id: string }>(
        workspace,
        'SELECT workflow_id FROM runs WHERE parent_id IS NOT NULL',
      );
      await saveHistory(history, lane.env.client.workflow.getHandle(unit?.workflow_id ?? ''));
    }
    return result;
  });
}

const edit = (
  workspace: string,
  id: string,
  columns: Parameters<typeof changeCard>[1]['columns'],
) =>
  lane.database.inWorkspace(workspace, (tx) =>
    changeCard(tx, { id, expected: 1, columns, action: 'edited', actor: person, at: new Date() }),
  );

const skippedOf = async (workspace: string) =>
  (await changesOf(lane, workspace))
    .filter(({ change }) => change === 'skipped')
    .map(({ card_id, reason }) => [card_id, reason]);

async function stocked(count: number): Promise<{ workspace: string; ids: string[] }> {
  const workspace = await lane.workspace();
  const sizes = Array.from({ length: count }, (_, at) => 10 + at);
  return { workspace, ids: await filed(lane, workspace, batches('ada', sizes)) };
}

describe('a pass that is held open', () => {
  test('while ten cards are added and three are edited: all thirteen survive', async () => {
    const { workspace, ids } = await stocked(12);
    const edited = ids.slice(2, 5);
    let added: string[] = [];
    await heldOpen(
      workspace,
      async () => {
        const later = batches('ada', Array(10).fill(99));
        added = await filed(lane, workspace, later);
        for (const id of edited) await edit(workspace, id, { summary: `Edited by hand: ${id}.` });
      },
      'consolidate-scope.sources-moved',
    );
    const cards = new Map((await cardsOf(lane, workspace)).map((card) => [card.id, card]));
    for (const id of [...added, ...edited]) expect(cards.get(id)?.status).toBe('active');
    for (const id of edited)
      expect(cards.get(id)).toMatchObject({ version: 2, summary: `Edited by hand: ${id}.` });
    const [note] = await notesOf(lane, workspace);
    const told = ids.filter((id) => !edited.includes(id));
    expect(await sourcesOf(lane, workspace, note?.id ?? '')).toEqual([...told].sort());
    expect(note?.summary).toContain('from 9 episodes');
    expect(await skippedOf(workspace)).toEqual(edited.map((id) => [id, 'changed']));
    await expectNoHalfState(lane, workspace);
  });

  test('leaves what a person has put into words, on any later night too', async () => {
    const { workspace, ids } = await stocked(6);
    const [reworded = ''] = ids;
    await edit(workspace, reworded, { summary: 'In the words of a person.' });
    await heldOpen(workspace, async () => {});
    const [note] = await notesOf(lane, workspace);
    expect(await sourcesOf(lane, workspace, note?.id ?? '')).toEqual([...ids.slice(1)].sort());
    const cards = new Map((await cardsOf(lane, workspace)).map((card) => [card.id, card]));
    expect(cards.get(reworded)).toMatchObject({
      status: 'active',
      summary: 'In the words of a person.',
    });
  });

  test('loses against a deletion, a stop and an expiry, and tells nothing of what went', async () => {
    const { workspace, ids } = await stocked(8);
    const [deleted = '', stopped = '', expired = ''] = ids;
    await heldOpen(workspace, async () => {
      await edit(workspace, deleted, { status: 'deleted' });
      await edit(workspace, stopped, { status: 'rejected' });
      await edit(workspace, expired, { expires_at: new Date().toISOString() });
    });
    const [note] = await notesOf(lane, workspace);
    expect(await sourcesOf(lane, workspace, note?.id ?? '')).toEqual([...ids.slice(3)].sort());
    expect(note?.summary).toMatch(/worked all 5 times/);
    const statuses = new Map(
      (await cardsOf(lane, workspace)).map((card) => [card.id, card.status]),
    );
    expect([deleted, stopped, expired].map((id) => statuses.get(id))).toEqual([
      'deleted',
      'rejected',
      'active',
    ]);
    await expectNoHalfState(lane, workspace);
  });

  test('gives a note to nobody from whom a source was taken back meanwhile', async () => {
    const { workspace, ids } = await stocked(6);
    const inWorkspace = <T>(work: Parameters<typeof lane.database.inWorkspace<T>>[1]) =>
      lane.database.inWorkspace(workspace, work);
    await filed(lane, workspace, batches('scout', [10]));
    const terms = { purpose: 'the launch', expiresAt: null, now: new Date() };
    const soon = new Date(Date.now() + 3_600_000);
    for (const id of ids) await inWorkspace((tx) => grantToAgent(tx, id, 'scout', terms));
    await inWorkspace((tx) =>
      grantToAgent(tx, ids[5] ?? '', 'scout', { ...terms, expiresAt: soon }),
    );
    await heldOpen(workspace, async () => {
      for (const id of ids.slice(0, 2)) {
        await inWorkspace((tx) => revokeFromAgent(tx, id, 'scout'));
      }
    });
    const [note] = await notesOf(lane, workspace);
    expect(await sourcesOf(lane, workspace, note?.id ?? '')).toEqual([...ids.slice(2)].sort());
    const grants = await lane.rows<{ agent_id: string; purpose: string; expires_at: string }>(
      workspace,
      'SELECT agent_id, purpose, expires_at FROM card_grants WHERE card_id = $1',
      [note?.id],
    );
    expect(grants).toMatchObject([{ agent_id: 'scout', purpose: 'the launch' }]);
    expect(new Date(grants[0]?.expires_at ?? '').getTime()).toBe(soon.getTime());
    expect(await skippedOf(workspace)).toEqual(ids.slice(0, 2).map((id) => [id, 'shares_changed']));
  });

  test('writes nothing where too little is left, and says so', async () => {
    const { workspace, ids } = await stocked(4);
    const result = await heldOpen(workspace, async () => {
      for (const id of ids.slice(0, 2)) await edit(workspace, id, { status: 'deleted' });
    });
    expect(result).toMatchObject({ status: 'completed', counts: { dropped: 1, skipped: 2 } });
    expect(await notesOf(lane, workspace)).toEqual([]);
    expect((await cardsOf(lane, workspace)).map(({ status }) => status).sort()).toEqual([
      'active',
      'active',
      'deleted',
      'deleted',
    ]);
  });

  test('keeps nothing of a draft whose source was erased', async () => {
    const { workspace, ids } = await stocked(5);
    await heldOpen(workspace, async () => {
      await lane.rows(workspace, 'DELETE FROM run_drafts WHERE sources && $1::text[]', [[ids[0]]]);
    });
    expect(await notesOf(lane, workspace)).toEqual([]);
    expect(new Set((await cardsOf(lane, workspace)).map(({ status }) => status))).toEqual(
      new Set(['active']),
    );
  });
});

describe('a commit that its workflow never heard of', () => {
  test('is the same commit when it is tried again', async () => {
    const { workspace, ids } = await stocked(5);
    const lost = new Set<string>();
    const losing = (activities: ConsolidationActivities): ConsolidationActivities => ({
      ...activities,
      commitPart: async (input) => {
        const outcome = await activities.commitPart(input);
        if (lost.has(input.part)) return outcome;
        lost.add(input.part);
        throw new Error('the answer was lost');
      },
    });
    const models = { embedder: createHashedEmbedder(), distiller: null, aroundNight: losing };
    const result = await lane.working(models, async () =>
      (await startNight(lane, workspace)).result(),
    );
    expect(result.counts).toMatchObject({ notes: 1, retired: 5 });
    expect(await notesOf(lane, workspace)).toHaveLength(1);
    const changes = await changesOf(lane, workspace);
    expect(changes.map(({ change }) => change).sort()).toEqual([
      'created',
      ...ids.map(() => 'retired'),
    ]);
    await expectNoHalfState(lane, workspace);
  });
});
