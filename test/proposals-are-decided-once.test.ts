import { WorkflowNotFoundError } from '@temporalio/client';
import { proposalDecider } from '../src/api/proposal-decider';
import type { DecideRequest } from '../src/contracts/proposal-messages';
import { decideProposal } from '../src/store/proposal-deciding';
import type { NewProposal } from '../src/store/proposal-opening';
import { saveHistory } from './support/histories';
import { ProposalLane, until, type Waiting } from './support/proposal-lane';

jest.setTimeout(180_000);

const APPROVE = { decision: 'approve', by: 'reviewer', version: 1 } as const;
const REJECT = { ...APPROVE, decision: 'reject' } as const;
const TEAM_SCOPE = { scope: 'team/support', version: 2 };
const OWN_SCOPE = { scope: 'agent/scout', version: 1 };

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start('dev');
});
afterAll(() => lane?.stop());

const cardOf = ({ workspace, cards }: Waiting, of = lane) => of.scope(workspace, cards[0] ?? '');
const taken = (request: DecideRequest, channel = 'temporal') => heard(request, 'taken', channel);
const heard = (
  { by, decision, version }: DecideRequest,
  outcome: string,
  channel = 'temporal',
) => ({
  by_person: by,
  decision,
  outcome,
  version,
  channel,
});

/** A workspace and a promotion that waits in it. */
async function promotion(fields: Partial<NewProposal> = {}, policy = {}): Promise<Waiting> {
  return await lane.promotion(await lane.workspace(policy), fields);
}

/** Three failures of a step, whose fix is proposed: approved, it goes on running. */
async function fix(): Promise<Waiting> {
  const workspace = await lane.workspace();
  for (let n = 0; n < 3; n += 1) await lane.file(workspace);
  return await lane.proposed(workspace);
}

/** As the API writes it down before it sends the decision. */
async function intend(waiting: Waiting, fields: Partial<DecideRequest> = {}): Promise<string> {
  const id = `int_${waiting.id}_${Object.values(fields).join('_')}`.slice(0, 60);
  const { by, decision, version } = { ...APPROVE, ...fields };
  await lane.rows(
    waiting.workspace,
    `INSERT INTO decision_intents (workspace_id, id, proposal_id, version, by_person, decision, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, now())`,
    [waiting.workspace, id, waiting.id, version, by, decision],
  );
  return id;
}

async function decideOrOver(waiting: Waiting, request: DecideRequest) {
  try {
    return await lane.decide(waiting, request);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'over';
    throw error;
  }
}

describe('a decision', () => {
  test('approves by Update: the answer, one move of the card, one row, its record', async () => {
    const waiting = await promotion();
    const record = await lane.working(async () => {
      expect(await lane.decide(waiting, { ...APPROVE, reason_code: 'useful' })).toEqual({
        status: 'applied',
        version: 1,
      });
      return await waiting.handle.result();
    });
    expect(record).toEqual({
      proposal_id: waiting.id,
      type: 'promotion',
      status: 'applied',
      version: 1,
      reminders: 0,
      decisions: { taken: 1, refused: 0 },
      channel: 'temporal',
    });
    expect(await cardOf(waiting)).toEqual(TEAM_SCOPE);
    expect(await lane.decisions(waiting)).toEqual([taken(APPROVE)]);
    expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
      'proposal.opened promotion',
      'proposal.approved promotion',
    ]);
    expect(await lane.audit(waiting.workspace, waiting.cards[0] ?? '')).toEqual([
      'card.promoted scope',
    ]);
    await saveHistory('proposal.approved', waiting.handle);
  });

  test('rejects by Signal, which nobody waits for', async () => {
    const waiting = await promotion();
    const record = await lane.working(async () => {
      await lane.signal(waiting, REJECT);
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({ status: 'rejected', decisions: { taken: 1, refused: 0 } });
    expect(await cardOf(waiting)).toEqual(OWN_SCOPE);
    expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
      'proposal.opened promotion',
      'proposal.rejected promotion',
    ]);
    await saveHistory('proposal.rejected', waiting.handle);
  });

  test('that comes second is refused: by Update at once, by Signal on the record', async () => {
    const waiting = await fix();
    await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'approved', version: 1 });
      expect(await lane.decide(waiting, REJECT)).toBe('already_decided');
      expect(await lane.decide(waiting, APPROVE)).toBe('already_decided');
      await lane.signal(waiting, { ...REJECT, by: 'owner' });
      await lane.heard(waiting, 2);
    });
    expect(await lane.standing(waiting)).toMatchObject({ status: 'approved', version: 1 });
    expect(await lane.decisions(waiting)).toEqual([
      taken(APPROVE),
      heard({ ...REJECT, by: 'owner' }, 'already_decided'),
    ]);
    expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
      'proposal.opened config_fix',
      'proposal.approved config_fix',
      'proposal.decision_refused already_decided',
    ]);
  });

  test('asked for again by the same id is the same one', async () => {
    const waiting = await fix();
    await lane.working(async () => {
      const first = await lane.decide(waiting, APPROVE, 'the-same');
      expect(await lane.decide(waiting, APPROVE, 'the-same')).toEqual(first);
    });
    expect(await lane.decisions(waiting)).toEqual([taken(APPROVE)]);
  });

  test('of a workflow that is over finds none, and through the API the same answer as before', async () => {
    const waiting = await promotion();
    await lane.working(async () => {
      await lane.decide(waiting, APPROVE);
      await waiting.handle.result();
      await expect(lane.decide(waiting, REJECT)).rejects.toBeInstanceOf(WorkflowNotFoundError);
      const decider = proposalDecider(lane.env.client);
      expect(await decider.decide(waiting, 'again', REJECT)).toEqual({
        outcome: 'refused',
        refusal: 'already_decided',
      });
    });
    expect(await cardOf(waiting)).toEqual(TEAM_SCOPE);
    expect(await lane.standing(waiting)).toMatchObject({ status: 'applied', version: 1 });
  });
});

