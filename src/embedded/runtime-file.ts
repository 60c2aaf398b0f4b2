import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running Cairn tells the CLI and stdio MCP of the same user (`.cairn/runtime.json`). */
export interface RuntimeFile {
  readonly pid: number;
  /** The API's base URL. */
  readonly url: string;
  /** `host:port` of Temporal's frontend. */
  readonly temporal_address: string;
  readonly temporal_namespace: string;
  /** URL of Temporal's own UI; null where it is not ours to know. */
  readonly temporal_ui: string | null;
  readonly database_url: string;
}

/** Writes the file whole (0600): a reader never sees half of it. */
export async function writeRuntimeFile(dataDir: string, runtime: RuntimeFile): Promise<void> {
  const draft = join(dataDir, `runtime.${randomUUID()}`);
  await writeFile(draft, `${JSON.stringify(runtime, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, pathOf(dataDir));
}

/** @returns undefined where nothing runs, or a crash left something unreadable */
export async function readRuntimeFile(dataDir: string): Promise<RuntimeFile | undefined> {
  try {
    const runtime = JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as Partial<RuntimeFile>;
    const whole = typeof runtime.pid === 'number' && typeof runtime.url === 'string';
    return whole ? (runtime as RuntimeFile) : undefined;
  } catch {
    return undefined;
  }
}

export async function removeRuntimeFile(dataDir: string): Promise<void> {
  await rm(pathOf(dataDir), { force: true });
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'runtime.json');
}
