import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../src/client/client';
import { type Answer, type CallOptions, startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { type Fleet, makeFleet, writeCard } from './support/fleet';
import { McpSession } from './support/mcp';
import { PLANTED } from './support/quarantine';
import { email, githubToken } from './support/secret-strings';

let api: TestApi;
let fleet: Fleet;
let grandchild: string;
let boss: string;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  const put = (id: string, body: object) => api.call('PUT', `/v1/agents/${id}`, { body });
  await put('boss', {});
  await put('planner', { team: 'red', parent_agent: 'boss' });
  await put('child', { parent_agent: 'planner', restricted: true });
  await put('grandchild', { parent_agent: 'child', restricted: true });
  await put('orphan', { restricted: true });
  grandchild = await api.keyFor({ kind: 'agent', id: 'grandchild' });
  boss = await api.keyFor({ kind: 'agent', id: 'boss' });
});
afterAll(() => api.close());

const post = (body: object, options: CallOptions = {}) =>
  api.call('POST', '/v1/cards', { key: fleet.child, body, ...options });
const decide = (id: string, body: object, options: CallOptions = {}) =>
  api.call('POST', `/v1/pending-writes/${id}`, { key: fleet.planner, body, ...options });
const one = (id: string, key = fleet.planner) =>
  api.call('GET', `/v1/pending-writes/${id}`, { key });
const listed = async (options: CallOptions, query = '') =>
  (await api.call('GET', `/v1/pending-writes${query}`, options)).body;

async function posted(summary: string, more: object = {}): Promise<string> {
  const answer = await post({ summary, ...more });
  if (answer.status !== 202) throw new Error(`not held: ${answer.status} ${answer.text}`);
  return answer.body.pending_write_id;
}

const cardsWith = async (word: string): Promise<number> =>
  (await api.call('GET', `/v1/cards?q=${word}`)).body.total;