describe('ten decisions at the same moment', () => {
  const ten = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? APPROVE : REJECT));

  test('are taken once: nine are told so, or that it is over', async () => {
    const waiting = await promotion();
    const answers = await lane.working(async () => {
      const all = await Promise.all(ten.map((request) => decideOrOver(waiting, request)));
      await waiting.handle.result();
      return all;
    });
    const { status } = await lane.standing(waiting);
    expect(answers.filter((answer) => typeof answer !== 'string')).toEqual([
      { status, version: 1 },
    ]);
    expect(new Set(answers.filter((answer) => typeof answer === 'string'))).toEqual(
      new Set(answers.includes('over') ? ['already_decided', 'over'] : ['already_decided']),
    );
    const rows = await lane.decisions(waiting);
    expect(rows.filter((row) => row.outcome === 'taken')).toHaveLength(1);
    expect(await lane.scope(waiting.workspace, waiting.cards[0] ?? '')).toEqual(
      status === 'applied' ? TEAM_SCOPE : OWN_SCOPE,
    );
  });

  test('by Signal are taken once, and nine are recorded as refused', async () => {
    const waiting = await promotion();
    const record = await lane.working(async () => {
      await Promise.all(ten.map((request) => lane.signal(waiting, request)));
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({ decisions: { taken: 1, refused: 9 } });
    const rows = await lane.decisions(waiting);
    expect(rows.filter((row) => row.outcome === 'already_decided')).toHaveLength(9);
  });
});

