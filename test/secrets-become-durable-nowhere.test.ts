import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import { Client as PostgresClient } from 'pg';
import { historyText } from './support/history-text';
import { filesUnder, Program } from './support/program';
import {
  awsKeyId,
  cardNumber,
  email,
  externalAddress,
  githubToken,
  iban,
  openAiKey,
  phone,
  privateKey,
  slackToken,
  socialSecurity,
  stripeKey,
} from './support/secret-strings';

jest.setTimeout(240_000);

/** One of each kind, and for each the bytes that would give it away. */
const PLANTED = [
  githubToken(11),
  stripeKey(12),
  openAiKey(13),
  awsKeyId(14),
  slackToken(15),
  cardNumber(),
  iban(),
  socialSecurity(),
  phone(),
  email(),
  externalAddress(),
  ['hunter2', 'correct', '9staple'].join('-'),
  privateKey().split('\n')[2] as string,
];
const TEXT = [
  `token ${PLANTED[0]}, ${PLANTED[1]}, ${PLANTED[2]}, ${PLANTED[3]}, ${PLANTED[4]}`,
  `card ${PLANTED[5]}, account ${PLANTED[6]}, SSN ${PLANTED[7]}, call ${PLANTED[8]}, write ${PLANTED[9]}`,
  `from ${PLANTED[10]}, password: ${PLANTED[11]}`,
  privateKey(),
].join('\n');

/** Every field of an event that takes text takes the secrets; so do keys of objects and JSON in strings. */
const EVERYWHERE = {
  text: TEXT,
  input: { note: TEXT, [PLANTED[0] as string]: 'a key', nested: JSON.stringify({ deep: [TEXT] }) },
  output: [TEXT, { more: TEXT }],
  error: TEXT,
  messages: [{ role: 'user', content: TEXT }],
  metadata: { trace: TEXT, [PLANTED[9] as string]: TEXT },
};

let dataDir: string;
let program: Program;
const histories: string[] = [];
const rows: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-secrets-'));
  program = await Program.start(dataDir, { CAIRN_LOG_LEVEL: 'trace' });
  const events = Object.entries(EVERYWHERE).map(([field, value], index) => ({
    event_id: `planted-${field}`,
    kind: (
      ['service_call', 'chat', 'workflow_step', 'delegation', 'failure', 'observation'] as const
    )[index],
    agent: 'scout',
    task: 'planting',
    service: 'vault',
    operation: 'read_secret',
    outcome: index % 2 === 0 ? 'failed' : 'worked',
    occurred_at: `2026-06-01T09:0${index}:00Z`,
    [field]: value,
  }));
  const all = {
    ...events[0],
    ...EVERYWHERE,
    event_id: 'planted-all',
    occurred_at: '2026-06-02T09:00:00Z',
  };
  const answer = await program.call('POST', '/v1/events?wait_ms=30000', {
    events: [...events, all],
  });
  const items = answer.body.items as { status: string; disposition: string; workflow_id: string }[];
  expect(items.map((item) => [item.status, item.disposition])).toEqual(
    items.map(() => ['accepted', 'carded']),
  );
  // What a reader asks and writes leaves traces as well.
  await program.call(
    'POST',
    '/v1/recall',
    { query: TEXT, explain: true },
    { 'cairn-agent': 'scout' },
  );
  await program.call(
    'POST',
    '/v1/cards',
    { summary: TEXT.slice(0, 1_500) },
    { 'cairn-agent': 'scout' },
  );
  await program.call(
    'PUT',
    '/v1/notes/planted',
    { value: TEXT.slice(0, 1_500) },
    { 'cairn-agent': 'scout' },
  );
  await program.call('POST', '/v1/events', { ...all, event_id: PLANTED[0] });
  await program.call('POST', '/v1/events', {
    ...all,
    event_id: 'planted-label',
    operation: PLANTED[1],
  });
  await program.call('PUT', '/v1/people/ada', { name: 'Ada', email: PLANTED[9], role: 'reviewer' });
  await exportHistories(items.map((item) => item.workflow_id));
  await exportRows();
  expect(await program.stop()).toBe(0);
});

afterAll(async () => {
  if (program.process.exitCode === null) await program.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('the secrets are those that were sent, and the cards are there', () => {
  expect(rows.join('')).toContain('[REDACTED');
  expect(rows.join('')).toContain('[EMAIL_');
  expect(histories.join('')).toContain('planted-all');
});

test('no table holds one', () => {
  expect(found(rows.join('\n'))).toEqual([]);
});

test('no exported history holds one, nor anything of the event but its ids', () => {
  expect(found(histories.join('\n'))).toEqual([]);
  expect(histories.join('\n')).toContain('"disposition":"carded"');
  expect(histories.join('\n')).not.toContain('[REDACTED');
});

test('no byte under the data directory holds one: Postgres, Temporal, logs', () => {
  const files = filesUnder(dataDir);
  expect(files.length).toBeGreaterThan(100);
  const hits = files.flatMap(({ path, bytes }) =>
    PLANTED.filter((secret) => bytes.includes(secret)).map(
      (secret) => `${path}: ${secret.slice(0, 4)}…`,
    ),
  );
  expect(hits).toEqual([]);
});

test('nothing that was printed holds one', () => {
  expect(found(program.output.join(''))).toEqual([]);
});

function found(text: string): string[] {
  return PLANTED.filter((secret) => text.includes(secret)).map(
    (secret) => `${secret.slice(0, 4)}…`,
  );
}

async function exportHistories(workflowIds: readonly string[]): Promise<void> {
  const { temporal_address: address, temporal_namespace: namespace } = program.runtime;
  const connection = await Connection.connect({ address });
  const client = new TemporalClient({ connection, namespace });
  for (const id of workflowIds) {
    const handle = client.workflow.getHandle(id);
    histories.push(
      historyText(await handle.fetchHistory()),
      historyText((await handle.describe()).raw),
    );
  }
  await connection.close();
}

async function exportRows(): Promise<void> {
  const client = new PostgresClient({ connectionString: program.runtime.database_url });
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables.rows) {
    const { rows: found } = await client.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t`,
    );
    rows.push(...found.map(({ row }) => `${name}: ${row}`));
  }
  await client.end();
}
