import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { saveHistory } from './support/histories';
import { Program } from './support/program';

jest.setTimeout(300_000);

const ROOT = join(__dirname, '..');
const PAGES = ['examples/temporal/README.md', 'docs/temporal-native.md'];
const { EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED: CHILD_COMPLETED } =
  temporal.api.enums.v1.EventType;

/** The first three blocks of a page: what starts Cairn, what is run beside it, what that prints. */
function quickstart(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)]
    .slice(0, 3)
    .map(([, block]) => block ?? '');
}

let dataDir: string;
let program: Program;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-runtime-'));
  program = await Program.start(dataDir);
});
afterAll(async () => {
  await program?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test('what the pages say to run prints what they say', async () => {
  const [first, second] = PAGES.map(quickstart);
  expect(second).toEqual(first);
  const [start, command = '', printed] = first ?? [];
  expect(start).toBe('npm start\n');
  // A user stands in the directory that `.cairn` is in; the test's own is elsewhere.
  const { stdout } = await promisify(execFile)('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, CAIRN_DATA_DIR: dataDir, CAIRN_KEY: '', DATABASE_URL: '' },
  });
  expect(stdout).toBe(printed);
});

test('each newsletter has its capture as its child, and its agent the cards', async () => {
  const { temporal_address: address, temporal_namespace: namespace } = program.runtime;
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace });
  const newsletters = [];
  for await (const { workflowId } of client.workflow.list({
    query: "WorkflowType = 'newsletter'",
  })) {
    newsletters.push(workflowId);
  }
  expect(newsletters).toHaveLength(2);
  for (const workflowId of newsletters) {
    const handle = client.workflow.getHandle(workflowId);
    const { events } = await handle.fetchHistory();
    expect(events?.map(({ eventType }) => eventType)).toContain(CHILD_COMPLETED);
    await saveHistory(`runtime/newsletter.${workflowId.split('-')[1]}`, handle);
  }
  await connection.close();
  const { body } = await program.call('GET', '/v1/cards?agent=herald&status=active');
  const signs = (body.items as { sign: string }[]).map(({ sign }) => sign);
  expect(signs.sort()).toEqual(['failed', 'worked']);
});
