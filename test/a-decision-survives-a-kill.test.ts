import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as PgClient } from 'pg';
import type { ProposalActivities } from '../src/activities/proposal';
import { freePort } from '../src/embedded/free-port';
import { describeNative } from './support/database';
import { Program } from './support/program';
import { type Around, ProposalLane, until, type Waiting } from './support/proposal-lane';
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
  let dataDir: string;
  let environment: Record<string, string>;
  const running: Program[] = [];
  beforeAll(async () => {
    lane = await ProposalLane.start('dev');
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-decision-'));
    environment = {
      DATABASE_URL: lane.databaseUrl,
      TEMPORAL_ADDRESS: lane.env.address,
      CAIRN_SECRET_KEY: 'a secret key of the tests, of at least 32 characters',
      CAIRN_BOOTSTRAP_KEY: 'an-owner-key-of-this-test-that-is-long-enough',
      CAIRN_PORT: String(await freePort()),
      CAIRN_EMBEDDING_MODEL: 'none',
    };
  });
  afterAll(async () => {
    for (const { process } of running) if (process.exitCode === null) process.kill('SIGKILL');
    await lane?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const worker = (): Program => {
    const program = Program.spawn(dataDir, environment, 'worker');
    running.push(program);
    return program;
  };

  /** Holds a card's row: whoever is to move the card stands before it, with the decision in hand. */
  async function holding(card: string, meanwhile: () => Promise<unknown>): Promise<void> {
    const [lock, look] = [1, 2].map(() => new PgClient({ connectionString: lane.databaseUrl }));
    if (!lock || !look) throw new Error('two connections');
    await Promise.all([lock.connect(), look.connect()]);
    try {
      await lock.query('BEGIN');
      await lock.query('SELECT 1 FROM cards WHERE id = $1 FOR UPDATE', [card]);
      await until(async () => {
        const { rows } = await look.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await meanwhile();
    } finally {
      await Promise.all([lock.end(), look.end()]);
    }
  }

  test('applies it once, when the next one comes', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    await lane.signal(waiting, APPROVE);
    const first = worker();
    await holding(waiting.cards[0] ?? '', () => first.stop('SIGKILL'));
    expect(await lane.standing(waiting)).toMatchObject({ status: 'open' });

    worker();
    expect(await waiting.handle.result()).toMatchObject({
      status: 'applied',
      decisions: { taken: 1, refused: 0 },
    });
    await once(lane, waiting);
  });

  test('answers whoever decided by Update, who waits for it all the while', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    const second = running.at(-1);
    const answer = lane.decide(waiting, APPROVE);
    await holding(waiting.cards[0] ?? '', async () => await second?.stop('SIGKILL'));
    worker();
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
