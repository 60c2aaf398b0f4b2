import { createHash, createPublicKey, verify } from 'node:crypto';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { exportedLines, plantCards, rowsIn, typeOf } from './support/transfers';

describeNative('an export', () => {
  let api: TestApi;
  let ann: string;
  let ben: string;
  beforeAll(async () => {
    api = await startApi();
    await api.call('PUT', '/v1/agents/scout', { body: {} });
    for (const subject of ['ann', 'ben']) {
      await api.call('PUT', `/v1/subjects/${subject}`, { body: { name: `Name of ${subject}` } });
    }
    const card = async (subject: string) => {
      const body = {
        summary: `It is about ${subject}.`,
        subject,
        scope: { type: 'agent', id: 'scout' },
      };
      return (await api.call('POST', '/v1/cards', { body })).body.id;
    };
    ann = await card('ann');
    ben = await card('ben');
    await api.call('PUT', '/v1/sessions/s/blackboard/k', {
      body: { value: 'on the blackboard' },
      headers: { 'cairn-agent': 'scout' },
    });
    await api.call('PUT', '/v1/webhooks/hook', {
      body: { url: 'https://hooks.example.com/private-path', events: ['run.failed'] },
    });
  });
  afterAll(() => api.close());

  it('holds no key, no address of a webhook and no working memory', async () => {
    const text = (await exportedLines(api)).join('\n');
    const rows = await api.database.inWorkspace('default', (tx) =>
      tx.query<{ id: string; hash: string }>(
        `SELECT id, encode(key_hash, 'hex') AS hash FROM api_keys`,
      ),
    );
    expect(rows.length).toBeGreaterThan(0);
    const secrets = [api.ownerKey, api.secretKey, 'private-path', 'on the blackboard'];
    for (const secret of [...secrets, ...rows.flatMap(({ id, hash }) => [id, hash])]) {
      expect(text).not.toContain(secret);
    }
    expect(text).toContain('It is about ann.');
  });

  it('is logged as the read that it is, and audited', async () => {
    const before = (await api.call('GET', '/v1/access-log')).body.total;
    await exportedLines(api);
    const log = (await api.call('GET', '/v1/access-log')).body;
    expect(log.total).toBe(before + 1);
    expect(log.items[0]).toMatchObject({
      surface: 'export',
      via: 'person',
      person: 'owner',
      count: 2,
    });
    expect([...log.items[0].card_ids].sort()).toEqual([ann, ben].sort());
    const { items } = (await api.call('GET', '/v1/audit?action=export.made')).body;
    expect(items[0]).toMatchObject({ target: { type: 'workspace', id: 'default' } });
  });

  it('of a member is about themselves, and of nobody else', async () => {
    const key = await api.keyOf('member', 'ann');
    const lines = await exportedLines(api, '', { key });
    const manifest = JSON.parse(lines[0] ?? '{}');
    expect(manifest.of).toEqual({ scope: 'subject', id: 'ann' });
    expect(rowsIn(lines).filter((line) => typeOf(line) === 'card').length).toBe(1);
    const text = lines.join('\n');
    expect(text).toContain('It is about ann.');
    for (const other of [ben, 'Name of ben', 'It is about ben.']) expect(text).not.toContain(other);
    const foreign = await api.call('GET', '/v1/export?subject=ben', { key });
    expect(foreign.status).toBe(404);
    expect((await api.call('GET', '/v1/export?subject=ann', { key })).status).toBe(200);
    const owners = await exportedLines(api, '?subject=ann');
    expect(rowsIn(owners)).toEqual(rowsIn(lines));
  });

  it('is for owners, operators and members', async () => {
    const statusOf = async (key: string) => (await api.call('GET', '/v1/export', { key })).status;
    expect(await statusOf(await api.keyOf('operator'))).toBe(200);
    expect(await statusOf(await api.keyOf('reviewer'))).toBe(403);
    expect(await statusOf(await api.keyOf('auditor'))).toBe(403);
    expect(await statusOf(await api.keyFor({ kind: 'agent', id: 'scout' }))).toBe(403);
    expect(await statusOf(await api.keyFor({ kind: 'runtime', id: 'r' }))).toBe(403);
  });

  it('is verified with nothing but its own lines', async () => {
    const lines = await exportedLines(api);
    const { signature, public_key, chain, key_id, ...end } = JSON.parse(lines.at(-1) ?? '{}');
    let head = createHash('sha256').update('cairn-export/1').digest();
    for (const line of lines.slice(0, -1)) {
      head = createHash('sha256').update(head).update(line).digest();
    }
    expect(chain).toBe(head.toString('hex'));
    const raw = Buffer.from(public_key, 'base64url');
    expect(key_id).toBe(`ed25519:${createHash('sha256').update(raw).digest('hex').slice(0, 32)}`);
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: public_key },
      format: 'jwk',
    });
    const said = (count: number) => Buffer.from(`cairn/export\n${count}\n${chain}`);
    expect(end.lines).toBe(lines.length - 1);
    const sealed = Buffer.from(signature, 'base64url');
    expect(verify(null, said(end.lines), key, sealed)).toBe(true);
    expect(verify(null, said(end.lines + 1), key, sealed)).toBe(false);
  });

  it('is of one moment, whatever is written meanwhile', async () => {
    await plantCards(api.database, 'default', 1_000, 'x'.repeat(1_500));
    const abort = new AbortController();
    const answer = await fetch(new URL('/v1/export', api.url), {
      headers: { authorization: `Bearer ${api.ownerKey}` },
      signal: abort.signal,
    });
    const reader = answer.body?.getReader();
    const first = Buffer.from((await reader?.read())?.value ?? []).toString();
    const { counts } = JSON.parse(first.slice(0, first.indexOf('\n')));
    const body = { summary: 'Written meanwhile.', scope: { type: 'agent', id: 'scout' } };
    await api.call('POST', '/v1/cards', { body });
    let text = first;
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += Buffer.from(value ?? []).toString();
    }
    const lines = text.trimEnd().split('\n');
    expect(lines.filter((line) => typeOf(line) === 'card').length).toBe(counts.card);
    expect(text).not.toContain('Written meanwhile.');
    expect(typeOf(lines.at(-1) ?? '')).toBe('signature');
    expect((await exportedLines(api)).join()).toContain('Written meanwhile.');
  });

  it('that nobody reads to its end holds nothing: others are served', async () => {
    for (let time = 0; time < 6; time += 1) {
      const abort = new AbortController();
      const answer = await fetch(new URL('/v1/export', api.url), {
        headers: { authorization: `Bearer ${api.ownerKey}` },
        signal: abort.signal,
      });
      // Two at a time are read; the one before may still be on its way out.
      if (answer.status === 429) {
        await answer.text();
        time -= 1;
        continue;
      }
      await answer.body?.getReader().read();
      abort.abort();
    }
    expect((await api.call('GET', '/v1/cards')).status).toBe(200);
    for (;;) {
      const { status } = await api.call('GET', '/v1/export');
      if (status === 200) break;
      expect(status).toBe(429);
    }
  });
});
