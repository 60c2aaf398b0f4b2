import type { PolicyPatch } from '../src/contracts/policy';
import { DAY_MS, HOUR_MS } from '../src/domain/durations';
import { saveHistory } from './support/histories';
import { ProposalLane } from './support/proposal-lane';

jest.setTimeout(120_000);

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start();
});
afterAll(() => lane?.stop());

const days = (...numbers: number[]) => numbers.map((n) => `P${n}D`);

/** Policy, and how many reminders are sent in its whole time. */
const POLICIES: [NonNullable<PolicyPatch['proposals']>, number][] = [
  [{}, 2],
  [{ ttl: 'P14D', reminders: days(3, 7) }, 2],
  [{ ttl: 'P14D', reminders: [] }, 0],
  [{ ttl: 'P14D', reminders: days(3, 14) }, 1],
  [{ ttl: 'P14D', reminders: days(3, 20) }, 1],
  [{ ttl: 'P14D', reminders: days(14, 15) }, 0],
  [{ ttl: 'PT2H', reminders: ['PT119M', 'PT30M', 'PT1H'] }, 3],
  [{ ttl: 'P5D', reminders: ['P2D', 'PT48H', 'P2D'] }, 1],
  [{ ttl: 'P90D', reminders: Array.from({ length: 12 }, (_, n) => `P${(n + 1) * 7}D`) }, 12],
];

describe('a proposal that nobody decides', () => {
  test.each(POLICIES)(
    'with %j reminds of itself %i times, and expires',
    async (proposals, sent) => {
      const workspace = await lane.workspace({ proposals });
      await lane.rows(
        workspace,
        `INSERT INTO webhooks (workspace_id, id, sealed, has_secret, events, created_at, changed_at)
       VALUES ($1, 'hook', ''::bytea, false, '{proposal.opened,proposal.reminder,proposal.decided}', now(), now())`,
        [workspace],
      );
      const waiting = await lane.promotion(workspace);
      const record = await lane.working(() => waiting.handle.result());
      expect(record).toEqual({
        proposal_id: waiting.id,
        type: 'promotion',
        status: 'expired',
        version: 1,
        reminders: sent,
        decisions: { taken: 0, refused: 0 },
        channel: null,
      });

      const row = await lane.standing(waiting);
      expect(row).toMatchObject({ status: 'expired', version: 1, reminders: sent });
      expect(Date.parse(row.closed_at ?? '')).toBeGreaterThanOrEqual(Date.parse(row.expires_at));
      expect(await lane.audit(workspace, waiting.id)).toEqual([
        'proposal.opened promotion',
        'proposal.expired',
      ]);
      const told = await lane.rows<{ type: string; at: string }>(
        workspace,
        'SELECT type, at FROM deliveries ORDER BY n',
      );
      expect(told.map(({ type }) => type)).toEqual([
        'proposal.opened',
        ...Array.from({ length: sent }, () => 'proposal.reminder'),
        'proposal.decided',
      ]);
      const [run] = await lane.rows(
        workspace,
        "SELECT state, result, finished_at FROM runs WHERE type = 'proposal'",
      );
      expect(run).toEqual({
        state: 'completed',
        result: { proposal_id: waiting.id, proposal_status: 'expired', version: 1 },
        finished_at: row.closed_at,
      });
      expect(await lane.scope(workspace, waiting.cards[0] ?? '')).toEqual({
        scope: 'agent/scout',
        version: 1,
      });
      if (sent === 2) await saveHistory('proposal.expired', waiting.handle);
    },
  );

  test('is reminded of at the times of its policy', async () => {
    const workspace = await lane.workspace();
    const waiting = await lane.promotion(workspace);
    const opened = Date.parse((await lane.standing(waiting)).opened_at);
    const sent: number[] = [];
    await lane.working(
      () => waiting.handle.result(),
      (activities) => ({
        ...activities,
        remindProposal: (step) => {
          sent.push(Date.parse(step.at) - opened);
          return activities.remindProposal(step);
        },
      }),
    );
    expect(sent).toHaveLength(2);
    for (const [index, after] of [3 * DAY_MS, 7 * DAY_MS].entries()) {
      expect(sent[index]).toBeGreaterThanOrEqual(after);
      expect(sent[index]).toBeLessThan(after + HOUR_MS);
    }
  });

  test('of a ttl of its own expires by it', async () => {
    const workspace = await lane.workspace();
    const waiting = await lane.promotion(workspace, { ttl: 'P5D' });
    const record = await lane.working(() => waiting.handle.result());
    expect(record).toMatchObject({ status: 'expired', reminders: 1 });
    const { opened_at, expires_at } = await lane.standing(waiting);
    expect(Date.parse(expires_at) - Date.parse(opened_at)).toBe(5 * DAY_MS);
  });
});

describe('a proposal that is decided', () => {
  /** Days after which it is, and what was sent until then. */
  test.each([
    [1, 0],
    [5, 1],
    [10, 2],
  ])('after %i days was reminded of %i times, and never again', async (day, sent) => {
    const workspace = await lane.workspace();
    const waiting = await lane.promotion(workspace);
    const { opened_at } = await lane.standing(waiting);
    const record = await lane.working(async () => {
      await lane.until(Date.parse(opened_at) + day * DAY_MS);
      await lane.decide(waiting, { decision: 'reject', by: 'reviewer', version: 1 });
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({ status: 'rejected', reminders: sent });
    await lane.until(Date.parse(opened_at) + 20 * DAY_MS);
    expect(await lane.standing(waiting)).toMatchObject({ status: 'rejected', reminders: sent });
  });

  test('as refused for a stale version goes on being reminded of', async () => {
    const workspace = await lane.workspace();
    const waiting = await lane.promotion(workspace);
    const { opened_at } = await lane.standing(waiting);
    const record = await lane.working(async () => {
      await lane.until(Date.parse(opened_at) + 4 * DAY_MS);
      await lane.signal(waiting, { decision: 'approve', by: 'reviewer', version: 2 });
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({
      status: 'expired',
      reminders: 2,
      decisions: { taken: 0, refused: 1 },
    });
  });
});
