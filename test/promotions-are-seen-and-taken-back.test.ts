import type { ProposalDetail } from '../src/contracts/proposal';
import { describeNative } from './support/database';
import { DecidingLane } from './support/deciding-lane';
import { writeCard } from './support/fleet';
import { email } from './support/secret-strings';

jest.setTimeout(120_000);

describeNative('a promotion', () => {
  let lane: DecidingLane;
  beforeAll(async () => {
    lane = await DecidingLane.start();
    await lane.work();
  });
  afterAll(() => lane?.stop());

  const of = (agent: string, more: object = {}) => ({
    scope: { type: 'agent', id: agent },
    ...more,
  });
  const write = (summary: string, more: object = {}) =>
    writeCard(lane.api, { summary, ...of('scout'), ...more });
  const promote = (card: string, scope: object, key: string) =>
    lane.api.call('POST', `/v1/cards/${card}/promotion`, { key, body: { scope } });

  /** Where somebody sees a card: by its id, in the list, in a recall, in the graph. */
  const sights = async (card: string, key: string, query: string) => {
    const one = await lane.api.call('GET', `/v1/cards/${card}`, { key });
    const list = await lane.done('GET', '/v1/cards?limit=500', { key });
    const recall = await lane.done('POST', '/v1/recall', { key, body: { query, limit: 50 } });
    const graph = await lane.done('GET', '/v1/graph', { key });
    const has = (items: { id: string }[]) => items.some(({ id }) => id === card);
    return [
      one.status === 200,
      has(list.body.items),
      has(recall.body.cards),
      has(graph.body.nodes),
    ];
  };
  const EVERYWHERE = [true, true, true, true];
  const NOWHERE = [false, false, false, false];

  it('is seen by the very next read of the team, and unseen by the one after it is taken back', async () => {
    const { keys } = lane;
    const work = { service: 'ferry', operation: 'book', input: { pier: 'seven', crates: 12 } };
    const card = await lane.captured(work);
    const input = { pier: 'two', passengers: 400, cargo: 'frozen mackerel for the auction' };
    const older = await lane.captured({ ...work, input });
    const query = 'book the ferry from pier seven';
    const edgesOf = async () =>
      (await lane.done('GET', `/v1/cards/${card}/edges`, { key: keys.scout })).body.items;
    const before = (await lane.done('GET', `/v1/cards/${card}`, { key: keys.scout })).body;
    const edges = await edgesOf();
    expect(edges.length).toBeGreaterThan(0);
    expect(await sights(card, keys.mate, query)).toEqual(NOWHERE);

    const { proposal_id, operation_id } = await lane.asked(card);
    expect(await sights(card, keys.mate, query)).toEqual(NOWHERE);
    const decided = await lane.decide(proposal_id, { decision: 'approve' });
    expect([decided.status, decided.body.status]).toEqual([200, 'applied']);
    expect(await sights(card, keys.mate, query)).toEqual(EVERYWHERE);
    expect(await sights(card, keys.stranger, query)).toEqual(NOWHERE);
    expect(await sights(card, keys.scout, query)).toEqual(EVERYWHERE);
    expect(await sights(older, keys.mate, query)).toEqual(NOWHERE);

    const after = (await lane.done('GET', `/v1/cards/${card}`, { key: keys.mate })).body;
    expect(after).toEqual({
      ...before,
      scope: { type: 'team', id: 'red' },
      version: before.version + 1,
      use_count: after.use_count,
      last_used_at: after.last_used_at,
    });
    expect(await edgesOf()).toEqual(edges);
    const operation = await lane.done('GET', `/v1/operations/${operation_id}`, { key: keys.scout });
    expect(operation.body).toMatchObject({
      state: 'completed',
      result: { proposal_id, proposal_status: 'applied' },
    });

    const demoted = await lane.done('POST', `/v1/cards/${card}/demotion`, {
      key: keys.rita,
      body: { reason: 'of one pier only' },
    });
    expect(demoted.body).toMatchObject({ id: card, scope: { type: 'agent', id: 'scout' } });
    expect(await sights(card, keys.mate, query)).toEqual(NOWHERE);
    expect(await sights(card, keys.scout, query)).toEqual(EVERYWHERE);
    const { body: history } = await lane.done('GET', `/v1/cards/${card}/history`);
    expect(
      history.items.map(({ action, changed, actor }: Record<string, unknown>) => [
        action,
        action === 'created' ? null : changed,
        actor,
      ]),
    ).toEqual([
      ['created', null, expect.anything()],
      ['promoted', ['scope'], { kind: 'person', id: 'rita' }],
      ['demoted', ['scope'], { kind: 'person', id: 'rita' }],
    ]);
    const audit = (await lane.audited(card)).map(({ action }) => action);
    expect(audit.slice(-2)).toEqual(['card.promoted', 'card.demoted']);
  });

  it('goes from the agent to the team and on to the workspace, and all the way back at once', async () => {
    const { id } = await write('Gangways are wet before nine.');
    const first = await lane.asked(id);
    await lane.decide(first.proposal_id, { decision: 'approve' });
    const scope = { type: 'workspace', id: 'default' };
    const asked = await promote(id, scope, lane.keys.rolf);
    expect(asked.status).toBe(202);
    const wide = await lane.decide(asked.body.proposal_id, { decision: 'approve' });
    expect(wide.body.status).toBe('applied');
    const seen = await lane.api.call('GET', `/v1/cards/${id}`, { key: lane.keys.stranger });
    expect(seen.body.scope).toEqual(scope);
    await lane.done('POST', `/v1/cards/${id}/demotion`, { key: lane.keys.rita });
    const unseen = await lane.api.call('GET', `/v1/cards/${id}`, { key: lane.keys.mate });
    expect(unseen.status).toBe(404);
  });

  it('that is rejected changes nothing', async () => {
    const { id } = await write('Ropes are blue on Mondays.');
    const { proposal_id } = await lane.asked(id);
    const decided = await lane.decide(proposal_id, { decision: 'reject', reason: 'not so' });
    expect(decided.body).toMatchObject({ status: 'rejected' });
    expect((await lane.api.call('GET', `/v1/cards/${id}`, { key: lane.keys.mate })).status).toBe(
      404,
    );
    const again = await lane.asked(id);
    expect(again.proposal_id).not.toBe(proposal_id);
  });

  it('is told in labels and ids, with its reason redacted and its own time to wait', async () => {
    const secret = email();
    const { id } = await write('The captain of pier nine sleeps late.', {
      hints: { service: 'harbour', operation: 'wake' },
    });
    const { proposal_id } = await lane.asked(id, {
      reason: `the whole team asks ${secret} for it`,
      expires_in: 'P2D',
    });
    const proposal: ProposalDetail = await lane.proposal(proposal_id);
    expect(proposal).toMatchObject({
      type: 'promotion',
      status: 'open',
      team: 'red',
      proposed_by: { kind: 'agent', id: 'scout' },
      evidence: [id],
      cards: [{ id, agent: 'scout' }],
      change: {
        card_id: id,
        card_version: 1,
        from: { type: 'agent', id: 'scout' },
        to: { type: 'team', id: 'red' },
        reason: expect.stringMatching(/^the whole team asks \[EMAIL_\w+\] for it$/),
      },
    });
    expect(proposal.change).not.toHaveProperty('reason_id');
    expect(proposal.title).toContain('wake of harbour');
    expect(`${proposal.title} ${proposal.summary}`).not.toContain('captain');
    expect(Date.parse(proposal.expires_at) - Date.parse(proposal.created_at)).toBe(2 * 86_400_000);
  });

  it('that waits already is the answer to the next who asks', async () => {
    const { id } = await write('Bells ring twice.');
    const first = await lane.asked(id);
    expect(await lane.asked(id)).toEqual(first);
    expect(await lane.asked(id, {}, lane.keys.rolf)).toEqual(first);
    const to = { type: 'workspace', id: 'default' };
    const other = await promote(id, to, lane.keys.scout);
    expect(other.body.proposal_id).not.toBe(first.proposal_id);
    const { body } = await lane.done('GET', `/v1/proposals?card=${id}`, { key: lane.keys.auditor });
    expect(body.total).toBe(2);
  });

  describe('is refused', () => {
    const team = (id: string) => ({ type: 'team', id });

    it('to whoever does not see the card, or may not propose it', async () => {
      const { keys } = lane;
      const { id } = await write('Cranes stop at noon.');
      expect((await promote(id, team('red'), keys.stranger)).status).toBe(404);
      expect((await promote('card_none', team('red'), keys.rita)).status).toBe(404);
      await lane.done('PUT', `/v1/cards/${id}/grants/mate`);
      expect((await promote(id, team('red'), keys.mate)).status).toBe(403);
      for (const key of [keys.operator, keys.auditor, keys.member]) {
        expect((await promote(id, team('red'), key)).status).toBe(403);
      }
      expect((await promote(id, team('blue'), keys.scout)).status).toBe(403);
      const asRuntime = { key: keys.runtime, body: { scope: team('red') } };
      const path = `/v1/cards/${id}/promotion`;
      expect((await lane.api.call('POST', path, asRuntime)).status).toBe(400);
      const headers = { 'cairn-agent': 'scout' };
      expect((await lane.api.call('POST', path, { ...asRuntime, headers })).status).toBe(202);
    });

    it('for a scope that names nobody, and a time to wait that is none', async () => {
      const { rita, scout } = lane.keys;
      const { id } = await write('Nets dry by noon.');
      for (const scope of [team('green'), { type: 'workspace', id: 'elsewhere' }]) {
        const answer = await promote(id, scope, rita);
        expect([answer.status, answer.body.pointer]).toEqual([400, '/scope/id']);
      }
      expect((await promote(id, { type: 'agent', id: 'mate' }, rita)).status).toBe(400);
      for (const expires_in of ['soon', 'PT1S', 'P2000D', 'P1M']) {
        const answer = await lane.api.call('POST', `/v1/cards/${id}/promotion`, {
          key: scout,
          body: { scope: team('red'), expires_in },
        });
        expect([expires_in, answer.status]).toEqual([expires_in, 400]);
      }
    });

    it('of a card that is out of use, there already, or wider already', async () => {
      const { rita } = lane.keys;
      const codeOf = async (card: string, scope: object) => {
        const { status, body } = await promote(card, scope, rita);
        return [status, body.code];
      };
      const wrong = await write('The tide is always low.');
      await lane.done('POST', `/v1/cards/${wrong.id}/validation`, { body: { verdict: 'wrong' } });
      expect(await codeOf(wrong.id, team('red'))).toEqual([409, 'not_in_use']);
      const there = await write('Of the team.', { scope: team('red') });
      expect(await codeOf(there.id, team('red'))).toEqual([409, 'not_in_use']);
      expect(await codeOf(there.id, team('blue'))).toEqual([409, 'not_wider']);
      const wide = await write('Of all.', { scope: { type: 'workspace', id: 'default' } });
      expect(await codeOf(wide.id, team('red'))).toEqual([409, 'not_wider']);
    });

    it('where another card stands under its key', async () => {
      const { rita } = lane.keys;
      const own = await write('Berth 4.', { key: 'berth' });
      const { proposal_id } = await lane.asked(own.id);
      const taken = await write('Berth 5.', { key: 'berth', scope: team('red') });
      const asked = await promote(own.id, team('red'), rita);
      expect([asked.status, asked.body.code]).toEqual([409, 'key_taken']);
      expect(asked.body.detail).toContain(taken.id);
      const decided = await lane.decide(proposal_id, { decision: 'approve' });
      expect([decided.status, decided.body.code]).toEqual([409, 'key_taken']);
      expect(decided.body.detail).toContain(taken.id);
      // Nothing else stands in the way: the same decision again is another try.
      await lane.done('DELETE', `/v1/cards/${taken.id}`);
      const again = await lane.decide(proposal_id, { decision: 'approve' });
      expect([again.status, again.body.status]).toEqual([200, 'applied']);

      const back = await write('Berth 6.', { key: 'berth' });
      const demoted = await lane.api.call('POST', `/v1/cards/${own.id}/demotion`, { key: rita });
      expect([demoted.status, demoted.body.code]).toEqual([409, 'key_taken']);
      expect(demoted.body.detail).toContain(back.id);
      await lane.done('DELETE', `/v1/cards/${back.id}`);
      await lane.done('POST', `/v1/cards/${own.id}/demotion`, { key: rita });
      const twice = await lane.api.call('POST', `/v1/cards/${own.id}/demotion`, { key: rita });
      expect([twice.status, twice.body.code]).toEqual([409, 'not_promoted']);
    });

    it('to agents, runtimes and whoever does not decide, where it is to be taken back', async () => {
      const { keys } = lane;
      const { id } = await write('Gulls steal.');
      const path = `/v1/cards/${id}/demotion`;
      for (const key of [keys.scout, keys.runtime, keys.operator, keys.auditor, keys.member]) {
        expect((await lane.api.call('POST', path, { key })).status).toBe(403);
      }
      const never = await lane.api.call('POST', path, { key: keys.rita });
      expect([never.status, never.body.code]).toEqual([409, 'not_promoted']);
    });
  });
});
