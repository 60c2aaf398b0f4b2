import { startApi, type TestApi } from './support/api';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.keyFor({ kind: 'runtime', id: 'r' });
});
afterAll(() => api.close());

const eventText = (id: string, member: string) =>
  `{"event_id":"${id}","kind":"observation","agent":"a","outcome":"worked",` +
  `"occurred_at":"2026-03-02T08:24:15Z"${member}}`;

const POISONS = {
  proto: '{"__proto__":1,"left":2}',
  object: '{"__proto__":{"polluted":true},"left":2}',
  constructor: '{"constructor":{"prototype":{"polluted":true}},"left":2}',
};

describe.each(Object.entries(POISONS))('%s', (name, poison) => {
  it.each(['input', 'metadata'])(
    'in %s is kept as a member, beside a good event',
    async (field) => {
      const id = `poisoned-${name}-${field}`;
      const good = eventText(`good-${name}-${field}`, `,"text":"${id}"`);
      const body = `{"events":[${good},${eventText(id, `,"${field}":${poison}`)}]}`;
      const answer = await api.call('POST', '/v1/events', { key, body });
      expect([
        answer.status,
        answer.body.items.map((one: { status: string }) => one.status),
      ]).toEqual([202, ['accepted', 'accepted']]);
      const { text } = await api.call('GET', `/v1/events/${id}`);
      const kept = JSON.parse(text).event[field];
      expect(Object.entries(kept).sort()).toEqual(Object.entries(JSON.parse(poison)).sort());
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
      expect(Object.prototype).not.toHaveProperty('polluted');
    },
  );
});

it('refuses one beside the fields of an event as that item only', async () => {
  const body = `{"events":[${eventText('good', '')},${eventText('bad', ',"__proto__":{"x":1}')}]}`;
  const { body: answer } = await api.call('POST', '/v1/events', { key, body });
  expect(answer.items).toMatchObject([
    { event_id: 'good', status: 'accepted' },
    { status: 'refused', reason: { code: 'invalid', pointer: '/__proto__' } },
  ]);
});

it('keeps one in the metadata of a card, and takes none into the policy', async () => {
  const card = `{"summary":"A card.","scope":{"type":"workspace","id":"default"},"metadata":${POISONS.object}}`;
  const made = await api.call('POST', '/v1/cards', { body: card });
  expect(made.status).toBe(201);
  expect(Object.keys(JSON.parse(made.text).metadata).sort()).toEqual(['__proto__', 'left']);
  const preview = await api.call('POST', '/v1/policy/preview', {
    body: '{"strikes":{"count":4,"__proto__":{"polluted":true}},"constructor":{"prototype":{"polluted":true}}}',
  });
  expect(preview.body).toMatchObject({ valid: false, document: null });
  expect(Object.prototype).not.toHaveProperty('polluted');
});

it('refuses a number that JSON cannot write back', async () => {
  const body = `{"events":[${eventText('huge', ',"input":{"n":1e999}')}]}`;
  const { body: answer } = await api.call('POST', '/v1/events', { key, body });
  expect(answer.items).toMatchObject([{ status: 'refused', reason: { code: 'invalid' } }]);
});