describe('at the deadline', () => {
  let lane: ProposalLane;
  beforeAll(async () => {
    lane = await ProposalLane.start();
  });
  afterAll(() => lane?.stop());

  test('an approval one second before it wins', async () => {
    // A machine that is too busy to hear of it within that second has not shown anything.
    for (let tries = 1; ; tries += 1) {
      const waiting = await lane.promotion(await lane.workspace());
      const { expires_at } = await lane.standing(waiting);
      const deadline = Date.parse(expires_at);
      let heardAt = Number.NaN;
      const answer = await lane.working(
        async () => {
          await lane.until(deadline - 1_000);
          return await lane.decide(waiting, APPROVE);
        },
        (activities) => ({
          ...activities,
          decideProposal: (step) => {
            heardAt = Date.parse(step.heard_at);
            return activities.decideProposal(step);
          },
        }),
      );
      if (!(heardAt <= deadline) && tries < 5) continue;
      expect(heardAt).toBeLessThanOrEqual(deadline);
      expect(answer).toEqual({ status: 'applied', version: 1 });
      expect(await cardOf(waiting, lane)).toEqual(TEAM_SCOPE);
      return;
    }
  });

  test('one that was heard of after it loses, though nobody had closed it', async () => {
    const waiting = await lane.promotion(await lane.workspace(), { ttl: 'PT1S' });
    const { expires_at } = await lane.standing(waiting);
    await until(async () => (await lane.now()) > new Date(expires_at));
    await lane.signal(waiting, APPROVE);
    const record = await lane.working(() => waiting.handle.result());
    expect(record).toMatchObject({ status: 'expired', decisions: { taken: 0, refused: 1 } });
    expect(await lane.decisions(waiting)).toEqual([heard(APPROVE, 'expired')]);
    expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
      'proposal.opened promotion',
      'proposal.decision_refused expired',
      'proposal.expired',
    ]);
    expect(await cardOf(waiting, lane)).toEqual(OWN_SCOPE);
  });

  test('one that comes while it is being closed loses by Update and by Signal', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    const answers: unknown[] = [];
    const record = await lane.working(
      () => waiting.handle.result(),
      (activities) => ({
        ...activities,
        expireProposal: async (step) => {
          answers.push(await lane.decide(waiting, APPROVE));
          await lane.signal(waiting, APPROVE);
          return await activities.expireProposal(step);
        },
      }),
    );
    expect(answers).toEqual(['expired']);
    expect(record).toMatchObject({ status: 'expired', decisions: { taken: 0, refused: 1 } });
    expect(await lane.decisions(waiting)).toEqual([heard(APPROVE, 'expired')]);
  });

  test('after it there is no workflow to ask, and the API says that it expired', async () => {
    const waiting = await lane.promotion(await lane.workspace());
    await lane.working(async () => {
      await waiting.handle.result();
      await expect(lane.decide(waiting, APPROVE)).rejects.toBeInstanceOf(WorkflowNotFoundError);
      const decider = proposalDecider(lane.env.client);
      expect(await decider.decide(waiting, 'late', APPROVE)).toEqual({
        outcome: 'refused',
        refusal: 'expired',
      });
    });
    expect(await lane.standing(waiting)).toMatchObject({ status: 'expired' });
    expect(await cardOf(waiting, lane)).toEqual(OWN_SCOPE);
  });

  test.each([
    [-1_000, 'taken'],
    [0, 'taken'],
    [1, 'refused'],
    [1_000, 'refused'],
  ])('a decision that is heard of %i ms after it is %s', async (after, outcome) => {
    const waiting = await lane.promotion(await lane.workspace());
    const { expires_at } = await lane.standing(waiting);
    const at = new Date(Date.parse(expires_at) + after);
    const step = { id: waiting.id, decisionId: 'one', request: APPROVE, at, workflowId: 'none' };
    const decided = await lane.database.inWorkspace(waiting.workspace, (tx) =>
      decideProposal(tx, step),
    );
    expect(decided).toMatchObject({
      outcome,
      ...(outcome === 'refused' ? { refusal: 'expired', status: 'open' } : { status: 'applied' }),
    });
    await waiting.handle.terminate('it was asked past its workflow');
  });
});

describe('who may not', () => {
  const refused = [
    ['an operator', 'operator', {}],
    ['a member', 'member', {}],
    ['somebody unknown', 'nobody', {}],
    ['who proposed it', 'reviewer', { proposedBy: { kind: 'person', id: 'reviewer' } }],
    [
      'for whom a runtime proposed it',
      'reviewer',
      { proposedBy: { kind: 'runtime', id: 'harness' }, proposedFor: 'reviewer' },
    ],
  ] as const;

  test.each(refused)('%s changes nothing, by Update and by Signal', async (_, by, fields) => {
    const waiting = await promotion(fields);
    const request = { ...APPROVE, by };
    await lane.working(async () => {
      expect(await lane.decide(waiting, request)).toBe('not_allowed');
      await lane.signal(waiting, { ...request, decision: 'reject' });
      await lane.heard(waiting, 2);
      expect(await lane.standing(waiting)).toMatchObject({ status: 'open', version: 1 });
      expect(await cardOf(waiting)).toEqual(OWN_SCOPE);
      expect(await lane.decide(waiting, { ...APPROVE, by: 'second' })).toEqual({
        status: 'applied',
        version: 1,
      });
      expect(await waiting.handle.result()).toMatchObject({ decisions: { taken: 1, refused: 2 } });
    });
    expect(await lane.decisions(waiting)).toEqual([
      heard(request, 'not_allowed'),
      heard({ ...request, decision: 'reject' }, 'not_allowed'),
      taken({ ...APPROVE, by: 'second' }),
    ]);
    expect(await lane.audit(waiting.workspace, waiting.id)).toEqual([
      'proposal.opened promotion',
      'proposal.decision_refused not_allowed',
      'proposal.decision_refused not_allowed',
      'proposal.approved promotion',
    ]);
  });

  test('a person who lost the right while it waited', async () => {
    const waiting = await promotion();
    await lane.rows(waiting.workspace, "UPDATE people SET role = 'member' WHERE id = 'reviewer'");
    await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toBe('not_allowed');
      expect(await lane.decide(waiting, { ...APPROVE, by: 'owner' })).toMatchObject({
        status: 'applied',
      });
    });
  });
});

