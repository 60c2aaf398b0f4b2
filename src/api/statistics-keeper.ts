import type { Clock } from '../contracts/clock';
import type { Database } from '../store/database';
import { rollUpAll } from '../store/rollup';
import { analyzeGrown } from '../store/statistics';
import { indexVectors } from '../store/vector-index';
import type { Log } from '../telemetry/logger';

/** One read of Postgres's counters; tables double in a few rounds at most. */
const INTERVAL_MS = 5_000;

/** The loop in every server that keeps plans, counts and indexes fit for how large the tables are. */
export class StatisticsKeeper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  /** Of one that may take minutes; nothing waits for it, not even the end. */
  private isIndexing = false;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
    private readonly clock: Clock,
  ) {}

  start(): void {
    // The embedded database looks after itself, between the statements of others.
    if (this.database.isOneSession) return;
    this.timer = setInterval(() => {
      this.running = this.running.then(() => this.round());
    }, INTERVAL_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async round(): Promise<void> {
    try {
      await analyzeGrown(this.database);
      await rollUpAll(this.database, this.clock());
      void this.index();
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      this.log.debug({ err: kind }, 'statistics were not brought up to date; trying again');
    }
  }

  private async index(): Promise<void> {
    if (this.isIndexing) return;
    this.isIndexing = true;
    try {
      for (const name of await indexVectors(this.database))
        this.log.info({ index: name }, 'vectors are indexed');
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      this.log.debug({ err: kind }, 'vectors were not indexed; trying again');
    } finally {
      this.isIndexing = false;
    }
  }
}
