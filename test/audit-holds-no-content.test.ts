import { Client } from 'pg';
import { writeAudit } from '../src/store/audit';
import { type Method, startApi, type TestApi } from './support/api';
import { sealAll } from './support/audit';
import { Filing, TestClock } from './support/filing';

let api: TestApi;
let now = new Date('2026-06-01T00:00:00Z');
beforeAll(async () => {
  api = await startApi({ clock: () => now });
});
afterAll(() => api.close());

const rowsOf = async (query: string) => (await api.call('GET', `/v1/audit?${query}`)).body.items;

describe('a change', () => {
  it('leaves one row with who, what and which fields, and none where nothing changed', async () => {
    await api.call('PUT', '/v1/people/ada', { body: { name: 'Ada', role: 'member' } });
    await api.call('PUT', '/v1/people/ada', { body: { name: 'Ada', role: 'auditor' } });
    await api.call('PUT', '/v1/people/ada', { body: { name: 'Ada', role: 'auditor' } });
    const rows = await rowsOf('target=ada');
    expect(rows).toMatchObject([
      {
        action: 'person.changed',
        changed: ['role'],
        actor: { kind: 'person', id: 'owner' },
        target: { type: 'person', id: 'ada' },
        channel: 'api',
        at: now.toISOString(),
      },
      { action: 'person.created', changed: ['name', 'role'] },
    ]);
  });

  it('that failed leaves none', async () => {
    const before = (await api.call('GET', '/v1/audit')).body.total;
    await api.call('PUT', '/v1/agents/round', { body: { parent_agent: 'round' } });
    expect((await api.call('GET', '/v1/audit')).body.total).toBe(before);
    expect((await api.call('GET', '/v1/agents/round')).status).toBe(404);
  });
});

describe('the filters', () => {
  it('find by actor, action, target and time', async () => {
    const operator = await api.keyOf('operator');
    now = new Date('2026-06-02T00:00:00Z');
    await api.call('PUT', '/v1/teams/late', { body: { name: 'Late' }, key: operator });
    expect(await rowsOf('actor=the-operator')).toMatchObject([{ action: 'team.created' }]);
    expect(await rowsOf('target_type=team&target=late')).toHaveLength(1);
    expect(await rowsOf('action=team.created&since=2026-06-02T00:00:00Z')).toHaveLength(1);
    expect(await rowsOf('action=team.created&until=2026-06-02T00:00:00Z')).toHaveLength(0);
    expect((await api.call('GET', '/v1/audit?since=yesterday')).status).toBe(400);
    expect((await api.call('GET', '/v1/audit?since=2026-06-02T00:00:00')).status).toBe(400);
  });

  it('find a person by the address that their id was made of', async () => {
    const address = 'ada@example.org';
    await api.call('PUT', `/v1/people/${address}`, { body: { name: 'Ada', role: 'member' } });
    expect(await rowsOf(`target=${address}`)).toMatchObject([{ action: 'person.created' }]);
  });
});