describe('a card', () => {
  it('is no card until the parent accepts it, and then one in the parent’s scope', async () => {
    const headers = { 'cairn-session': 'the-session' };
    const answer = await post(
      { summary: 'The quay floods at spring tide.', topic: 'tides', metadata: { seen: 2 } },
      { headers },
    );
    expect(answer).toMatchObject({ status: 202, body: { pending_write_id: expect.any(String) } });
    const id = answer.body.pending_write_id;
    expect(answer.headers.get('location')).toBe(`/v1/pending-writes/${id}`);
    expect(await cardsWith('quay')).toBe(0);
    expect((await one(id)).body).toMatchObject({
      ...{ id, type: 'card', status: 'waiting', agent: 'child', parent: 'planner' },
      session: 'the-session',
      write: { summary: 'The quay floods at spring tide.', topic: 'tides', metadata: { seen: 2 } },
      ...{ decided_at: null, decided_by: null, reason: null, card_id: null },
    });

    const accepted = await decide(id, { accept: true, reason: 'seen it too' });
    expect(accepted).toMatchObject({
      status: 200,
      body: {
        ...{ status: 'accepted', write: null, reason: 'seen it too' },
        decided_by: { kind: 'agent', id: 'planner' },
        card: { status: 'pending' },
      },
    });
    const { body: card } = await api.call('GET', `/v1/cards/${accepted.body.card_id}`, {
      key: fleet.planner,
    });
    expect(card).toMatchObject({
      summary: 'The quay floods at spring tide.',
      scope: { type: 'agent', id: 'planner' },
      ...{ status: 'pending', trust: 'agent', confidence: 0.6, session: 'the-session' },
      provenance: { writer: { kind: 'agent', id: 'child' } },
    });
    // It sees what its parent knows.
    const seen = await api.call('GET', `/v1/cards/${card.id}`, { key: fleet.child });
    expect(seen.status).toBe(200);
  });

  it('is decided once', async () => {
    const id = await posted('Once decided.');
    expect((await decide(id, { accept: false, reason: 'not now' })).status).toBe(200);
    for (const accept of [true, false]) {
      expect(await decide(id, { accept })).toMatchObject({
        status: 409,
        body: { code: 'already_decided', pending_write: { status: 'rejected', card_id: null } },
      });
    }
    const both = await posted('By two at once.');
    const answers = await Promise.all([
      decide(both, { accept: true }),
      decide(both, { accept: true }, { key: boss }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await cardsWith('two')).toBe(1);
  });

  it('that is rejected leaves its reason, and none of its text', async () => {
    const id = await posted('Marmalade is toxic.');
    const { body } = await decide(id, { accept: false, reason: 'it is not' });
    expect(body).toMatchObject({
      ...{ status: 'rejected', reason: 'it is not', write: null, card_id: null },
    });
    expect(body).not.toHaveProperty('card');
    const kept = await api.database.inWorkspace('default', (tx) =>
      tx.query('SELECT * FROM pending_writes WHERE id = $1', [id]),
    );
    expect(JSON.stringify(kept)).not.toContain('Marmalade');
    expect(await cardsWith('marmalade')).toBe(0);
  });

  it('is redacted before it waits, as it is before it is kept', async () => {
    const id = await posted(`Write to ${email()} with ${githubToken()}.`, {
      metadata: { by: email() },
    });
    const { text } = await one(id);
    for (const secret of [email(), githubToken()]) expect(text).not.toContain(secret);
    const { body } = await decide(id, { accept: true, reason: `asked ${email()}` });
    const card = await api.call('GET', `/v1/cards/${body.card_id}`);
    for (const secret of [email(), githubToken()]) {
      expect(card.text).not.toContain(secret);
      expect(body.reason).not.toContain(secret);
    }
  });

  it('is refused at once where it would be refused as a card', async () => {
    const refusals: [object, number, string][] = [
      [{ summary: 'Mine?', scope: { type: 'team', id: 'red' } }, 403, 'not_allowed'],
      [{ summary: 'Mine?', scope: { type: 'agent', id: 'planner' } }, 403, 'not_allowed'],
      [{ summary: 'All?', visibility: 'organization' }, 403, 'not_allowed'],
      [{ summary: 'Late?', expires_at: '2020-01-01T00:00:00Z' }, 400, 'invalid'],
      [{ summary: 'Which?', colour: 'red' }, 400, 'invalid'],
      [{ summary: 'Key?', key: githubToken() }, 422, 'secret_in_identifier'],
    ];
    for (const [body, status, code] of refusals) {
      expect(await post(body)).toMatchObject({ status, body: { code } });
    }
    await api.call('PUT', '/v1/subjects/ann', { body: { memory: 'off' } });
    const off = await post({ summary: 'Likes tea.', subject: 'ann' });
    expect(off).toMatchObject({ status: 403, body: { code: 'memory_off' } });
  });

  it('is refused when it is accepted, and waits on, where the parent may not write then', async () => {
    const id = await posted('While it is off.');
    const mode = (memory_mode: string) =>
      api.call('PUT', '/v1/agents/planner', {
        body: { team: 'red', parent_agent: 'boss', memory_mode },
      });
    await mode('off');
    const answer = await decide(id, { accept: true });
    expect(answer).toMatchObject({ status: 403, body: { code: 'memory_off' } });
    await mode('automatic');
    expect((await one(id)).body.status).toBe('waiting');
    expect((await decide(id, { accept: true })).status).toBe(200);
  });

  it('of a key takes the place of what its parent has under it', async () => {
    const body = { summary: 'At most 400.', key: 'cap', kind: 'convention' };
    const before = await writeCard(api, body, { key: fleet.planner });
    const id = await posted('At most 500.', { key: 'cap', kind: 'convention' });
    const { card_id } = (await decide(id, { accept: true })).body;
    const { body: old } = await api.call('GET', `/v1/cards/${before.id}`);
    expect(old).toMatchObject({ status: 'superseded', superseded_by: card_id });
  });

  it('of an agent without a parent waits for a person, and is its own', async () => {
    const headers = { 'cairn-agent': 'orphan' };
    const answer = await post({ summary: 'Nobody above.' }, { key: fleet.runtime, headers });
    const id = answer.body.pending_write_id;
    expect((await decide(id, { accept: true }, { key: boss })).status).toBe(404);
    const { body } = await decide(id, { accept: true }, { key: await api.keyOf('reviewer') });
    const card = await api.call('GET', `/v1/cards/${body.card_id}`);
    expect(card.body).toMatchObject({
      scope: { type: 'agent', id: 'orphan' },
      ...{ status: 'pending', trust: 'agent' },
      provenance: { writer: { kind: 'agent', id: 'orphan' } },
    });
  });
});

describe('a note', () => {
  const put = (value: string) =>
    api.call('PUT', '/v1/notes/tide', { key: fleet.child, body: { value, metadata: { n: 1 } } });
  const accepted = async (answer: Answer) =>
    (await decide(answer.body.pending_write_id, { accept: true })).body;

  it('becomes the parent’s note, and then its next version', async () => {
    const first = await put('High at noon.');
    expect(first.status).toBe(202);
    expect((await api.call('GET', '/v1/notes/tide', { key: fleet.planner })).status).toBe(404);
    const { card_id } = await accepted(first);
    const again = await accepted(await put('High at one.'));
    expect(again.card_id).toBe(card_id);
    const { body } = await api.call('GET', '/v1/notes/tide', { key: fleet.planner });
    expect(body).toMatchObject({
      ...{ card_id, value: 'High at one.', version: 2, metadata: { n: 1 } },
      scope: { type: 'agent', id: 'planner' },
    });
    const history = await api.call('GET', `/v1/cards/${card_id}/history`, { key: fleet.planner });
    expect(history.body.items[0].actor).toEqual({ kind: 'agent', id: 'child' });
    expect(again.card).toEqual({ status: 'pending' });
  });
});

describe('what the policy quarantines', () => {
  const policy = async (instruction_like: 'flag' | 'quarantine') => {
    const { headers } = await api.call('GET', '/v1/policy');
    const etag = { 'if-match': headers.get('etag') ?? '' };
    const body = { capture: { instruction_like } };
    expect((await api.call('PUT', '/v1/policy', { body, headers: etag })).status).toBe(200);
  };
  const QUARANTINED = { status: 'quarantined', reason: 'instruction_like' };
  beforeAll(() => policy('quarantine'));
  afterAll(() => policy('flag'));

  it('is said to be so in the answer to the acceptance, and to the same request again', async () => {
    const id = await posted(PLANTED);
    const headers = { 'idempotency-key': 'accepted-and-held' };
    const { body } = await decide(id, { accept: true, reason: 'seen' }, { headers });
    expect(body).toMatchObject({ status: 'accepted', reason: 'seen', card: QUARANTINED });
    expect((await decide(id, { accept: true, reason: 'seen' }, { headers })).body).toEqual(body);
    const card = await api.call('GET', `/v1/cards/${body.card_id}`);
    expect(card.body.status).toBe('quarantined');
    const unseen = await api.call('GET', `/v1/cards/${body.card_id}`, { key: fleet.planner });
    expect(unseen.status).toBe(404);
    // How the card stands later is not said here.
    expect((await one(id)).body).not.toHaveProperty('card');
  });

  it('leaves the parent’s note as it was', async () => {
    const put = (value: string, key: string) =>
      api.call('PUT', '/v1/notes/bell', { key, body: { value } });
    const { body: before } = await put('It rings at six.', fleet.planner);
    const held = await put(PLANTED, fleet.child);
    const { body } = await decide(held.body.pending_write_id, { accept: true });
    expect(body.card).toEqual(QUARANTINED);
    expect(body.card_id).not.toBe(before.card_id);
    const { body: after } = await api.call('GET', '/v1/notes/bell', { key: fleet.planner });
    expect(after).toMatchObject({ card_id: before.card_id, version: 1, value: 'It rings at six.' });
  });

  it('is said by the command too', async () => {
    const id = await posted(PLANTED);
    const environment = { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
    const { out } = await runCommand(['pending', 'accept', id], environment);
    expect(out).toContain('reads like an instruction');
  });
});

describe('who decides', () => {
  it('is its parent, an agent above that, a runtime for one, or a person who edits', async () => {
    const as = (agent: string) => ({ key: fleet.runtime, headers: { 'cairn-agent': agent } });
    const ways: [string, CallOptions][] = [
      ['its parent', { key: fleet.planner }],
      ['its grandparent', { key: boss }],
      ['a runtime for its parent', as('planner')],
      ['the owner', {}],
      ['a reviewer', { key: await api.keyOf('reviewer') }],
      ['a person with its parent’s eyes', { headers: { 'cairn-agent': 'planner' } }],
    ];
    for (const [way, options] of ways) {
      const id = await posted(`Decided by ${way}.`);
      const { status, body } = await decide(
        id,
        { accept: true },
        { key: api.ownerKey, ...options },
      );
      expect([way, status, body.status]).toEqual([way, 200, 'accepted']);
    }
  });

  it('is nobody else, and to most it is not there', async () => {
    const id = await posted('Not for everybody.');
    const as = (agent: string) => ({ key: fleet.runtime, headers: { 'cairn-agent': agent } });
    const ways: [string, CallOptions, number][] = [
      ['a mate of its parent', { key: fleet.coder }, 404],
      ['an outsider', { key: fleet.outsider }, 404],
      ['a runtime for an outsider', as('outsider'), 404],
      ['an agent below it', { key: grandchild }, 403],
      ['itself', { key: fleet.child }, 403],
      ['a runtime for itself', as('child'), 403],
      ['a runtime for nobody', { key: fleet.runtime }, 400],
      ['an auditor', { key: await api.keyOf('auditor') }, 403],
      ['a member', { key: await api.keyOf('member', 'grace') }, 403],
    ];
    for (const [way, options, expected] of ways) {
      const { status, text } = await decide(id, { accept: true }, options);
      expect([way, status]).toEqual([way, expected]);
      expect(text).not.toContain('Not for everybody');
    }
    // Once it may write it may write its own cards, and still decides on nothing it asked for.
    const restrict = (restricted: boolean) =>
      api.call('PUT', '/v1/agents/child', { body: { parent_agent: 'planner', restricted } });
    await restrict(false);
    expect((await decide(id, { accept: true }, { key: fleet.child })).status).toBe(403);
    await restrict(true);
    expect((await one(id)).body.status).toBe('waiting');
    for (const id of ['pend_nowhere', encodeURIComponent('«../../x»')]) {
      expect((await decide(id, { accept: true })).status).toBe(404);
    }
    for (const body of [{}, { accept: 'yes' }, { accept: true, by: 'me' }]) {
      expect((await decide(id, body)).status).toBe(400);
    }
  });

  it('a parent that is restricted itself asks the one above it', async () => {
    const answer = await post({ summary: 'From far below.' }, { key: grandchild });
    const id = answer.body.pending_write_id;
    expect((await decide(id, { accept: true }, { key: fleet.child })).status).toBe(403);
    const { body } = await decide(id, { accept: true });
    const card = await api.call('GET', `/v1/cards/${body.card_id}`);
    expect(card.body.scope).toEqual({ type: 'agent', id: 'child' });
  });
});

describe('the list', () => {
  it('shows each what itself and the agents below it posted, page after page', async () => {
    const far = await post({ summary: 'Deep down.' }, { key: grandchild });
    const near = await posted('Halfway down.');
    const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
    const waiting = '?status=waiting&limit=500';
    const all = ids(await listed({}, waiting));
    expect(all.slice(0, 2)).toEqual([near, far.body.pending_write_id]);
    expect(ids(await listed({ key: boss }, waiting))).toEqual(
      expect.arrayContaining([near, far.body.pending_write_id]),
    );
    expect(ids(await listed({ key: grandchild }, waiting))).toEqual([far.body.pending_write_id]);
    expect(await listed({ key: fleet.coder })).toMatchObject({ items: [], total: 0 });
    const own = await listed({}, '?agent=grandchild&status=waiting');
    expect(ids(own)).toEqual([far.body.pending_write_id]);

    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const from: string = cursor === null ? '' : `&cursor=${cursor}`;
      const page = await listed({}, `?status=waiting&limit=1${from}`);
      expect(page.total).toBe(all.length);
      walked.push(...ids(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(walked).toEqual(all);
    for (const query of ['?colour=red', '?status=open', '?limit=0', '?cursor=nonsense']) {
      const { status } = await api.call('GET', `/v1/pending-writes${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });
});

it('the same request again is one pending write, and one decision', async () => {
  const headers = { 'idempotency-key': 'posted-once' };
  const first = await post({ summary: 'Posted once.' }, { headers });
  const again = await post({ summary: 'Posted once.' }, { headers });
  expect(again).toMatchObject({ status: 202, body: first.body });
  expect((await post({ summary: 'Something else.' }, { headers })).status).toBe(422);
  const id = first.body.pending_write_id;
  const decided = await decide(id, { accept: true }, { headers });
  const repeated = await decide(id, { accept: true }, { headers });
  expect(repeated).toMatchObject({ status: 200, body: decided.body });
  const all = await listed({}, '?limit=500');
  const texts = all.items.flatMap(
    (item: { write: { summary: string } | null }) => item.write ?? [],
  );
  expect(texts.filter(({ summary }: { summary: string }) => /once\.$/.test(summary))).toEqual([]);
});

it('each step stands in the audit, without content', async () => {
  const id = await posted('Audited.');
  const { body } = await decide(id, { accept: true, reason: 'fine' });
  const { body: audit } = await api.call('GET', `/v1/audit?target=${id}`);
  expect(audit.items).toMatchObject([
    {
      action: 'pending_write.accepted',
      actor: { kind: 'agent', id: 'planner' },
      hashes: { card: body.card_id },
      reason_id: expect.any(String),
    },
    { action: 'pending_write.posted', actor: { kind: 'agent', id: 'child' } },
  ]);
  expect(JSON.stringify(audit)).not.toContain('Audited.');
});

it('what else it posts is refused in words, and its MCP session only reads', async () => {
  const event = {
    ...{ event_id: 'mine', kind: 'observation', agent: 'child', outcome: 'neutral' },
    ...{ occurred_at: '2026-03-02T08:24:15Z', text: 'Seen.' },
  };
  const refused = [
    await api.call('POST', '/v1/events', { key: fleet.child, body: event }),
    await api.call('DELETE', '/v1/notes/tide', { key: fleet.child }),
  ];
  for (const { status, body } of refused) {
    expect([status, body.detail]).toEqual([
      403,
      expect.stringContaining('reads only; cards, notes'),
    ]);
  }
  const session = await McpSession.http(api, fleet.child);
  expect(await session.tools()).not.toContain('add_memory');
  const answer = await session.call('add_memory', { text: 'No.' });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('reads only') });
  await session.close();
});

it('a person who names the agent writes at once', async () => {
  const headers = { 'cairn-agent': 'child' };
  const { status } = await api.call('POST', '/v1/cards', {
    body: { summary: 'By hand.' },
    headers,
  });
  expect(status).toBe(201);
});

it('the client and the command do the same', async () => {
  const child = new CairnClient({ url: api.url, key: fleet.child });
  const planner = new CairnClient({ url: api.url, key: fleet.planner });
  const made = await child.cards.create({ summary: 'By the client.' });
  if (!('pending_write_id' in made)) throw new Error('it was written at once');
  const { items } = await planner.pendingWrites.list({ status: 'waiting', agent: 'child' });
  expect(items[0]).toMatchObject({ id: made.pending_write_id });
  const decided = await planner.pendingWrites.reject(made.pending_write_id, { reason: 'no' });
  expect(decided).toMatchObject({ status: 'rejected', reason: 'no' });
  await expect(planner.pendingWrites.accept(made.pending_write_id)).rejects.toMatchObject({
    code: 'already_decided',
  });

  const dir = mkdtempSync(join(tmpdir(), 'cairn-pending-'));
  const environment = { CAIRN_DATA_DIR: dir, CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
  const run = (...args: string[]) => runCommand(['pending', ...args], environment);
  const id = await posted('By the command.');
  expect((await run()).out).toContain('By the command.');
  expect((await run('show', id)).out).toContain(`cairn pending accept ${id}`);
  const accepted = await run('accept', id, '--reason', 'good', '--json');
  expect(JSON.parse(accepted.out)).toMatchObject({ status: 'accepted', reason: 'good' });
  expect((await run('reject', id)).code).not.toBe(0);
  expect((await run('list', '--all')).out).toContain('accepted');
  rmSync(dir, { recursive: true });
});
