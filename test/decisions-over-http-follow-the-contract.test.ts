import { openProposalFor } from '../src/store/proposal-opening';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { accessLog, writeCard } from './support/fleet';
import { email } from './support/secret-strings';

jest.setTimeout(180_000);

const DAY_MS = 86_400_000;

describeNative('a decision over HTTP', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
  });
  afterAll(() => lane?.stop());

  let cards = 0;
  const card = async (more: object = {}): Promise<string> => {
    cards += 1;
    const scope = { type: 'agent', id: 'scout' };
    const body = { summary: `Buoy ${cards} is lit at dusk.`, scope, ...more };
    return (await writeCard(lane.api, body)).id;
  };
  /** The id of an open proposal of `scout`. */
  const opened = async (): Promise<string> => (await lane.asked(await card())).proposal_id;
  const approve = (id: string, more: object = {}, options: object = {}) =>
    lane.decide(id, { decision: 'approve', ...more }, options);

  it('that nobody hears answers 503, and is taken once however often it is asked again', async () => {
    const id = await opened();
    const unheard = await approve(id, { reason: 'seen it' });
    expect([unheard.status, unheard.body.code]).toEqual([503, 'decision_unheard']);
    expect(Number(unheard.headers.get('retry-after'))).toBeGreaterThan(0);
    await lane.work();
    const heard = await approve(id, { reason: 'seen it twice' });
    expect([heard.status, heard.body.status]).toEqual([200, 'applied']);
    expect(heard.body.decisions).toEqual([
      {
        by: 'rita',
        decision: 'approve',
        reason: 'seen it',
        reason_code: null,
        channel: 'api',
        version: 1,
        at: expect.any(String),
      },
    ]);
    const audit = (await lane.audited(id)).map(({ action }) => action);
    expect(audit).toEqual(['proposal.opened', 'proposal.approved']);
  });

  it('is taken, with its reason redacted, by an owner or a reviewer', async () => {
    const secret = email();
    const id = await opened();
    const { status, body } = await approve(id, { reason: `${secret} asked for it` });
    expect([status, body.status]).toEqual([200, 'applied']);
    expect(body.decisions[0].reason).toMatch(/^\[EMAIL_\w+\] asked for it$/);
    expect(body.cards).toHaveLength(1);
    const other = await approve(await opened(), {}, { key: lane.api.ownerKey });
    expect(other.body).toMatchObject({ status: 'applied', decisions: [{ by: 'owner' }] });
  });

  it('is one decision when the same person asks for the same again', async () => {
    const id = await opened();
    const first = await lane.decide(id, { decision: 'reject', reason: 'once' });
    const again = await lane.decide(id, { decision: 'reject' });
    expect([again.status, again.body.decisions]).toEqual([200, first.body.decisions]);
    const headers = { 'idempotency-key': 'one decision' };
    const keyed = await opened();
    const [one, two] = await Promise.all([
      approve(keyed, {}, { headers }),
      approve(keyed, {}, { headers }),
    ]);
    expect([one.status, two.status, one.body]).toEqual([200, 200, two.body]);
    const reused = await lane.decide(keyed, { decision: 'reject' }, { headers });
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused']);
  });

  it('is 409 already_decided for whoever comes later with another one', async () => {
    const id = await opened();
    await approve(id);
    const later = [
      await lane.decide(id, { decision: 'reject' }),
      await approve(id, {}, { key: lane.keys.rolf }),
      await approve(id, {}, { headers: { 'idempotency-key': 'another request' } }),
      await approve(id, { version: 2 }),
    ];
    for (const { status, body } of later) {
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({
          code: 'already_decided',
          proposal: { id, status: 'applied', version: 1 },
        }),
      ]);
    }
  });

  it('of two different ones at the same moment takes one', async () => {
    const id = await opened();
    const answers = await Promise.all([
      approve(id),
      lane.decide(id, { decision: 'reject' }, { key: lane.keys.rolf }),
      approve(id, {}, { key: lane.api.ownerKey }),
    ]);
    const codes = answers.map(({ status, body }) => (status === 200 ? 'taken' : body.code)).sort();
    expect(codes).toEqual(['already_decided', 'already_decided', 'taken']);
    expect((await lane.proposal(id)).decisions).toHaveLength(1);
  });

  it('is 403 for whoever has no right to it by their role', async () => {
    const id = await opened();
    const { operator, auditor, member, scout, runtime } = lane.keys;
    for (const key of [operator, auditor, member, scout, runtime]) {
      const { status, body } = await approve(id, {}, { key });
      expect([status, body.code]).toEqual([403, 'not_allowed']);
    }
    expect((await lane.proposal(id)).status).toBe('open');
  });

  it('is 403 for the proposer and for whom they acted, which is audited', async () => {
    const { rita, runtime } = lane.keys;
    const own = await lane.asked(await card(), {}, rita);
    const scope = { type: 'team', id: 'red' };
    const acted = await lane.done('POST', `/v1/cards/${await card()}/promotion`, {
      key: runtime,
      headers: {
        'cairn-agent': 'scout',
        'cairn-person': 'rita',
        'cairn-execution-mode': 'interactive',
      },
      body: { scope },
    });
    for (const id of [own.proposal_id, acted.body.proposal_id]) {
      const { status, body } = await approve(id);
      expect([status, body.code]).toEqual([403, 'not_allowed']);
      expect((await lane.audited(id)).at(-1)).toMatchObject({
        action: 'proposal.decision_refused',
        changed: ['not_allowed'],
        channel: 'api',
      });
      const other = await approve(id, {}, { key: lane.keys.rolf });
      expect(other.body.status).toBe('applied');
    }
  });

  it('is 409 stale_version in another version than the one that stands', async () => {
    const id = await opened();
    const { status, body } = await approve(id, { version: 2 });
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        code: 'stale_version',
        proposal: { id, status: 'open', version: 1 },
      }),
    ]);
  });

  it('is 409 world_changed where the card has changed, and then there is a version to look at', async () => {
    const changed = await card();
    const { proposal_id: id } = await lane.asked(changed);
    await lane.done('PUT', `/v1/cards/${changed}/grants/mate`);
    const patched = await lane.api.call('PATCH', `/v1/cards/${changed}`, {
      body: { topic: 'light' },
      headers: { 'if-match': '"1"' },
    });
    expect(patched.status).toBe(200);
    const first = await approve(id);
    expect([first.status, first.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'world_changed',
        proposal: { id, status: 'open', version: 2 },
      }),
    ]);
    const second = await approve(id, { version: 2 });
    expect(second.body).toMatchObject({ status: 'applied', change: { card_version: 2 } });
  });

  it('is 409 world_changed where the card is gone, and the proposal has lapsed', async () => {
    const gone = await card();
    const { proposal_id: id } = await lane.asked(gone);
    await lane.done('DELETE', `/v1/cards/${gone}`);
    const { status, body } = await approve(id);
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        code: 'world_changed',
        proposal: { id, status: 'lapsed', version: 1 },
      }),
    ]);
    // What was made from a card that nobody sees is seen by nobody.
    expect(await lane.proposal(id)).toMatchObject({ summary: null, evidence: [], change: {} });
  });

  it('is 409 key_taken where another card stands under the key', async () => {
    const { proposal_id: id } = await lane.asked(await card({ key: 'buoy' }));
    const inTheWay = await card({ key: 'buoy', scope: { type: 'team', id: 'red' } });
    const { status, body } = await approve(id);
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ code: 'key_taken', proposal: { id, status: 'open', version: 1 } }),
    ]);
    expect(body.detail).toContain(`the card ${inTheWay} stands`);
    // With the eyes of an agent that does not see it, nobody is told its id.
    const headers = { 'cairn-agent': 'stranger' };
    const blind = await approve(id, {}, { headers });
    expect(blind.body).toMatchObject({
      code: 'key_taken',
      detail: expect.stringMatching(/^another card stands/),
    });
  });

  it('is 410 expired once the time is over', async () => {
    const now = new Date(Date.now() - 30 * DAY_MS);
    const { id } = await lane.api.database.inWorkspace('default', (tx) =>
      openProposalFor(tx, {
        type: 'promotion',
        matter: 'of last month',
        team: 'red',
        title: 'Of last month',
        summary: 'Nobody looked.',
        draftedBy: 'rule',
        evidence: [],
        change: {},
        proposedBy: { kind: 'agent', id: 'scout' },
        channel: 'api',
        now,
      }),
    );
    await lane.standing(id, 'expired');
    const { status, body } = await approve(id);
    expect([status, body]).toEqual([
      410,
      expect.objectContaining({
        code: 'expired',
        proposal: { id, status: 'expired', version: 1 },
      }),
    ]);
  });

  it('is 404 for what is not there, and 400 for what is no decision', async () => {
    expect((await approve('prop_none')).status).toBe(404);
    const id = await opened();
    const bodies = [
      { decision: 'maybe' },
      { decision: 'approve', version: 0 },
      { decision: 'approve', version: undefined },
      { decision: 'approve', colour: 'red' },
      { decision: 'approve', reason: 'x'.repeat(2_001) },
      { decision: 'approve', winner: 'card_of_no_contradiction' },
      { decision: 'reject', winner: 'card_of_no_contradiction' },
      { decision: 'approve', version: 9_999_999_999 },
    ];
    for (const body of bodies) {
      const { status, body: problem } = await lane.decide(id, body);
      expect([body, status, problem.code]).toEqual([body, 400, 'invalid']);
    }
    const winner = await lane.decide(id, { decision: 'reject', winner: 'card_x' });
    expect(winner.body).toMatchObject({
      pointer: '/winner',
      detail: expect.stringContaining('a winner goes with approve'),
    });
    expect((await lane.proposal(id)).status).toBe('open');
  });

  it('straight to Temporal stands beside the others, and says by which way it came', async () => {
    const id = await opened();
    const handle = lane.env.client.workflow.getHandle(`proposal/default/${id}`);
    const args = [{ decision: 'approve', by: 'rolf', version: 1 }];
    await lane.begun(id);
    expect(await handle.executeUpdate('decide', { args: args as never })).toEqual({
      status: 'applied',
      version: 1,
    });
    expect((await lane.proposal(id)).decisions).toMatchObject([
      { by: 'rolf', channel: 'temporal', reason: null },
    ]);
  });

  describe('shows, in the inbox', () => {
    const idsOf = async (query: string, key = lane.keys.auditor): Promise<string[]> => {
      const { body } = await lane.done('GET', `/v1/proposals?limit=500&${query}`, { key });
      expect(body.total).toBe(body.items.length);
      return body.items.map(({ id }: { id: string }) => id);
    };

    it('what is asked for by status, type, team and card, newest first', async () => {
      const [first, second] = [await opened(), await opened()];
      await lane.decide(first, { decision: 'reject' });
      const open = await idsOf('status=open');
      expect(open[0]).toBe(second);
      expect(open).not.toContain(first);
      expect((await idsOf('status=open&status=rejected')).slice(0, 2)).toEqual([second, first]);
      expect(await idsOf('type=config_fix')).toEqual([]);
      expect(await idsOf('type=promotion&team=red')).toContain(first);
      expect(await idsOf('team=blue')).toEqual([]);
      const { evidence } = await lane.proposal(second);
      expect(await idsOf(`card=${evidence[0]}`)).toEqual([second]);
      expect(await idsOf('card=card_none')).toEqual([]);
      const page = await lane.done('GET', '/v1/proposals?limit=1', { key: lane.keys.auditor });
      const rest = `/v1/proposals?limit=1&cursor=${page.body.next_cursor}`;
      const { body } = await lane.done('GET', rest, { key: lane.keys.auditor });
      expect([page.body.items[0].id, body.items[0].id]).toEqual([second, first]);
    });

    it('an agent and a runtime what they proposed themselves, and a member nothing', async () => {
      const { scout, mate, runtime, member, rita, operator } = lane.keys;
      const own = await opened();
      const asked = await lane.asked(await card(), {}, rita);
      expect(await idsOf('', scout)).toContain(own);
      expect(await idsOf('', scout)).not.toContain(asked.proposal_id);
      expect(await idsOf('', mate)).toEqual([]);
      const statusFor = async (id: string, key: string) =>
        (await lane.api.call('GET', `/v1/proposals/${id}`, { key })).status;
      expect(await statusFor(own, scout)).toBe(200);
      for (const key of [mate, runtime]) expect(await statusFor(own, key)).toBe(404);
      expect(await statusFor(asked.proposal_id, scout)).toBe(404);
      expect(await statusFor('prop_none', operator)).toBe(404);
      expect(await statusFor(own, operator)).toBe(200);
      expect(await statusFor(own, member)).toBe(403);
      // The words go with the cards that they were made from.
      const seenByScout = async () =>
        (await lane.done('GET', `/v1/proposals/${own}`, { key: scout })).body;
      const { evidence, summary } = await seenByScout();
      expect([evidence.length, summary]).toEqual([1, expect.any(String)]);
      await lane.done('POST', `/v1/cards/${evidence[0]}/quarantine`, { body: {} });
      expect(await seenByScout()).toMatchObject({ evidence: [], summary: null, change: {} });
      expect((await lane.proposal(own)).summary).toBe(summary);
    });

    it('cards of others, and that is in the access log', async () => {
      const id = await opened();
      const { evidence } = await lane.proposal(id);
      const path = `/v1/proposals?card=${evidence[0]}`;
      await lane.done('GET', path, { key: lane.keys.auditor });
      const read = (await accessLog(lane.api)).slice(-2);
      expect(read).toEqual(
        ['proposals.get', 'proposals.list'].map((surface) => ({
          ...{ agent: null, person: 'anna', via: 'person', surface, card_ids: evidence },
        })),
      );
    });

    it('a person with an agent’s eyes no more of the cards than that agent sees', async () => {
      const id = await opened();
      const { body } = await lane.done('GET', `/v1/proposals/${id}`, {
        key: lane.keys.auditor,
        headers: { 'cairn-agent': 'stranger' },
      });
      expect(body).toMatchObject({ id, summary: null, evidence: [], cards: [], change: {} });
    });

    it('the reasons that people gave to whom it shows the summary, and to nobody else', async () => {
      const id = await opened();
      await lane.decide(id, { decision: 'reject', reason: 'that buoy sank' });
      const readBy = async (headers: Record<string, string>) => {
        const options = { key: lane.keys.auditor, headers };
        const one = (await lane.done('GET', `/v1/proposals/${id}`, options)).body;
        const { items } = (await lane.done('GET', '/v1/proposals?limit=500', options)).body;
        const listed = items.find((item: { id: string }) => item.id === id);
        return [one, listed].map(({ summary, decisions }) => [summary, decisions[0].reason]);
      };
      const whole = [expect.any(String), 'that buoy sank'];
      expect(await readBy({})).toEqual([whole, whole]);
      const blind = [null, null];
      expect(await readBy({ 'cairn-agent': 'stranger' })).toEqual([blind, blind]);
    });
  });
});
