import type { Clock } from '../contracts/clock';
import type { MemoryQuality } from '../contracts/overview';
import { durationMs, MINUTE_MS } from '../domain/durations';
import type { Database } from '../store/database';
import { policyOf } from '../store/settings';
import { countQuality } from '../store/visible-cards-quality';

/** Of workspaces whose overview somebody looks at; more than a server has. */
const MOST_KEPT = 1_000;

/** What is older is counted anew, while whoever asks still gets it: only the first one waits. */
const ANEW_AFTER_MS = 45_000;

interface Counted {
  at: number;
  quality: Promise<MemoryQuality>;
}

/** Counts all cards of a workspace, which is much work for one look: so about once a minute, however many look. */
export class QualityMemory {
  private readonly kept = new Map<string, Counted>();
  private readonly counting = new Map<string, Counted>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** At most a minute old. */
  async of(workspace: string): Promise<MemoryQuality> {
    const now = this.clock();
    const known = this.kept.get(workspace);
    const age = known === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - known.at);
    if (known !== undefined && age < ANEW_AFTER_MS) return await known.quality;
    const { quality } = this.counting.get(workspace) ?? this.begin(workspace, now);
    if (known === undefined || age >= MINUTE_MS) return await quality;
    // Nobody waits for it; the next one who has to is told why it failed.
    quality.catch(() => undefined);
    return await known.quality;
  }

  private begin(workspace: string, now: Date): Counted {
    const counted = { at: now.getTime(), quality: this.count(workspace, now) };
    this.counting.set(workspace, counted);
    const ended = () => this.counting.delete(workspace);
    counted.quality.then(() => {
      ended();
      if (this.kept.size >= MOST_KEPT) this.kept.clear();
      this.kept.set(workspace, counted);
    }, ended);
    return counted;
  }

  private async count(workspace: string, now: Date): Promise<MemoryQuality> {
    return await this.database.inWorkspace(workspace, async (tx) => {
      const { recalibration } = await policyOf(tx);
      const touchedSince = new Date(now.getTime() - durationMs(recalibration.archive_unused));
      return await countQuality(tx, { touchedSince, now });
    });
  }
}
