import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fetchOptions } from './programs';

const VERSION = '2.3.0';
const INSTALL_DEADLINE_MS = 180_000;

/** The official Python client in the cache, fetched once by pip; null where that cannot be done. */
function installed(): string | null {
  const { cacheDir, offline } = fetchOptions();
  const home = join(cacheDir, `test-python-mcp-${VERSION}`);
  if (existsSync(home)) return runs(home) ? home : null;
  if (offline) return null;
  mkdirSync(cacheDir, { recursive: true });
  const into = mkdtempSync(join(cacheDir, 'test-python-mcp-'));
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    const pip = ['-m', 'pip', 'install', ...quiet, '--target', into, `mcp==${VERSION}`];
    execFileSync('python3', pip, { stdio: 'ignore', timeout: INSTALL_DEADLINE_MS });
    if (!existsSync(home)) renameSync(into, home);
    return runs(home) ? home : null;
  } catch {
    return null;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

function runs(home: string): boolean {
  try {
    execFileSync('python3', ['-c', 'import mcp.client, httpx2'], {
      env: environment(home),
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const environment = (home: string) => ({ ...process.env, PYTHONPATH: home });

/** The suite gets the folder of the client; it is skipped, and named at the end, where there is none. */
export function describeWithPythonMcp(name: string, suite: (home: string) => void): void {
  const home = installed();
  if (home !== null) describe(name, () => suite(home));
  else
    describe.skip(`${name} [needs python3 and pip to fetch mcp ${VERSION} once]`, () => suite(''));
}

export type Where =
  | { url: string; headers: Record<string, string> }
  | { command: string; args: string[]; env: Record<string, string> };

/** An open session of it: it stays, whatever changes behind it. */
export class PythonMcp {
  private readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private heard = '';

  constructor(home: string, where: Where) {
    this.child = spawn('python3', [join(__dirname, 'mcp-client.py')], {
      env: environment(home),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.heard += chunk.toString();
    });
    if (this.child.stdout === null) throw new Error('it has no stdout');
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.say(where);
  }

  /** @throws what the client raised, with the protocol's code where it has one */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  async do(what: string, more: object = {}): Promise<any> {
    this.say({ do: what, ...more });
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error(`the client ended: ${this.heard.slice(-2_000)}`);
    const answer = JSON.parse(value) as { ok: unknown } | { error: string; code: number | null };
    if ('ok' in answer) return answer.ok;
    throw Object.assign(new Error(answer.error), { code: answer.code });
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin?.end();
    await ended;
  }

  private say(line: object): void {
    this.child.stdin?.write(`${JSON.stringify(line)}\n`);
  }
}
