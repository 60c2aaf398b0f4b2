import { workspaceHasher } from '../src/intake/hashing';
import { tombstoneHash } from '../src/intake/tombstone-hash';
import { Signer } from '../src/store/signing';
import { bury } from '../src/store/tombstones';
import { type Answer, startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { email, githubToken } from './support/secret-strings';
import {
  applied,
  exportedLines,
  imported,
  rowsIn,
  sendImport,
  signedAgain,
  typeOf,
} from './support/transfers';

jest.setTimeout(120_000);

const ELSEWHERE = 'the secret key of another installation altogether';

describeNative('an import', () => {
  let api: TestApi;
  let lines: string[];
  let cards: string[];
  const opened: TestApi[] = [];
  const empty = async (options: Parameters<typeof startApi>[0] = {}): Promise<TestApi> => {
    const made = await startApi({ secretKey: api.secretKey, ...options });
    opened.push(made);
    return made;
  };

  beforeAll(async () => {
    api = await startApi();
    opened.push(api);
    await api.call('PUT', '/v1/agents/scout', { body: {} });
    cards = [];
    for (const [summary, subject] of [
      ['Ann likes the quay.', 'ann'],
      ['Ben rows.', 'ben'],
    ]) {
      const scope = { type: 'workspace', id: 'default' };
      const { body } = await api.call('POST', '/v1/cards', { body: { summary, subject, scope } });
      cards.push(body.id);
    }
    lines = await exportedLines(api);
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  const refused = ({ status, body }: Answer) => ({ status, code: body.code });
  const counted = async (of: TestApi) => (await of.call('GET', '/v1/cards')).body.total;
  const heldLines = async (of: TestApi) =>
    await of.database.inWorkspace('default', (tx) => tx.query('SELECT n FROM import_lines'));
  const tampered = (from: string, to: string) => lines.map((line) => line.replaceAll(from, to));

  it.each([
    ['another word', () => tampered('the quay', 'the moor')],
    ['a wider scope', () => tampered('"trust": "person"', '"trust": "runtime"')],
    ['a line left out', () => lines.filter((_line, n) => n !== 3)],
    ['a line twice', () => lines.flatMap((line, n) => (n === 3 ? [line, line] : [line]))],
    [
      'two lines in another order',
      () => [lines[0], lines[2], lines[1], ...lines.slice(3)] as string[],
    ],
    ['another manifest', () => tampered('"made_at":"2', '"made_at":"1')],
  ])('of a file with %s takes nothing of it', async (_what, changed) => {
    const other = await empty();
    const file = changed();
    expect(file).not.toEqual(lines);
    expect(refused(await sendImport(other, file))).toEqual({
      status: 422,
      code: 'signature_invalid',
    });
    expect(await counted(other)).toBe(0);
    expect(await heldLines(other)).toEqual([]);
  });

  it('of a file that ends before its signature, or is none, says so', async () => {
    const other = await empty();
    expect(refused(await sendImport(other, lines.slice(0, -1)))).toMatchObject({
      code: 'unsigned',
    });
    for (const file of [[], ['{}'], ['no json'], lines.slice(1), ['{"type":"manifest"}']]) {
      expect(refused(await sendImport(other, file))).toEqual({
        status: 422,
        code: 'not_an_export',
      });
    }
    const type = await other.call('POST', '/v1/import', { body: { any: 'thing' } });
    expect(type.status).toBe(415);
    expect(await counted(other)).toBe(0);
  });

  it('of a newer version is refused before anything is held', async () => {
    const other = await empty();
    const newer = lines[0]?.replace(/"schema":"[^"]+"/, '"schema":"9999-later.sql"') ?? '';
    const answer = await sendImport(other, signedAgain(api.secretKey, [newer, ...lines.slice(1)]));
    expect(refused(answer)).toEqual({ status: 422, code: 'newer_export' });
  });

  it('of another installation waits until its key is accepted by name', async () => {
    const other = await startApi({ secretKey: ELSEWHERE });
    opened.push(other);
    const answer = await sendImport(other, lines);
    const { keyId } = new Signer(api.secretKey);
    expect(answer.body).toMatchObject({ status: 422, code: 'foreign_key', key_id: keyId });
    const wrong = `ed25519:${'0'.repeat(32)}`;
    expect((await sendImport(other, lines, `?accept_key=${wrong}`)).status).toBe(422);
    expect(await counted(other)).toBe(0);
    const { result } = await imported(other, lines, `?accept_key=${keyId}`);
    expect(result).toMatchObject({ status: 'completed', problems: [] });
    expect(await counted(other)).toBe(2);
  });

  it('names what stands there already, and overwrites nothing', async () => {
    const other = await empty();
    await imported(other, lines);
    const [ann = ''] = cards;
    const path = `/v1/cards/${ann}`;
    const etag = (await other.call('GET', path)).headers.get('etag') ?? '';
    const change = { summary: 'Ann left.' };
    await other.call('PATCH', path, { body: change, headers: { 'if-match': etag } });
    const { result } = await imported(other, lines);
    expect(result.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'card', id: ann, code: 'conflict' }),
      ]),
    );
    expect((await other.call('GET', path)).body.summary).toBe('Ann left.');
  });

  it('does not bring back what was erased', async () => {
    const other = await empty();
    const hasher = workspaceHasher(other.secretKey, 'default');
    const [ann = '', ben = ''] = cards;
    const buried = { erasureId: 'er', at: new Date() };
    await other.database.inWorkspace('default', async (tx) => {
      const hash = tombstoneHash(hasher, 'subject', 'ann');
      await bury(tx, buried, [{ kind: 'subject', hash }]);
      await bury(tx, buried, [{ kind: 'card', hash: tombstoneHash(hasher, 'card', ben) }]);
    });
    const { result } = await imported(other, lines);
    const skipped = result.problems.filter(({ type }: { type: string }) => type.startsWith('card'));
    expect(skipped.map(({ code }: { code: string }) => code)).toEqual(skipped.map(() => 'erased'));
    const isOfThem = (line: string) =>
      typeOf(line).startsWith('card') && (line.includes(ann) || line.includes(ben));
    expect(skipped).toHaveLength(lines.filter(isOfThem).length);
    // What is erased is named nowhere, and so not here.
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${ann}|${ben}`));
    expect(await counted(other)).toBe(0);
  });

  it('redacts every text once more', async () => {
    const planted = lines.map((line) =>
      line.replaceAll('the quay', `the quay ${email()} ${githubToken()}`),
    );
    const other = await startApi({ secretKey: ELSEWHERE });
    opened.push(other);
    const file = signedAgain(api.secretKey, planted);
    const { keyId } = new Signer(api.secretKey);
    const { result } = await imported(other, file, `?accept_key=${keyId}`);
    expect(result.redactions).toBeGreaterThan(3);
    const again = (await exportedLines(other)).join('\n');
    for (const secret of [email(), githubToken()]) expect(again).not.toContain(secret);
    expect(again).toContain('Ann likes the quay [');
  });

  it('into another workspace keeps ids and says its name where the other one stood', async () => {
    const other = await empty();
    const made = await other.call('POST', '/v1/workspaces', {
      body: { id: 'second', name: 'Two' },
    });
    const key = made.body.owner_key;
    const answer = await sendImport(other, lines, '', { key });
    await applied(other, answer, 'second');
    const { body } = await other.call('GET', `/v1/cards/${cards[0]}`, { key });
    expect(body).toMatchObject({ id: cards[0], scope: { type: 'workspace', id: 'second' } });
    expect(await counted(other)).toBe(0);
  });

  it('by an operator makes no owner', async () => {
    const other = await empty();
    await api.call('PUT', '/v1/people/boss', { body: { name: 'Boss', role: 'owner' } });
    const file = await exportedLines(api);
    const operator = await other.keyOf('operator');
    const { operation_id, import_id } = (await sendImport(other, file, '', { key: operator })).body;
    const { result } = await applied(other, {
      status: 202,
      body: { operation_id, import_id },
    } as Answer);
    expect(result.problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'person', id: 'boss', code: 'not_allowed' }),
      ]),
    );
    expect((await other.call('GET', '/v1/people/boss')).status).toBe(404);
  });

  it('goes on where it stopped, by parts and by being sent again', async () => {
    const other = await empty();
    const half = Math.ceil(lines.length / 2);
    const first = await sendImport(other, lines.slice(0, half), '?more=true');
    expect(first.body).toMatchObject({ status: 'receiving', lines: half, operation_id: null });
    const { import_id } = first.body;
    const ahead = await sendImport(
      other,
      lines.slice(half + 1),
      `?import=${import_id}&after=${half + 1}`,
    );
    expect(ahead.body).toMatchObject({ status: 409, code: 'lines_missing', lines: half });
    const rest = await sendImport(other, lines.slice(half), `?import=${import_id}&after=${half}`);
    expect(rest.body).toMatchObject({ status: 'accepted', import_id, lines: lines.length - 1 });
    // What is being applied is the same operation, however often it is sent.
    const again = await sendImport(other, lines);
    expect(again.body.operation_id).toBe(rest.body.operation_id);
    await applied(other, again);
    expect(rowsIn(await exportedLines(other)).length).toBeGreaterThan(0);
    expect(await heldLines(other)).toEqual([]);
  });

  it('of one Idempotency-Key is of one file', async () => {
    const other = await empty();
    const headers = { 'idempotency-key': 'once' };
    expect((await sendImport(other, lines, '', { headers })).status).toBe(202);
    expect((await sendImport(other, lines, '', { headers })).status).toBe(202);
    const file = await exportedLines(api);
    expect((await sendImport(other, file, '', { headers })).status).toBe(422);
  });
});
