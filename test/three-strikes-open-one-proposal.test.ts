import type { SettledEvent } from '../src/contracts/event';
import { DAY_MS, HOUR_MS } from '../src/domain/durations';
import { describeNative } from './support/database';
import { failedCall } from './support/distilling';
import { ProposalLane, type StandingProposal, until, type Waiting } from './support/proposal-lane';
import { applyFix, endsAs, fileMany, later, standsAs, stepSince } from './support/proposal-lives';

jest.setTimeout(120_000);

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start();
});
afterAll(() => lane?.stop());

const started: Waiting[] = [];
/** What runs on, or is still to be started, would be in the next test. */
afterEach(async () => {
  for (const { handle } of started.splice(0)) {
    const { status } = await handle.describe();
    if (status.name === 'RUNNING') await handle.terminate('its test is over');
  }
  await lane.database.acrossWorkspaces((tx) => tx.query('DELETE FROM outbox'));
});

type Row = StandingProposal & { id: string; title: string };

/** In the order in which they were opened; their workflows are not started. */
const proposals = (workspace: string): Promise<Row[]> =>
  lane.rows<Row>(
    workspace,
    `SELECT id, title, status, version, evidence, change, closed_at
       FROM proposals ORDER BY created_at, id`,
  );
const statuses = async (workspace: string) =>
  (await proposals(workspace)).map(({ status }) => status);

const ago = async (days: number): Promise<Partial<SettledEvent>> => ({
  occurred_at: new Date((await lane.now()).getTime() - days * DAY_MS).toISOString(),
});

const file = (workspace: string, count: number, fields: Partial<SettledEvent> = {}) =>
  fileMany(lane, workspace, count, fields);

/** A workspace whose step has failed three times, and the proposal of its fix. */
async function struckOut(): Promise<Waiting & { warnings: string[] }> {
  const workspace = await lane.workspace();
  const warnings = await file(workspace, 3);
  const waiting = await lane.proposed(workspace);
  started.push(waiting);
  return { ...waiting, warnings };
}

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 } as const;
const REJECT = { ...APPROVE, decision: 'reject' } as const;

const fixes = (workspace: string) =>
  lane.rows<{ version: number; status: string; closed_at: string | null }>(
    workspace,
    'SELECT version, status, closed_at FROM config_fixes ORDER BY version',
  );

describe('a step of a team', () => {
  test('that fails three times is proposed once, with its failures as evidence', async () => {
    const workspace = await lane.workspace();
    const cards = await file(workspace, 2);
    expect(await proposals(workspace)).toEqual([]);
    cards.push(...(await file(workspace, 1, { outcome: 'blocked' })));
    const [proposal, ...more] = await proposals(workspace);
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      status: 'open',
      version: 1,
      evidence: cards,
      change: { team: 'support', workflow: 'slack', step: 'get_users_in_channel' },
    });
    await file(workspace, 4);
    expect(await proposals(workspace)).toEqual([proposal]);
  });

  test('counts an event once, however often it is filed', async () => {
    const workspace = await lane.workspace();
    const inputs = await lane.captures.record(
      workspace,
      ['one', 'two'].map((id) => failedCall({ event_id: id, input: { channel: id } })),
    );
    const { occurred_at } = failedCall();
    for (const input of [...inputs, ...inputs, ...inputs]) await lane.captures.fileAgain(input);
    expect(await proposals(workspace)).toEqual([]);
    await file(workspace, 1, { occurred_at });
    expect(await statuses(workspace)).toEqual(['open']);
  });

  const DAYS: [number[], number][] = [
    [[20, 10, 0], 1],
    // In whatever order they are heard of.
    [[0, 20, 10], 1],
    [[29.9, 0, 29.8], 1],
    [[31, 1, 0], 0],
    [[0, 31, 16], 0],
    [[60, 40, 20, 0], 0],
    [[90, 80, 75], 1],
  ];
  test.each(DAYS)('that failed %j days ago is proposed %i times', async (days, times) => {
    const workspace = await lane.workspace();
    for (const day of days) await file(workspace, 1, await ago(day));
    expect(await proposals(workspace)).toHaveLength(times);
  });

  test('has the count and the window of the policy', async () => {
    const workspace = await lane.workspace({ strikes: { count: 2, window: 'PT1H' } });
    await file(workspace, 1, await ago(0.1));
    await file(workspace, 1);
    expect(await proposals(workspace)).toEqual([]);
    await file(workspace, 1);
    expect(await statuses(workspace)).toEqual(['open']);
  });

  test('is not another team’s, nor another step', async () => {
    const workspace = await lane.workspace();
    await lane.rows(
      workspace,
      "INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, 'billing', 'billing', now())",
      [workspace],
    );
    await lane.agent(workspace, 'clerk', 'billing');
    await file(workspace, 2);
    await file(workspace, 2, { agent: 'clerk' });
    await file(workspace, 2, { operation: 'post_message' });
    await file(workspace, 2, { service: 'mail' });
    await file(workspace, 2, { workflow_step: { workflow: 'triage', step: 'ask' } });
    await file(workspace, 3, { outcome: 'worked' });
    expect(await proposals(workspace)).toEqual([]);
    await file(workspace, 1, { agent: 'clerk' });
    await file(workspace, 1, { workflow_step: { workflow: 'triage', step: 'ask' } });
    expect((await proposals(workspace)).map(({ change }) => change)).toEqual([
      expect.objectContaining({ team: 'billing', workflow: 'slack', step: 'get_users_in_channel' }),
      expect.objectContaining({ team: 'support', workflow: 'triage', step: 'ask' }),
    ]);
  });
});

