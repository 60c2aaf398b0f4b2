import type { ConfigFix, ConfigFixStatus } from '../contracts/proposal';
import type { Page } from '../contracts/run';
import { given } from './given';
import type { PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface ConfigFixFilters {
  /** `approved` is what a runtime has to apply. */
  status?: ConfigFixStatus | ConfigFixStatus[];
  team?: string;
  workflow?: string;
  step?: string;
}

/** The runtime's side of a configuration fix that a person approved. */
export class ConfigFixes {
  constructor(private readonly transport: Transport) {}

  /**
   * @example
   * const { items } = await client.configFixes.list({ status: 'approved' });
   */
  async list(filters: ConfigFixFilters & PageOptions & CallOptions = {}): Promise<Page<ConfigFix>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<ConfigFix>>('/v1/config-fixes', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * By its own id or by that of its proposal.
   *
   * @throws {CairnError} 404 where there is none
   * @example
   * const { fix, observed } = await client.configFixes.get('fix_1');
   */
  async get(id: string, options: CallOptions = {}): Promise<ConfigFix> {
    return await this.transport.call<ConfigFix>(path(id), options);
  }

  /**
   * Says that it is in the configuration; what its step does from now on proves it or reopens it.
   *
   * @throws {CairnError} 409 `not_waiting`
   * @example
   * await client.configFixes.applied('fix_1', { config_version: '2026-03-02.1' });
   */
  async applied(
    id: string,
    said: { config_version?: string; note?: string } = {},
    options: CallOptions = {},
  ): Promise<ConfigFix> {
    return await this.transport.call<ConfigFix>(`${path(id)}/applied`, {
      method: 'POST',
      body: said,
      ...options,
    });
  }
}

function path(id: string): string {
  return `/v1/config-fixes/${encodeURIComponent(id)}`;
}
