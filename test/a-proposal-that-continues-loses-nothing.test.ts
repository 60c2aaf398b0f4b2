import type { DecideRequest } from '../src/contracts/proposal-messages';
import { saveHistory } from './support/histories';
import { ProposalLane, until, type Waiting } from './support/proposal-lane';
import { applyFix, endsAs, fixFor, standsAs, stepSince } from './support/proposal-lives';

jest.setTimeout(180_000);

const APPROVE: DecideRequest = { decision: 'approve', by: 'reviewer', version: 1 };
const REJECT: DecideRequest = { ...APPROVE, decision: 'reject' };
/** Of a history, at which the server suggests to begin a new one; by default it is 4,096. */
const EVENTS = 60;

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start({
    extraArgs: ['--dynamic-config-value', `limit.historyCount.suggestContinueAsNew=${EVENTS}`],
  });
});
afterAll(() => lane?.stop());

const currentRun = async ({ handle }: Waiting) => (await handle.describe()).runId;

/** Waits until another run has taken over. @returns it */
async function nextRun(waiting: Waiting, than: string): Promise<string> {
  await until(async () => (await currentRun(waiting)) !== than);
  return await currentRun(waiting);
}

/** What nobody may: each is recorded and changes nothing. */
async function refuse(waiting: Waiting, count: number): Promise<void> {
  const before = (await lane.decisions(waiting)).length;
  for (let n = 0; n < count; n += 1) await lane.signal(waiting, { ...APPROVE, by: 'member' });
  await lane.heard(waiting, before + count);
}

test('one that waits: each decision is heard once, its counts go on, and the last one is taken', async () => {
  const waiting = await lane.promotion(await lane.workspace());
  const record = await lane.working(async () => {
    await lane.begun(waiting);
    const first = await currentRun(waiting);
    for (let round = 0; round < 4; round += 1) {
      const answers = Array.from({ length: 5 }, () =>
        lane.decide(waiting, { ...REJECT, by: 'operator' }),
      );
      await refuse(waiting, 5);
      expect(await Promise.all(answers)).toEqual(answers.map(() => 'not_allowed'));
    }
    await nextRun(waiting, first);
    await saveHistory(
      'proposal.continued',
      lane.env.client.workflow.getHandle(waiting.handle.workflowId, first),
    );
    expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'applied', version: 1 });
    return await waiting.handle.result();
  });
  expect(record).toEqual({
    proposal_id: waiting.id,
    type: 'promotion',
    status: 'applied',
    version: 1,
    reminders: 0,
    decisions: { taken: 1, refused: 40 },
    channel: 'temporal',
  });
  const rows = await lane.decisions(waiting);
  expect(rows.filter((row) => row.outcome === 'not_allowed')).toHaveLength(40);
  expect(rows.filter((row) => row.outcome === 'taken')).toHaveLength(1);
});

test('one whose fix is watched: it goes on being watched, and is proven', async () => {
  const workspace = await lane.workspace();
  const waiting = await fixFor(lane, workspace);
  const record = await lane.working(async () => {
    await lane.begun(waiting);
    const first = await currentRun(waiting);
    expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'approved', version: 1 });
    await refuse(waiting, 15);
    const second = await nextRun(waiting, first);
    const applied = await applyFix(lane, waiting);
    await standsAs(lane, waiting, 'applied');
    await refuse(waiting, 15);
    await nextRun(waiting, second);
    await stepSince(lane, waiting, applied, ['worked', 'worked', 'worked']);
    return await endsAs(lane, waiting, 'proven');
  });
  expect(record).toMatchObject({ status: 'proven', decisions: { taken: 1, refused: 30 } });
});

test('a decision that was taken is not taken again in the next run', async () => {
  const waiting = await fixFor(lane, await lane.workspace());
  await lane.working(async () => {
    await lane.begun(waiting);
    const first = await currentRun(waiting);
    await lane.decide(waiting, APPROVE, 'the-same');
    await refuse(waiting, 15);
    await nextRun(waiting, first);
    // The id of an update is known to one run only; its row knows it for ever.
    const again = await lane.decide(waiting, APPROVE, 'the-same');
    expect(['already_decided', { status: 'approved', version: 1 }]).toContainEqual(again);
    await lane.begun(waiting);
    expect(await lane.decide(waiting, REJECT)).toBe('already_decided');
  });
  const taken = (await lane.decisions(waiting)).filter(({ outcome }) => outcome === 'taken');
  expect(taken).toHaveLength(1);
  await waiting.handle.terminate('it was asked what it was to be asked');
});
