import type { Policy, PolicyPatch } from '../contracts/policy';
import type { PolicyPreview } from '../contracts/policy-preview';
import type { CallOptions, Transport } from './transport';

/** With every default filled in; `version` is 0 while nothing was ever changed. */
export type VersionedPolicy = Policy & { version: number };

/** The rules of the workspace. */
export class Policies {
  constructor(private readonly transport: Transport) {}

  /**
   * @example
   * const { version, recall } = await client.policy.get();
   */
  async get(options: CallOptions = {}): Promise<VersionedPolicy> {
    return await this.transport.call<VersionedPolicy>('/v1/policy', options);
  }

  /**
   * Changes any part of it, if nobody changed it since `version`. Lists are replaced whole.
   *
   * @throws {CairnError} 412 where it moved on: get it again, and decide again
   * @example
   * const { version } = await client.policy.get();
   * await client.policy.put(version, { recall: { limit: 8 } });
   */
  async put(
    version: number,
    change: PolicyPatch,
    options: CallOptions = {},
  ): Promise<VersionedPolicy> {
    return await this.transport.call<VersionedPolicy>('/v1/policy', {
      method: 'PUT',
      ifMatch: version,
      body: change,
      ...options,
    });
  }

  /**
   * What a change would change, and what it would have done with what is stored of the last 30 days. A
   * candidate that is not valid is told what is wrong with it, and nothing is ever changed.
   *
   * @example
   * const { changed, effects } = await client.policy.preview({ strikes: { count: 2 } });
   */
  async preview(change: PolicyPatch, options: CallOptions = {}): Promise<PolicyPreview> {
    return await this.transport.call<PolicyPreview>('/v1/policy/preview', {
      method: 'POST',
      body: change,
      repeat: 'free',
      ...options,
    });
  }
}
