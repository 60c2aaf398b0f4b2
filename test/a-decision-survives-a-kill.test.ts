import type { ProposalActivities } from '../src/activities/proposal';
import { describeNative } from './support/database';
import { KilledWorkers } from './support/killed-workers';
import type { Program } from './support/program';
import { type Around, ProposalLane, type Waiting } from './support/proposal-lane';
import { applyFix, fixFor, listening, standsAs, stepSince, told } from './support/proposal-lives';

jest.setTimeout(300_000);

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 };
const MOVED_ONCE = { scope: 'team/support', version: 2 };

const once = async (lane: ProposalLane, waiting: Waiting) => {
  expect(await lane.scope(waiting.workspace, waiting.cards[0] ?? '')).toEqual(MOVED_ONCE);
  expect(await lane.decisions(waiting)).toMatchObject([{ outcome: 'taken' }]);
  expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
    'proposal.opened promotion',
    'proposal.approved promotion',
  ]);
  expect(await lane.audit(waiting.workspace, waiting.cards[0] ?? '')).toEqual([
    'card.promoted scope',
  ]);
};

describeNative('a worker that is killed between a decision and its effect', () => {
  let lane: ProposalLane;
  let workers: KilledWorkers;
  let second: Program;
  beforeAll(async () => {
    lane = await ProposalLane.start('dev');
    workers = await KilledWorkers.on(lane);
  });
  afterAll(async () => {
    workers?.stop();
    await lane?.stop();
  });

  /** Holds a card's row: whoever is to move the card stands before it, with the decision in hand. */
  async function holding(card: string, meanwhile: () => Promise<unknown>): Promise<void> {
    await workers.whileHolding(
      'SELECT 1 FROM cards WHERE id = $1 FOR UPDATE',
      async (stands) => {
        await stands();
        await meanwhile();
      },
      [card],
    );
  }

  test('applies it once, when the next one comes', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    await lane.signal(waiting, APPROVE);
    const first = workers.start();
    await holding(waiting.cards[0] ?? '', () => workers.kill(first));
    expect(await lane.standing(waiting)).toMatchObject({ status: 'open' });

    second = workers.start();
    expect(await waiting.handle.result()).toMatchObject({
      status: 'applied',
      decisions: { taken: 1, refused: 0 },
    });
    await once(lane, waiting);
  });

  test('answers whoever decided by Update, who waits for it all the while', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    const answer = lane.decide(waiting, APPROVE);
    await holding(waiting.cards[0] ?? '', () => workers.kill(second));
    workers.start();
    expect(await answer).toEqual({ status: 'applied', version: 1 });
    await waiting.handle.result();
    await once(lane, waiting);
  });
});

describe('a commit that its workflow never heard of', () => {
  let lane: ProposalLane;
  beforeAll(async () => {
    lane = await ProposalLane.start();
  });
  afterAll(() => lane?.stop());

  /** The first try of each commits, and is lost. */
  const losing =
    (...names: (keyof ProposalActivities)[]): Around =>
    (activities) => {
      const lost = new Set<string>();
      const wrapped = names.map((name) => {
        const step = activities[name] as (input: unknown) => Promise<unknown>;
        const losingOnce = async (input: unknown) => {
          const result = await step(input);
          const key = JSON.stringify([name, input]).replace(/"at":"[^"]*"/, '');
          if (lost.has(key)) return result;
          lost.add(key);
          throw new Error('the worker went away after its commit');
        };
        return [name, losingOnce] as const;
      });
      return { ...activities, ...Object.fromEntries(wrapped) };
    };
  const ALL = [
    'beginProposal',
    'remindProposal',
    'decideProposal',
    'expireProposal',
    'watchFix',
    'lapseFix',
  ] as const;

  test('of a decision: one row, one move, one record', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    const record = await lane.working(
      async () => {
        await lane.signal(waiting, APPROVE);
        return await waiting.handle.result();
      },
      losing(...ALL),
    );
    expect(record).toMatchObject({ status: 'applied', decisions: { taken: 1, refused: 0 } });
    await once(lane, waiting);
  });

  test('of a refusal: one row', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    const record = await lane.working(
      async () => {
        await lane.signal(waiting, { ...APPROVE, by: 'member' });
        await lane.signal(waiting, { ...APPROVE, decision: 'reject' });
        return await waiting.handle.result();
      },
      losing(...ALL),
    );
    expect(record).toMatchObject({ status: 'rejected', decisions: { taken: 1, refused: 1 } });
    expect(await lane.decisions(waiting)).toMatchObject([
      { outcome: 'not_allowed' },
      { outcome: 'taken' },
    ]);
  });

  test('of reminders and the expiry: each is sent once, and it expires once', async () => {
    const workspace = await listening(lane);
    const waiting = await lane.promotion(workspace);
    const record = await lane.working(() => waiting.handle.result(), losing(...ALL));
    expect(record).toMatchObject({ status: 'expired', reminders: 2 });
    expect(await lane.standing(waiting)).toMatchObject({ status: 'expired', reminders: 2 });
    expect(await told(lane, waiting)).toEqual([
      'proposal.opened',
      'proposal.reminder',
      'proposal.reminder',
      'proposal.decided',
    ]);
    expect(await lane.audit(workspace, waiting.id)).toEqual([
      'proposal.opened promotion',
      'proposal.expired',
    ]);
  });

  test('of a fix that was approved, reopened, and approved again: each once', async () => {
    const workspace = await lane.workspace();
    const waiting = await fixFor(lane, workspace);
    const record = await lane.working(
      async () => {
        await lane.signal(waiting, APPROVE);
        await lane.heard(waiting, 1);
        await stepSince(lane, waiting, await applyFix(lane, waiting), ['failed']);
        await standsAs(lane, waiting, 'reopened');
        await lane.signal(waiting, { ...APPROVE, version: 2 });
        await lane.heard(waiting, 2);
        return await waiting.handle.result();
      },
      losing(...ALL),
    );
    expect(record).toMatchObject({ status: 'lapsed', version: 2, decisions: { taken: 2 } });
    expect(await lane.audit(workspace, waiting.id)).toEqual([
      'proposal.opened config_fix',
      'proposal.approved config_fix',
      'proposal.reopened config_fix',
      'proposal.approved config_fix',
      'proposal.lapsed config_fix',
    ]);
    const fixes = await lane.rows(workspace, 'SELECT status FROM config_fixes ORDER BY version');
    expect(fixes).toEqual([{ status: 'reopened' }, { status: 'lapsed' }]);
  });
});
