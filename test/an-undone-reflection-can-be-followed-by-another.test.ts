import type { PolicyPatch } from '../src/contracts/policy';
import { decideProposal } from '../src/store/proposal-deciding';
import { markUndone, type UndoStep, undoBatch } from '../src/store/undoing';
import { CaptureLane } from './support/capture-lane';
import { filed } from './support/night';
import { factsIn, payments, reflected, reflectionsIn, setPolicy } from './support/reflecting';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

const facts = (decision: 'approve' | 'reject' | 'escalate'): PolicyPatch => ({
  gate: { rules: [{ candidate: 'fact', decision }, { decision: 'reject' }] },
});

async function stocked(decision: 'approve' | 'reject' | 'escalate'): Promise<string> {
  const workspace = await lane.workspace();
  await setPolicy(lane, workspace, facts(decision));
  await filed(lane, workspace, payments('ada', [608, 420]));
  return workspace;
}

/** The last pass of the workspace, as a person undoes it. */
async function undoLast(workspace: string): Promise<void> {
  const [run] = await lane.rows<{ id: string }>(
    workspace,
    'SELECT id FROM runs WHERE parent_id IS NULL AND day IS NOT NULL ORDER BY created_at DESC LIMIT 1',
  );
  const step: UndoStep = { actor: { kind: 'person', id: 'owner' }, at: new Date(), channel: 'api' };
  await lane.database.inWorkspace(workspace, async (tx) => {
    await undoBatch(tx, run?.id ?? '', 1_000, step);
    await markUndone(tx, run?.id ?? '', step);
  });
}

const inUse = async (workspace: string) =>
  (await factsIn(lane, workspace)).filter(({ status }) => status === 'active');

test('what it approved is found and approved again, from where it began to read', async () => {
  const workspace = await stocked('approve');
  await reflected(lane, workspace);
  await filed(lane, workspace, payments('bob', [90, 80]));
  const second = await reflected(lane, workspace);
  expect(second.counts).toMatchObject({ facts: 1, cards: 4 });
  const [, undone] = await inUse(workspace);
  await undoLast(workspace);
  expect(await inUse(workspace)).toHaveLength(1);

  const third = await reflected(lane, workspace);
  expect(third.counts).toMatchObject({ facts: 1, cards: 4 });
  const [, again] = await inUse(workspace);
  expect(again?.summary).toBe(undone?.summary);
  expect(again?.id).not.toBe(undone?.id);
  expect((await reflected(lane, workspace)).counts.cards).toBeUndefined();
});

test('a first one is read from the beginning, however often it is undone', async () => {
  const workspace = await stocked('approve');
  for (let time = 0; time < 3; time += 1) {
    expect((await reflected(lane, workspace)).counts).toMatchObject({ facts: 1, cards: 4 });
    await undoLast(workspace);
    await undoLast(workspace);
    expect(await inUse(workspace)).toEqual([]);
  }
});

test('what the gate rejected is judged again by the gate of today', async () => {
  const workspace = await stocked('reject');
  await reflected(lane, workspace);
  expect(await factsIn(lane, workspace)).toEqual([]);
  await undoLast(workspace);
  await setPolicy(lane, workspace, facts('approve'));
  expect((await reflected(lane, workspace)).counts).toMatchObject({ facts: 1 });
});

test('what waited for a person is put to them again', async () => {
  const workspace = await stocked('escalate');
  await reflected(lane, workspace);
  await undoLast(workspace);
  expect((await reflected(lane, workspace)).counts).toMatchObject({ escalated: 1 });
  const proposals = await lane.rows<{ status: string }>(
    workspace,
    'SELECT status FROM proposals ORDER BY created_at, id',
  );
  expect(proposals.map(({ status }) => status)).toEqual(['lapsed', 'open']);
});

test.each(['approve', 'reject'] as const)(
  'what a person decided stays so: %s',
  async (decision) => {
    const workspace = await stocked('escalate');
    await lane.rows(
      workspace,
      `INSERT INTO people (workspace_id, id, name, role, created_at) VALUES ($1, 'rita', 'rita', 'reviewer', now())`,
      [workspace],
    );
    await reflected(lane, workspace);
    const [proposal] = await lane.rows<{ id: string; version: number }>(
      workspace,
      'SELECT id, version FROM proposals',
    );
    const { id = '', version = 1 } = proposal ?? {};
    await lane.database.inWorkspace(workspace, (tx) =>
      decideProposal(tx, {
        id,
        decisionId: `decision-${decision}`,
        request: { by: 'rita', decision, version },
        at: new Date(),
        workflowId: `proposal/${workspace}/${id}`,
      }),
    );
    const before = (await inUse(workspace)).length;
    await undoLast(workspace);
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1, cards: 4 });
    expect(await inUse(workspace)).toHaveLength(before);
    expect(await lane.rows(workspace, 'SELECT id FROM proposals')).toHaveLength(1);
  },
);

test('a fact that was deleted or changed since is not taken back, and not found again', async () => {
  const ways = ["status = 'deleted'", "summary = 'as a person put it'"];
  for (const set of ways) {
    const workspace = await stocked('approve');
    await reflected(lane, workspace);
    await lane.rows(
      workspace,
      `UPDATE cards SET version = version + 1, ${set} WHERE writer_id = 'reflection'`,
    );
    await undoLast(workspace);
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1 });
    expect(await factsIn(lane, workspace)).toHaveLength(1);
    expect(await reflectionsIn(lane, workspace)).toHaveLength(1);
  }
});
