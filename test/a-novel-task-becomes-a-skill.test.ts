import type { SettledEvent } from '../src/contracts/event';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { BOOKING, type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

describe('a task that ended well and was new', () => {
  test('becomes a skill: its steps, what they require, and what failed on the way', async () => {
    const ws = await lane.workspace();
    const { result, handle } = await lane.teach(ws, { task: 'a flight', calls: BOOKING });
    await saveHistory('learn.created', handle);

    expect(result).toMatchObject({ learned: 'created', novelty: 10, scored_by: 'fallback' });
    const [skill, ...others] = await lane.skills(ws);
    expect(others).toEqual([]);
    expect(skill).toMatchObject({
      card_id: result.skill_card,
      name: 'book-reservation-and-send-receipt',
      status: 'current',
      current_version: 1,
      test_result: { passed: 2, failed: 0 },
    });
    expect(skill?.document.steps).toEqual([
      { text: 'Search flights with from and to.', service: 'flights', operation: 'search_flights' },
      {
        text: 'Book reservation with flight and payment amount.',
        service: 'booking',
        operation: 'book_reservation',
      },
      { text: 'Send receipt with reservation.', service: 'mailer', operation: 'send_receipt' },
    ]);
    expect(skill?.document.preconditions).toEqual([
      'Before booking.book_reservation, get the payment amount right: otherwise the payment amount does not add up, total price is 608.',
    ]);
    expect(skill?.document.failure_handling).toEqual([
      {
        when: 'booking.book_reservation fails: the payment amount does not add up, total price is 608',
        then: 'Correct the payment amount (304 failed, 608 worked).',
        error_family: 'validation',
        error_signature: 'payment amount does not add up, total price is …',
      },
    ]);
  });

  test('has the call that ended it as its last step, and takes no result for a request', async () => {
    const ws = await lane.workspace();
    const calls: Call[] = [
      ['hotel.search_rooms', { input: { city: 'Oslo' } }],
      [
        'hotel.hold_room',
        {
          outcome: 'failed',
          input: { room: 'r1', nights: 30 },
          error: 'nights must be at most 20',
        },
      ],
      ['hotel.hold_room', { input: { room: 'r1', nights: 20 } }],
    ];
    const end = {
      ...{ kind: 'service_call', service: 'hotel', operation: 'send_voucher', text: undefined },
      ...{ input: { hold: 'h1' }, output: { ok: true } },
    } as unknown as Partial<SettledEvent>;
    const { result, ...filed } = await lane.teach(ws, { task: 'a room', calls, end });
    expect(result).toMatchObject({ learned: 'created' });

    const [skill] = await lane.skills(ws);
    expect(skill?.document.purpose).toBe('Hold room and send voucher.');
    expect(skill?.document.steps.map(({ operation }) => operation)).toEqual([
      'search_rooms',
      'hold_room',
      'send_voucher',
    ]);
    expect(JSON.stringify(skill?.document)).not.toMatch(/20\. Check|from the request/);
    const [version] = await lane.rows<{ events: string[]; cards: string[] }>(
      ws,
      'SELECT events, cards FROM skill_versions WHERE card_id = $1',
      [result.skill_card],
    );
    const all = [...filed.calls, filed.end];
    expect(version?.events).toEqual(all.map(({ event_id }) => event_id));
    expect(version?.cards).toEqual(all.map(({ card_id }) => card_id));
  });

  test('leaves its diff, its lineage and its audit, and no words in Temporal', async () => {
    const ws = await lane.workspace();
    const { result, calls, end, handle } = await lane.teach(ws, {
      task: 'a flight',
      calls: BOOKING,
    });
    const sources = [...calls, end].map(({ card_id }) => card_id).sort();

    const [run] = await lane.rows<{ id: string; state: string; type: string; counts: object }>(
      ws,
      "SELECT id, state, type, counts FROM runs WHERE type = 'learning'",
    );
    expect(run).toMatchObject({ state: 'completed', counts: { skills: 1, calls: 0, tokens: 0 } });
    const changes = await lane.rows<{ change: string; card_id: string; related: string[] }>(
      ws,
      'SELECT change, card_id, related, version_after FROM run_changes WHERE run_id = $1',
      [run?.id],
    );
    expect(changes).toEqual([
      {
        change: 'created',
        card_id: result.skill_card,
        related: expect.anything(),
        version_after: 1,
      },
    ]);
    expect(changes[0]?.related.sort()).toEqual(sources);
    const lineage = await lane.rows<{ to_card: string }>(
      ws,
      "SELECT to_card FROM edges WHERE from_card = $1 AND type = 'derived_from' ORDER BY to_card",
      [result.skill_card],
    );
    expect(lineage.map(({ to_card }) => to_card)).toEqual(sources);
    expect(
      await lane.rows(
        ws,
        `SELECT a.action, s.name FROM audit_log a JOIN surrogates s ON s.workspace_id = $2 AND s.id = a.actor_id
          WHERE a.target_id = $1`,
        [result.skill_card, ws],
      ),
    ).toEqual([{ action: 'card.created', name: 'learning' }]);
    expect(await lane.rows(ws, 'SELECT 1 FROM run_drafts')).toEqual([]);
    const told = historyText(await handle.fetchHistory());
    expect(told).toContain(result.skill_card);
    expect(told).not.toMatch(/payment|receipt|flight/i);
  });

  test('is found by a recall and by discovery, and by nobody without a path to it', async () => {
    const api = await lane.api();
    try {
      const runtime = await api.keyFor({ kind: 'runtime', id: 'harness' });
      const as = (agent: string) => ({ key: runtime, headers: { 'cairn-agent': agent } });
      const { result } = await lane.teach('default', { task: 'a flight', calls: BOOKING });
      const body = { query: 'how do I book a reservation and send the receipt', intent: 'act' };

      const recalled = await api.call('POST', '/v1/recall', { ...as('scout'), body });
      const shown = recalled.body.cards.map(({ id }: { id: string }) => id);
      expect(shown).toContain(result.skill_card);
      const found = await api.call('GET', '/v1/skills?query=book%20a%20reservation', as('scout'));
      expect(found.body.items[0]).toMatchObject({
        name: 'book-reservation-and-send-receipt',
        version: 1,
      });

      await lane.file('default', { task: 'other', calls: [], agent: 'stranger' });
      const hidden = await api.call(
        'GET',
        '/v1/skills?query=book%20a%20reservation',
        as('stranger'),
      );
      expect(hidden.body.items).toEqual([]);
      const other = await api.call('POST', '/v1/recall', { ...as('stranger'), body });
      expect(JSON.stringify(other.body)).not.toContain(result.skill_card);
    } finally {
      await api.close();
    }
  });

  test('starts one loop, with the card of the event that ends it and with no other', async () => {
    const ws = await lane.workspace();
    await lane.file(ws, { task: 'open', calls: BOOKING, end: { final: false } });
    expect(await lane.queued(ws)).toEqual([]);
    const { end } = await lane.file(ws, { task: 'whole/task', calls: [['a.list_things']] });
    const queued = await lane.queued(ws);
    expect(queued).toHaveLength(1);
    expect(queued[0]?.workflow_id).toMatch(new RegExp(`^learn/${ws}/~[0-9a-f]{26}$`));
    expect(queued[0]?.arguments).toMatchObject({ workspace: ws, event_id: end.event_id });
    await lane.run();
  });
});
