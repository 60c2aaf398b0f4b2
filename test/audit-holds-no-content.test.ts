import { Client } from 'pg';
import { writeAudit } from '../src/store/audit';
import { startApi, type TestApi } from './support/api';

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
