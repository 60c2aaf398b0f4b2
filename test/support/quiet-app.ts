import { type App, buildApp } from '../../src/api/app';
import { Intake } from '../../src/intake/intake';
import { Pseudonyms } from '../../src/intake/pseudonyms';
import type { Database } from '../../src/store/database';
import { createLogger } from '../../src/telemetry/logger';
import { unheardDecider, unheardFollower } from './unheard-decider';

/** The real app on a database, without an embedder; nothing is sent to Temporal, and nothing is logged. */
export async function buildQuietApp(
  database: Database,
  secretKey: string,
  clock: () => Date,
): Promise<App> {
  return await buildApp({
    database,
    clock,
    log: createLogger('silent'),
    secretKey,
    intake: new Intake({ database, clock, secretKey }),
    pseudonyms: new Pseudonyms(secretKey),
    embedder: () => null,
    decider: unheardDecider,
    follower: unheardFollower,
    pokeOutbox: () => undefined,
    readiness: async () => ({ postgres: null, temporal: null, workers: null }),
  });
}
