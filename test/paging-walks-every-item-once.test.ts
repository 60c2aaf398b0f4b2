import fc from 'fast-check';
import { BY_ID, pageOf, positionIn } from '../src/api/paging';
import type { AuditRow } from '../src/contracts/audit';
import { TOTAL_CAP } from '../src/store/paging';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
let runtime: string;
beforeAll(async () => {
  api = await startApi();
  runtime = await api.keyFor({ kind: 'runtime', id: 'feeder' });
});
afterAll(() => api.close());

/** Follows the cursors; every page but the last is full. */
async function walk(path: string, limit: number, key = api.ownerKey): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | null = null;
  do {
    const url = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
    const page = await api.call('GET', cursor === null ? url : `${url}&cursor=${cursor}`, { key });
    expect(page.status).toBe(200);
    items.push(...page.body.items);
    cursor = page.body.next_cursor;
    if (cursor !== null) expect(page.body.items).toHaveLength(limit);
    expect(page.body.total).toBeGreaterThanOrEqual(items.length);
    if (cursor === null) expect(page.body.total).toBe(items.length);
  } while (cursor !== null);
  return items;
}

const event = (id: string, agent: string) => ({
  event_id: id,
  kind: 'delegation',
  agent,
  task_type: `work of ${id}`,
  outcome: 'worked',
  occurred_at: '2026-03-02T08:24:15Z',
  text: `Did ${id}.`,
});

describe('a list', () => {
  it('gives every item once, whatever the size of a page', async () => {
    for (let n = 0; n < 7; n += 1) {
      for (const kind of ['teams', 'projects', 'subjects']) {
        await api.call('PUT', `/v1/${kind}/${kind}-${n}`, { body: { name: `${n}` } });
      }
      await api.call('PUT', `/v1/people/p${n}`, { body: { name: `${n}`, role: 'member' } });
      await api.call('PUT', `/v1/agents/agent-${n}`, { body: {} });
      await api.call('PUT', `/v1/agent-groups/group-${n}`, { body: { members: [] } });
    }
    // One batch has one time: the cursor has to tell its events apart by id.
    const events = Array.from({ length: 9 }, (_, n) => event(`e${n}`, `agent-${n % 2}`));
    await api.call('POST', '/v1/events', { key: runtime, body: { events } });
    const lists: [string, (item: never) => unknown][] = [
      ['/v1/teams', (item: { id: string }) => item.id],
      ['/v1/projects', (item: { id: string }) => item.id],
      ['/v1/subjects', (item: { id: string }) => item.id],
      ['/v1/people', (item: { id: string }) => item.id],
      ['/v1/agents', (item: { id: string }) => item.id],
      ['/v1/agent-groups', (item: { id: string }) => item.id],
      ['/v1/keys', (item: { id: string }) => item.id],
      ['/v1/runs', (item: { id: string }) => item.id],
      ['/v1/events', (item: { event_id: string }) => item.event_id],
      ['/v1/events?agent=agent-0', (item: { event_id: string }) => item.event_id],
      ['/v1/audit', (item: { seq: number }) => item.seq],
    ];
    for (const [path, idOf] of lists) {
      const ids = (await walk(path, 500)).map((item) => idOf(item as never));
      expect(ids.length).toBeGreaterThan(0);
      for (const limit of [1, 3, ids.length]) {
        expect((await walk(path, limit)).map((item) => idOf(item as never))).toEqual(ids);
      }
    }
  });

  it('goes on where it was while items are added before that place', async () => {
    const first = (await api.call('GET', '/v1/audit?limit=3')).body;
    await api.call('PUT', '/v1/teams/between', { body: { name: 'Between' } });
    const second = (await api.call('GET', `/v1/audit?limit=3&cursor=${first.next_cursor}`)).body;
    const seqs = [...first.items, ...second.items].map((row: AuditRow) => row.seq);
    expect(new Set(seqs).size).toBe(6);
    expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
  });

  it.each(['/v1/teams', '/v1/audit', '/v1/runs', '/v1/events', '/v1/keys', '/v1/competence'])(
    '%s refuses what it does not know',
    async (path) => {
      const refused = async (query: string) => (await api.call('GET', `${path}?${query}`)).status;
      expect(await refused('limit=0')).toBe(400);
      expect(await refused('limit=501')).toBe(400);
      expect(await refused('limit=many')).toBe(400);
      expect(await refused('cursor=nonsense')).toBe(400);
      expect(await refused(`cursor=${Buffer.from('[{"a":1}]').toString('base64url')}`)).toBe(400);
      expect(await refused(`cursor=${Buffer.from('["\\u0000"]').toString('base64url')}`)).toBe(400);
      expect(await refused('colour=red')).toBe(400);
    },
  );

  it('says which parameter it does not know', async () => {
    expect((await api.call('GET', '/v1/teams?colour=red')).body).toMatchObject({
      status: 400,
      pointer: '/colour',
    });
  });
});

const idArbitrary = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 1 });

describe('a page', () => {
  it('ends exactly where the next begins', () => {
    fc.assert(
      fc.property(fc.uniqueArray(idArbitrary), fc.integer({ min: 1, max: 9 }), (ids, limit) => {
        const all = ids.sort().map((id) => ({ id }));
        const seen: string[] = [];
        let cursor: string | undefined;
        for (;;) {
          const after = positionIn(cursor, BY_ID)?.[0] ?? '';
          const rows = all.filter((row) => row.id > after).slice(0, limit + 1);
          const page = pageOf(rows, limit, (row) => [row.id], all.length);
          seen.push(...page.items.map((row) => row.id));
          if (page.next_cursor === null) break;
          cursor = page.next_cursor;
        }
        expect(seen).toEqual(all.map((row) => row.id));
      }),
    );
  });

  it('counts exactly up to the cap, and says where it stopped', () => {
    const exact = pageOf([], 1, () => [], TOTAL_CAP);
    expect(exact).toEqual({ items: [], next_cursor: null, total: TOTAL_CAP });
    const capped = pageOf([], 1, () => [], TOTAL_CAP + 1);
    expect(capped).toMatchObject({ total: TOTAL_CAP, total_capped: true });
  });

  it('of a table beyond the cap says so', async () => {
    await api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO projects (workspace_id, id, created_at)
         SELECT 'default', 'many-' || n, now() FROM generate_series(1, $1::int) AS n`,
        [TOTAL_CAP],
      ),
    );
    const { body } = await api.call('GET', '/v1/projects?limit=1');
    expect(body).toMatchObject({ total: TOTAL_CAP, total_capped: true });
  });
});
