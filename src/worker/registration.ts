import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import type { Database } from '../store/database';
import type { Log } from '../telemetry/logger';
import { ensurePassSchedules } from './pass-schedules';
import { ensureSchedules, hasSchedules } from './schedules';
import { ensureSearchAttributes } from './search-attributes';

export interface RegistrationDependencies {
  connection: NativeConnection;
  namespace: string;
  log: Log;
  database: Database;
  /** Between two looks, in milliseconds; lowered by tests. */
  everyMs?: number;
}

/** One small call a minute and worker: a Temporal that came back empty sweeps within that time. */
const EVERY_MS = 60_000;

/**
 * What Temporal has to know of this installation: search attributes and Schedules. Registered when a
 * worker starts, and again whenever Temporal has forgotten them, which is found by looking.
 */
export class Registration {
  private readonly stopping = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  private constructor(
    private readonly client: Client,
    private readonly deps: RegistrationDependencies,
  ) {}

  /** Before the workers: a capture names attributes that have to be there. */
  static async start(deps: RegistrationDependencies): Promise<Registration> {
    const { connection, namespace } = deps;
    const registration = new Registration(new Client({ connection, namespace }), deps);
    await registration.register(false);
    registration.looking = registration.look();
    return registration;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looking;
  }

  private async register(anew: boolean): Promise<void> {
    await ensureSearchAttributes(this.deps.connection, this.deps.namespace);
    await ensureSchedules(this.client.schedule);
    await this.setPasses(anew);
  }

  private async setPasses(anew: boolean): Promise<void> {
    const { schedule } = this.client;
    const { failed } = await ensurePassSchedules(schedule, this.deps.database, anew);
    if (failed > 0) {
      this.deps.log.warn({ workspaces: failed }, 'Temporal refuses the hours of these policies');
    }
  }

  private async look(): Promise<void> {
    const { everyMs = EVERY_MS, log } = this.deps;
    const { signal } = this.stopping;
    for (;;) {
      await sleep(everyMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        if (await hasSchedules(this.client.schedule)) {
          await this.setPasses(false);
          continue;
        }
        log.warn('Temporal knows no Schedules of ours: its data was lost; registering anew');
        await this.register(true);
      } catch (error) {
        const err = error instanceof Error ? error.name : 'unknown';
        log.warn({ err }, 'the Schedules could not be looked after; trying again');
      }
    }
  }
}
