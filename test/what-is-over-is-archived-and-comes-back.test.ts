import { undoBatch } from '../src/store/undoing';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const call = { service: 'crane', operation: 'lift', input: { load: 'crate of marbles' } };
const recalled = async () =>
  (await lane.recall({ query: 'lift the crate of marbles with the crane' })).body.cards.map(
    ({ id }: { id: string }) => id,
  );
const statusOf = async (id: string) =>
  (await rowsOf<{ status: string }>(lane, 'SELECT status FROM cards WHERE id = $1', [id]))[0]
    ?.status;
const restore = (id: string, options = {}) =>
  lane.api.call('POST', `/v1/cards/${id}/restore`, options);

it('archives at its time and not before, with version, audit and its line of the diff', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(10 * DAY - 1);
  expect((await upkeep(lane, 'retention')).counts).toEqual({});
  expect(await statusOf(id)).toBe('active');
  expect(await recalled()).toEqual([id]);

  lane.clock.advance(1);
  const { counts, changes } = await upkeep(lane, 'retention');

  expect(counts).toEqual({ archived: 1 });
  expect(changes).toEqual([
    {
      change: 'retired',
      card_id: id,
      version_before: 1,
      version_after: 2,
      related: [],
      reason: 'expired',
    },
  ]);
  expect(await recalled()).toEqual([]);
  const rows = await rowsOf(
    lane,
    'SELECT status, status_before, version FROM cards WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ status: 'archived', status_before: 'active', version: 2 }]);
  const versions = await rowsOf(
    lane,
    'SELECT version, action, actor_kind, actor_id FROM card_versions WHERE card_id = $1 ORDER BY version',
    [id],
  );
  expect(versions.at(-1)).toEqual({
    version: 2,
    action: 'archived',
    actor_kind: 'system',
    actor_id: 'retention',
  });
  const { body } = await lane.api.call('GET', `/v1/audit?target=${id}&action=card.archived`);
  expect(body.items).toMatchObject([
    { actor: { kind: 'system', id: 'retention' }, versions: [1, 2], changed: ['status'] },
  ]);
});

it('shows people what they may bring back, and agents nothing', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(11 * DAY);
  await upkeep(lane, 'retention');
  const list = (options = {}) => lane.api.call('GET', '/v1/cards?status=archived', options);
  expect((await list()).body.items.map((card: { id: string }) => card.id)).toEqual([id]);
  const key = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
  expect((await list({ key })).body.items).toEqual([]);
  expect((await restore(id, { key })).status).toBe(403);
});

it('comes back within the window as it was, found by a recall, with its time counted anew', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(10 * DAY);
  await upkeep(lane, 'retention');
  lane.clock.advance(30 * DAY);
  const { status, body } = await restore(id);
  expect([status, body.status]).toEqual([200, 'active']);
  expect(body.expires_at).toBe(new Date(lane.clock.now().getTime() + 10 * DAY).toISOString());
  expect(await recalled()).toEqual([id]);
  expect((await upkeep(lane, 'retention')).counts.archived).toBeUndefined();
});

it('comes back with its run, as a whole', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(10 * DAY);
  const { operationId } = await upkeep(lane, 'retention');
  const actor = { kind: 'person', id: 'owner' };
  await lane.api.database.inWorkspace('default', (tx) =>
    undoBatch(tx, operationId, 10, { actor, at: lane.clock.now(), channel: 'api' }),
  );
  expect(await recalled()).toEqual([id]);
  expect((await upkeep(lane, 'retention')).counts.archived).toBeUndefined();
});

it('does not come back after the window, before the purge nor after it', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(10 * DAY);
  await upkeep(lane, 'retention');
  lane.clock.advance(30 * DAY + 1);
  const late = await restore(id);
  expect([late.status, late.body.code]).toEqual([410, 'restore_window_over']);
  expect((await upkeep(lane, 'retention')).counts.purged).toBe(1);
  const purged = await restore(id);
  expect([purged.status, purged.body.code]).toEqual([410, 'purged']);
  await setPolicy(lane, { retention: { restore_window: 'P365D' } });
  expect((await restore(id)).status).toBe(410);
  const { body } = await lane.api.call('GET', '/v1/cards?status=archived&status=deleted');
  expect(body.items).toEqual([]);
});

it('leaves semantic and procedural cards alone, however old, unless somebody gave them a time', async () => {
  const write = async (body: Record<string, unknown>) =>
    (
      await lane.api.call('POST', '/v1/cards', {
        body: { scope: { type: 'workspace', id: 'default' }, ...body },
      })
    ).body.id as string;
  const kept = await write({ summary: 'Marbles are round.', kind: 'knowledge' });
  const timed = await write({
    summary: 'The yard is closed this week.',
    kind: 'knowledge',
    expires_at: new Date(lane.clock.now().getTime() + 7 * DAY).toISOString(),
  });
  // Filed with a horizon that the policy names no more: nobody means it now.
  await setPolicy(lane, { retention: { by_kind: { knowledge: 'P20D' } } });
  const filed = await lane.filing.card({ ...call, key: 'crane-limit' });
  await setPolicy(lane, { retention: { by_kind: { knowledge: null } } });
  lane.clock.advance(3_000 * DAY);
  const { counts } = await upkeep(lane, 'retention');
  expect(counts.archived).toBe(1);
  expect(await Promise.all([kept, timed, filed].map(statusOf))).toEqual([
    'active',
    'archived',
    'active',
  ]);
  await setPolicy(lane, { retention: { by_kind: { knowledge: 'P20D' } } });
  await upkeep(lane, 'retention');
  expect(await statusOf(filed)).toBe('archived');
  expect(await statusOf(kept)).toBe('active');
});

it('looks in a dry run and changes nothing', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  const id = await lane.filing.card(call);
  lane.clock.advance(80 * DAY);
  const before = await rowsOf(lane, 'SELECT * FROM cards');
  const dry = await upkeep(lane, 'retention', { dryRun: true, twice: true });
  expect(dry.counts).toEqual({ archived: 1, payloads_dropped: 1 });
  expect(dry.changes[0]).toMatchObject({ change: 'retired', card_id: id, version_after: null });
  expect(await rowsOf(lane, 'SELECT * FROM cards')).toEqual(before);
  expect(await rowsOf(lane, 'SELECT 1 FROM events WHERE payload IS NULL')).toEqual([]);
});

it('counts what was done, and not how often it was tried', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P10D' } } });
  for (let at = 0; at < 3; at += 1)
    await lane.filing.card({ ...call, input: { load: `box ${at}` } });
  lane.clock.advance(31 * DAY);
  const { counts, changes } = await upkeep(lane, 'retention', { twice: true });
  expect(counts).toEqual({ archived: 3, payloads_dropped: 3 });
  expect(changes.filter(({ change }) => change === 'retired')).toHaveLength(3);
});
