import { insertCard } from '../src/store/card-writes';
import { moveCard } from '../src/store/card-writes-promoted';
import { cardIds, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';
import { consolidateByHand } from './support/night';
import { plainCard } from './support/plain-card';

jest.setTimeout(60_000);

let lane: RecallLane;
let reader: string;
beforeAll(async () => {
  lane = await startRecallLane();
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
  reader = await lane.api.keyFor({ kind: 'agent', id: 'reader' });
  const group = await lane.api.call('PUT', '/v1/agent-groups/crew', {
    body: { members: ['reader'] },
  });
  expect(group.status).toBeLessThan(300);
});
afterAll(() => lane?.close());

const call = async (method: 'PUT' | 'DELETE', path: string, body?: object) => {
  const answer = await lane.api.call(method, path, body === undefined ? {} : { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
};
const seen = async (id: string) =>
  (await lane.api.call('GET', `/v1/cards/${id}`, { key: reader })).status;
const audited = async (id: string, action: string) =>
  (await lane.api.call('GET', `/v1/audit?target=${id}&action=${action}`)).body.items;

let agents = 0;
/** Six calls of an agent of its own, shared alike, and the note that a night made of them. */
async function noted(grant: string): Promise<{ sources: string[]; note: string }> {
  agents += 1;
  const agent = `worker-${agents}`;
  const sources: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    lane.clock.advance(MINUTE);
    const [service, operation] = ['broker', `publish_${agents}`];
    const input = { stream: 'orders', batch: 10 + at };
    sources.push(await lane.filing.card({ agent, service, operation, input, output: { ok: at } }));
  }
  for (const id of sources) await call('PUT', `/v1/cards/${id}/${grant}`, {});
  const scope = { type: 'agent', id: agent } as const;
  const [made] = await consolidateByHand(lane.api.database, 'default', scope, lane.clock.now());
  const note = made?.card_id ?? '';
  expect([made?.retired, await seen(note)]).toEqual([6, 200]);
  return { sources, note };
}

/** A card of the system that came of another. */
async function madeOf(source: string, more: Parameters<typeof plainCard>[2] = {}): Promise<string> {
  const writer = { kind: 'system', id: 'reflection' } as const;
  const card = plainCard(`A fact, shown by ${source}.`, lane.clock.now(), { writer, ...more });
  const lineage = { type: 'derived_from', from: card.id, to: source, confidence: 1, reason: 'is' };
  await lane.api.database.inWorkspace('default', (tx) =>
    insertCard(tx, card, null, [{ ...lineage, type: 'derived_from' }]),
  );
  return card.id;
}

describe('taken back from a source', () => {
  it.each([
    ['an agent', 'grants/reader'],
    ['a group', 'group-grants/crew'],
  ])('a grant to %s ends for the note at the very next read', async (_, grant) => {
    const { sources, note } = await noted(grant);
    const [first = '', ...others] = sources;
    await call('DELETE', `/v1/cards/${first}/${grant}`);
    expect(await seen(note)).toBe(404);
    // Of the others only the note is taken: they are shared still.
    expect(await Promise.all(others.map(seen))).toEqual(others.map(() => 200));
    const [row, ...more] = await audited(note, 'card.unshared');
    expect(row).toMatchObject({ changed: ['grants'], hashes: { follows: first } });
    expect(more).toEqual([]);
    for (const id of others) await call('DELETE', `/v1/cards/${id}/${grant}`);
    expect(await seen(note)).toBe(404);
  });

  it('it ends for what was made of what was made, and for nothing that anybody else wrote', async () => {
    const { sources, note } = await noted('grants/reader');
    const fact = await madeOf(note);
    const skill = await madeOf(fact, { kind: 'skill_lesson' });
    const quoting = await madeOf(note, { writer: { kind: 'runtime', id: 'harness' } });
    for (const id of [fact, skill, quoting]) await call('PUT', `/v1/cards/${id}/grants/reader`, {});
    await call('DELETE', `/v1/cards/${sources[3]}/grants/reader`);
    expect(await Promise.all([note, fact, skill, quoting].map(seen))).toEqual([404, 404, 404, 200]);
  });

  it('it leaves whom nothing was taken from', async () => {
    const { sources, note } = await noted('grants/reader');
    const other = await lane.api.keyFor({ kind: 'agent', id: 'onlooker' });
    await call('PUT', `/v1/cards/${note}/grants/onlooker`, {});
    await call('DELETE', `/v1/cards/${sources[0]}/grants/reader`);
    const still = await lane.api.call('GET', `/v1/cards/${note}`, { key: other });
    expect(still.status).toBe(200);
  });
});

it.each(['grants/reader', 'group-grants/crew'])(
  'an earlier end of %s holds for the note',
  async (grant) => {
    const { sources, note } = await noted(grant);
    const until = new Date(lane.clock.now().getTime() + 5 * MINUTE).toISOString();
    await call('PUT', `/v1/cards/${sources[0]}/${grant}`, { expires_at: until });
    expect(await seen(note)).toBe(200);
    lane.clock.advance(6 * MINUTE);
    expect(await seen(note)).toBe(404);
  },
);

it('a source that is shown to fewer narrows what was made of it', async () => {
  const scope = { type: 'agent', id: 'scout' };
  const visibility = 'organization';
  const source = await writeCard(lane.api, { summary: 'Dock 7 is closed.', scope, visibility });
  const fact = await madeOf(source.id, { visibility });
  const further = await madeOf(fact, { visibility });
  expect(await Promise.all([fact, further].map(seen))).toEqual([200, 200]);
  const { status } = await lane.api.call('PATCH', `/v1/cards/${source.id}`, {
    headers: { 'if-match': '"1"' },
    body: { visibility: 'private' },
  });
  expect(status).toBe(200);
  expect(await Promise.all([source.id, fact, further].map(seen))).toEqual([404, 404, 404]);
  expect(await audited(further, 'card.narrowed')).toMatchObject([
    { changed: ['visibility'], hashes: { follows: source.id }, versions: [1, 2] },
  ]);
});

it('a source that is given back to its agent takes along what was made of it where it was shown', async () => {
  const workspace = { type: 'workspace', id: 'default' } as const;
  const scope = { type: 'agent', id: 'scout' };
  const source = await writeCard(lane.api, { summary: 'Crane 9 is slow.', scope });
  const before = await madeOf(source.id);
  await lane.api.database.inWorkspace('default', (tx) =>
    moveCard(tx, {
      cardId: source.id,
      expected: 1,
      to: workspace,
      action: 'promoted',
      actor: { kind: 'person', id: 'owner' },
      at: lane.clock.now(),
    }),
  );
  const shown = await madeOf(source.id, { scope: workspace });
  expect(await Promise.all([source.id, shown].map(seen))).toEqual([200, 200]);
  const { status } = await lane.api.call('POST', `/v1/cards/${source.id}/demotion`, { body: {} });
  expect(status).toBe(200);
  expect(await Promise.all([source.id, shown].map(seen))).toEqual([404, 404]);
  const standing = async (id: string) =>
    (await lane.api.call('GET', `/v1/cards/${id}`)).body.status;
  expect(await Promise.all([source.id, before, shown].map(standing))).toEqual([
    'active',
    'active',
    'archived',
  ]);
  const recalled = await lane.recall(
    { query: `fact shown by ${source.id}` },
    { 'cairn-agent': 'reader' },
  );
  expect(cardIds(recalled)).not.toContain(shown);
});
