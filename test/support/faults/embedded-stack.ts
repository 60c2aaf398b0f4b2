import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../program';
import { type Part, STACK_KEY, type Stack, type StackPrograms } from './stack';

/** A part that died takes the start down within a moment; its own deadlines for stopping are 20 s. */
const FALL_DEADLINE_MS = 60_000;

/** Each has its pid in a file of the data directory, but for the process itself. */
const PARTS = ['node', 'pglite', 'temporal'] as const;

export interface EmbeddedStackOptions extends Pick<StackPrograms, 'temporalCli'> {
  dir: string;
  environment?: Record<string, string>;
}

/**
 * `cairn start`: one node process with the API and the workers, PGlite and Temporal beside it. Whichever
 * dies, the start ends, and a supervisor starts it again on the same data.
 */
export class EmbeddedStack implements Stack {
  readonly key = STACK_KEY;
  readonly surprises: string[] = [];
  readonly parts: Part[];
  private program: Program | null = null;
  private starting: Promise<void> | null = null;
  private readonly dataDir: string;

  constructor(private readonly options: EmbeddedStackOptions) {
    this.dataDir = join(options.dir, 'data');
    this.parts = PARTS.map((name) => ({
      name,
      kill: () => this.kill([name]),
      start: () => this.start(),
    }));
  }

  urls(): readonly string[] {
    // Nowhere while it is down: a port that was its own may be another's by now.
    return this.program === null ? ['http://127.0.0.1:1'] : [this.program.runtime.url];
  }

  databaseUrl(): string {
    return this.running.runtime.database_url;
  }

  temporal(): { address: string; namespace: string } {
    const { temporal_address: address, temporal_namespace: namespace } = this.running.runtime;
    return { address, namespace };
  }

  /** The same start for every part that was killed: there is one process to start. */
  async start(): Promise<void> {
    if (this.program !== null) return;
    this.starting ??= this.startOnce();
    try {
      await this.starting;
    } finally {
      this.starting = null;
    }
  }

  private async startOnce(): Promise<void> {
    const program = await Program.start(this.dataDir, {
      ...this.options.environment,
      CAIRN_TEMPORAL_CLI: this.options.temporalCli,
      CAIRN_BOOTSTRAP_KEY: STACK_KEY,
    });
    this.program = program;
    void program.exited.then((code) => {
      if (this.program !== program) return;
      this.surprises.push(
        `it ended by itself with ${code}: ${program.output.join('').slice(-600)}`,
      );
    });
  }

  async stop(): Promise<Record<string, number | string>> {
    const { program } = this;
    this.program = null;
    return { start: program === null ? 'none' : await program.stop('SIGTERM') };
  }

  async killAll(): Promise<void> {
    await this.kill(PARTS);
  }

  private async kill(names: readonly string[]): Promise<void> {
    const { program } = this;
    if (program === null) return;
    this.program = null;
    const pids = names.map((name) => this.pidOf(name, program));
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    const fallen = names.join(' and ');
    const timer = setTimeout(() => {
      this.surprises.push(`it went on without ${fallen}: ${program.output.join('').slice(-600)}`);
      program.process.kill('SIGKILL');
    }, FALL_DEADLINE_MS);
    const code = await program.exited;
    clearTimeout(timer);
    if (code === 0) this.surprises.push(`it lost ${fallen} and exited 0`);
  }

  private pidOf(name: string, program: Program): number {
    if (name === 'node') return program.process.pid as number;
    const text = readFileSync(join(this.dataDir, `${name}.pid`), 'utf8');
    return (JSON.parse(text) as { pid: number }).pid;
  }

  private get running(): Program {
    if (this.program === null) throw new Error('the embedded stack is not running');
    return this.program;
  }
}
