import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, type TestApi } from './support/api';
import { type Ran, runCommand } from './support/cli';

let api: TestApi;
let dir: string;

beforeAll(async () => {
  api = await startApi();
  dir = mkdtempSync(join(tmpdir(), 'cairn-cli-'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

async function cairn(
  args: string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ran> {
  const base = { CAIRN_DATA_DIR: join(dir, 'data'), CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
  return await runCommand(args, { ...base, ...environment }, input);
}

/** @throws where stdout holds anything but one document */
async function json(args: string[], environment?: Record<string, string>, input?: string) {
  const ran = await cairn([...args, '--json'], environment, input);
  return { ...ran, body: JSON.parse(ran.out) };
}

const EVENT = JSON.stringify({
  event_id: 'cli-1',
  kind: 'service_call',
  agent: 'herald',
  service: 'mailer',
  operation: 'send_bulk',
  outcome: 'failed',
  occurred_at: '2026-03-02T09:00:00Z',
  error: 'too many recipients',
  labels: { poisoned: false },
  source: 'cli',
});

async function makeCard(summary: string): Promise<string> {
  const { body } = await api.call('POST', '/v1/cards', {
    body: {
      summary,
      kind: 'constraint',
      sign: 'failed',
      scope: { type: 'workspace', id: 'default' },
    },
  });
  return body.id as string;
}

test('import answers with its counts, and a second time with "known"', async () => {
  const file = join(dir, 'events.jsonl');
  writeFileSync(file, `${EVENT}\nnot json\n`);
  const first = await json(['import', file, '--omit', 'labels', '--no-wait']);
  expect(first.body).toMatchObject({
    lines: 2,
    accepted: 1,
    duplicates: 0,
    refused: 1,
    refused_by_code: { not_json: 1 },
    problems: [{ line: 2, code: 'not_json' }],
    waited: false,
  });
  expect(first.err).toContain('line 2: not JSON');
  expect(first.code).toBe(1);
  const again = await cairn(['import', '-', '--omit=labels', '--no-wait'], {}, EVENT);
  expect(again).toMatchObject({ code: 0 });
  expect(again.out).toContain('0 new, 1 known, 0 refused');
  const { body } = await api.call('GET', '/v1/events/cli-1');
  expect(body.event.metadata).toEqual({ source: 'cli' });
});

test('recall, cards, cards show and doctor answer with one document each', async () => {
  const id = await makeCard('Zeppelin mail over 400 recipients is refused.');
  const recall = await json([
    'recall',
    'zeppelin mail',
    '--intent',
    'act',
    '--explain',
    '--limit',
    '2',
  ]);
  expect(recall.err).toBe('');
  expect(recall.body.cards[0]).toMatchObject({ id, terms: expect.any(Object) });
  const cards = await json(['cards', '--q', 'zeppelin', '--sign', 'failed']);
  expect(cards.body).toMatchObject({ total: 1, items: [{ id }] });
  const shown = await json(['cards', 'show', id]);
  expect(shown.body).toMatchObject({ card: { id }, edges: [] });
  const doctor = await json(['doctor']);
  expect(doctor.body.checks).toContainEqual(
    expect.objectContaining({ name: 'key', status: 'ok', detail: 'CAIRN_KEY is valid' }),
  );
  expect(doctor.body.checks).toContainEqual(
    expect.objectContaining({ name: 'workers', status: 'fail', advice: expect.any(String) }),
  );
  expect([recall.code, cards.code, shown.code, doctor.code]).toEqual([0, 0, 0, 1]);
});

test('people get the same as sections, lists and lines', async () => {
  const id = await makeCard('Trebuchet parcels need two stamps.');
  const recall = await cairn(['recall', 'trebuchet parcels', '--intent', 'act', '--explain']);
  expect(recall.out).toContain('Things to avoid\n  ! Trebuchet parcels need two stamps.');
  expect(recall.out).toContain(id);
  expect(recall.out).toContain('Left out');
  expect((await cairn(['cards', '--q', 'trebuchet'])).out).toContain('1 of 1');
  expect((await cairn(['cards', 'show', id])).out).toContain('constraint (episodic), failed');
});

test('text of others cannot steer the terminal', async () => {
  await makeCard('Catapult \u001b[31mred\u001b[0m \u202Ereversed.');
  const { out } = await cairn(['cards', '--q', 'catapult']);
  expect(out).toContain('Catapult');
  expect(out).not.toMatch(/[\u001b\u202E]/);
});

test.each([
  [[]],
  [['nonsense']],
  [['recall']],
  [['recall', 'x', '--intent', 'guess']],
  [['recall', 'x', '--limit', 'many']],
  [['recall', 'x', '--as-of', 'yesterday']],
  [['cards', '--kind', 'fact']],
  [['cards', '--unknown']],
  [['import']],
  [['import', 'no-such-file.jsonl']],
])('wrong use exits with 2: cairn %j', async (args) => {
  const ran = await cairn(args);
  expect(ran.code).toBe(2);
  expect(ran.out).toBe('');
  expect(ran.err).not.toBe('');
});

test.each([
  [['nonsense']],
  [['recall']],
  [['recall', 'x', '--intent', 'guess']],
  [['cards', '--unknown']],
])('a program that used it wrong is told so in JSON: cairn %j --json', async (args) => {
  const ran = await cairn([...args, '--json']);
  expect(ran.code).toBe(2);
  expect(JSON.parse(ran.out)).toEqual({
    error: { code: 'wrong_use', detail: expect.stringMatching(/\w/) },
  });
});

test('a wrong environment is wrong use, and help needs none', async () => {
  const wrong = { CAIRN_PORT: 'high' };
  expect(await cairn(['cards'], wrong)).toMatchObject({
    code: 2,
    err: expect.stringContaining('CAIRN_PORT'),
  });
  expect(await cairn(['--help'], wrong)).toMatchObject({ code: 0 });
  expect((await cairn(['--version'])).out).toMatch(/^\d+\.\d+\.\d+/);
});

test('failures exit with 1 and say what to do, to machines as a document', async () => {
  const nothing = { CAIRN_URL: '', CAIRN_KEY: '' };
  const none = await json(['recall', 'x'], nothing);
  expect(none).toMatchObject({ code: 1, body: { error: { code: 'not_running' } } });
  expect(none.err).toContain('npm start');
  const noKey = await cairn(['cards'], { CAIRN_KEY: '' });
  expect(noKey).toMatchObject({ code: 1, err: expect.stringContaining('set CAIRN_KEY') });
  const badKey = await json(['cards'], { CAIRN_KEY: 'wrong' });
  expect(badKey).toMatchObject({ code: 1, body: { error: { code: 'unauthenticated' } } });
  const missing = await json(['cards', 'show', 'card_none']);
  expect(missing).toMatchObject({ code: 1, body: { error: { code: 'not_found' } } });
  expect(await json(['doctor'], nothing)).toMatchObject({ code: 1, body: { status: 'fail' } });
});
