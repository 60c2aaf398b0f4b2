import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../src/client';
import { OVERTIME } from './support/insights';
import { Program } from './support/program';

jest.setTimeout(240_000);

/** A smoke over each surface on the embedded database; what each promises has its own test on native Postgres. */
let dataDir: string;
let program: Program;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-pglite-'));
  program = await Program.start(dataDir);
});

afterAll(async () => {
  if (program !== undefined) await program.stop('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
});

const failure = {
  event_id: 'send-1',
  kind: 'service_call',
  agent: 'writer',
  team: 'desk',
  service: 'mailer',
  operation: 'send_batch',
  outcome: 'failed',
  occurred_at: '2026-06-01T09:00:00Z',
  input: { list: 'june', recipients: 250 },
  error: '429: daily limit of 100 recipients exceeded',
} as const;

test('HTTP: every reading route answers, and what was written is read back', async () => {
  const sent = await program.call('POST', '/v1/events?wait_ms=30000', failure);
  const [item] = sent.body.items as { card_id: string; operation_id: string }[];
  const card = `/v1/cards/${item?.card_id}`;
  const agent = { 'cairn-agent': 'writer' };
  await program.call('PUT', '/v1/notes/limit', { value: 'A hundred a day.' }, agent);
  await program.call('PUT', '/v1/sessions/run-1/blackboard/plan', { value: ['send'] }, agent);
  const number = { name: 'overtime_hours', value: 41, unit: 'h' };
  await program.call('POST', '/v1/metrics', number);
  const finding = { ...OVERTIME, metrics: [{ name: 'overtime_hours' }] };
  const insight = await program.call('POST', '/v1/insights', finding, agent);
  const { id, actions } = insight.body as { id: string; actions: { id: string; hash: string }[] };
  const taken = `/v1/insights/${id}/actions/${actions[0]?.id}/taken`;
  expect((await program.call('POST', taken, {}, agent)).status).toBe(202);
  const block = `/v1/actions/${actions[1]?.hash}/block`;
  expect((await program.call('PUT', block, { reason: 'too dear' })).status).toBe(200);
  await program.call('PUT', '/v1/people/rita', { name: 'Rita', role: 'reviewer' });
  for (const path of [
    '/v1/events',
    '/v1/events/send-1',
    `/v1/operations/${item?.operation_id}`,
    '/v1/runs',
    `/v1/runs/${item?.operation_id}`,
    '/v1/cards?service=mailer&q=daily+limit',
    card,
    `${card}/history`,
    `${card}/edges`,
    `${card}/lineage`,
    `${card}/readers`,
    `${card}/visible-to`,
    `${card}/grants`,
    `/v1/graph?center=${item?.card_id}&depth=2`,
    '/v1/notes',
    '/v1/sessions/run-1',
    '/v1/sessions/run-1/blackboard',
    '/v1/sessions/run-1/blackboard/plan',
    '/v1/skills',
    '/v1/skills?query=send+a+batch',
    '/v1/insights?order=score&q=overtime',
    `/v1/insights/${id}`,
    '/v1/actions?blocked=true',
    '/v1/metrics?name=overtime_hours',
    '/v1/competence',
    '/v1/agents',
    '/v1/teams/desk',
    '/v1/people/rita',
    '/v1/keys',
    '/v1/policy',
    '/v1/audit',
    '/v1/access-log',
    '/openapi.json',
  ]) {
    const answer = await program.call('GET', path);
    expect([path, answer.status]).toEqual([path, 200]);
  }
  const edited = await program.call('PATCH', card, { importance: 9 }, { 'if-match': '"1"' });
  expect([edited.status, edited.body.version, edited.body.importance]).toEqual([200, 2, 9]);
});

test('TypeScript client: a capture settles, and a recall leads with the warning', async () => {
  const cairn = new CairnClient({
    url: program.runtime.url,
    key: program.ownerKey,
    agent: 'writer',
  });
  const { error: _error, team: _team, ...call } = failure;
  const handle = await cairn.capture({
    ...call,
    event_id: 'send-2',
    outcome: 'worked',
    occurred_at: '2026-06-02T09:00:00Z',
    input: { list: 'june', recipients: 100 },
  });
  const result = await handle.result();
  expect(result).toMatchObject({ disposition: 'carded', sign: 'worked' });
  const answer = await cairn.recall({ query: 'send a batch with mailer', intent: 'act' });
  const warning = answer.cards.find((card) => card.kind === 'constraint');
  expect(warning?.resolved_by).toEqual([result.card_id]);
});

test('command line: recall and cards answer in JSON', () => {
  const cairn = (...words: string[]) => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [join(__dirname, '..', 'dist', 'cli', 'main.js'), ...words, '--json'],
      { encoding: 'utf8', env: { ...process.env, CAIRN_DATA_DIR: dataDir } },
    );
    expect([words[0], status]).toEqual([words[0], 0]);
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  expect((cairn('recall', 'send a batch', '--agent', 'writer').cards as unknown[]).length).toBe(3);
  expect(cairn('cards', '--service', 'mailer').total).toBe(2);
  expect(cairn('doctor')).toBeTruthy();
});
