import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** Thrown into the reading once nobody takes its lines any more. */
class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** Where lines go that are read as fast as they are taken. */
export class ExportSink {
  readonly stream = new PassThrough();
  private readonly closed = new AbortController();

  constructor() {
    this.stream.once('close', () => this.closed.abort());
    // Whoever reads it hears of it; until somebody does, it is not unhandled.
    this.stream.on('error', () => {});
  }

  /** Resolves once there is room for more. */
  async write(text: string): Promise<void> {
    if (this.closed.signal.aborted) throw new ReaderGone();
    if (text === '' || this.stream.write(text)) return;
    await once(this.stream, 'drain', { signal: this.closed.signal }).catch(() => {
      throw new ReaderGone();
    });
  }

  end(): void {
    this.stream.end();
  }

  break(error: Error): void {
    this.stream.destroy(error);
  }
}
