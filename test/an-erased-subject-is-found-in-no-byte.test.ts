import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Connection, Client as TemporalClient } from '@temporalio/client';
import type { Erasure } from '../src/contracts/erasure';
import type { ErasureVerification } from '../src/contracts/erasure-proof';
import { ByteSearch } from '../src/store/byte-search';
import { historyText } from './support/history-text';
import { plantSubject, SAID, SUBJECT, sql, WORDS } from './support/planted-subject';
import { filesUnder, Program } from './support/program';
import { until } from './support/until';

jest.setTimeout(600_000);

/** In every form in which each may be written; that the search finds them, another test shows. */
const SOUGHT = [SUBJECT, 'stay-quokka-7', ...SAID, ...WORDS];
const search = new ByteSearch(SOUGHT);
const found = (text: Buffer | string) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  return [...new Set(search.hits(bytes).map(({ term }) => SOUGHT[term] as string))];
};

let dataDir: string;
let program: Program;
let planted: Awaited<ReturnType<typeof plantSubject>>;
const cardsBefore = new Map<string, string>();
const cardsAfter = new Map<string, string>();
let erasure: Erasure;
let verified: ErasureVerification;
let changed: ErasureVerification;
let rows: string[];
let histories: string[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-erased-'));
  program = await Program.start(dataDir, { CAIRN_LOG_LEVEL: 'trace' });
  planted = await plantSubject(program);
  for (const id of planted.others)
    cardsBefore.set(id, JSON.stringify((await program.call('GET', `/v1/cards/${id}`)).body));
  const before = await everyRow();
  for (const table of [
    'events',
    'cards',
    'card_versions',
    'card_terms',
    'entities',
    'reasons',
    'messages',
    'blackboard',
    'pending_writes',
    'insights',
    'insight_actions',
    'actions',
    'skill_versions',
    'edges',
    'card_grants',
    'proposals',
    'subjects',
    'people',
    'surrogates',
    'conversation_details',
  ]) {
    expect([
      table,
      before.some((row) => row.startsWith(`${table}: `) && found(row).length > 0),
    ]).toEqual([table, true]);
  }
  const asked = await program.call('POST', '/v1/erasures', {
    selector: { subject: SUBJECT, person: 'quincy' },
    reason: `${SAID[0]} asked for it`,
    legal_basis: 'GDPR Art. 17(1)(b)',
  });
  expect(asked.status).toBe(202);
  const id = asked.body.erasure_id as string;
  await until(
    'the erasure has ended',
    async () => {
      erasure = (await program.call('GET', `/v1/erasures/${id}`)).body as unknown as Erasure;
      return !['waiting', 'running', 'verifying'].includes(erasure.status);
    },
    { within: 150_000, pause: 200, otherwise: () => erasure },
  );
  // Its last step, after the receipt: the bytes of what it had written down itself.
  await program.call('GET', `/v1/operations/${asked.body.operation_id}`);
  verified = (
    await program.call('POST', '/v1/erasures/verify', {
      receipt: erasure.receipt,
      search: [...SAID],
    })
  ).body as unknown as ErasureVerification;
  const receipt = { ...erasure.receipt, legal_basis: 'none' };
  changed = (await program.call('POST', '/v1/erasures/verify', { receipt }))
    .body as unknown as ErasureVerification;
  for (const id of planted.others) {
    cardsAfter.set(id, JSON.stringify((await program.call('GET', `/v1/cards/${id}`)).body));
  }
  rows = await everyRow();
  histories = await everyHistory();
  expect(await program.stop()).toBe(0);
});

afterAll(async () => {
  if (program.process.exitCode === null) await program.stop('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

test('it ends with a receipt that names every place and found nothing in any', () => {
  const places = erasure.receipt?.places ?? [];
  expect({ status: erasure.status, found: places.filter((place) => place.found > 0) }).toEqual({
    status: 'completed',
    found: [],
  });
  expect(places.map(({ place }) => place)).toEqual(
    expect.arrayContaining([
      'table events',
      'planner statistics',
      'temporal histories',
      'data directory: postgres',
      'data directory: logs and keys',
    ]),
  );
  expect(found(JSON.stringify(erasure))).toEqual([]);
});

test('the receipt verifies, and does not once it is changed', () => {
  expect(verified).toMatchObject({ ok: true, signature: 'valid', missing: 0, returned: [] });
  expect(verified.places.length).toBeGreaterThan(50);
  expect(changed).toMatchObject({ ok: false, signature: 'invalid' });
});

test('no column of any table holds a word of it', () => {
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => found(row).length > 0)).toEqual([]);
});

test('no exported history holds a word of it', () => {
  expect(histories.length).toBeGreaterThan(5);
  expect(histories.flatMap(found)).toEqual([]);
});

test('no byte under the data directory is of it after a clean stop: Postgres, Temporal, logs', () => {
  const files = filesUnder(dataDir);
  expect(files.length).toBeGreaterThan(100);
  expect(
    files.flatMap(({ path, bytes }) =>
      found(bytes).map((word) => `${word} in ${path.slice(dataDir.length + 1)}`),
    ),
  ).toEqual([]);
});

test('nothing that was printed holds a word of it', () => {
  expect(found(program.output.join(''))).toEqual([]);
});

test('cards of others are as they were', () => {
  expect(cardsBefore.size).toBe(2);
  expect([...cardsAfter]).toEqual([...cardsBefore]);
  expect([...cardsAfter.values()].join()).toContain('iron');
});

async function everyRow(): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    program,
    "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const all: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await sql<{ row: string }>(
      program,
      `SELECT to_jsonb(t)::text || t::text AS row FROM ${name} t`,
    ))
      all.push(`${name}: ${row}`);
  }
  return all;
}

async function everyHistory(): Promise<string[]> {
  const { temporal_address: address, temporal_namespace: namespace } = program.runtime;
  const connection = await Connection.connect({ address });
  const client = new TemporalClient({ connection, namespace });
  const texts: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const handle = client.workflow.getHandle(workflowId, runId);
    texts.push(
      `${workflowId}\n${historyText(await handle.fetchHistory())}\n${historyText((await handle.describe()).raw)}`,
    );
  }
  await connection.close();
  return texts;
}
