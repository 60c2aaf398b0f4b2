import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import type { ListenOptions } from '../config/options';
import type { WorkerMeter } from '../telemetry/worker-meter';

export interface WorkerListener {
  url: string;
  stop(): Promise<void>;
}

/**
 * `GET /healthz` and `GET /metrics` of a worker that runs by itself: numbers and names of this program,
 * no key asked. Beside an API it is not needed, whose `/metrics` has both.
 * @throws where the port is taken; the message names it.
 */
export async function listen(
  { host, port }: ListenOptions,
  meter: WorkerMeter,
  isRunning: () => boolean,
): Promise<WorkerListener> {
  collectDefaultMetrics({ register: meter.registry });
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET' || (path !== '/healthz' && path !== '/metrics')) {
      response.writeHead(404).end();
    } else if (path === '/healthz') {
      const running = isRunning();
      response
        .writeHead(running ? 200 : 503, { 'content-type': 'application/json' })
        .end(JSON.stringify({ status: running ? 'ok' : 'not_working' }));
    } else {
      void meter.registry.metrics().then((text) => {
        response.writeHead(200, { 'content-type': meter.registry.contentType }).end(text);
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
