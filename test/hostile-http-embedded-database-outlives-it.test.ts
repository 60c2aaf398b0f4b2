import { batchOf, eventText, HOSTILE_EVENTS } from './support/hostile-events';
import { HostileStack } from './support/hostile-stack';

jest.setTimeout(240_000);

/** PGlite by itself ends at JSON nested too deep, with every other session's work: nothing of it may get there. */
let stack: HostileStack;
const taken: string[] = [];
beforeAll(async () => {
  stack = await HostileStack.start({ on: 'pglite' });
});
afterAll(() => stack?.stop());

const events = HOSTILE_EVENTS.filter(({ everywhere }) => everywhere === true);

describe.each(events.map((event, at) => ({ ...event, at })))(
  'the embedded database and $name',
  ({ at, text, expected }) => {
    it('are kept apart, or it is kept, and the event beside it as well', async () => {
      const texts = [text(`hostile-${at}`), eventText(`beside-${at}`)];
      const { status, body } = await stack.call('POST', '/v1/events', batchOf(texts));
      const [hostile, beside] = body.items;
      expect([status, hostile.status, beside.status]).toEqual([
        202,
        expected === 'accepted' ? 'accepted' : 'refused',
        'accepted',
      ]);
      taken.push(beside.event_id, ...(expected === 'accepted' ? [hostile.event_id] : []));
    });
  },
);

it.each([
  ['POST', '/v1/recall', { query: `a${'\u0301\u0323'.repeat(9_000)} \u0000 \ud800` }, 200],
  ['PUT', '/v1/notes/deep', { value: `${'['.repeat(1_900)}\u0000\ud800` }, 201],
  ['POST', '/v1/recall', `{"query":"x","filters":{"metadata":${'['.repeat(9_000)}`, 400],
  [
    'POST',
    '/v1/recall',
    `{"query":"x","filters":{"metadata":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}}`,
    400,
  ],
  ['GET', '/v1/operations/%00', undefined, 400],
  ['GET', '/v1/events/%00', undefined, 400],
  ['GET', '/v1/cards?q=%00%ED%A0%80', undefined, 200],
] as const)('%s %s with what no text may hold answers %#', async (method, path, body, expected) => {
  const answer = await stack.call(method, path, body, { 'cairn-agent': 'scout' });
  expect([answer.status, answer.type]).toEqual([
    expected,
    expected === 400
      ? expect.stringMatching(/^application\/problem\+json/)
      : expect.stringMatching(/^application\/json/),
  ]);
});

it('everything that was taken has its one card', async () => {
  expect(await stack.withoutCard(taken)).toEqual([]);
});