describe('what it is decided for', () => {
  test('a version that does not stand is refused', async () => {
    const waiting = await promotion();
    await lane.working(async () => {
      await lane.begun(waiting);
      expect(await lane.decide(waiting, { ...APPROVE, version: 2 })).toBe('stale_version');
      await lane.signal(waiting, { ...APPROVE, version: 7 });
      await lane.heard(waiting, 1);
      expect(await lane.decide(waiting, REJECT)).toEqual({ status: 'rejected', version: 1 });
    });
    expect(await lane.decisions(waiting)).toEqual([
      heard({ ...APPROVE, version: 7 }, 'stale_version'),
      taken(REJECT),
    ]);
  });

  test('a card that changed meanwhile has to be looked at again', async () => {
    const waiting = await promotion();
    await lane.rows(waiting.workspace, 'UPDATE cards SET version = 2');
    const record = await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toBe('world_changed');
      expect(await lane.standing(waiting)).toMatchObject({
        status: 'open',
        version: 2,
        change: { card_version: 2 },
      });
      expect(await lane.decide(waiting, APPROVE)).toBe('stale_version');
      expect(await lane.decide(waiting, { ...APPROVE, version: 2 })).toEqual({
        status: 'applied',
        version: 2,
      });
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({ version: 2, decisions: { taken: 1, refused: 1 } });
    expect(await cardOf(waiting)).toEqual({ scope: 'team/support', version: 3 });
    await saveHistory('proposal.refused-then-approved', waiting.handle);
  });

  test('a card that is gone leaves nothing to decide', async () => {
    const waiting = await promotion();
    await lane.rows(
      waiting.workspace,
      "UPDATE cards SET status = 'deleted', status_before = 'active'",
    );
    const record = await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toBe('world_changed');
      return await waiting.handle.result();
    });
    expect(record).toMatchObject({ status: 'lapsed', decisions: { taken: 0, refused: 1 } });
    expect(await cardOf(waiting)).toEqual(OWN_SCOPE);
  });

  test('of two cards that contradict each other one is left', async () => {
    const waiting = await lane.contradiction(await lane.workspace());
    await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toEqual({ status: 'applied', version: 1 });
      await waiting.handle.result();
    });
    const cards = await lane.rows(
      waiting.workspace,
      'SELECT status, version FROM cards ORDER BY array_position($1, id)',
      [waiting.cards],
    );
    expect(cards).toEqual([
      { status: 'validated', version: 2 },
      { status: 'rejected', version: 2 },
    ]);
  });
});

describe('by which door', () => {
  test('what names no intent of its own came straight to Temporal', async () => {
    const [waiting, other] = [await promotion(), await promotion()];
    const { workspace } = waiting;
    const foreign = await intend(other);
    const forAnother = await lane.promotion(workspace);
    const intents = [
      foreign,
      await intend(forAnother),
      await intend(waiting, { decision: 'reject' }),
      await intend(waiting, { by: 'owner' }),
      await intend(waiting, { version: 2 }),
      'int_none',
    ];
    await lane.rows(workspace, "UPDATE people SET role = 'member' WHERE id = 'reviewer'");
    await lane.working(async () => {
      for (const intent_id of intents) {
        expect(await lane.decide(waiting, { ...APPROVE, intent_id })).toBe('not_allowed');
      }
    });
    expect(await lane.decisions(waiting)).toEqual(
      intents.map(() => heard(APPROVE, 'not_allowed', 'temporal')),
    );
    await Promise.all([waiting, other, forAnother].map(({ handle }) => handle.terminate()));
  });

  test('a policy may want the API’s', async () => {
    const waiting = await promotion({}, { proposals: { direct_decisions: false } });
    const intent_id = await intend(waiting);
    await lane.working(async () => {
      expect(await lane.decide(waiting, APPROVE)).toBe('direct_decisions_off');
      await lane.signal(waiting, REJECT);
      await lane.heard(waiting, 2);
      expect(await lane.decide(waiting, { ...APPROVE, intent_id })).toMatchObject({
        status: 'applied',
      });
      expect(await waiting.handle.result()).toMatchObject({ channel: 'api' });
    });
    expect(await lane.decisions(waiting)).toEqual([
      heard(APPROVE, 'direct_decisions_off'),
      heard(REJECT, 'direct_decisions_off'),
      taken(APPROVE, 'api'),
    ]);
  });
});
