/**
 * Temporal for one machine: the dev server of Temporal's own CLI, on a file.
 *
 * Measured with CLI 1.9.1 (server 1.32.0) on two cores; the settings are from there:
 *
 * - `history.transferProcessorMaxPollRPS` is 20 by default, which puts 50 ms on every workflow task;
 *   1000 takes an empty workflow from 51 to 18 ms.
 * - SQLite on a file with its default pragmas manages 21 workflows a second; with WAL and without
 *   fsync 62. A kill loses nothing then; a power cut may lose the last writes, and what Postgres
 *   has of them in its outbox is sent again.
 *
 * - A queue has four partitions by default, and what lies in one that no poller is at is handed over at
 *   ten a second. One partition ends a backlog of 1,000 captures in 18 s, where four took 23, half idle.
 *
 * The server is a stranger's program and would outlive us. So it runs under a shell that holds one
 * end of a pipe: when our process goes, in whatever way, the pipe ends and the shell ends the
 * server. Where the shell went too, the next start finds the server in `temporal.pid` and ends it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { SearchAttributeType } from '@temporalio/common';
import { checkFree, freePorts } from './free-port';
import type { EmbeddedProcess } from './pglite-process';
import { endLeftover, endProcess, identify, rememberProcess } from './process-identity';
import { scrubTemporal } from './temporal-scrub';

/** What `--search-attribute` calls the types that Temporal's API writes in capitals. */
const TYPE_NAMES = {
  TEXT: 'Text',
  KEYWORD: 'Keyword',
  INT: 'Int',
  DOUBLE: 'Double',
  BOOL: 'Bool',
  DATETIME: 'Datetime',
  KEYWORD_LIST: 'KeywordList',
} as const satisfies Record<SearchAttributeType, string>;

export interface TemporalOptions {
  /** The CLI, as `locateTemporalCli` found it. */
  readonly executable: string;
  /** The directory that will hold `temporal.db`, `temporal.log` and `temporal.pid`. */
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** `default` by default; made if it is not there. */
  readonly namespace?: string;
  /** Registered before the server answers; one that is there already is fine. */
  readonly searchAttributes?: readonly {
    readonly name: string;
    readonly type: SearchAttributeType;
  }[];
  /** The server's own log level; `warn` by default. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'never';
  /** Free ones by default. */
  readonly port?: number;
  readonly uiPort?: number;
}

export interface EmbeddedTemporal extends EmbeddedProcess {
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string;
}

/** How long a closed workflow stays readable: 90 days, as long as a config fix is watched. */
const RETENTION_SECONDS = 90 * 24 * 60 * 60;
/** A first start takes 0.5 s, one on a grown file a few seconds. */
const START_DEADLINE_MS = 60_000;
/** The server's own drain takes about a second. */
const STOP_DEADLINE_MS = 10_000;
/** Tasks that are done are deleted so often; half a minute by default, in which they name what an erasure deleted. */
const DONE_TASKS_GO = ['transfer', 'visibility', 'timer'].map(
  (queue) => `history.${queue}ProcessorUpdateAckInterval="1s"`,
);
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** Another program may take a free port before the server binds it. */
const PORT_TRIES = 3;

const GUARD = `
  log=$1; shift
  exec 3<&0
  "$@" </dev/null >>"$log" 2>&1 3<&- &
  server=$!
  echo "$server"
  exec >&-
  ( while read -r _; do :; done <&3
    kill -TERM "$server" 2>/dev/null; sleep ${STOP_DEADLINE_MS / 1_000}
    kill -KILL "$server" 2>/dev/null ) &
  watch=$!
  wait "$server"; status=$?
  kill "$watch" 2>/dev/null
  exit "$status"`;

/**
 * Starts the dev server and waits until its frontend answers for the namespace.
 *
 * @throws when it does not answer within a minute or ends before; the message holds the end of its log
 */
export async function startTemporal(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { dataDir, log } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const ended = await endLeftover(join(dataDir, 'temporal.pid'), STOP_DEADLINE_MS);
  if (ended !== undefined) log(`ended process ${ended}, a Temporal left by a start that died`);
  scrubTemporal(dataDir);
  const chosen = options.port !== undefined && options.uiPort !== undefined;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(options);
    } catch (error) {
      const taken = /address already in use|can't set port/i.test(String(error));
      if (chosen || !taken || attempt === PORT_TRIES) throw error;
      log('a port was taken in the meantime, starting Temporal on another');
    }
  }
}

