/** Something that runs and can be killed: a process, or a server with its processes. */
export interface Part {
  readonly name: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it on what it left behind. */
  start(): Promise<void>;
}

/** Everything that a Cairn consists of, part by part. */
export interface Stack {
  readonly parts: readonly Part[];
  /** What a part said or did that nobody asked for: it ended by itself. */
  readonly surprises: string[];
  urls(): readonly string[];
  readonly key: string;
  databaseUrl(): string;
  temporal(): { address: string; namespace: string };
  start(): Promise<void>;
  /** SIGKILL to every part at once. */
  killAll(): Promise<void>;
  /** SIGTERM to all; the exit codes of Cairn's own processes by name. */
  stop(): Promise<Record<string, number | string>>;
}

/** Where the servers come from. */
export interface StackPrograms {
  temporalCli: string;
  /** Of `initdb` and `postgres`; the embedded stack has no need of it. */
  postgresBinDir: string;
}

export const STACK_KEY = ['cairn', 'owner', 'key', 'of', 'the', 'fault', 'lanes'].join('-');
