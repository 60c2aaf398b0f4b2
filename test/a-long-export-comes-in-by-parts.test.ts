import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../src/client/index';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { applied, exportedLines, plantCards, rowsIn } from './support/transfers';

jest.setTimeout(180_000);

const SECRET = 'the secret key of two databases of one installation';
const CARDS = 1_500;

describe('a long export', () => {
  let api: TestApi;
  let other: TestApi;
  let dir: string;
  let file: string;
  beforeAll(async () => {
    const clock = () => new Date('2026-03-02T08:00:00Z');
    api = await startApi({ secretKey: SECRET, clock });
    other = await startApi({ secretKey: SECRET, clock });
    dir = mkdtempSync(join(tmpdir(), 'cairn-export-'));
    file = join(dir, 'all.ndjson');
    await plantCards(api.database, 'default', CARDS, `${'wörter '.repeat(250)}`);
  });
  afterAll(async () => {
    rmSync(dir, { recursive: true, force: true });
    await api.close();
    await other.close();
  });

  const environment = (of: TestApi) => ({ CAIRN_URL: of.url, CAIRN_KEY: of.ownerKey });
  /** A client that sees what it sends, and loses one answer. */
  const watched = (lost: number) => {
    const sent: number[] = [];
    const client = new CairnClient({
      ...{ url: other.url, key: other.ownerKey, retries: 0 },
      fetch: async (url, init) => {
        sent.push((init?.body as Uint8Array | undefined)?.length ?? 0);
        const answer = await fetch(url, init);
        if (sent.length === lost) throw new TypeError('the connection broke');
        return answer;
      },
    });
    return { client, sent };
  };
  const chunked = async function* (bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };

  it('is written by the command to a file of its own, for its owner alone', async () => {
    const { out, code } = await runCommand(['export', file, '--json'], environment(api));
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ of: { scope: 'workspace' }, counts: { card: CARDS } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(rowsIn(lines)).toEqual(rowsIn(await exportedLines(api)));
    const again = await runCommand(['export', file], environment(api));
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('is there already')]);
  });

  it('of a subject that is not there fails, and says so', async () => {
    const none = join(dir, 'none.ndjson');
    const args = ['export', none, '--subject', 'nobody-here'];
    const { code, err } = await runCommand(args, environment(api));
    expect([code, err]).toEqual([1, expect.stringContaining('nothing here is about this subject')]);
    expect(() => statSync(none)).toThrow();
  });

  it('that broke off leaves no file', async () => {
    const gone = join(dir, 'gone.ndjson');
    const answer = await runCommand(['export', gone], { ...environment(api), CAIRN_KEY: 'wrong' });
    expect(answer.code).not.toBe(0);
    expect(() => statSync(gone)).toThrow();
  });

  it('is sent in parts, and goes on where the answer was lost', async () => {
    const bytes = readFileSync(file);
    expect(bytes.length).toBeGreaterThan(4 * 1024 * 1024);
    const broken = watched(2);
    await expect(broken.client.transfers.import(chunked(bytes, 70_001))).rejects.toThrow(
      'no Cairn answers',
    );
    const { client, sent } = watched(0);
    const parts: number[] = [];
    const taken = await client.transfers.import(chunked(bytes, 70_001), {
      onPart: ({ lines }) => parts.push(lines),
    });
    // The first part says how far it is; the second, which had arrived, is not sent again.
    expect(sent.length).toBeLessThan(Math.ceil(bytes.length / (2 * 1024 * 1024)) + 1);
    expect(taken).toMatchObject({ status: 'accepted', lines: parts.at(-1) });
    const body = { import_id: taken.import_id, operation_id: taken.operation_id };
    const { result } = await applied(other, { status: 202, body } as never);
    expect(result).toMatchObject({ status: 'completed', skipped: 0 });
    const rows = async (of: TestApi) => rowsIn(await exportedLines(of));
    expect(await rows(other)).toEqual(await rows(api));
  });

  it('is known for one by the command, whatever it is called', async () => {
    const { out, code } = await runCommand(
      ['import', file, '--json', '--no-wait'],
      environment(other),
    );
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'accepted', operation_id: expect.any(String) });
    const events = join(dir, 'events.jsonl');
    const event = { event_id: 'one', kind: 'observation', agent: 'scout', outcome: 'neutral' };
    writeFileSync(
      events,
      JSON.stringify({ ...event, occurred_at: '2026-03-02T08:24:15Z', text: 'Seen.' }),
    );
    const taken = await runCommand(['import', events, '--json', '--no-wait'], environment(other));
    expect(JSON.parse(taken.out)).toMatchObject({ lines: 1, accepted: 1 });
  });

  it('of another installation says by which key, and how that one is accepted', async () => {
    const foreign = await startApi();
    try {
      const { err, code } = await runCommand(['import', file, '--no-wait'], environment(foreign));
      expect(code).toBe(1);
      const [, key = ''] = /--accept-key (ed25519:[0-9a-f]{32})/.exec(err) ?? [];
      const words = ['import', file, '--json', '--no-wait', '--accept-key', key];
      expect((await runCommand(words, environment(foreign))).code).toBe(0);
    } finally {
      await foreign.close();
    }
  });
});
