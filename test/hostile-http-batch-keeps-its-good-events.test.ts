import { batchOf, eventText, HOSTILE_EVENTS } from './support/hostile-events';
import { HostileStack } from './support/hostile-stack';

jest.setTimeout(120_000);

let stack: HostileStack;
const taken: string[] = [];
beforeAll(async () => {
  stack = await HostileStack.start();
});
afterAll(() => stack?.stop());

describe.each(HOSTILE_EVENTS.map((event, at) => ({ ...event, at })))(
  '$name',
  ({ at, text, expected, id: kept = (id) => id }) => {
    const id = `hostile-${at}`;
    const batch = () => batchOf([eventText(`before-${at}`), text(id), eventText(`behind-${at}`)]);

    it(`is ${expected === 'accepted' ? 'taken' : 'refused with its reason'}, and so are its neighbours`, async () => {
      const { status, body } = await stack.call('POST', '/v1/events', batch());
      expect(status).toBe(202);
      const [before, hostile, behind] = body.items;
      expect([before, behind]).toMatchObject([{ status: 'accepted' }, { status: 'accepted' }]);
      taken.push(`before-${at}`, `behind-${at}`);
      if (expected === 'accepted') {
        expect(hostile).toMatchObject({ status: 'accepted', operation_id: expect.any(String) });
        taken.push(hostile.event_id);
        return;
      }
      expect(hostile).toMatchObject({ index: 1, status: 'refused', reason: expected });
      expect(hostile.reason.detail).toMatch(/\w{4}.*\w{3}/);
      expect(JSON.stringify(hostile).length).toBeLessThan(1_000);
    });

    it('answers the same when the batch is sent again, with or without a key for it', async () => {
      for (const headers of [{}, { 'idempotency-key': id }, { 'idempotency-key': id }]) {
        const { status, body } = await stack.call('POST', '/v1/events', batch(), headers as never);
        expect([status, body.items.map((item: { status: string }) => item.status)]).toEqual([
          202,
          ['duplicate', expected === 'accepted' ? 'duplicate' : 'refused', 'duplicate'],
        ]);
      }
    });

    it('sent alone answers by its status, as a problem that says the same', async () => {
      const alone = batchOf([text(id)]).subarray('{"events":['.length, -2);
      const { status, type, body } = await stack.call('POST', '/v1/events', Buffer.from(alone));
      if (expected === 'accepted') {
        expect([status, body.items[0].event_id]).toEqual([202, kept(id)]);
        return;
      }
      expect([400, 413, 422]).toContain(status);
      expect(type).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({ status, detail: expect.any(String), code: expected.code });
    });
  },
);

it('everything that was taken has its one card, and every card its event', async () => {
  expect(await stack.withoutCard(taken)).toEqual([]);
});

it('another event under a used id is refused, and the first one stays', async () => {
  const [first, other] = [eventText('used'), eventText('used', ',"text":"other"')];
  const send = (...texts: string[]) => stack.call('POST', '/v1/events', batchOf(texts));
  const both = await send(first, other, eventText('beside-used'), first);
  expect(both.body.items).toMatchObject([
    { status: 'accepted' },
    { status: 'refused', reason: { code: 'event_id_conflict', pointer: '/event_id' } },
    { status: 'accepted' },
    { status: 'duplicate' },
  ]);
  const later = await send(other, eventText('later'));
  expect(later.body.items).toMatchObject([
    { status: 'refused', reason: { code: 'event_id_conflict' } },
    { status: 'accepted' },
  ]);
  const alone = await stack.call('POST', '/v1/events', other);
  expect([alone.status, alone.body.code]).toEqual([409, 'event_id_conflict']);
  expect((await stack.settled('used')).disposition).toBe('carded');
});

it('an agent that reports for another is refused, and its own work is taken', async () => {
  const made = await stack.call('POST', '/v1/keys', { principal: { kind: 'agent', id: 'scout' } });
  const key = { authorization: `Bearer ${made.body.key}` };
  const texts = [eventText('mine'), eventText('foreign', ',"agent":"someone-else"')];
  const { body } = await stack.call('POST', '/v1/events', batchOf(texts), key);
  expect(body.items).toMatchObject([
    { status: 'accepted' },
    { status: 'refused', reason: { code: 'agent_conflict', pointer: '/agent' } },
  ]);
  expect((await stack.settled('mine')).disposition).toBe('carded');
});
