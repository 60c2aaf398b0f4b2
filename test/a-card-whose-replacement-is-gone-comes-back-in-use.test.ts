import { insertCard, type NewCard } from '../src/store/card-writes';
import { retireInFavour } from '../src/store/card-writes-retired';
import { supersede } from '../src/store/superseding';
import { cardIds, type RecallLane, startRecallLane } from './support/filing';
import { plainCard } from './support/plain-card';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane(null);
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(1_000));

const rows = <Row>(statement: string, values: unknown[] = []) =>
  lane.api.database.inWorkspace('default', (tx) => tx.query<Row>(statement, values));

async function plant(summary: string, fields: Partial<NewCard> = {}): Promise<string> {
  const card = plainCard(summary, lane.clock.now(), fields);
  await lane.api.database.inWorkspace('default', (tx) => insertCard(tx, card, null, []));
  return card.id;
}

async function replace(id: string, by: string): Promise<void> {
  const retiring = { by, pass: 'consolidation', workflowId: 'w', at: lane.clock.now() };
  const [{ version } = { version: 0 }] = await rows<{ version: number }>(
    'SELECT version FROM cards WHERE id = $1',
    [id],
  );
  await lane.api.database.inWorkspace('default', (tx) =>
    retireInFavour(tx, { ...retiring, cards: [{ id, version }] }),
  );
}

const post = (id: string, what: string) =>
  lane.api.call('POST', `/v1/cards/${id}/${what}`, { body: {} });
const discard = (id: string) => lane.api.call('DELETE', `/v1/cards/${id}`);
const outOfUse = (id: string, status: string) =>
  rows('UPDATE cards SET status = $2, version = version + 1 WHERE id = $1', [id, status]);

describe.each([
  ['restored', (id: string) => discard(id), 'restore'],
  ['released', (id: string) => post(id, 'quarantine'), 'release'],
])('a superseded card that is %s', (_, away, back) => {
  it.each(['archived', 'deleted', 'rejected'])(
    'is in use again, with the status that it had, where what took its place is %s',
    async (status) => {
      const name = `${back}-${status}`;
      const old = await plant(`Ankara ${name}`, { status: 'validated' });
      const note = await plant(`Lessons of ${name}`);
      await replace(old, note);
      await away(old);
      await outOfUse(note, status);
      const { body } = await post(old, back);
      expect(body).toMatchObject({ id: old, status: 'validated' });
      expect(body.superseded_by).toBeUndefined();
      expect(cardIds(await lane.recall({ query: `Ankara ${name}` }))).toContain(old);
    },
  );

  it.each(['active', 'quarantined'])(
    'stays superseded where what took its place is %s',
    async (status) => {
      const old = await plant(`Izmir ${back} ${status}`);
      const note = await plant(`Lessons of Izmir ${back} ${status}`);
      await replace(old, note);
      await away(old);
      await outOfUse(note, status);
      expect((await post(old, back)).body).toMatchObject({
        status: 'superseded',
        superseded_by: note,
      });
    },
  );

  it('stays superseded while what took the place of its replacement tells it', async () => {
    const old = await plant(`Bursa ${back}`);
    const [first, second] = [await plant(`First ${back}`), await plant(`Second ${back}`)];
    await replace(old, first);
    await replace(first, second);
    await away(old);
    expect((await post(old, back)).body).toMatchObject({ status: 'superseded' });
    await away(old);
    await outOfUse(second, 'archived');
    expect((await post(old, back)).body).toMatchObject({ status: 'active' });
  });

  it('is found though it had left the index', async () => {
    const old = await plant(`Adana ${back}`);
    const note = await plant(`Lessons of ${back}`);
    await replace(old, note);
    await rows('DELETE FROM card_terms WHERE card_id = $1', [old]);
    await rows('UPDATE cards SET evicted_at = now() WHERE id = $1', [old]);
    await away(old);
    await outOfUse(note, 'archived');
    await post(old, back);
    expect(cardIds(await lane.recall({ query: `Adana ${back}` }))).toContain(old);
  });
});

describe('a value under a key', () => {
  /** Takes the place of the one before it, which ends when this one begins. */
  async function put(summary: string, key: string, older: string[]): Promise<string> {
    lane.clock.advance(1_000);
    const card = plainCard(summary, lane.clock.now(), { key });
    await lane.api.database.inWorkspace('default', async (tx) => {
      const reason = 'the same key';
      const edges = older.map((to) => ({
        type: 'supersedes' as const,
        from: card.id,
        to,
        confidence: 1,
        reason,
      }));
      await supersede(tx, card, edges, new Map(), lane.clock.now());
      await insertCard(tx, card, null, []);
    });
    return card.id;
  }

  it('holds again, without an end, where the newer one is deleted', async () => {
    const first = await put('The lift code is four', 'lift', []);
    const second = await put('The lift code is five', 'lift', [first]);
    const { body: then } = await lane.api.call('GET', `/v1/cards/${first}`);
    expect(then).toMatchObject({ status: 'superseded', valid_to: lane.clock.text() });
    await discard(first);
    await discard(second);
    expect((await post(first, 'restore')).body).toMatchObject({ status: 'active', valid_to: null });
  });

  it('stays superseded where a third has the key', async () => {
    const first = await put('The gate code is six', 'gate', []);
    const second = await put('The gate code is seven', 'gate', [first]);
    await discard(first);
    await discard(second);
    await put('The gate code is eight', 'gate', []);
    expect((await post(first, 'restore')).body).toMatchObject({
      status: 'superseded',
      superseded_by: second,
    });
  });
});
