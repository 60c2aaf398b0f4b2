import type { PrincipalKind } from '../contracts/names';
import type { ApiKey } from '../contracts/principal';
import type { Page } from '../contracts/run';
import { given } from './given';
import type { PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface NewKey {
  principal: { kind: PrincipalKind; id: string };
  name?: string;
  /** RFC 3339 with a zone. */
  expires_at?: string;
  /** Requests a minute of this key alone, below the policy's number. */
  requests_per_minute?: number;
}

/** What is left out stays as the old key has it. */
export interface KeyRotation {
  /** ISO 8601: how long the old key stays good, 30 days at most. Left out: it is revoked at once. */
  grace?: string;
  expires_at?: string | null;
  requests_per_minute?: number | null;
}

/** API keys. Only their hashes are kept, so each is shown once. */
export class Keys {
  constructor(private readonly transport: Transport) {}

  /**
   * Makes a key; keep `key` of the answer, it is not shown again. It is tried once: an answer that was
   * lost on the way leaves a key that nobody has, which {@link Keys.list} shows.
   *
   * @example
   * const { key } = await client.keys.create({ principal: { kind: 'agent', id: 'herald' } });
   */
  async create(key: NewKey, options: CallOptions = {}): Promise<ApiKey & { key: string }> {
    return await this.transport.call('/v1/keys', {
      method: 'POST',
      body: key,
      repeat: 'never',
      ...options,
    });
  }

  /**
   * @example
   * const { items } = await client.keys.list();
   */
  async list(options: PageOptions & CallOptions = {}): Promise<Page<ApiKey>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<ApiKey>>('/v1/keys', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * Puts a new key in the place of one; keep `key` of the answer. Tried once, as `create` is.
   *
   * @example
   * const { key } = await client.keys.rotate('key_1', { grace: 'PT1H' });
   */
  async rotate(
    id: string,
    rotation: KeyRotation = {},
    options: CallOptions = {},
  ): Promise<ApiKey & { key: string }> {
    return await this.transport.call(`/v1/keys/${encodeURIComponent(id)}/rotate`, {
      method: 'POST',
      body: rotation,
      repeat: 'never',
      ...options,
    });
  }

  /**
   * Revokes at once: the very next call with it is refused.
   *
   * @example
   * await client.keys.revoke('key_1');
   */
  async revoke(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(`/v1/keys/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      ...options,
    });
  }
}