describeNative('failures at the very same moment', () => {
  test('of twelve open one proposal', async () => {
    const workspace = await lane.workspace();
    const filed = await lane.fileAtOnce(
      workspace,
      Array.from({ length: 12 }, () => ({ occurred_at: '2026-03-02T08:24:15Z' })),
    );
    expect(new Set(filed.map(({ card_id }) => card_id)).size).toBe(12);
    const [proposal, ...more] = await proposals(workspace);
    expect(more).toEqual([]);
    expect(proposal?.evidence).toHaveLength(3);
    const starts = await lane.rows(
      workspace,
      "SELECT 1 FROM outbox WHERE workspace_id = $1 AND action = 'start_proposal'",
      [workspace],
    );
    expect(starts).toHaveLength(1);
    expect(await lane.audit(workspace, proposal?.id ?? '')).toEqual(['proposal.opened config_fix']);
  });

  test('of three are heard of by the last one of them', async () => {
    for (let round = 0; round < 5; round += 1) {
      const workspace = await lane.workspace();
      await lane.fileAtOnce(workspace, [{}, {}, {}]);
      expect(await statuses(workspace)).toEqual(['open']);
    }
  });
});

describe('a fix that a person decided', () => {
  test('is not proposed again while it is approved, nor while it is applied', async () => {
    const waiting = await struckOut();
    const { workspace } = waiting;
    await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'approved', version: 1 });
      await file(workspace, 4);
      expect(await statuses(workspace)).toEqual(['approved']);
      const early = await ago(1);
      const appliedAt = await applyFix(lane, waiting);
      // Reported late: it says nothing of the fix.
      await file(workspace, 4, early);
      await file(workspace, 1, { occurred_at: appliedAt });
      await lane.deliver();
    });
    expect(await statuses(workspace)).toEqual(['applied']);
    expect(await fixes(workspace)).toMatchObject([{ version: 1, status: 'applied' }]);
    expect(await lane.rows(workspace, 'SELECT * FROM fix_observations')).toEqual([]);
  });

  test('and rejected is proposed again for three new failures, never for the same', async () => {
    const waiting = await struckOut();
    const { workspace, warnings } = waiting;
    const record = await lane.working(async () => {
      await lane.decide(waiting, REJECT);
      return await endsAs(lane, waiting, 'rejected');
    });
    expect(record).toMatchObject({ status: 'rejected', version: 1 });
    const fresh = await file(workspace, 2);
    expect(await statuses(workspace)).toEqual(['rejected']);
    fresh.push(...(await file(workspace, 1)));
    const [first, second, ...more] = await proposals(workspace);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ status: 'rejected', evidence: warnings });
    expect(second).toMatchObject({ status: 'open', evidence: fresh });
  });

  test('and rejected is so for failures of a clock that was ahead', async () => {
    const workspace = await lane.workspace();
    const ahead = { occurred_at: new Date((await lane.now()).getTime() + HOUR_MS).toISOString() };
    await file(workspace, 3, ahead);
    const waiting = await lane.proposed(workspace);
    started.push(waiting);
    await lane.working(async () => {
      await lane.decide(waiting, REJECT);
      await endsAs(lane, waiting, 'rejected');
    });
    await file(workspace, 2);
    expect(await statuses(workspace)).toEqual(['rejected']);
    await file(workspace, 1);
    expect(await statuses(workspace)).toEqual(['rejected', 'open']);
  });

  test('or nobody decided is proposed again at the next failure', async () => {
    const waiting = await struckOut();
    const { workspace, warnings } = waiting;
    const record = await lane.working(async () => {
      await lane.until(Date.parse((await lane.standing(waiting)).expires_at) + 1_000);
      return await endsAs(lane, waiting, 'expired');
    });
    expect(record).toMatchObject({ status: 'expired' });
    const [next] = await file(workspace, 1);
    const [first, second, ...more] = await proposals(workspace);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ status: 'expired' });
    expect(second).toMatchObject({ status: 'open', evidence: [...warnings, next] });
  });
});

