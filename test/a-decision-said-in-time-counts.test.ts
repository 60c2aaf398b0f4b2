import { MockActivityEnvironment } from '@temporalio/testing';
import { createProposalActivities } from '../src/activities/proposal';
import type { DecideRequest } from '../src/contracts/proposal-messages';
import { ProposalLane, type Waiting } from './support/proposal-lane';

jest.setTimeout(60_000);

const APPROVE: DecideRequest = { decision: 'approve', by: 'reviewer', version: 1 };

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start();
});
afterAll(() => lane?.stop());

/** A worker that was away hears of it a minute after the deadline. */
async function heardLate(waiting: Waiting, request: DecideRequest) {
  const { workspace, id } = waiting;
  const deadline = Date.parse((await lane.standing(waiting)).expires_at);
  const { decideProposal } = createProposalActivities({
    database: lane.database,
    clock: () => new Date(),
    hasModel: false,
  });
  return await new MockActivityEnvironment().run(decideProposal, {
    workspace,
    proposal_id: id,
    decision_id: 'late',
    request,
    heard_at: new Date(deadline + 60_000).toISOString(),
  });
}

/** Written down by the API so many seconds from the deadline. */
async function said(waiting: Waiting, seconds: number): Promise<DecideRequest> {
  await lane.rows(
    waiting.workspace,
    `INSERT INTO decision_intents (workspace_id, id, proposal_id, version, by_person, decision, created_at)
     SELECT $1, 'int_one', id, version, 'reviewer', 'approve', expires_at + $2 * interval '1 second'
       FROM proposals WHERE workspace_id = $1 AND id = $3`,
    [waiting.workspace, seconds, waiting.id],
  );
  return { ...APPROVE, intent_id: 'int_one' };
}

describe('a decision that a worker hears of after the deadline', () => {
  const promotion = async () => await lane.promotion(await lane.workspace());

  it('counts where it was said through the API before it', async () => {
    const waiting = await promotion();
    expect(await heardLate(waiting, await said(waiting, -1))).toMatchObject({
      outcome: 'taken',
      status: 'applied',
    });
  });

  it('is too late where it was said after it', async () => {
    const waiting = await promotion();
    expect(await heardLate(waiting, await said(waiting, 1))).toMatchObject({
      outcome: 'refused',
      refusal: 'expired',
    });
  });

  it('is too late where it came straight to Temporal, which does not say when', async () => {
    expect(await heardLate(await promotion(), APPROVE)).toMatchObject({
      outcome: 'refused',
      refusal: 'expired',
    });
  });
});
