import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { SEARCH_ATTRIBUTES } from '../src/contracts/search-attributes';
import { locateTemporalCli } from '../src/embedded/fetch';
import { type EmbeddedTemporal, startTemporal } from '../src/embedded/temporal-process';
import { fetchOptions } from './support/programs';

const WORKFLOW = { workflowId: 'capture/test/1', taskQueue: 'nobody-listens' };
const workspace = defineSearchAttributeKey(SEARCH_ATTRIBUTES.workspace.name, 'KEYWORD');

// A busy machine takes its time over the start of a server.
jest.setTimeout(180_000);

let executable: string;
let dataDir: string;
const started: EmbeddedTemporal[] = [];

beforeAll(async () => {
  executable = await locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI));
});
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'cairn-temporal-'));
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((temporal) => temporal.stop()));
  rmSync(dataDir, { recursive: true });
});

it('has its workflows, attributes and retention after a stop and a start', async () => {
  const before = await start();
  await withClient(before, async (client) => {
    await client.workflow.start('anything', {
      ...WORKFLOW,
      typedSearchAttributes: [{ key: workspace, value: 'test' }],
    });
  });
  await before.stop();
  expect(await before.exited).toBeUndefined();

  const after = await start();
  await withClient(after, async (client) => {
    const found = await client.workflow.getHandle(WORKFLOW.workflowId).describe();
    expect(found.status.name).toBe('RUNNING');
    expect(found.typedSearchAttributes.get(workspace)).toBe('test');
    expect((await client.workflow.count("CairnWorkspace = 'test'")).count).toBe(1);
    const { config } = await client.workflowService.describeNamespace({
      namespace: after.namespace,
    });
    expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 86_400);
  });
  expect((await fetch(after.uiUrl)).status).toBe(200);
});

it('has them after a SIGKILL, and says that nobody asked for it', async () => {
  const before = await start();
  await withClient(before, (client) => client.workflow.start('anything', WORKFLOW));
  process.kill(before.pid, 'SIGKILL');
  expect(await before.exited).toMatch(/137|SIGKILL/);

  const after = await start();
  await withClient(after, async (client) => {
    const found = await client.workflow.getHandle(WORKFLOW.workflowId).describe();
    expect(found.status.name).toBe('RUNNING');
  });
});

it('ends a server that a former start left on the same file', async () => {
  const leftover = await start();
  await withClient(leftover, (client) => client.workflow.start('anything', WORKFLOW));
  const lines: string[] = [];
  const next = await start((line) => lines.push(line));
  // It was asked to end, and only one that did not listen was killed.
  expect(await leftover.exited).toMatch(/^(?:status (?:0|143|137)|SIGTERM|SIGKILL)$/);
  expect(lines).toEqual([expect.stringContaining(`ended process ${leftover.pid}`)]);
  await withClient(next, async (client) => {
    await expect(client.workflow.getHandle(WORKFLOW.workflowId).describe()).resolves.toMatchObject({
      workflowId: WORKFLOW.workflowId,
    });
  });
});

it('says why the server does not start, and takes no other server for its own', async () => {
  const options = { executable, dataDir: join(dataDir, 'other'), log: () => undefined };
  const { address } = await start();
  const port = Number(address.split(':')[1]);
  await expect(startTemporal({ ...options, port })).rejects.toThrow(/address already in use/);
  await expect(startTemporal({ ...options, executable: '/nothing/here' })).rejects.toThrow(
    /did not start: it ended: status 127/,
  );
  expect(readFileSync(join(dataDir, 'other', 'temporal.log'), 'utf8')).toContain('/nothing/here');
});

async function start(log: (line: string) => void = () => undefined): Promise<EmbeddedTemporal> {
  const searchAttributes = Object.values(SEARCH_ATTRIBUTES);
  const temporal = await startTemporal({ executable, dataDir, log, searchAttributes });
  started.push(temporal);
  return temporal;
}

async function withClient(
  temporal: EmbeddedTemporal,
  use: (client: Client) => Promise<unknown>,
): Promise<void> {
  const connection = await Connection.connect({ address: temporal.address });
  try {
    await use(new Client({ connection, namespace: temporal.namespace }));
  } finally {
    await connection.close();
  }
}