describe('a fix that was applied', () => {
  test('is proven by three successes, and the step begins anew', async () => {
    const waiting = await struckOut();
    const { workspace, warnings } = waiting;
    let proofs: string[] = [];
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      // Until it is applied the step fails as before, which the proof settles too.
      await file(workspace, 2);
      const appliedAt = await applyFix(lane, waiting);
      proofs = await stepSince(lane, waiting, appliedAt, ['worked', 'worked']);
      await standsAs(lane, waiting, 'applied');
      const third = new Date(Date.parse(appliedAt) + 10_000).toISOString();
      proofs.push(...(await stepSince(lane, waiting, third, ['worked'])));
      return await endsAs(lane, waiting, 'proven');
    });
    expect(record).toMatchObject({ status: 'proven', version: 1 });
    expect(await fixes(workspace)).toEqual([
      { version: 1, status: 'proven', closed_at: expect.any(String) },
    ]);
    const edges = await lane.rows<{ from_card: string; to_card: string }>(
      workspace,
      "SELECT from_card, to_card FROM edges WHERE type = 'satisfies' ORDER BY array_position($1, to_card)",
      [warnings],
    );
    expect(edges).toEqual(warnings.map((to_card) => ({ from_card: proofs[2], to_card })));
    expect(await lane.audit(workspace, waiting.id)).toEqual([
      'proposal.opened config_fix',
      'proposal.approved config_fix',
      'proposal.proven config_fix',
    ]);
    await later(lane, HOUR_MS);
    await file(workspace, 2);
    expect(await statuses(workspace)).toEqual(['proven']);
    await file(workspace, 1);
    expect(await statuses(workspace)).toEqual(['proven', 'open']);
  });

  test('is open again in its next version at a failure, with figures, and approved anew', async () => {
    const waiting = await struckOut();
    const { workspace, warnings } = waiting;
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      const appliedAt = await applyFix(lane, waiting);
      const cards = await stepSince(lane, waiting, appliedAt, ['worked', 'failed']);
      await standsAs(lane, waiting, 'reopened');
      expect(await lane.standing(waiting)).toMatchObject({
        version: 2,
        evidence: [...warnings, cards[1]],
        change: { before: { worked: 0, failed: 3 }, after: { worked: 1, failed: 1 } },
      });
      await until(async () => (await lane.decide(waiting, APPROVE)) === 'stale_version');
      expect(await lane.decide(waiting, { ...APPROVE, version: 2 })).toEqual({
        status: 'approved',
        version: 2,
      });
      await lane.until(Date.parse(appliedAt) + HOUR_MS);
      await stepSince(lane, waiting, await applyFix(lane, waiting), ['worked', 'worked', 'worked']);
      return await endsAs(lane, waiting, 'proven');
    });
    expect(record).toMatchObject({ status: 'proven', version: 2, decisions: { taken: 2 } });
    expect(await fixes(workspace)).toMatchObject([
      { version: 1, status: 'reopened' },
      { version: 2, status: 'proven' },
    ]);
    expect(await statuses(workspace)).toEqual(['proven']);
    expect(await lane.audit(workspace, waiting.id)).toEqual([
      'proposal.opened config_fix',
      'proposal.approved config_fix',
      'proposal.reopened config_fix',
      'proposal.approved config_fix',
      'proposal.proven config_fix',
    ]);
  });

  test('and was opened again may be rejected, for its failures for good', async () => {
    const waiting = await struckOut();
    const { workspace } = waiting;
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      await stepSince(lane, waiting, await applyFix(lane, waiting), ['failed']);
      await standsAs(lane, waiting, 'reopened');
      await until(async () => (await lane.decide(waiting, REJECT)) === 'stale_version');
      expect(await lane.decide(waiting, { ...REJECT, version: 2 })).toEqual({
        status: 'rejected',
        version: 2,
      });
      return await endsAs(lane, waiting, 'rejected');
    });
    expect(record).toMatchObject({ status: 'rejected', version: 2, decisions: { taken: 2 } });
    expect(await fixes(workspace)).toMatchObject([{ version: 1, status: 'reopened' }]);
    await later(lane, HOUR_MS);
    await file(workspace, 2);
    expect(await statuses(workspace)).toEqual(['rejected']);
    await file(workspace, 1);
    expect(await statuses(workspace)).toEqual(['rejected', 'open']);
  });

  test('and opened again by a failure expires as any other', async () => {
    const waiting = await struckOut();
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      await stepSince(lane, waiting, await applyFix(lane, waiting), ['failed']);
      await standsAs(lane, waiting, 'reopened');
      await later(lane, 15 * DAY_MS);
      return await endsAs(lane, waiting, 'expired');
    });
    expect(record).toMatchObject({ status: 'expired', version: 2, reminders: 2 });
  });

  test('says nothing for 90 days, and lapses', async () => {
    const waiting = await struckOut();
    const { workspace } = waiting;
    let appliedAt = '';
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      await later(lane, 30 * DAY_MS);
      appliedAt = await applyFix(lane, waiting);
      await stepSince(lane, waiting, appliedAt, ['worked', 'worked', 'neutral']);
      await later(lane, 89 * DAY_MS);
      expect(await statuses(workspace)).toEqual(['applied']);
      await later(lane, DAY_MS + HOUR_MS);
      return await endsAs(lane, waiting, 'lapsed');
    });
    expect(record).toMatchObject({ status: 'lapsed', version: 1 });
    const [fix] = await fixes(workspace);
    expect(fix?.status).toBe('lapsed');
    expect(Date.parse(fix?.closed_at ?? '')).toBeGreaterThanOrEqual(
      Date.parse(appliedAt) + 90 * DAY_MS,
    );
  });

  test('by nobody lapses 90 days after it was approved, and may be proposed again', async () => {
    const waiting = await struckOut();
    const { workspace } = waiting;
    const record = await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      await later(lane, 89 * DAY_MS);
      expect(await statuses(workspace)).toEqual(['approved']);
      await later(lane, DAY_MS + HOUR_MS);
      return await endsAs(lane, waiting, 'lapsed');
    });
    expect(record).toMatchObject({ status: 'lapsed', decisions: { taken: 1, refused: 0 } });
    const [fix] = await lane.rows<{ approved_at: string; closed_at: string; status: string }>(
      workspace,
      'SELECT approved_at, closed_at, status FROM config_fixes',
    );
    expect(fix?.status).toBe('lapsed');
    expect(
      Date.parse(fix?.closed_at ?? '') - Date.parse(fix?.approved_at ?? ''),
    ).toBeGreaterThanOrEqual(90 * DAY_MS);
    expect(await lane.audit(workspace, waiting.id)).toEqual([
      'proposal.opened config_fix',
      'proposal.approved config_fix',
      'proposal.lapsed config_fix',
    ]);
    await file(workspace, 3);
    expect(await statuses(workspace)).toEqual(['lapsed', 'open']);
  });
});
