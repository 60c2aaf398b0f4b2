import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createImportActivities } from '../../src/activities/import';
import type { ImportInput } from '../../src/contracts/transfer';
import type { Database } from '../../src/store/database';
import { chained, NO_CHAIN, signedEnd } from '../../src/store/export-chain';
import { Signer } from '../../src/store/signing';
import type { Answer, CallOptions, TestApi } from './api';

/** The lines of an export, the manifest first and the signature last. @throws where it is refused or breaks off */
export async function exportedLines(
  api: TestApi,
  query = '',
  options: CallOptions = {},
): Promise<string[]> {
  const answer = await api.call('GET', `/v1/export${query}`, options);
  if (answer.status !== 200) throw new Error(`no export: ${answer.status} ${answer.text}`);
  const lines = answer.text.split('\n').filter((line) => line !== '');
  if (typeOf(lines.at(-1) ?? '{}') !== 'signature') throw new Error('the export broke off');
  return lines;
}

export function typeOf(line: string): string {
  return JSON.parse(line).type;
}

/** What an export says of its workspace: all of it but when and by which key. */
export function rowsIn(lines: readonly string[]): string[] {
  return lines.slice(1, -1);
}

export const NDJSON = { 'content-type': 'application/x-ndjson' };

export function sendImport(
  api: TestApi,
  lines: readonly string[],
  query = '',
  options: Omit<CallOptions, 'body'> = {},
): Promise<Answer> {
  const headers = { ...NDJSON, ...options.headers };
  const body = lines.map((line) => `${line}\n`).join('');
  return api.call('POST', `/v1/import${query}`, { ...options, body, headers });
}

/** Applies what was taken, step by step as its workflow does it; each step twice, as after a commit nobody heard of. */
export async function applied(
  api: TestApi,
  answer: Answer,
  workspace = 'default',
): Promise<Answer['body']> {
  if (answer.status !== 202) throw new Error(`not taken: ${answer.status} ${answer.text}`);
  const { import_id, operation_id } = answer.body;
  const input: ImportInput = { workspace, import_id, operation_id };
  const steps = importSteps(api);
  let done = false;
  while (!done) ({ done } = await steps.applyImport(input));
  await steps.endImport({ ...input, cancelled: false });
  await steps.endImport({ ...input, cancelled: false });
  return (await api.call('GET', `/v1/operations/${operation_id}`)).body;
}

export function importSteps(api: TestApi) {
  const { database, secretKey } = api;
  const activities = createImportActivities({ database, secretKey, clock: () => new Date() });
  const environment = new MockActivityEnvironment({
    workflowExecution: { workflowId: 'import/default/op', runId: randomUUID() },
  });
  const run = <Input, Output>(step: (input: Input) => Promise<Output>) => {
    return (input: Input): Promise<Output> =>
      environment.run(step as never, input as never) as Promise<Output>;
  };
  return { applyImport: run(activities.applyImport), endImport: run(activities.endImport) };
}

/** Takes the whole file and applies it. */
export async function imported(
  api: TestApi,
  lines: readonly string[],
  query = '',
): Promise<Answer['body']> {
  return await applied(api, await sendImport(api, lines, query));
}

/** The same lines as this installation would have signed them, whatever is in them. */
export function signedAgain(secretKey: string, lines: readonly string[]): string[] {
  const signer = new Signer(secretKey);
  const [manifest = '{}', ...rows] = lines.slice(0, -1);
  const own = JSON.stringify({ ...JSON.parse(manifest), key_id: signer.keyId });
  const all = [own, ...rows];
  const chain = all.reduce<string>(chained, NO_CHAIN);
  return [...all, JSON.stringify(signedEnd(signer, all.length, chain))];
}

/** Cards of agent `scout` that say `words` and which one they are, made beside the API: many, and at once. */
export async function plantCards(
  database: Database,
  workspace: string,
  count: number,
  words: string,
): Promise<void> {
  await database.inWorkspace(workspace, (tx) =>
    tx.query(
      `INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, agent_id, scope_type, scope_id,
                          confidence, trust, valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by)
       SELECT $1, 'planted_' || lpad(n::text, 6, '0'), 'knowledge', 'semantic', 'neutral', 'active',
              'Planted ' || n || ' ' || $3, 'scout', 'agent', 'scout', 0.8, 'runtime', $4, $4, $4, 'runtime', 'r',
              'fallback'
         FROM generate_series(1, $2::int) n`,
      [workspace, count, words, '2026-03-02T08:00:00Z'],
    ),
  );
}
