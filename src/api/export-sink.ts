import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** Thrown into the reading once nobody takes its lines any more. */
class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** Handed on at once: what a slow line takes within the time below. */
const PIECE = 64 * 1024;
/** So long somebody may take for a piece; whoever reads nothing holds a snapshot and the place of another. */
const STILL_MS = 30_000;

/** Where lines go that are read as fast as they are taken. */
export class ExportSink {
  readonly stream = new PassThrough();
  private readonly closed = new AbortController();
  private last: NodeJS.Timeout | null = null;

  /** @param stillMs after which a reader who takes nothing is one who has gone; lowered by tests */
  constructor(private readonly stillMs = STILL_MS) {
    this.stream.once('close', () => {
      if (this.last !== null) clearTimeout(this.last);
      this.closed.abort();
    });
    // Whoever reads it hears of it; until somebody does, it is not unhandled.
    this.stream.on('error', () => {});
  }

  /** Resolves once there is room for more. */
  async write(text: string): Promise<void> {
    // By bytes: a character that is cut is whole again behind the next piece.
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += PIECE)
      await this.piece(bytes.subarray(at, at + PIECE));
  }

  /** What is still to be taken has as long as any other piece. */
  end(): void {
    this.stream.end();
    if (!this.closed.signal.aborted) this.last = this.waiting();
  }

  break(error: Error): void {
    this.stream.destroy(error);
  }

  private async piece(bytes: Buffer): Promise<void> {
    if (this.closed.signal.aborted) throw new ReaderGone();
    if (this.stream.write(bytes)) return;
    const waiting = this.waiting();
    try {
      await once(this.stream, 'drain', { signal: this.closed.signal });
    } catch {
      throw new ReaderGone();
    } finally {
      clearTimeout(waiting);
    }
  }

  private waiting(): NodeJS.Timeout {
    return setTimeout(() => this.break(new ReaderGone()), this.stillMs).unref();
  }
}
