import type {
  Decision,
  Proposal,
  ProposalDetail,
  ProposalStatus,
  ProposalType,
} from '../contracts/proposal';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface ProposalFilters {
  status?: ProposalStatus | ProposalStatus[];
  type?: ProposalType | ProposalType[];
  team?: string;
  /** In its evidence. */
  card?: string;
}

export interface ProposalVerdict {
  decision: Decision;
  /** The version that was looked at. */
  version: number;
  /** At most 2,000 characters; it is redacted, and kept where it can be erased. */
  reason?: string;
  /** Of a contradiction: the card to keep, where it is not the suggested one. */
  winner?: string;
}

/** What waits for a person: fixes, promotions, contradictions. */
export class Proposals {
  constructor(private readonly transport: Transport) {}

  /**
   * @example
   * const { items } = await client.proposals.list({ status: ['open', 'reopened'] });
   */
  async list(filters: ProposalFilters & PageOptions & CallOptions = {}): Promise<Page<Proposal>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<Proposal>>('/v1/proposals', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const one of client.proposals.iterate({ type: 'config_fix' })) console.log(one.title);
   */
  iterate(
    filters: ProposalFilters & { limit?: number } & CallOptions = {},
  ): AsyncGenerator<Proposal> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * With the cards behind it.
   *
   * @throws {CairnError} 404 where there is none that this key may see
   * @example
   * const { cards, change, version } = await client.proposals.get('prop_1');
   */
  async get(id: string, options: CallOptions = {}): Promise<ProposalDetail> {
    return await this.transport.call<ProposalDetail>(path(id), options);
  }

  /**
   * Approves or rejects it, in the version that was looked at.
   *
   * @throws {CairnError} 403 `not_allowed`; 409 `already_decided`, `stale_version`, `world_changed` or
   *   `key_taken`: get it again; 410 `expired`; 503 `decision_unheard` after its tries: ask again, it is
   *   taken once
   * @example
   * await client.proposals.decide('prop_1', { decision: 'approve', version: 1, reason: 'seen it happen' });
   */
  async decide(
    id: string,
    verdict: ProposalVerdict,
    options: CallOptions = {},
  ): Promise<ProposalDetail> {
    return await this.transport.call<ProposalDetail>(`${path(id)}/decision`, {
      method: 'POST',
      body: verdict,
      ...options,
    });
  }
}

function path(id: string): string {
  return `/v1/proposals/${encodeURIComponent(id)}`;
}
