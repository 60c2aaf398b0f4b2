import type { Embedder } from './embedder';

/** After one that could not be made: its file or its endpoint may be there again. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Embedders of models that vectors are still of while another takes over. Each is made when it is first
 * asked for and kept until the end; until it is there, and where it cannot be made, the answer is null.
 */
export class OtherEmbedders {
  private readonly made = new Map<string, Embedder | null>();
  private readonly making = new Set<Promise<void>>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private isClosed = false;

  /** @param make answers null for a model that is unknown here */
  constructor(private readonly make: (model: string) => Embedder | Promise<Embedder> | null) {}

  of(model: string): Embedder | null {
    const known = this.made.get(model);
    if (known !== undefined || this.isClosed) return known ?? null;
    const making = this.make(model);
    if (making === null || !(making instanceof Promise)) {
      this.made.set(model, making);
      return making;
    }
    this.made.set(model, null);
    const pending = making.then(
      async (embedder) => {
        if (this.isClosed) await embedder.close();
        else this.made.set(model, embedder);
      },
      () => this.forgetLater(model),
    );
    this.making.add(pending);
    void pending.finally(() => this.making.delete(pending));
    return null;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.making);
    for (const embedder of this.made.values()) await embedder?.close();
  }

  private forgetLater(model: string): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.made.delete(model);
    }, AGAIN_AFTER_MS);
    timer.unref();
    this.timers.add(timer);
  }
}
