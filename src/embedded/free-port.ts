import { createServer, type Server } from 'node:net';

/**
 * Ports that nothing listened on a moment ago, all different.
 *
 * They are held together while being chosen, so that one call never answers the same port twice.
 * Another program may still take one before its user binds it: whoever starts a server on such a
 * port tries again with new ones.
 *
 * @param count how many
 * @param host the address they will be bound on
 */
export async function freePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const servers: Server[] = [];
  try {
    for (let index = 0; index < count; index += 1) servers.push(await listen(host));
    return servers.map(portOf);
  } finally {
    await Promise.all(servers.map(close));
  }
}

/** One port, as {@link freePorts} finds them. */
export async function freePort(host?: string): Promise<number> {
  const [port] = await freePorts(1, host);
  return port as number;
}

/** @throws the port is taken: a server that was told to use it would not start */
export async function checkFree(port: number, host = '127.0.0.1'): Promise<void> {
  await close(await listen(host, port));
}

function listen(host: string, port = 0): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  return address.port;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
