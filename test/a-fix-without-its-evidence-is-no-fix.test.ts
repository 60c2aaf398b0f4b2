import type { ConfigFix, Proposal } from '../src/contracts/proposal';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';

jest.setTimeout(120_000);

describeNative('a configuration fix whose evidence is taken away', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  let jobs = 0;
  const failed = (operation: string, error = 'TimeoutError: the press did not answer') => {
    jobs += 1;
    const input = { job: `job-${jobs}`, sheets: jobs };
    return lane.captured({ service: 'press', operation, outcome: 'failed', input, error });
  };
  const thrice = async (operation: string): Promise<[string, string, string]> => [
    await failed(operation),
    await failed(operation),
    await failed(operation, 'PermissionError: the planted drawer is locked'),
  ];
  const proposalsOf = async (operation: string): Promise<Proposal[]> => {
    const { body } = await lane.done('GET', '/v1/proposals?type=config_fix&limit=500', {
      key: lane.keys.auditor,
    });
    return body.items.filter(
      ({ change }: Proposal) => 'step' in change && change.step === operation,
    );
  };
  const proposalOf = async (operation: string): Promise<Proposal> => {
    const [found, ...more] = await proposalsOf(operation);
    if (found === undefined || more.length > 0) throw new Error('not one proposal');
    return found;
  };
  const fixesOf = async (query: string): Promise<ConfigFix[]> =>
    (await lane.done('GET', `/v1/config-fixes?${query}`, { key: lane.keys.runtime })).body.items;
  const stop = (card: string, action = 'quarantine') =>
    lane.done('POST', `/v1/cards/${card}/stop`, { key: lane.keys.rita, body: { action } });
  const stateOf = async ({ workflow_id }: Proposal): Promise<string> =>
    (await lane.env.client.workflow.getHandle(workflow_id).describe()).status.name;
  const ended = async ({ workflow_id }: Proposal) =>
    await lane.env.client.workflow.getHandle(workflow_id).result();

  it('lapses where no card of it is left when it is approved', async () => {
    const warnings = await thrice('ink');
    const proposal = await proposalOf('ink');
    for (const card of warnings) {
      await lane.done('DELETE', `/v1/cards/${card}`, { key: lane.keys.rita });
    }
    const answer = await lane.decide(proposal.id, { decision: 'approve' });
    expect([answer.status, answer.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'world_changed',
        proposal: { id: proposal.id, status: 'lapsed', version: 1 },
      }),
    ]);
    expect(await fixesOf('step=ink')).toEqual([]);
    expect(await ended(proposal)).toMatchObject({ status: 'lapsed' });
  });

  it('is worded anew from what is left, and has to be approved as that', async () => {
    const [one, other, planted] = await thrice('fold');
    const proposal = await proposalOf('fold');
    expect(proposal.summary).toContain('planted drawer');
    await stop(planted);
    const early = await lane.decide(proposal.id, { decision: 'approve' });
    expect([early.status, early.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'world_changed',
        proposal: { id: proposal.id, status: 'open', version: 2 },
      }),
    ]);
    const again = await lane.proposal(proposal.id);
    expect(again).toMatchObject({
      evidence: [one, other],
      drafted_by: 'fallback',
      title: expect.stringContaining('failed 2 times'),
      summary: expect.not.stringContaining('planted'),
    });
    const decided = await lane.decide(proposal.id, { decision: 'approve', version: 2 });
    expect([decided.status, decided.body.status]).toEqual([200, 'approved']);
    const { fix } = again.change as { fix: string };
    expect(await fixesOf('step=fold')).toMatchObject([{ status: 'approved', version: 2, fix }]);
  });

  it('lapses while it waits once all of it is stopped, and its failures count for nothing', async () => {
    const warnings = await thrice('cut');
    const proposal = await proposalOf('cut');
    const [first, second, last] = warnings;
    await stop(first);
    await stop(second, 'delete');
    expect((await proposalOf('cut')).status).toBe('open');
    await stop(last);
    expect(await proposalOf('cut')).toMatchObject({
      status: 'lapsed',
      closed_at: expect.any(String),
    });
    expect((await lane.audited(proposal.id)).map(({ action }) => action)).toEqual([
      'proposal.opened',
      'proposal.lapsed',
    ]);
    const late = await lane.decide(proposal.id, { decision: 'approve' });
    expect([late.status, late.body.code]).toEqual([409, 'already_decided']);
    await failed('cut');
    await failed('cut');
    expect(await proposalsOf('cut')).toHaveLength(1);
    const third = await failed('cut');
    const [open] = await proposalsOf('cut');
    expect(open).toMatchObject({ status: 'open', evidence: expect.arrayContaining([third]) });
    expect(warnings.filter((card) => open?.evidence.includes(card))).toEqual([]);
  });

  it('is offered to no runtime any more once all of it is stopped, and its workflow ends', async () => {
    const warnings = await thrice('bind');
    const proposal = await proposalOf('bind');
    await lane.decide(proposal.id, { decision: 'approve' });
    expect(await fixesOf('status=approved&step=bind')).toHaveLength(1);
    for (const card of warnings) await stop(card, 'delete');
    expect(await fixesOf('status=approved&step=bind')).toEqual([]);
    const [fix] = await fixesOf('step=bind');
    expect(fix).toMatchObject({ status: 'lapsed', closed_at: expect.any(String) });
    const applied = await lane.api.call('POST', `/v1/config-fixes/${fix?.id}/applied`, {
      key: lane.keys.runtime,
      body: {},
    });
    expect([applied.status, applied.body.code]).toEqual([409, 'not_waiting']);
    expect(await ended(proposal)).toMatchObject({ status: 'lapsed' });
    expect(await stateOf(proposal)).toBe('COMPLETED');
  });

  it('stands where something newer took the place of a card of it', async () => {
    const [first] = await thrice('trim');
    const proposal = await proposalOf('trim');
    await lane.api.database.inWorkspace('default', (tx) =>
      tx.query("UPDATE cards SET status = 'superseded' WHERE id = $1", [first]),
    );
    const decided = await lane.decide(proposal.id, { decision: 'approve' });
    expect([decided.status, decided.body.status]).toEqual([200, 'approved']);
  });
});
