import { CairnClient } from './client';
import { given } from './given';
import type { ClientOptions } from './transport';

/** A client that is there, or where and with which key to speak; and for whom. */
export interface Connection extends Partial<ClientOptions> {
  client?: CairnClient;
}

/** @throws {TypeError} there is neither a client nor a `url` with its `key` */
export function clientOf(connection: Connection): CairnClient {
  const { client, url, key, agent, person, session, executionMode } = connection;
  const speaking = given({ agent, person, session, executionMode });
  if (client !== undefined) return client.with(speaking);
  if (url === undefined || key === undefined) {
    throw new TypeError('give a client, or the url and the key of a Cairn');
  }
  const { fetch, timeoutMs, retries } = connection;
  return new CairnClient({ url, key, ...speaking, ...given({ fetch, timeoutMs, retries }) });
}
