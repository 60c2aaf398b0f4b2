import type { CaptureHandle } from '../../client/capture-handle';
import type { CairnClient } from '../../client/client';
import { CairnError } from '../../client/error';
import { pause } from '../../client/waiting';
import type { CaptureResult } from '../../contracts/messages';
import type { ImportCounts } from './counts';

/** Between two looks at how many are waiting: one cheap question. */
const LOOK_MS = 1_000;
const FIRST_LOOK_MS = 100;
/** Operations that are asked at once. */
const ASKED_AT_ONCE = 4;
/** So few are asked about by themselves, whatever else is waiting. */
const FEW = 10;
/** Where others keep the workspace busy, ours are asked about now and then all the same. */
const SWEEP_MS = 30_000;
/** Nothing moved for so long: Temporal is away, and the cards will be made without us. */
const PATIENCE_MS = 120_000;

type Settled = Pick<CaptureResult, 'disposition' | 'kind' | 'sign'>;

/**
 * Waits until events have come to rest. They do so in any order, so the workspace is asked how many it
 * has pending, and each operation only when it has probably ended: about once an event, and not while
 * the cards are being made.
 */
export class Settling {
  private unresolved: string[] = [];
  private ending: 'no' | 'closed' | 'abandoned' = 'no';
  private movedAt = 0;
  private sweptAt = 0;
  private fewestPending = Number.POSITIVE_INFINITY;

  constructor(
    private readonly client: Pick<CairnClient, 'operations' | 'events'>,
    private readonly counts: ImportCounts,
  ) {}

  add(handle: CaptureHandle): void {
    if (handle.disposition === 'pending') {
      this.counts.awaited += 1;
      this.unresolved.push(handle.operationId);
    } else if (handle.status === 'accepted') {
      this.counts.awaited += 1;
      this.counts.settle({ disposition: handle.disposition, kind: null, sign: null });
    }
  }

  /** No more will be added. */
  close(): void {
    this.ending = 'closed';
    this.moved();
  }

  /** Nobody will read the counts: ends with the look that is under way. */
  abandon(): void {
    this.ending = 'abandoned';
  }

  /** @returns how many are still not at rest: 0, unless nothing moved for two minutes */
  async run(): Promise<number> {
    let wait = FIRST_LOOK_MS;
    while (this.ending !== 'abandoned') {
      if (this.unresolved.length > 0) await this.look();
      if (this.ending === 'closed' && this.unresolved.length === 0) break;
      if (this.ending === 'closed' && Date.now() - this.movedAt > PATIENCE_MS) break;
      await pause(wait);
      wait = Math.min(LOOK_MS, wait * 2);
    }
    return this.unresolved.length;
  }

  private moved(): void {
    this.movedAt = Date.now();
  }

  private async look(): Promise<void> {
    const pending = await this.pending();
    if (pending === null) return;
    if (pending < this.fewestPending) this.moved();
    this.fewestPending = Math.min(this.fewestPending, pending);
    const { length } = this.unresolved;
    // All that is pending may be ours: at least so many of ours are not.
    const ended = Math.max(0, length - pending);
    this.counts.guess(ended);
    const isDue = Date.now() - this.sweptAt > SWEEP_MS && this.ending === 'closed';
    if (length <= FEW || ended * 2 >= length || isDue) await this.sweep();
  }

  /** Asks every operation that has not ended, once. */
  private async sweep(): Promise<void> {
    const asked = this.unresolved;
    this.unresolved = [];
    const still: string[] = [];
    const ask = async (): Promise<void> => {
      for (let id = asked.shift(); id !== undefined; id = asked.shift()) {
        const settled = this.ending === 'abandoned' ? null : await this.resultOf(id);
        if (settled === null) {
          still.push(id);
          continue;
        }
        this.counts.settle(settled);
        this.moved();
      }
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
    this.unresolved = [...still, ...this.unresolved];
    this.sweptAt = Date.now();
  }

  /** Of the whole workspace. @returns null where it cannot be asked now */
  private async pending(): Promise<number | null> {
    return await whereItAnswers(async () => {
      const { total } = await this.client.events.list({ disposition: 'pending', limit: 1 });
      return total;
    });
  }

  /** @returns null while it is not decided, or cannot be asked */
  private async resultOf(id: string): Promise<Settled | null> {
    return await whereItAnswers(async () => {
      const { state, result } = await this.client.operations.get(id);
      if (state === 'pending' || state === 'running') return null;
      const settled = (result ?? {}) as Partial<CaptureResult>;
      return {
        disposition: settled.disposition ?? 'failed',
        kind: settled.kind ?? null,
        sign: settled.sign ?? null,
      };
    });
  }
}

/** @returns null where the server is away; @throws where asking again gives the same */
async function whereItAnswers<T>(call: () => Promise<T | null>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    const mayComeBack = error instanceof CairnError && (error.status === 0 || error.status >= 429);
    if (!mayComeBack) throw error;
    return null;
  }
}
