import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A loop that looks for work: again at once while there may be more, when it is told that there is some,
 * and now and then by itself, for what nobody tells it of.
 */
export class Polling {
  private readonly stopping = new AbortController();
  private wake = new AbortController();
  private running: Promise<void> = Promise.resolve();

  /** @param look does what there is to do, throws nothing, and says whether there may be more */
  constructor(
    private readonly everyMs: number,
    private readonly look: () => Promise<boolean>,
  ) {}

  /** Aborted once it is to end. */
  get stopped(): AbortSignal {
    return this.stopping.signal;
  }

  start(): void {
    this.running = this.loop();
  }

  /** Something was just committed: do not wait for the next poll. */
  poke(): void {
    this.wake.abort();
  }

  /** Resolves when the look in hand has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake.abort();
    await this.running;
  }

  private async loop(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.wake = new AbortController();
      const more = await this.look();
      if (more || this.stopping.signal.aborted) continue;
      await sleep(this.everyMs, undefined, { signal: this.wake.signal }).catch(() => {});
    }
  }
}
