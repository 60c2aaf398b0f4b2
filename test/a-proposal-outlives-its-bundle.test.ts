import { QueryNotRegisteredError } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { STATE_QUERY } from '../src/contracts/proposal-messages';
import { markFixApplied } from '../src/store/config-fixes-applied';
import { Deploys } from './support/deploys';
import { saveHistory } from './support/histories';
import { olderBundle } from './support/older-bundle';
import { type Handle, ProposalLane, until, type Waiting } from './support/proposal-lane';
import { workflowBundlePath } from './support/temporal';

jest.setTimeout(180_000);

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 } as const;
const { EVENT_TYPE_TIMER_STARTED: TIMER_STARTED } = temporal.api.enums.v1.EventType;

let lane: ProposalLane;
let older: string;
let deploys: Deploys | null = null;

beforeAll(async () => {
  [lane, older] = await Promise.all([
    ProposalLane.start('dev'),
    // One that could not be asked how it stands yet.
    olderBundle('src/workflows/proposal.ts', (text) =>
      text.replace('setHandler(state, () => desk.record());', ''),
    ),
  ]);
  deploys = new Deploys(lane);
});
afterAll(async () => {
  await deploys?.stop();
  await lane?.stop();
});

/** It has begun and waits for somebody, or for its time. */
async function waits(handle: Handle): Promise<void> {
  await until(
    async () => (await handle.fetchHistory()).events?.at(-1)?.eventType === TIMER_STARTED,
  );
}

/** Shows which bundle it is that has it now. */
async function isAsked(handle: Handle): Promise<boolean> {
  try {
    await handle.query(STATE_QUERY);
    return true;
  } catch (error) {
    if (!(error instanceof QueryNotRegisteredError)) throw error;
    return false;
  }
}

/** Three failures of a step, whose fix was approved on the older bundle and is applied on this one. */
async function appliedFix(): Promise<Waiting> {
  await deploys?.deploy(older);
  const workspace = await lane.workspace();
  for (let n = 0; n < 3; n += 1) await lane.file(workspace);
  const waiting = await lane.proposed(workspace);
  expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'approved', version: 1 });
  await waits(waiting.handle);
  expect(await isAsked(waiting.handle)).toBe(false);

  await deploys?.deploy(workflowBundlePath());
  await lane.database.inWorkspace(workspace, (tx) =>
    markFixApplied(tx, {
      id: waiting.id,
      configVersion: 'v2',
      note: null,
      at: new Date(),
      actor: { kind: 'runtime', id: 'runtime' },
      channel: 'api',
    }),
  );
  await lane.deliver();
  return waiting;
}

describe('a proposal that an older bundle opened', () => {
  test('is decided and applied on the newer one', async () => {
    await deploys?.deploy(older);
    const workspace = await lane.workspace();
    const waiting = await lane.promotion(workspace);
    await waits(waiting.handle);
    expect(await isAsked(waiting.handle)).toBe(false);
    await saveHistory('proposal.open', waiting.handle);

    await deploys?.deploy(workflowBundlePath());
    expect(await isAsked(waiting.handle)).toBe(true);
    expect(await lane.decide(waiting, { ...APPROVE, version: 2 })).toBe('stale_version');
    expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'applied', version: 1 });
    expect(await waiting.handle.result()).toMatchObject({
      status: 'applied',
      decisions: { taken: 1, refused: 0 },
    });
    expect(await lane.scope(workspace, waiting.cards[0] ?? '')).toEqual({
      scope: 'team/support',
      version: 2,
    });
  });

  test('whose fix it approved is proven on the newer one', async () => {
    const waiting = await appliedFix();
    for (let n = 0; n < 3; n += 1) await lane.file(waiting.workspace, { outcome: 'worked' });
    await lane.deliver();
    expect(await waiting.handle.result()).toMatchObject({ status: 'proven', version: 1 });
    expect(await lane.standing(waiting)).toMatchObject({ status: 'proven' });
    await saveHistory('proposal.fix-proven', waiting.handle);
  });

  test('whose fix it approved is reopened on the newer one, and decided once more', async () => {
    const waiting = await appliedFix();
    await lane.file(waiting.workspace);
    await lane.deliver();
    await until(async () => (await lane.standing(waiting)).status === 'reopened');
    await waits(waiting.handle);
    expect(await lane.decide(waiting, APPROVE)).toBe('stale_version');
    const reject = { decision: 'reject', by: 'second', version: 2 };
    expect(await lane.decide(waiting, reject)).toEqual({ status: 'rejected', version: 2 });
    expect(await waiting.handle.result()).toMatchObject({ status: 'rejected', version: 2 });
    await saveHistory('proposal.fix-reopened', waiting.handle);
  });
});
