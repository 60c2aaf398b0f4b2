import { connect, createServer, type Server } from 'node:net';
import { freePort } from '../../../src/embedded/free-port';

/** An address at which nothing answers until it is opened; then it is the address of a real server. */
export class ShutDoor {
  private server: Server | null = null;

  private constructor(
    private readonly to: URL,
    /** Of the real server, but for the port. */
    readonly url: string,
    private readonly port: number,
  ) {}

  static async before(url: string): Promise<ShutDoor> {
    const port = await freePort();
    const shut = new URL(url);
    shut.hostname = '127.0.0.1';
    shut.port = String(port);
    return new ShutDoor(new URL(url), shut.href.replace(/\/$/, ''), port);
  }

  async open(): Promise<void> {
    const server = createServer((socket) => {
      const there = connect(Number(this.to.port), this.to.hostname);
      socket.pipe(there).pipe(socket);
      for (const end of [socket, there]) {
        end.on('error', () => {
          socket.destroy();
          there.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => {
      server.listen(this.port, '127.0.0.1', resolve);
    });
    this.server = server;
  }

  close(): void {
    this.server?.close();
  }
}
