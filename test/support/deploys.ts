import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { createHashedEmbedder } from '../../src/models/hashed-embedder';
import type { Database } from '../../src/store/database';
import { createLogger } from '../../src/telemetry/logger';
import { Workers } from '../../src/worker/workers';
import { LANE_SECRET } from './capture-lane';

/** The workers of one process after another, each of a bundle of its own: what a deploy is to a workflow that waits. */
export class Deploys {
  private running: Workers | null = null;

  constructor(
    private readonly lane: {
      env: Pick<TestWorkflowEnvironment, 'nativeConnection' | 'namespace'>;
      database: Database;
    },
  ) {}

  /** The workers of a process that replaces the one before. */
  async deploy(workflowBundle: string): Promise<void> {
    await this.stop();
    const { env, database } = this.lane;
    this.running = await Workers.start({
      connection: env.nativeConnection,
      namespace: env.namespace ?? 'default',
      workflowBundle,
      database,
      clock: () => new Date(),
      log: createLogger('silent'),
      embedder: createHashedEmbedder(),
      distiller: null,
      drafter: null,
      secretKey: LANE_SECRET,
      connections: 8,
    });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = null;
  }
}
