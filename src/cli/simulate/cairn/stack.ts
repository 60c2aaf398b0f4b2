import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../../../client/client';
import { given } from '../../../client/given';
import type { Options } from '../../../config/options';
import { type WorldClock, worldClock } from '../clock';

export interface Stack {
  /** Of the owner of a workspace that is empty and belongs to this run. */
  owner: CairnClient;
  workspace: string;
  embedder: string;
  clock: WorldClock;
  /** Of the same address, with another key. */
  withKey(key: string): CairnClient;
  stop(): Promise<void>;
}

/** A deadline of one attempt: on a machine that does other things too, a call may take long. */
const TIMEOUT_MS = 120_000;

/**
 * Everything that Cairn is made of, in a directory of its own and by the clock of the world, which is gone when it
 * stops. Where `DATABASE_URL` names a Postgres it works there, in a workspace of its own, and leaves that behind.
 */
export async function startStack(
  options: Options,
  seed: number,
  start: number,
  note: (line: string) => void,
  workflowBundle?: string,
): Promise<Stack> {
  const { startEmbedded } =
    require('../../../embedded/main') as typeof import('../../../embedded/main');
  const dataDir = await mkdtemp(join(tmpdir(), 'cairn-simulate-'));
  const clock = worldClock(start);
  try {
    const running = await startEmbedded(
      { ...options, dataDir, host: '127.0.0.1', port: 0, portNamed: false, logLevel: 'warn' },
      note,
      { clock: clock.now, ...given({ workflowBundle }) },
    );
    const { url } = running;
    const withKey = (key: string) => new CairnClient({ url, key, timeoutMs: TIMEOUT_MS });
    const workspace = `simulated-${seed}-${randomBytes(4).toString('hex')}`;
    const made = await withKey(running.ownerKey.key).request<{ owner_key: string }>(
      'POST',
      '/v1/workspaces',
      { body: { id: workspace, name: `The simulated world of seed ${seed}` } },
    );
    return {
      owner: withKey(made.owner_key),
      workspace,
      embedder: running.embedder,
      clock,
      withKey,
      stop: async () => {
        await running.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  }
}
