import { createWriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Program } from '../program';
import type { Part } from './stack';

/** What each says once it is up: ending before that is a start that was refused, with its servers away. */
const UP = { server: "Cairn's API is at", worker: 'The workers are polling' } as const;
/** A supervisor gives a process that ended a moment before it starts it anew. */
const RESTART_MS = 500;

/** Of the compose file: what is not gone by then is killed. */
const GRACE_MS = 45_000;

export interface CairnProcessOptions {
  name: string;
  command: 'server' | 'worker';
  dataDir: string;
  environment: Record<string, string>;
  /** Everything it says, from all its lives. */
  logFile: string;
  /** Told what nobody asked for. */
  surprise(line: string): void;
}

/** `cairn server` or `cairn worker` under a supervisor: one that ends by itself is started again. */
export class CairnProcess implements Part {
  readonly name: string;
  private program: Program | null = null;

  constructor(private readonly options: CairnProcessOptions) {
    this.name = options.name;
  }

  async start(): Promise<void> {
    const { dataDir, environment, command, surprise } = this.options;
    const program = Program.spawn(dataDir, environment, command);
    this.program = program;
    const log = createWriteStream(this.options.logFile, { flags: 'a' });
    program.process.stdout?.pipe(log, { end: false });
    program.process.stderr?.pipe(log, { end: false });
    void program.exited.then(async (code) => {
      if (this.program !== program) return;
      if (this.isUp() || code === 0) {
        surprise(`${this.name} ended by itself with ${code}: ${tailOf(program)}`);
      }
      await sleep(RESTART_MS);
      if (this.program === program) await this.start();
    });
  }

  async kill(): Promise<void> {
    const { program } = this;
    this.program = null;
    await program?.stop('SIGKILL');
  }

  /** SIGTERM. @returns the exit code; SIGKILL where its grace time was over, `none` where it does not run. */
  async drain(): Promise<number | string> {
    const { program } = this;
    this.program = null;
    if (program === null) return 'none';
    const overdue = setTimeout(() => program.process.kill('SIGKILL'), GRACE_MS);
    const exit = await program.stop('SIGTERM');
    clearTimeout(overdue);
    return exit;
  }

  isUp(): boolean {
    return this.output().includes(UP[this.options.command]);
  }

  output(): string {
    return this.program?.output.join('') ?? '';
  }
}

function tailOf(program: Program): string {
  return program.output.join('').trim().slice(-600);
}
