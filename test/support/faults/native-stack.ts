import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SEARCH_ATTRIBUTES } from '../../../src/contracts/search-attributes';
import { freePort, freePorts } from '../../../src/embedded/free-port';
import { type EmbeddedTemporal, startTemporal } from '../../../src/embedded/temporal-process';
import { withDatabase } from '../admin';
import { startPostgres, type TestPostgres } from '../postgres';
import { CairnProcess } from './cairn-process';
import { type Part, STACK_KEY, type Stack, type StackPrograms } from './stack';

const SECRET_KEY = 'a secret key of the fault lanes, of at least 32 characters';
/** A Postgres that was killed holds its memory until its last backend has noticed. */
const START_TRIES = 40;

export interface NativeStackOptions extends StackPrograms {
  /** Everything of this stack lies here. */
  dir: string;
  /** What the processes get besides: a model, or the stand-in for the embedder. */
  environment?: Record<string, string>;
  workers?: number;
}

/** Native Postgres, a Temporal server on a file, one `cairn server` and two `cairn worker`, each apart. */
export class NativeStack implements Stack {
  readonly key = STACK_KEY;
  readonly surprises: string[] = [];
  readonly postgres: Part;
  readonly temporalServer: Part;
  readonly server: CairnProcess;
  readonly workers: CairnProcess[];
  /** Of the servers that clients know; the first is asked first. */
  readonly serverPorts: number[];
  private readonly processes: CairnProcess[] = [];
  private runningPostgres: TestPostgres | null = null;
  private runningTemporal: EmbeddedTemporal | null = null;

  private constructor(
    private readonly options: NativeStackOptions,
    private readonly ports: { postgres: number; temporal: number; ui: number },
    serverPort: number,
  ) {
    this.serverPorts = [serverPort];
    this.postgres = {
      name: 'postgres',
      kill: () => this.killPostgres(),
      start: () => this.startPostgres(),
    };
    this.temporalServer = {
      name: 'temporal',
      kill: () => this.killTemporal(),
      start: () => this.startTemporal(),
    };
    this.server = this.process('server', 'server', serverPort);
    const count = options.workers ?? 2;
    this.workers = Array.from({ length: count }, (_, at) => this.process(`worker-${at}`, 'worker'));
  }

  static async create(options: NativeStackOptions): Promise<NativeStack> {
    mkdirSync(options.dir, { recursive: true });
    // Postgres may run as another account and has to pass through.
    chmodSync(options.dir, 0o755);
    const [postgres = 0, temporal = 0, ui = 0, api = 0] = await freePorts(4);
    return new NativeStack(options, { postgres, temporal, ui }, api);
  }

  get parts(): Part[] {
    return [this.postgres, this.temporalServer, this.server, ...this.workers];
  }

  urls(): readonly string[] {
    return this.serverPorts.map((port) => `http://127.0.0.1:${port}`);
  }

  databaseUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.ports.postgres}/cairn`;
  }

  temporal(): { address: string; namespace: string } {
    return { address: `127.0.0.1:${this.ports.temporal}`, namespace: 'default' };
  }

  async start(): Promise<void> {
    await Promise.all([this.startPostgres(), this.startTemporal()]);
    await withDatabase(this.databaseUrl().replace(/cairn$/, 'postgres'), 'CREATE DATABASE cairn');
    await this.server.start();
    await this.until(() => this.answers('/healthz'));
    for (const worker of this.workers) await worker.start();
    await this.until(() => this.answers('/readyz'));
  }

  async stop(): Promise<Record<string, number | string>> {
    const exits = await Promise.all(
      this.processes.map(async (one) => [one.name, await one.drain()]),
    );
    await this.runningTemporal?.stop();
    await this.runningPostgres?.stop();
    return Object.fromEntries(exits);
  }

  async killAll(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.kill()));
  }

  /** A further server of this installation, on a port of its own; not started yet. */
  async anotherServer(): Promise<{ process: CairnProcess; port: number }> {
    const port = await freePort();
    return { process: this.process('another-server', 'server', port), port };
  }

  private process(name: string, command: 'server' | 'worker', port = 0): CairnProcess {
    const { dir, environment } = this.options;
    const one = new CairnProcess({
      name,
      command,
      dataDir: join(dir, 'data'),
      logFile: join(dir, `${name}.log`),
      surprise: (line) => this.surprises.push(line),
      environment: {
        ...environment,
        DATABASE_URL: this.databaseUrl(),
        TEMPORAL_ADDRESS: this.temporal().address,
        CAIRN_SECRET_KEY: SECRET_KEY,
        CAIRN_BOOTSTRAP_KEY: STACK_KEY,
        CAIRN_PORT: String(port),
      },
    });
    this.processes.push(one);
    return one;
  }

  async answers(path: string, url = this.urls()[0]): Promise<boolean> {
    return await fetch(`${url}${path}`).then(
      (answer) => answer.ok,
      () => false,
    );
  }

  async until(check: () => Promise<boolean>, deadlineMs = 90_000): Promise<void> {
    const deadline = Date.now() + deadlineMs;
    while (!(await check())) {
      if (Date.now() > deadline) {
        const said = this.processes.map((one) => `${one.name}: ${one.output()}`);
        throw new Error(`not in time:\n${said.join('\n').slice(-4_000)}`);
      }
      await sleep(100);
    }
  }

  private async startPostgres(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.runningPostgres = await startPostgres({
          binDir: this.options.postgresBinDir,
          dir: join(this.options.dir, 'postgres'),
          port: this.ports.postgres,
          durable: true,
        });
        return;
      } catch (error) {
        if (attempt === START_TRIES) throw error;
        await sleep(250);
      }
    }
  }

  private async killPostgres(): Promise<void> {
    if (this.runningPostgres === null) return;
    process.kill(this.runningPostgres.pid, 'SIGKILL');
    await this.runningPostgres.stop();
    this.runningPostgres = null;
  }

  private async startTemporal(): Promise<void> {
    this.runningTemporal = await startTemporal({
      executable: this.options.temporalCli,
      dataDir: join(this.options.dir, 'temporal'),
      port: this.ports.temporal,
      uiPort: this.ports.ui,
      log: () => undefined,
      searchAttributes: Object.values(SEARCH_ATTRIBUTES),
    });
  }

  private async killTemporal(): Promise<void> {
    if (this.runningTemporal === null) return;
    process.kill(this.runningTemporal.pid, 'SIGKILL');
    await this.runningTemporal.exited;
    this.runningTemporal = null;
  }
}
