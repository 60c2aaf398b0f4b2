/**
 * Which process a pid meant when it was written down.
 *
 * A pid alone is not an identity: after a crash or a reboot the number may belong to any program,
 * and killing that one would be unforgivable. Pid and start time together are one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the operating system's own words; only ever compared for equality. */
  readonly started: string;
}

/** @returns the identity of the process that has this pid now, or undefined if there is none */
export function identify(pid: number): ProcessIdentity | undefined {
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Whether this very process, and not another with its number, is running. */
export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.started === identity.started;
}

/**
 * Ends a process: SIGTERM, and SIGKILL when it is still there after the grace time.
 *
 * @param graceMs how long it may take over an orderly end
 * @returns whether it ended by itself
 */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  send(identity, 'SIGTERM');
  if (await gone(identity, graceMs)) return true;
  send(identity, 'SIGKILL');
  await gone(identity, 5_000);
  return false;
}

/** Writes down a process of ours, so that the next start can end what a crash left behind. */
export async function rememberProcess(file: string, pid: number): Promise<void> {
  const identity = identify(pid);
  if (identity !== undefined) await writeFile(file, JSON.stringify(identity), { mode: 0o600 });
}

/**
 * Ends the process a former start wrote down, if it still runs, and forgets it.
 *
 * @returns its pid when one was ended
 */
export async function endLeftover(file: string, graceMs: number): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const identity = parseIdentity(text);
  const running = identity !== undefined && isRunning(identity);
  if (running) await endProcess(identity, graceMs);
  await rm(file, { force: true });
  return running ? identity.pid : undefined;
}

/** @returns undefined where the text is not an identity: a half-written file is as good as none */
export function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<ProcessIdentity>;
    // 0 and negative numbers mean process groups to kill(2).
    if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 1) return undefined;
    return typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

async function gone(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Ticks since boot (field 22) and the boot they count from; a zombie has ended already. */
function startedOnLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name, which may hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

function startedByPs(pid: number): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}
