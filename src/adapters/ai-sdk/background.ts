import type { CairnClient } from '../../client/client';
import type { SettledEvent } from '../../contracts/event';

/**
 * How long a turn that another call may carry on is waited for, in milliseconds: longer than the SDK
 * pauses between two tries of a call, and than most tools run.
 */
const CARRIED_ON_WITHIN_MS = 30_000;

interface Held {
  event: SettledEvent;
  timer: ReturnType<typeof setTimeout>;
}

/** Captures beside the conversation: nothing waits for them, and `flush` waits for all. */
export class Background {
  private readonly sending = new Set<Promise<void>>();
  private readonly held = new Map<string, Held>();

  constructor(
    private readonly client: CairnClient,
    private readonly isWanted: (event: SettledEvent) => boolean,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** A call of this turn begins: what an earlier one left open is not told by itself. */
  begin(turn: string): SettledEvent | null {
    const held = this.held.get(turn);
    if (held === undefined) return null;
    clearTimeout(held.timer);
    this.held.delete(turn);
    return held.event;
  }

  send(event: SettledEvent): void {
    let isWanted = false;
    try {
      isWanted = this.isWanted(event);
    } catch (error) {
      this.onError(error);
    }
    if (!isWanted) return;
    const sent = this.client.capture(event).then(
      () => {},
      (error: unknown) => this.onError(error),
    );
    this.sending.add(sent);
    void sent.finally(() => this.sending.delete(sent));
  }

  /** Is told unless another call carries the turn on. */
  hold(turn: string, event: SettledEvent): void {
    const other = this.begin(turn);
    if (other !== null) this.send(other);
    const timer = setTimeout(() => {
      this.held.delete(turn);
      this.send(event);
    }, CARRIED_ON_WITHIN_MS);
    // Not what a process stays alive for.
    (timer as { unref?: () => void }).unref?.();
    this.held.set(turn, { event, timer });
  }

  async flush(): Promise<void> {
    for (const [turn, { event }] of [...this.held]) {
      this.begin(turn);
      this.send(event);
    }
    while (this.sending.size > 0) await Promise.all(this.sending);
  }
}
