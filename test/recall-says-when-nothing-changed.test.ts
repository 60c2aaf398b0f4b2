import { cardIds, DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
let noteId: string;
const asScout = () => ({ key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } });
const query = 'which gate does the ferry use';

beforeAll(async () => {
  lane = await startRecallLane();
  noteId = (await writeCard(lane.api, { summary: 'The ferry uses gate 4.' }, asScout())).id;
});
afterAll(() => lane.close());

const recalls = async (): Promise<number> => {
  const [row] = await lane.api.database.inWorkspace('default', (tx) =>
    tx.query<{ count: number }>('SELECT count(*)::int AS count FROM recalls'),
  );
  return row?.count ?? 0;
};

const version = async (): Promise<string> => (await lane.recall({ query })).body.context_version;
const ask = (if_context_version: string) => lane.recall({ query, if_context_version });

it('answers 304, with nothing in it and nothing logged', async () => {
  const known = await version();
  const before = await recalls();
  const reply = await ask(known);
  expect(reply).toEqual({ status: 304, body: null });
  expect(await recalls()).toBe(before);
});

it('is also the ETag', async () => {
  const answer = await lane.api.call('POST', '/v1/recall', { ...asScout(), body: { query } });
  expect(answer.headers.get('etag')).toBe(`"${answer.body.context_version}"`);
});

it('answers in full to a version that never was', async () => {
  expect((await ask('made-up')).body.cards).toHaveLength(1);
});

it.each([
  ['a new card', () => writeCard(lane.api, { summary: 'The night ferry uses gate 9.' }, asScout())],
  [
    'an edit',
    async () => {
      const { body } = await lane.api.call('GET', `/v1/cards/${noteId}`, asScout());
      await lane.api.call('PATCH', `/v1/cards/${noteId}`, {
        ...asScout(),
        headers: { 'cairn-agent': 'scout', 'if-match': `"${body.version}"` },
        body: { summary: 'The ferry uses gate 5.' },
      });
    },
  ],
  [
    'a card that is taken out of use',
    () => lane.api.call('POST', `/v1/cards/${noteId}/quarantine`, { body: {} }),
  ],
  ['one that comes back', () => lane.api.call('POST', `/v1/cards/${noteId}/release`, { body: {} })],
  ['another day', async () => lane.clock.advance(DAY)],
])('no longer holds after %s', async (_name, change) => {
  lane.clock.advance(HOUR);
  const known = await version();
  expect((await ask(known)).status).toBe(304);
  await change();
  const reply = await ask(known);
  expect(reply.status).toBe(200);
  expect(reply.body.context_version).not.toBe(known);
});

it('no longer holds once a card was unshared, at the very next read', async () => {
  const card = await writeCard(
    lane.api,
    { summary: 'The pilot boat uses gate 2.' },
    { key: lane.runtimeKey, headers: { 'cairn-agent': 'mate' } },
  );
  const grant = `/v1/cards/${card.id}/grants/scout`;
  await lane.api.call('PUT', grant, { body: {} });
  const reply = await lane.recall({ query: 'which gate does the pilot boat use' });
  expect(cardIds(reply)).toContain(card.id);
  await lane.api.call('DELETE', grant, {});
  const after = await lane.recall({
    query: 'which gate does the pilot boat use',
    if_context_version: reply.body.context_version,
  });
  expect(after.status).toBe(200);
  expect(cardIds(after)).not.toContain(card.id);
  expect(after.body.context).not.toContain('gate 2');
});
