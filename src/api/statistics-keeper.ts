import type { Database } from '../store/database';
import { analyzeGrown } from '../store/statistics';
import type { Log } from '../telemetry/logger';

/** One read of Postgres's counters; tables double in a few rounds at most. */
const INTERVAL_MS = 5_000;

/** The loop in every server that keeps plans fit for how large the tables are. */
export class StatisticsKeeper {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly log: Log,
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
    } catch (error) {
      const kind = error instanceof Error ? error.name : 'unknown';
      this.log.debug({ err: kind }, 'statistics were not brought up to date; trying again');
    }
  }
}
