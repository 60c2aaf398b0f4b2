import { PassThrough, type Readable } from 'node:stream';

/** Proxies close a connection on which nothing moves, most of them after a minute. */
const HEARTBEAT_MS = 15_000;
/** Who does not read what is sent is not waited for: it would be kept in memory. */
const MOST_UNREAD_BYTES = 256 * 1024;
/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000;

/** Events for one client, in the form of server-sent events. */
export class EventStream {
  private readonly out = new PassThrough();
  private readonly heartbeat: NodeJS.Timeout;

  constructor() {
    this.heartbeat = setInterval(() => this.write(':\n\n'), HEARTBEAT_MS);
    this.heartbeat.unref();
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  get body(): Readable {
    return this.out;
  }

  /** @param id comes back as `Last-Event-ID` */
  send(event: string, id: number, data: unknown): void {
    this.write(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    clearInterval(this.heartbeat);
    this.out.end();
  }

  private write(text: string): void {
    if (this.out.writableEnded || this.out.destroyed) return;
    if (this.out.writableLength > MOST_UNREAD_BYTES) this.out.destroy();
    else this.out.write(text);
  }
}
