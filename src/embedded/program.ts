/** Programs and files of this machine: where they are, what they are, what they say. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Runs a program and answers its standard output; a failure's last line of stderr is the message. */
export function output(
  program: string,
  args: readonly string[],
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((fulfil, reject) => {
    // Not spawn's own `timeout`: its timer outlives a program that could not be started.
    const deadline = AbortSignal.timeout(deadlineMs);
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
    let out = '';
    let err = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code, killed) => {
      if (code === 0) fulfil(out);
      else reject(new Error(err.trim().split('\n').at(-1) || `ended with ${killed ?? code}`));
    });
  });
}

/** Every program of that name on the path, in its order. */
export async function onPath(name: string, searchPath: string | undefined): Promise<string[]> {
  const found: string[] = [];
  for (const dir of (searchPath ?? '').split(delimiter)) {
    if (dir !== '' && (await isExecutable(join(dir, name)))) found.push(resolve(dir, name));
  }
  return found;
}

export async function isExecutable(path: string): Promise<boolean> {
  const file = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  return (
    file &&
    access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
  );
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

export async function sha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}
