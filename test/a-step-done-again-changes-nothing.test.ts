import { MockActivityEnvironment } from '@temporalio/testing';
import { createProposalActivities, type ProposalActivities } from '../src/activities/proposal';
import type { DecideRequest } from '../src/contracts/proposal-messages';
import { DAY_MS } from '../src/domain/durations';
import { describeNative } from './support/database';
import { ProposalLane, type Waiting } from './support/proposal-lane';
import { fixFor, listening, told } from './support/proposal-lives';

jest.setTimeout(120_000);

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start();
});
afterAll(() => lane?.stop());

const APPROVE: DecideRequest = { decision: 'approve', by: 'reviewer', version: 1 };
const REJECT: DecideRequest = { ...APPROVE, decision: 'reject' };

// Their workflows are started and never worked on: each step is done here.
const promotion = async () => await lane.promotion(await listening(lane));
const contradiction = async () => await lane.contradiction(await listening(lane));
const fix = async () => await fixFor(lane, await listening(lane));

const TABLES = [
  'proposals',
  'proposal_decisions',
  'config_fixes',
  'strikes',
  'cards',
  'card_versions',
  'edges',
  'dismissed_conflicts',
  'audit_log',
  'deliveries',
  'outbox',
  'runs',
];

/** Every row that a decision may write. */
async function world({ workspace }: Waiting): Promise<Record<string, string[]>> {
  const tables = TABLES.map(async (table) => {
    const rows = await lane.rows<{ row: string }>(
      workspace,
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE workspace_id = $1 ORDER BY 1`,
      [workspace],
    );
    return [table, rows.map(({ row }) => row)] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** Activities without a worker, as the next worker has them in hand. */
function activities(): ProposalActivities {
  const { database } = lane;
  return createProposalActivities({ database, clock: () => new Date(), hasModel: false });
}
const asActivity = <T>(work: () => Promise<T>): Promise<T> =>
  new MockActivityEnvironment().run(work);

async function decided({ workspace, id }: Waiting, request: DecideRequest) {
  const heard_at = (await lane.now()).toISOString();
  const step = { workspace, proposal_id: id, decision_id: 'one', request, heard_at };
  return () => asActivity(() => activities().decideProposal(step));
}

const touchCards = ({ workspace }: Waiting) =>
  lane.rows(workspace, 'UPDATE cards SET version = version + 1');

type Kind = [string, () => Promise<Waiting>, DecideRequest, string];
const KINDS: Kind[] = [
  ['an approval of a promotion', promotion, APPROVE, 'taken'],
  ['a rejection of a promotion', promotion, REJECT, 'taken'],
  ['an approval of a side', contradiction, APPROVE, 'taken'],
  ['a rejection of a contradiction', contradiction, REJECT, 'taken'],
  ['an approval of a fix', fix, APPROVE, 'taken'],
  ['a rejection of a fix', fix, REJECT, 'taken'],
  ['what an operator decides', promotion, { ...APPROVE, by: 'operator' }, 'refused'],
  ['what is decided for another version', fix, { ...REJECT, version: 3 }, 'refused'],
];

describe('a step that is done again after its commit was not heard of', () => {
  test.each(KINDS)('changes nothing: %s', async (_, opened, request, outcome) => {
    const waiting = await opened();
    const before = await world(waiting);
    const decide = await decided(waiting, request);
    const first = await decide();
    expect(first.outcome).toBe(outcome);
    const after = await world(waiting);
    expect(after.proposal_decisions).toHaveLength(1);
    expect(after.audit_log?.length).toBeGreaterThan(before.audit_log?.length ?? 0);
    expect(await decide()).toEqual(first);
    expect(await world(waiting)).toEqual(after);
  });

  test('changes nothing: an approval after the world had changed', async () => {
    const waiting = await promotion();
    await touchCards(waiting);
    const decide = await decided(waiting, APPROVE);
    const first = await decide();
    expect(first).toMatchObject({ outcome: 'refused', refusal: 'world_changed', version: 2 });
    const after = await world(waiting);
    expect(await decide()).toEqual(first);
    expect(await world(waiting)).toEqual(after);
  });

  test('changes nothing: a reminder, and an expiry', async () => {
    const waiting = await promotion();
    const { workspace, id: proposal_id } = waiting;
    const { opened_at, expires_at } = await lane.standing(waiting);
    const due = new Date(Date.parse(opened_at) + 3 * DAY_MS).toISOString();
    const key = { workspace, proposal_id, version: 1 };
    const remind = () => asActivity(() => activities().remindProposal({ ...key, due, at: due }));
    const expire = () => asActivity(() => activities().expireProposal({ ...key, at: expires_at }));
    for (const step of [remind, expire]) {
      const first = await step();
      const after = await world(waiting);
      expect(await step()).toEqual(first);
      expect(await world(waiting)).toEqual(after);
    }
    expect(await told(lane, waiting)).toEqual(['proposal.reminder', 'proposal.decided']);
    expect(await lane.standing(waiting)).toMatchObject({ status: 'expired', reminders: 1 });
    // The one that was sent counts as sent, though nobody waits any more; a later one is not sent.
    expect(await remind()).toEqual({ sent: true });
    const late = { ...key, due: expires_at, at: expires_at };
    expect(await asActivity(() => activities().remindProposal(late))).toEqual({ sent: false });
    expect(await told(lane, waiting)).toHaveLength(2);
  });
});

describeNative('a step whose first worker is still at it', () => {
  test.each(KINDS)('changes nothing twice: %s', async (_, opened, request) => {
    const waiting = await opened();
    const decide = await decided(waiting, request);
    const [first, ...others] = await Promise.all([decide(), decide(), decide(), decide()]);
    for (const other of others) expect(other).toEqual(first);
    const after = await world(waiting);
    expect(after.proposal_decisions).toHaveLength(1);
    expect(await decide()).toEqual(first);
    expect(await world(waiting)).toEqual(after);
  });
});