describe('the log itself', () => {
  it('holds field names and surrogates: no name, no value, no id of a person', async () => {
    const words = ['Zanzibar', 'Quokka', 'Umbrella'];
    await api.call('PUT', '/v1/people/zan-person', {
      body: { name: words[0], role: 'member', subject: 'zan-subject', email: 'z@example.org' },
    });
    await api.call('PUT', '/v1/agents/zan-agent', { body: { agent_type: words[1] } });
    await api.call('PUT', '/v1/subjects/zan-subject', { body: { name: words[2], kind: words[2] } });
    const client = new Client({ connectionString: api.testDatabase.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<{ text: string }>(
        'SELECT a::text AS text FROM audit_log a',
      );
      const dump = rows.map((row) => row.text).join('\n');
      for (const word of [...words, 'zan-', 'example.org', 'owner'])
        expect(dump).not.toContain(word);
      expect(dump).toContain('sur_');
      const append = /append-only/;
      await expect(client.query('DELETE FROM audit_log')).rejects.toThrow(append);
      await expect(client.query("UPDATE audit_log SET action = 'x'")).rejects.toThrow(append);
      await expect(client.query('TRUNCATE audit_log')).rejects.toThrow(append);
    } finally {
      await client.end();
    }
  });

  it('shows a surrogate where its mapping is gone', async () => {
    await api.call('PUT', '/v1/people/forgotten', { body: { name: 'F', role: 'member' } });
    await api.database.inWorkspace('default', (tx) =>
      tx.query("DELETE FROM surrogates WHERE workspace_id = 'default' AND name = 'forgotten'"),
    );
    expect(await rowsOf('target=forgotten')).toEqual([]);
    const [newest] = await rowsOf('limit=1');
    expect(newest.target.id).toMatch(/^sur_/);
  });

  it('is written in the transaction of the change', async () => {
    const failed = api.database.inWorkspace('default', async (tx) => {
      await writeAudit(tx, {
        at: now,
        actor: { kind: 'person', id: 'owner' },
        action: 'test.undone',
        target: { type: 'team', id: 'x' },
        channel: 'api',
      });
      throw new Error('undo');
    });
    await expect(failed).rejects.toThrow('undo');
    expect(await rowsOf('action=test.undone')).toEqual([]);
  });
});

describe('after everything that leaves a trace', () => {
  const WORDS = ['Zeppelin', 'trebuchet', 'Bathysphere', 'quincunx', 'Orrery', 'gazebo'];
  const said = WORDS.join(' ');
  let dump: string;
  let rows: { audit: { action: string }[]; access: { surface: string }[]; seals: object[] };

  const done = async (method: Method, path: string, body?: object, headers = {}) => {
    const options = { headers, ...(body === undefined ? {} : { body }) };
    const answer = await api.call(method, path, options);
    expect([method, path, answer.status < 300, answer.text]).toEqual([
      ...[method, path, true, expect.anything()],
    ]);
    return answer.body;
  };

  beforeAll(async () => {
    const clock = new TestClock('2026-06-03T00:00:00Z');
    const filing = new Filing({ api, clock });
    for (const agent of ['scout', 'mate']) await done('PUT', `/v1/agents/${agent}`, {});
    await done('PUT', '/v1/policy', { link: { threshold: 0.55 } }, { 'if-match': '"0"' });
    for (const [at, outcome] of (['failed', 'failed', 'failed', 'worked'] as const).entries()) {
      clock.advance(60_000);
      await filing.file({
        event_id: `mixed-${at}`,
        service: 'harbour',
        operation: 'dock',
        workflow_step: { workflow: 'arrival', step: 'dock' },
        outcome,
        input: { note: said, [WORDS[0] ?? '']: at },
        ...(outcome === 'failed' ? { error: `${said} not found` } : { output: said }),
        metadata: { said },
      });
    }
    await filing.file({ event_id: 'told', kind: 'observation', outcome: 'neutral', text: said });
    const card = await done('POST', '/v1/cards', {
      summary: `The ${said} is shut.`,
      metadata: { said },
      scope: { type: 'agent', id: 'scout' },
    });
    const path = `/v1/cards/${card.id}`;
    await done('PATCH', path, { summary: `${said}, again.` }, { 'if-match': '"1"' });
    await done('PUT', `${path}/grants/mate`, { purpose: said });
    await done('POST', `${path}/validation`, { verdict: 'success', note: said });
    await done('POST', `${path}/promotion`, {
      scope: { type: 'workspace', id: 'default' },
      reason: said,
    });
    await done('POST', `${path}/quarantine`, { reason: said });
    await done('POST', `${path}/release`, { reason: said });
    await done('PUT', '/v1/notes/tide', { value: said, scope: { type: 'agent', id: 'scout' } });
    const asMate = { 'cairn-agent': 'mate' };
    const recalled = await done(
      'POST',
      '/v1/recall',
      { query: said, filters: { topic: said } },
      asMate,
    );
    await done('POST', '/v1/recall', { query: said });
    await done('GET', `/v1/cards?q=${encodeURIComponent(said)}`, undefined, asMate);
    await done('GET', `${path}/story`);
    await done('DELETE', `${path}/grants/mate`);
    await done('DELETE', path);
    await done('POST', `${path}/restore`, { reason: said });
    expect(recalled.recall_id).toMatch(/^rec/);
    await sealAll(api.database);

    rows = await api.database.inWorkspace('default', async (tx) => ({
      audit: await tx.query('SELECT * FROM audit_log'),
      access: await tx.query('SELECT * FROM access_log'),
      seals: await tx.query('SELECT * FROM audit_chain'),
    }));
    const texts = await api.database.inWorkspace('default', (tx) =>
      tx.query<{ text: string }>(
        `SELECT a::text AS text FROM audit_log a
          UNION ALL SELECT l::text FROM access_log l
          UNION ALL SELECT c::text FROM audit_chain c`,
      ),
    );
    dump = texts.map(({ text }) => text).join('\n');
  });

  it('there are rows of all of it', () => {
    const actions = new Set(rows.audit.map(({ action }) => action));
    for (const action of ['card.created', 'card.edited', 'card.deleted', 'policy.changed']) {
      expect([...actions]).toContain(action);
    }
    expect(actions.size).toBeGreaterThan(12);
    expect(new Set(rows.access.map(({ surface }) => surface)).size).toBeGreaterThan(2);
    expect(rows.seals.length).toBeGreaterThan(0);
  });

  it('none of them holds a word of what was said', () => {
    expect(dump).toContain('sur_');
    for (const word of WORDS) expect(dump.toLowerCase()).not.toContain(word.toLowerCase());
    expect(dump).not.toContain('mixed-0 not found');
  });

  it('nor does what is exported, nor the record of the pass', async () => {
    let text = '';
    let cursor = '';
    do {
      const page = await done('GET', `/v1/audit/export${cursor}`);
      text += JSON.stringify(page.lines);
      cursor = page.next_cursor === null ? '' : `?cursor=${page.next_cursor}`;
    } while (cursor !== '');
    text += JSON.stringify(await done('GET', '/v1/runs?type=seal'));
    expect(text).toContain('"seals"');
    for (const word of WORDS) expect(text.toLowerCase()).not.toContain(word.toLowerCase());
  });
});
