import { countsOf, eventOf, judgeFleet, judgeSamples, readSamples } from '../bench/instructions';
import { DEFAULT_POLICY, heldBack } from '../src/domain/policy';
import { describeWithData } from './support/data';
import { cardIds, HOUR } from './support/filing';
import {
  AGENT,
  booking,
  failure,
  PLANTED,
  type QuarantineLane,
  startQuarantineLane,
} from './support/quarantine';

let lane: QuarantineLane;
let reviewer: string;
beforeAll(async () => {
  lane = await startQuarantineLane();
  reviewer = lane.reviewer;
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(HOUR));

describe('a card with planted instructions, where the policy says quarantine', () => {
  it('is filed out of sight, and its capture says so', async () => {
    const record = await lane.filing.file({
      service: 'browser',
      operation: 'read_page',
      output: PLANTED,
    });
    expect(record).toMatchObject({
      disposition: 'quarantined',
      reason: 'instruction_like',
      card_id: expect.stringMatching(/^card_/),
      edges: [],
    });
    const { body } = await lane.api.call('GET', `/v1/operations/${record.operation_id}`);
    expect(body.result).toMatchObject({ disposition: 'quarantined', card_id: record.card_id });
    const events = await lane.api.call('GET', '/v1/events?disposition=quarantined');
    expect(events.body.items).toEqual([
      expect.objectContaining({ event_id: record.event_id, reason: 'instruction_like' }),
    ]);
    const told = await lane.api.call('GET', `/v1/events/${record.event_id}`, { key: reviewer });
    expect(told.body).toMatchObject({
      disposition: 'quarantined',
      reason: 'instruction_like',
      card_id: record.card_id,
    });
  });

  it('is one for a content: under another event id it is a duplicate of the first', async () => {
    const page = { operation: 'read_wiki', output: PLANTED };
    const first = await lane.filing.file(page, AGENT);
    await expect(lane.filing.file(page, AGENT)).rejects.toThrow(
      'not admitted: duplicate_content same_content',
    );
    expect(await lane.rows(`SELECT id FROM cards WHERE operation = 'read_wiki'`)).toEqual([
      { id: first.card_id },
    ]);
  });

  it('is seen by people, and by no agent, its own included', async () => {
    const record = await lane.filing.file({ operation: 'read_mail', output: PLANTED }, AGENT);
    const id = record.card_id as string;
    const agentKey = await lane.api.keyFor(AGENT);
    expect((await lane.api.call('GET', `/v1/cards/${id}`, { key: agentKey })).status).toBe(404);
    expect(
      cardIds(await lane.recall({ query: 'read mail rooms are free', limit: 50 })),
    ).not.toContain(id);
    const listed = await lane.api.call('GET', '/v1/cards?status=quarantined', { key: reviewer });
    expect(listed.body.items.map((card: { id: string }) => card.id)).toContain(id);
    const seen = await lane.api.call('GET', `/v1/cards/${id}`, { key: reviewer });
    expect(seen.body).toMatchObject({
      status: 'quarantined',
      flags: ['instruction_like'],
      trust: 'agent',
    });
  });

  it('is released by a person and by nobody else, and the audit names both steps', async () => {
    const record = await lane.filing.file({ operation: 'read_chat', output: PLANTED }, AGENT);
    const id = record.card_id as string;
    const agentKey = await lane.api.keyFor(AGENT);
    const release = (key: string) =>
      lane.api.call('POST', `/v1/cards/${id}/release`, { key, body: { reason: 'a test mail' } });
    expect((await release(agentKey)).status).toBeGreaterThanOrEqual(403);
    expect((await release(reviewer)).body).toMatchObject({
      status: 'pending',
      version: 2,
      flags: ['instruction_like'],
    });
    expect((await lane.api.call('GET', `/v1/cards/${id}`, { key: agentKey })).status).toBe(200);
    expect(cardIds(await lane.recall({ query: 'read chat', limit: 50 }))).toContain(id);
    const audit = await lane.rows<{ action: string; actor_kind: string }>(
      `SELECT action, actor_kind FROM audit_log WHERE target_id = $1 ORDER BY seq`,
      [id],
    );
    expect(audit).toEqual([
      { action: 'card.created', actor_kind: 'agent' },
      { action: 'card.quarantined', actor_kind: 'system' },
      { action: 'card.released', actor_kind: 'person' },
    ]);
  });

  it('is not filed twice when its last step is done once more', async () => {
    const { event_id, operation_id } = await lane.filing.file(
      { operation: 'read_feed', output: PLANTED },
      AGENT,
    );
    // biome-ignore lint/complexity/useLiteralKeys: the step alone, as after a commit nobody heard of
    const again = lane.filing['capture']({ workspace: 'default', event_id, operation_id });
    await expect(again).rejects.toThrow('not admitted: quarantined instruction_like');
    expect(await lane.rows(`SELECT status FROM cards WHERE event_id = $1`, [event_id])).toEqual([
      { status: 'quarantined' },
    ]);
  });
});

describe('what it decides while it is held back: nothing', () => {
  it('contradicts nothing that worked', async () => {
    const worked = await lane.filing.card(booking('hostel'));
    lane.clock.advance(HOUR);
    const { card_id: held } = await lane.filing.file(failure('hostel'), AGENT);
    expect(
      await lane.rows(`SELECT id FROM edges WHERE from_card = $1 OR to_card = $1`, [held]),
    ).toEqual([]);
    const shown = await lane.recall({ query: 'book a room at the hostel Miramar', limit: 50 });
    expect(cardIds(shown)).toContain(worked);
  });

  it('the same card without the sentence does, so the case above is a case', async () => {
    const worked = await lane.filing.card(booking('motel'));
    lane.clock.advance(HOUR);
    const failed = await lane.filing.card(failure('motel', 'no rooms left'), AGENT);
    expect(
      await lane.rows(`SELECT type FROM edges WHERE from_card = $1 AND to_card = $2`, [
        failed,
        worked,
      ]),
    ).toEqual([{ type: 'conflicts' }]);
  });

  it('is resolved by no later success', async () => {
    const { card_id: held } = await lane.filing.file(failure('villa'), AGENT);
    lane.clock.advance(HOUR);
    await lane.filing.card(booking('villa'));
    expect(
      await lane.rows(`SELECT id FROM edges WHERE from_card = $1 OR to_card = $1`, [held]),
    ).toEqual([]);
  });

  it('takes the place of no value under its key', async () => {
    const told = { kind: 'observation', key: 'wifi.password.place', subject: 'house-1' } as const;
    const current = await lane.filing.card({ ...told, text: 'The note hangs in the hall.' });
    lane.clock.advance(HOUR);
    const later = await lane.filing.file({ ...told, text: PLANTED }, AGENT);
    expect(later.disposition).toBe('quarantined');
    expect(await lane.rows(`SELECT status FROM cards WHERE id = $1`, [current])).toEqual([
      { status: 'active' },
    ]);
    const released = await lane.api.call('POST', `/v1/cards/${later.card_id}/release`, {
      key: reviewer,
      body: {},
    });
    expect(released.status).toBe(409);
    expect(await lane.rows(`SELECT status FROM cards WHERE id = $1`, [current])).toEqual([
      { status: 'active' },
    ]);
  });

  it('its failure counts as a strike all the same: that it failed is true whatever the text says', async () => {
    const step = { workflow_step: { workflow: 'stay', step: 'book' } };
    await lane.api.call('PUT', '/v1/teams/travel', { body: { name: 'Travel' } });
    await lane.api.call('PUT', '/v1/agents/guide', { body: { team: 'travel' } });
    const strike = () =>
      lane.filing.file(
        { ...failure('inn'), ...step, agent: 'guide', task: `stay-${lane.clock.text()}` },
        { kind: 'agent', id: 'guide' },
      );
    expect(await strike()).toMatchObject({ disposition: 'quarantined', strikes: 1 });
    lane.clock.advance(HOUR);
    expect(await strike()).toMatchObject({ disposition: 'quarantined', strikes: 2 });
  });
});

describe('what is not held back', () => {
  it('what a runtime answers for', async () => {
    const record = await lane.filing.file({ operation: 'read_file', output: PLANTED });
    expect(record).toMatchObject({ disposition: 'carded', reason: null });
    expect(
      await lane.rows(`SELECT status, flags FROM cards WHERE id = $1`, [record.card_id]),
    ).toEqual([{ status: 'active', flags: ['instruction_like'] }]);
  });

  it('what is not flagged', async () => {
    const record = await lane.filing.file({
      service: 'browser',
      operation: 'read_page',
      output: 'Rooms are free.',
    });
    expect(record.disposition).toBe('carded');
  });

  it('anything, where the policy says to flag, as it does unless it is told', async () => {
    expect(DEFAULT_POLICY.capture.instruction_like).toBe('flag');
    await lane.policy('flag');
    const record = await lane.filing.file({
      service: 'browser',
      operation: 'read_news',
      output: PLANTED,
    });
    await lane.policy('quarantine');
    expect(record.disposition).toBe('carded');
    expect(
      await lane.rows(`SELECT status, flags FROM cards WHERE id = $1`, [record.card_id]),
    ).toEqual([{ status: 'active', flags: ['instruction_like'] }]);
  });

  it('a policy that says anything else is refused', async () => {
    const { headers } = await lane.api.call('GET', '/v1/policy');
    const { status } = await lane.api.call('PUT', '/v1/policy', {
      body: { capture: { instruction_like: 'delete' } },
      headers: { 'if-match': headers.get('etag') ?? '' },
    });
    expect(status).toBe(400);
  });

  it('goes by trust', () => {
    const policy = {
      ...DEFAULT_POLICY,
      capture: { ...DEFAULT_POLICY.capture, instruction_like: 'quarantine' as const },
    };
    const held = (['person', 'runtime', 'agent', 'web'] as const).filter((trust) =>
      heldBack(policy, { flags: ['instruction_like'], trust }),
    );
    expect(held).toEqual(['agent', 'web']);
    expect(heldBack(policy, { flags: [], trust: 'web' })).toBe(false);
  });
});

describe('the flag, on texts of our own', () => {
  const judged = judgeSamples();

  it('has enough of them', () => {
    const { planted, benign } = readSamples();
    expect(planted.length).toBeGreaterThanOrEqual(60);
    expect(new Set(planted.map((one) => one.style)).size).toBeGreaterThanOrEqual(10);
    expect(benign.length).toBeGreaterThanOrEqual(120);
    expect(eventOf({ style: '', text: 'x', where: 'request' }).kind).toBe('chat');
  });

  it('finds most and accuses few', () => {
    const { precision, recall } = countsOf(judged);
    expect(recall).toBeGreaterThanOrEqual(0.9);
    expect(precision).toBeGreaterThanOrEqual(0.95);
  });
});

describeWithData('the flag, on the fleet', (folder) => {
  it('finds what was planted and accuses few', () => {
    const { recall, precision } = countsOf(judgeFleet(folder));
    expect(recall).toBeGreaterThanOrEqual(0.99);
    expect(precision).toBeGreaterThanOrEqual(0.95);
  });
});
