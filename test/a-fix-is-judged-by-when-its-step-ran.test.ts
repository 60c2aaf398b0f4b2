import type { Outcome } from '../src/contracts/names';
import type { DecideRequest } from '../src/contracts/proposal-messages';
import { ProposalLane, type Waiting } from './support/proposal-lane';
import { applyFix, endsAs, fixFor, standsAs } from './support/proposal-lives';

jest.setTimeout(120_000);

const APPROVE: DecideRequest = { decision: 'approve', by: 'reviewer', version: 1 };

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start('dev');
});
afterAll(() => lane?.stop());

/** A fix that was applied, and when. */
async function appliedFix(): Promise<Waiting & { appliedAt: number }> {
  const waiting = await fixFor(lane, await lane.workspace());
  const appliedAt = await lane.working(async () => {
    await lane.decide(waiting, APPROVE);
    const at = await applyFix(lane, waiting);
    await standsAs(lane, waiting, 'applied');
    return Date.parse(at);
  });
  return { ...waiting, appliedAt };
}

/** Filed one after the other in this order, and nobody looks meanwhile: seconds after the fix was applied. */
async function heardOf({ workspace, appliedAt }: Waiting & { appliedAt: number }, heard: Heard[]) {
  for (const [after, outcome] of heard) {
    const occurred_at = new Date(appliedAt + after * 1_000).toISOString();
    await lane.file(workspace, { outcome, occurred_at });
  }
  await lane.deliver();
}
type Heard = [number, Outcome];

const statuses = async ({ workspace }: Waiting) =>
  (
    await lane.rows<{ status: string }>(
      workspace,
      'SELECT status FROM proposals ORDER BY created_at, id',
    )
  ).map(({ status }) => status);

test('a failure after the third success leaves it proven, and is the first of a new count', async () => {
  const fix = await appliedFix();
  await heardOf(fix, [
    [4, 'failed'],
    [1, 'worked'],
    [2, 'worked'],
    [3, 'worked'],
  ]);
  await lane.working(() => endsAs(lane, fix, 'proven'));
  await heardOf(fix, [[5, 'failed']]);
  expect(await statuses(fix)).toEqual(['proven']);
  await heardOf(fix, [[6, 'failed']]);
  expect(await statuses(fix)).toEqual(['proven', 'open']);
});

test('a failure before the third success reopens it, though it was heard of last', async () => {
  const fix = await appliedFix();
  await heardOf(fix, [
    [1, 'worked'],
    [2, 'worked'],
    [4, 'worked'],
    [3, 'blocked'],
  ]);
  await lane.working(() => standsAs(lane, fix, 'reopened'));
  expect(await lane.standing(fix)).toMatchObject({
    version: 2,
    change: { before: { worked: 0, failed: 3 }, after: { worked: 3, failed: 1 } },
  });
});

test('what happened before it was applied says nothing, though it was heard of after', async () => {
  const fix = await appliedFix();
  await heardOf(fix, [
    [-1, 'failed'],
    [0, 'failed'],
    [-2, 'worked'],
    [1, 'worked'],
    [2, 'worked'],
  ]);
  await lane.working(() => lane.begun(fix));
  expect(await lane.standing(fix)).toMatchObject({ status: 'applied', version: 1 });
  await heardOf(fix, [[3, 'worked']]);
  await lane.working(() => endsAs(lane, fix, 'proven'));
});

test('what is said to have happened in the future proves nothing', async () => {
  const fix = await appliedFix();
  const ahead = 400 * 86_400;
  await heardOf(fix, [
    [ahead, 'worked'],
    [ahead + 1, 'worked'],
    [ahead + 2, 'worked'],
  ]);
  expect(await lane.rows(fix.workspace, 'SELECT * FROM fix_observations')).toEqual([]);
  await heardOf(fix, [
    [1, 'worked'],
    [2, 'worked'],
    [3, 'worked'],
  ]);
  await lane.working(() => endsAs(lane, fix, 'proven'));
});
