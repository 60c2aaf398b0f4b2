import { CairnClient } from '../src/client';
import { startApi, type TestApi } from './support/api';
import { email, githubToken } from './support/secret-strings';
import { SessionLane } from './support/sessions';

let api: TestApi;
let lane: SessionLane;
beforeAll(async () => {
  api = await startApi();
  lane = new SessionLane(api);
  await lane.spawn({ lead: null, helper: 'lead', stranger: null });
});
afterAll(() => api.close());

const client = (agent: string) => new CairnClient({ url: api.url, key: api.ownerKey, agent });

test('what is written is redacted, by the name of its key too', async () => {
  const planted = [email(), githubToken()];
  const wrapped = JSON.stringify({ password: 'correct horse 7' });
  const { body } = await lane.put('lead', 'clean', 'contacts', {
    [planted[1] ?? '']: `write to ${planted[0]}`,
    wrapped,
    list: [planted[1], { note: planted[0] }],
  });
  await lane.put('lead', 'clean', 'password', 'hunter2xyz');
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query('SELECT * FROM blackboard'),
  );
  const all = JSON.stringify([body, rows, (await lane.list('lead', 'clean')).body]);
  for (const secret of [...planted, 'correct horse', 'hunter2xyz']) {
    expect(all).not.toContain(secret);
  }
  expect(body.value.list[1].note).toMatch(/^\[EMAIL_/);
});

test('a secret or an address in a key or a session is refused', async () => {
  const token = githubToken();
  for (const [path, code] of [
    [`clean/blackboard/${token}`, 'secret_in_identifier'],
    [`${token}/blackboard/plan`, 'secret_in_identifier'],
    [`${encodeURIComponent(email())}/blackboard/plan`, 'pii_in_identifier'],
  ]) {
    const { status, body, text } = await lane.as('lead', 'PUT', path ?? '', { body: { value: 1 } });
    expect([path, status, body.code]).toEqual([path, 422, code]);
    expect(text).not.toContain(token);
  }
});

test('any JSON comes back as it was', async () => {
  const board = client('lead').sessions.blackboard('any JSON');
  const values = [null, false, 0, -1.5, 1e21, '', 'zwei Wörter', [], {}, [[1], { a: { b: null } }]];
  for (const [n, value] of values.entries()) {
    expect((await board.put(`v${n}`, value)).value).toEqual(value);
    expect((await board.get(`v${n}`)).value).toEqual(value);
  }
  const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
  expect(JSON.stringify((await board.put('odd', odd)).value)).toContain('__proto__');
  const broken = await lane.put('lead', 'any%20JSON', 'broken', 'a\u0000b\ud800c');
  expect(broken.body.value).toBe('ab\ufffdc');
});

test('a value, the keys and the whole have their bounds, and say which', async () => {
  const of = (bytes: number) => 'x'.repeat(bytes - 2);
  expect((await lane.put('lead', 'bounds', 'k', of(64 * 1024))).status).toBe(201);
  const large = await lane.put('lead', 'bounds', 'k', of(64 * 1024 + 1));
  expect([large.status, large.body.code]).toEqual([413, 'too_large']);
  expect(large.body.detail).toContain('65537');

  for (let n = 1; n < 16; n += 1) await lane.put('lead', 'bounds', `k${n}`, of(64 * 1024));
  const more = await lane.put('lead', 'bounds', 'more', 1);
  expect([more.status, more.body.code]).toEqual([409, 'blackboard_full']);
  expect(more.body.detail).toContain('1048576');
  // What stands there may be written over, and what is deleted leaves its room.
  expect((await lane.put('lead', 'bounds', 'k1', of(64 * 1024))).status).toBe(200);
  expect((await lane.as('lead', 'DELETE', 'bounds/blackboard/k1')).status).toBe(204);
  expect((await lane.put('lead', 'bounds', 'more', 1)).status).toBe(201);
  expect((await lane.as('lead', 'GET', 'bounds')).body).toMatchObject({
    keys: 16,
    bytes: 15 * 64 * 1024 + 1,
  });

  await lane.put('lead', 'many', 'k', 1);
  await api.database.inWorkspace('default', (tx) =>
    tx.query(
      `INSERT INTO blackboard SELECT workspace_id, session_id, 'k' || n, value, bytes, version, writer_kind,
              writer_id, created_at, updated_at
         FROM blackboard, generate_series(1, 999) n WHERE session_id = 'many'`,
    ),
  );
  const another = await lane.put('lead', 'many', 'another', 1);
  expect([another.status, another.body.code]).toEqual([409, 'blackboard_full']);
  expect(another.body.detail).toContain('1000 keys');
  expect((await lane.put('lead', 'many', 'k7', 2)).status).toBe(200);
});

