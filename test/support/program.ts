import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimeFile } from '../../src/embedded/runtime-file';

const ROOT = join(__dirname, '..', '..');
const START_DEADLINE_MS = 120_000;

/** The program as a user runs it: built, started, spoken to over HTTP, stopped by a signal. */
export class Program {
  private constructor(
    readonly process: ChildProcess,
    readonly dataDir: string,
    readonly output: string[],
    readonly exited: Promise<number | NodeJS.Signals>,
  ) {}

  /** Starts `cairn start` on a data directory; resolves when it answers. @throws its last words otherwise. */
  static async start(dataDir: string, environment: Record<string, string> = {}): Promise<Program> {
    const program = Program.spawn(dataDir, environment);
    const ended = program.exited.then((code) => {
      throw new Error(`cairn ended with ${code}:\n${program.output.join('').slice(-2_000)}`);
    });
    ended.catch(() => {});
    await Promise.race([program.ready(), ended]);
    return program;
  }

  /** Starts it and does not wait: for a start that is to be refused, or another command. */
  static spawn(
    dataDir: string,
    environment: Record<string, string> = {},
    command: 'start' | 'server' | 'worker' = 'start',
  ): Program {
    build();
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'cli', 'main.js'), command], {
      env: { ...process.env, CAIRN_PORT: '', ...environment, CAIRN_DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output: string[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const exited = new Promise<number | NodeJS.Signals>((resolve) => {
      child.on('exit', (code, signal) => resolve(code ?? signal ?? 0));
    });
    return new Program(child, dataDir, output, exited);
  }

  get runtime(): RuntimeFile {
    return JSON.parse(readFileSync(join(this.dataDir, 'runtime.json'), 'utf8')) as RuntimeFile;
  }

  get ownerKey(): string {
    return readFileSync(join(this.dataDir, 'owner.key'), 'utf8').trim();
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; body: Record<string, unknown> }> {
    const answer = await fetch(`${this.runtime.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.ownerKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | NodeJS.Signals> {
    this.process.kill(signal);
    return await this.exited;
  }

  private async ready(): Promise<void> {
    const until = Date.now() + START_DEADLINE_MS;
    const runs = () => this.process.exitCode === null && this.process.signalCode === null;
    while (runs() && Date.now() < until) {
      try {
        // What a killed one left behind names a port that another Cairn may have by now.
        const { pid, url } = this.runtime;
        if (pid === this.process.pid && (await fetch(`${url}/readyz`)).ok) return;
      } catch {
        // Not there yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`cairn was not ready in time:\n${this.output.join('').slice(-2_000)}`);
  }
}

let built = false;

/** Once a test file: does nothing where `dist` is up to date. */
export function build(): void {
  if (built) return;
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the build failed:\n${stderr}`);
  built = true;
}

/** Every file under a directory, whole. */
export function filesUnder(directory: string): { path: string; bytes: Buffer }[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}