async function startOnce(options: TemporalOptions): Promise<EmbeddedTemporal> {
  const { dataDir } = options;
  const namespace = options.namespace ?? 'default';
  const [free, freeUi] = await freePorts(2);
  const port = options.port ?? (free as number);
  const uiPort = options.uiPort ?? (freeUi as number);
  // Whoever has the port might be another Temporal, which would answer for ours.
  for (const wanted of [port, uiPort]) await checkFree(wanted);
  const logFile = join(dataDir, 'temporal.log');
  const pidFile = join(dataDir, 'temporal.pid');
  await rotate(logFile);
  const offset = await sizeOf(logFile);

  const guard = spawn(
    '/bin/sh',
    ['-c', GUARD, 'cairn-temporal', logFile, options.executable, ...serverArguments()],
    // Detached: Ctrl-C in a terminal is for our process alone, which drains before it ends this.
    // No environment: the CLI would take settings and keys of another Temporal from ours.
    { detached: true, env: { PATH: '/usr/bin:/bin' }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const exited = exitOf(guard);
  const pid = await serverPid(guard, exited);
  await rememberProcess(pidFile, pid);
  const address = `127.0.0.1:${port}`;
  const end = async (): Promise<void> => {
    const server = identify(pid);
    if (server !== undefined) await endProcess(server, STOP_DEADLINE_MS);
    await exited;
    scrubTemporal(dataDir);
    await rm(pidFile, { force: true });
  };
  try {
    await answers(address, namespace, exited);
    if (identify(pid) === undefined) throw new Error('another server answered at its address');
  } catch (error) {
    await end();
    const words = (await readFile(logFile, 'utf8').catch(() => '')).slice(offset).slice(-2_000);
    throw new Error(`the embedded Temporal did not start: ${(error as Error).message}\n${words}`);
  }

  let stopping: Promise<void> | undefined;
  return {
    address,
    namespace,
    uiUrl: `http://127.0.0.1:${uiPort}`,
    pid,
    exited: exited.then((reason) => (stopping === undefined ? reason : undefined)),
    stop: () => {
      stopping ??= end();
      return stopping;
    },
  };

  function serverArguments(): string[] {
    const attributes = options.searchAttributes ?? [];
    return [
      ...['server', 'start-dev', '--ip', '127.0.0.1'],
      ...['--port', `${port}`, '--ui-port', `${uiPort}`],
      ...['--db-filename', join(dataDir, 'temporal.db'), '--namespace', namespace],
      ...['--dynamic-config-value', 'history.transferProcessorMaxPollRPS=1000'],
      ...DONE_TASKS_GO.flatMap((setting) => ['--dynamic-config-value', setting]),
      ...['--dynamic-config-value', 'matching.numTaskqueueReadPartitions=1'],
      ...['--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1'],
      ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=OFF'],
      ...attributes.flatMap(({ name, type }) => [
        '--search-attribute',
        `${name}=${TYPE_NAMES[type]}`,
      ]),
      ...['--log-level', options.logLevel ?? 'warn'],
    ];
  }
}

/** Waits for the namespace and gives it our retention. */
async function answers(address: string, namespace: string, exited: Promise<string>): Promise<void> {
  let reason: string | undefined;
  void exited.then((words) => {
    reason = words;
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  // A gRPC channel that was refused once waits a second before it tries again; a socket does not.
  while (reason === undefined && Date.now() < deadline && !(await listens(address))) {
    await sleep(25);
  }
  const connection = Connection.lazy({ address });
  try {
    for (;;) {
      try {
        await connection.withDeadline(Date.now() + 5_000, async () => {
          const { workflowService } = connection;
          const found = await workflowService.describeNamespace({ namespace });
          const retention = Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
          if (retention === RETENTION_SECONDS) return;
          await workflowService.updateNamespace({
            namespace,
            config: { workflowExecutionRetentionTtl: { seconds: RETENTION_SECONDS as never } },
          });
        });
        return;
      } catch (error) {
        if (reason !== undefined) throw new Error(`it ended: ${reason}`);
        if (Date.now() > deadline) throw error;
        await sleep(50);
      }
    }
  } finally {
    await connection.close();
  }
}

function listens(address: string): Promise<boolean> {
  const [host, port] = address.split(':');
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    const end = (open: boolean) => () => {
      socket.destroy();
      resolve(open);
    };
    socket.once('connect', end(true)).once('error', end(false));
  });
}

function serverPid(guard: ChildProcess, exited: Promise<string>): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    guard.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) resolve(Number.parseInt(text, 10));
    });
    void exited.then((reason) => reject(new Error(`Temporal could not be started: ${reason}`)));
  });
}

function exitOf(child: ChildProcess): Promise<string> {
  // The pipe only ever ends; a write error on it says nothing that the exit does not.
  child.stdin?.on('error', () => {});
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(`${signal ?? `status ${code}`}`));
  });
}

async function rotate(logFile: string): Promise<void> {
  if ((await sizeOf(logFile)) > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
}

function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    (found) => found.size,
    () => 0,
  );
}
