import type { CaptureHandle } from '../../client/capture-handle';
import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import { pause } from '../../client/waiting';
import type { CaptureResult } from '../../contracts/messages';
import type { ImportCounts } from './counts';

/** Looks at once: enough to keep up with the cards, and little beside them. */
const LOOKERS = 3;
const FIRST_PAUSE_MS = 50;
const LAST_PAUSE_MS = 1_000;
/** Nothing came to rest for so long: Temporal is away, and the cards will be made without us. */
const PATIENCE_MS = 120_000;

/**
 * Waits until events have come to rest, in the order in which they were taken, which is about the
 * order in which they are carded: each is asked about little more than once.
 */
export class Settling {
  private readonly waiting: string[] = [];
  private closed = false;
  private abandoned = false;
  private lastProgress = Date.now();

  constructor(
    private readonly client: Pick<CairnClient, 'operations'>,
    private readonly counts: ImportCounts,
  ) {}

  add(handle: CaptureHandle): void {
    if (handle.disposition === 'pending') {
      this.counts.awaited += 1;
      this.waiting.push(handle.operationId);
    } else if (handle.status === 'accepted') {
      this.counts.awaited += 1;
      this.counts.settle({ disposition: handle.disposition, kind: null, sign: null });
    }
  }

  /** No more will be added. */
  close(): void {
    this.closed = true;
    this.lastProgress = Date.now();
  }

  /** Nobody will read the counts: ends with the looks that are under way. */
  abandon(): void {
    this.waiting.length = 0;
    this.abandoned = true;
    this.close();
  }

  /** @returns how many are still not at rest: 0, unless nothing moved for two minutes */
  async run(): Promise<number> {
    await Promise.all(Array.from({ length: LOOKERS }, () => this.look()));
    return this.counts.awaited - this.counts.settled;
  }

  private async look(): Promise<void> {
    let wait = FIRST_PAUSE_MS;
    while (!this.closed || this.waiting.length > 0) {
      const id = this.waiting.shift();
      const result = id === undefined ? null : await this.resultOf(id);
      if (result !== null) {
        this.counts.settle(result);
        this.lastProgress = Date.now();
        wait = FIRST_PAUSE_MS;
        continue;
      }
      if (this.abandoned) return;
      if (id !== undefined) this.waiting.unshift(id);
      if (this.closed && Date.now() - this.lastProgress > PATIENCE_MS) return;
      await pause(wait);
      wait = Math.min(LAST_PAUSE_MS, wait * 2);
    }
  }

  /** @returns null while it is not decided, or cannot be asked */
  private async resultOf(id: string): Promise<Pick<CaptureResult, 'disposition' | 'kind' | 'sign'> | null> {
    try {
      const { state, result } = await this.client.operations.get(id);
      if (state === 'pending' || state === 'running') return null;
      const settled = (result ?? {}) as Partial<CaptureResult>;
      return {
        disposition: settled.disposition ?? 'failed',
        kind: settled.kind ?? null,
        sign: settled.sign ?? null,
      };
    } catch (error) {
      const mayComeBack = error instanceof CairnError && (error.status === 0 || error.status >= 429);
      if (!mayComeBack) throw error;
      return null;
    }
  }
}
