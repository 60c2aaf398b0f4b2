import type { ConfigFix, Proposal } from '../src/contracts/proposal';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { email } from './support/secret-strings';

jest.setTimeout(120_000);

describeNative('a step that fails three times', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  let jobs = 0;
  const did = (operation: string, outcome: 'worked' | 'failed') => {
    jobs += 1;
    return lane.captured({
      service: 'press',
      operation,
      outcome,
      input: { job: `job-${jobs}`, sheets: jobs },
      ...(outcome === 'failed' ? { error: 'TimeoutError: the press did not answer' } : {}),
    });
  };
  const several = async (operation: string, outcome: 'worked' | 'failed', count: number) => {
    const cards: string[] = [];
    while (cards.length < count) cards.push(await did(operation, outcome));
    return cards;
  };
  const proposalsOf = async (operation: string, key = lane.keys.auditor): Promise<Proposal[]> => {
    const { body } = await lane.done('GET', '/v1/proposals?type=config_fix&limit=500', { key });
    return body.items.filter(
      ({ change }: Proposal) => 'step' in change && change.step === operation,
    );
  };
  const proposalOf = async (operation: string): Promise<Proposal> => {
    const [found, ...more] = await proposalsOf(operation);
    if (found === undefined || more.length > 0) throw new Error('not one proposal');
    return found;
  };
  const fixesOf = async (query: string, key = lane.keys.runtime): Promise<ConfigFix[]> =>
    (await lane.done('GET', `/v1/config-fixes?${query}`, { key })).body.items;
  const apply = (id: string, body: object, key = lane.keys.runtime) =>
    lane.api.call('POST', `/v1/config-fixes/${id}/applied`, { key, body });

  it('is one proposal of its team, whose words a runtime gets once they are approved', async () => {
    const warnings = await several('print', 'failed', 4);
    const proposal = await proposalOf('print');
    expect(proposal).toMatchObject({
      status: 'open',
      team: 'red',
      evidence: warnings.slice(0, 3),
      drafted_by: 'fallback',
      change: { team: 'red', workflow: 'press', step: 'print', fix: expect.any(String) },
    });
    const [asRuntime] = await proposalsOf('print', lane.keys.runtime);
    expect(asRuntime).toMatchObject({ id: proposal.id, summary: null, evidence: [] });
    expect(asRuntime?.change).toEqual({ team: 'red', workflow: 'press', step: 'print' });
    expect(await proposalsOf('print', lane.keys.scout)).toEqual([]);
    expect(await fixesOf('step=print')).toEqual([]);

    const decided = await lane.decide(proposal.id, { decision: 'approve' });
    expect(decided.body.status).toBe('approved');
    const fixes = await fixesOf('status=approved&team=red&workflow=press&step=print');
    expect(fixes).toEqual([
      {
        id: expect.stringMatching(/^fix_/),
        proposal_id: proposal.id,
        version: 1,
        status: 'approved',
        team: 'red',
        step: { workflow: 'press', step: 'print' },
        fix: (proposal.change as { fix: string }).fix,
        approved_at: expect.any(String),
        applied_at: null,
        config_version: null,
        note: null,
        observed: { worked: 0, failed: 0 },
        closed_at: null,
      },
    ]);
    expect(await fixesOf('status=applied&step=print')).toEqual([]);
  });

  it('is proven by three successes after its fix was applied, each warning satisfied', async () => {
    const { keys } = lane;
    const warnings = await several('bind', 'failed', 3);
    const { id } = await proposalOf('bind');
    await lane.decide(id, { decision: 'approve' });
    const [fix] = await fixesOf('step=bind');
    if (fix === undefined) throw new Error('no fix');

    expect((await apply(fix.id, {}, keys.scout)).status).toBe(403);
    expect((await apply(fix.id, {}, keys.rita)).status).toBe(403);
    expect((await apply('fix_none', {})).status).toBe(404);
    const secret = email();
    const said = { config_version: 'v7', note: `set by ${secret}` };
    const applied = await apply(fix.id, said);
    expect([applied.status, applied.body]).toEqual([
      200,
      {
        ...fix,
        status: 'applied',
        applied_at: expect.any(String),
        config_version: 'v7',
        note: expect.stringMatching(/^set by \[EMAIL_\w+\]$/),
      },
    ]);
    for (const again of [said, {}]) {
      expect((await apply(fix.id, again)).body).toEqual(applied.body);
    }
    const other = await apply(fix.id, { config_version: 'v8' });
    expect([other.status, other.body.code]).toEqual([409, 'not_waiting']);
    await lane.standing(id, 'applied');
    expect((await lane.audited(fix.id)).map(({ action }) => action)).toEqual([
      'config_fix.applied',
    ]);

    const successes = await several('bind', 'worked', 3);
    const proven = await lane.standing(id, 'proven');
    expect(proven.closed_at).not.toBeNull();
    const [closed] = await fixesOf('step=bind');
    expect(closed).toMatchObject({ status: 'proven', observed: { worked: 3, failed: 0 } });
    expect((await apply(fix.id, said)).body.code).toBe('not_waiting');
    for (const warning of warnings) {
      const { body } = await lane.done('GET', `/v1/cards/${warning}/edges`);
      expect(body.items).toContainEqual(
        expect.objectContaining({ type: 'satisfies', from: successes[2], to: warning }),
      );
    }
    expect(await proposalsOf('bind')).toHaveLength(1);
  });

  it('is open again with what it did before and since, where it fails after its fix', async () => {
    const warnings = await several('fold', 'failed', 3);
    const { id } = await proposalOf('fold');
    await lane.decide(id, { decision: 'approve' });
    // By the proposal's own id its newest fix is meant.
    expect((await apply(id, {})).body.version).toBe(1);
    await did('fold', 'worked');
    const failure = await did('fold', 'failed');
    const reopened = await lane.standing(id, 'reopened');
    expect(reopened).toMatchObject({
      version: 2,
      evidence: [...warnings, failure],
      change: { before: { worked: 0, failed: 3 }, after: { worked: 1, failed: 1 } },
    });
    // Also of who approved the first version: what they said of that one is no answer to this one.
    for (const key of [lane.keys.rolf, lane.keys.rita]) {
      const early = await lane.decide(id, { decision: 'approve', version: 1 }, { key });
      expect([early.status, early.body]).toEqual([
        409,
        expect.objectContaining({
          code: 'stale_version',
          proposal: { id, status: 'reopened', version: 2 },
        }),
      ]);
    }
    const decided = await lane.decide(id, { decision: 'approve', version: 2 });
    expect(decided.body).toMatchObject({
      status: 'approved',
      decisions: [{ version: 1 }, { version: 2 }],
    });
    const fixes = await fixesOf('step=fold');
    expect(fixes.map(({ version, status }) => [version, status])).toEqual([
      [2, 'approved'],
      [1, 'reopened'],
    ]);
    const newest = await lane.done('GET', `/v1/config-fixes/${id}`, { key: lane.keys.runtime });
    expect(newest.body).toEqual(fixes[0]);
  });

  it('is not proposed again for the same failures once a person has rejected it', async () => {
    await several('cut', 'failed', 3);
    const { id } = await proposalOf('cut');
    const rejected = await lane.decide(id, { decision: 'reject' });
    expect(rejected.body.status).toBe('rejected');
    await several('cut', 'failed', 2);
    expect(await proposalsOf('cut')).toHaveLength(1);
    await did('cut', 'failed');
    const all = await proposalsOf('cut');
    expect(all.map(({ status, evidence }) => [status, evidence.length])).toEqual([
      ['open', 3],
      ['rejected', 3],
    ]);
  });
});