test('what is not a value is 400, and nothing is kept of it', async () => {
  let deep: unknown = 1;
  for (let n = 0; n < 33; n += 1) deep = [deep];
  const bodies = [{}, { value: 1, also: 2 }, [], 'text', { value: deep }];
  for (const body of bodies) {
    const { status } = await lane.as('lead', 'PUT', 'odd/blackboard/k', { body });
    expect([JSON.stringify(body), status]).toEqual([JSON.stringify(body), 400]);
  }
  const answers = await Promise.all([
    lane.as('lead', 'GET', 'odd/blackboard/k?colour=red'),
    lane.list('lead', 'odd', '?limit=0'),
    lane.list('lead', 'odd', '?cursor=nowhere'),
    lane.as('lead', 'PUT', 'odd/blackboard/-k', { body: { value: 1 } }),
    lane.put('lead', 'odd', 'k', 1, { headers: { 'if-match': 'new' } }),
    lane.put('lead', 'odd', 'k', 1, { headers: { 'if-none-match': '"1"' } }),
    lane.as('lead', 'POST', 'odd/end', { body: { now: true } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  expect((await lane.as(null, 'GET', 'odd')).status).toBe(404);
});

test('pages walk all of it once, by key, and count it', async () => {
  const board = client('helper').sessions.blackboard('pages');
  for (const key of ['c', 'a', 'e', 'b', 'd']) await board.put(key, key.toUpperCase());
  const found: unknown[] = [];
  for await (const { key, value } of board.iterate({ limit: 2 })) found.push([key, value]);
  expect(found).toEqual([
    ...[
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ],
    ...[
      ['d', 'D'],
      ['e', 'E'],
    ],
  ]);
  expect(await board.list({ limit: 2 })).toMatchObject({ total: 5 });
});

test('a version may be named, and a repetition writes once', async () => {
  const board = client('lead').sessions.blackboard('versions');
  const first = await board.put('plan', 'draft', { ifNew: true });
  await expect(board.put('plan', 'other', { ifNew: true })).rejects.toMatchObject({ status: 412 });
  const second = await board.put('plan', 'final', { ifMatch: first.version });
  expect(second.version).toBeGreaterThan(first.version);
  await expect(board.put('plan', 'late', { ifMatch: first.version })).rejects.toMatchObject({
    status: 412,
    code: 'stale_version',
  });
  await expect(board.delete('plan', { ifMatch: first.version })).rejects.toMatchObject({
    status: 412,
  });
  await board.delete('plan', { ifMatch: second.version });
  // A version that was, is never one that is.
  const third = await board.put('plan', 'anew');
  expect(third.version).toBeGreaterThan(second.version);
  await expect(board.put('gone', 1, { ifMatch: second.version })).rejects.toMatchObject({
    status: 412,
  });

  const headers = { 'idempotency-key': 'once' };
  const [one, two] = [
    await lane.put('lead', 'versions', 'once', 1, { headers }),
    await lane.put('lead', 'versions', 'once', 1, { headers }),
  ];
  expect([two.status, two.body.version]).toEqual([one.status, one.body.version]);
  expect((await lane.put('lead', 'versions', 'once', 2, { headers })).status).toBe(422);
  expect(one.headers.get('etag')).toBe(`"${one.body.version}"`);
});

test('a person who looks as an agent that only reads writes as a person', async () => {
  await lane.put('lead', 'looked-at', 'plan', 1);
  await lane.done('PUT', '/v1/agents/reads-only', {
    body: { parent_agent: 'lead', restricted: true },
  });
  const written = await lane.done('PUT', '/v1/sessions/looked-at/blackboard/plan', {
    headers: { 'cairn-agent': 'reads-only' },
    body: { value: 2 },
  });
  expect(written.body.writer).toMatchObject({ kind: 'person' });
});

test('a restricted sub-agent reads only', async () => {
  await lane.put('lead', 'restricted', 'plan', 1);
  await lane.done('PUT', '/v1/agents/watcher', {
    body: { parent_agent: 'lead', restricted: true },
  });
  const key = await api.keyFor({ kind: 'agent', id: 'watcher' });
  const as = (method: 'GET' | 'PUT' | 'DELETE' | 'POST', path: string, body?: unknown) =>
    api.call(method, `/v1/sessions/restricted${path}`, { key, body });
  expect((await as('GET', '/blackboard/plan')).body.value).toBe(1);
  expect((await as('GET', '/blackboard')).body.total).toBe(1);
  expect((await as('PUT', '/blackboard/plan', { value: 2 })).status).toBe(403);
  expect((await as('DELETE', '/blackboard/plan')).status).toBe(403);
  expect((await as('POST', '/end')).status).toBe(403);
  expect((await lane.get('lead', 'restricted', 'plan')).body.value).toBe(1);
});

test('an agent that is moved under another sees by the very next read what that sees', async () => {
  await lane.put('lead', 'moved', 'plan', 1);
  await lane.done('PUT', '/v1/agents/mover', { body: {} });
  expect((await lane.get('mover', 'moved', 'plan')).status).toBe(404);
  await lane.done('PUT', '/v1/agents/mover', { body: { parent_agent: 'helper' } });
  expect((await lane.get('mover', 'moved', 'plan')).status).toBe(200);
  await lane.done('PUT', '/v1/agents/mover', { body: { parent_agent: 'stranger' } });
  const foreign = await lane.get('mover', 'moved', 'plan');
  expect(foreign.status).toBe(404);
  const nowhere = await lane.get('mover', 'nowhere', 'plan');
  expect(foreign.text).toBe(nowhere.text);
  expect((await lane.put('mover', 'moved', 'plan', 2)).status).toBe(404);
});

test('that a person looked is logged, and what a person wrote is audited', async () => {
  await lane.put('lead', 'watched', 'plan', 1);
  const log = async () =>
    (await api.call('GET', '/v1/access-log')).body.items.filter(
      ({ surface }: { surface: string }) => surface === 'blackboard',
    );
  const before = (await log()).length;
  const key = await api.keyOf('auditor');
  expect((await lane.as(null, 'GET', 'watched/blackboard/plan', { key })).status).toBe(200);
  expect((await lane.as(null, 'GET', 'watched/blackboard', { key })).status).toBe(200);
  await lane.get('helper', 'watched', 'plan');
  const rows = await log();
  expect(rows).toHaveLength(before + 2);
  expect(rows[0]).toMatchObject({ via: 'person', person: 'the-auditor', count: 1, card_ids: [] });
  const refused = await lane.put(null, 'watched', 'plan', 2, { key });
  expect(refused.status).toBe(403);
  const written = await lane.put(null, 'watched', 'plan', 3);
  expect(written.body.writer).toMatchObject({ kind: 'person' });
  const { body } = await api.call('GET', '/v1/audit?action=blackboard.written');
  expect(body.items.map(({ target }: { target: object }) => target)).toEqual([
    { type: 'session', id: 'watched' },
  ]);
  // A member has a part in what is about them; nothing here is about anybody.
  const member = await api.keyOf('member');
  expect((await lane.as(null, 'GET', 'watched/blackboard', { key: member })).status).toBe(403);
});

test('memory that is off takes nothing and shows an agent nothing', async () => {
  await lane.put('lead', 'quiet', 'plan', 1);
  const writes = async (code: string) => {
    const { status, body } = await lane.put('helper', 'quiet', 'more', 1);
    expect([status, body.code]).toEqual([403, code]);
    expect((await lane.get('helper', 'quiet', 'plan')).status).toBe(404);
  };
  await lane.done('PUT', '/v1/agents/helper', { body: { memory_mode: 'off' } });
  await writes('memory_off');
  expect((await lane.get('lead', 'quiet', 'plan')).status).toBe(200);
  await lane.done('PUT', '/v1/agents/helper', { body: { memory_mode: 'manual' } });
  expect((await lane.put('helper', 'quiet', 'more', 1)).status).toBe(201);
  await lane.done('PUT', '/v1/workspace', { body: { memory_mode: 'off' } });
  await writes('memory_off');
  expect((await lane.get(null, 'quiet', 'plan')).status).toBe(200);
  await lane.done('PUT', '/v1/workspace', { body: { memory_mode: 'automatic' } });
  expect((await lane.get('helper', 'quiet', 'plan')).status).toBe(200);
});
