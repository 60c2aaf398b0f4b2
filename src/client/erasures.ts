import type {
  Erasure,
  ErasureAccepted,
  ErasureReceipt,
  ErasureSelector,
} from '../contracts/erasure';
import type { ErasureVerification } from '../contracts/erasure-proof';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface ErasureOptions {
  /** Redacted; gone when the erasure has ended. */
  reason?: string;
  /** A reference, such as `GDPR Art. 17(1)(b)`; it stands in the receipt. */
  legal_basis?: string;
  /** Counts what would go, and changes nothing. */
  dry_run?: boolean;
}

/** Forgetting with proof: what was named goes, with all that rests on it alone, and a signed receipt says so. */
export class Erasures {
  constructor(private readonly transport: Transport) {}

  /**
   * Asks for an erasure. From the answer on, what comes late about it is refused.
   *
   * @param selector of several fields all that any of them names; left out: a member's own subject
   * @throws {CairnError} 403, 409 `last_owner`
   * @example
   * const { erasure_id, operation_id } = await client.erasures.request({ subject: 'guest-7' }, { dry_run: true });
   * await client.operations.wait(operation_id);
   * const { counts } = await client.erasures.get(erasure_id);
   */
  async request(
    selector: ErasureSelector | undefined,
    options: ErasureOptions & CallOptions = {},
  ): Promise<ErasureAccepted> {
    const { signal, timeoutMs, ...body } = options;
    return await this.transport.call<ErasureAccepted>('/v1/erasures', {
      method: 'POST',
      body: { ...body, ...given({ selector }) },
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * One erasure; once it has ended, with its receipt.
   *
   * @throws {CairnError} 404
   * @example
   * const { status, receipt } = await client.erasures.get(erasure_id);
   */
  async get(id: string, options: CallOptions = {}): Promise<Erasure> {
    return await this.transport.call<Erasure>(`/v1/erasures/${encodeURIComponent(id)}`, options);
  }

  /**
   * Looks at a receipt once more: its signature, that no erased id is back, and that the texts of `search` stand in no
   * durable place.
   *
   * @example
   * const { ok, returned, places } = await client.erasures.verify(receipt, { search: ['Ada Lovelace'] });
   */
  async verify(
    receipt: ErasureReceipt,
    options: { search?: string[] } & CallOptions = {},
  ): Promise<ErasureVerification> {
    const { search, ...call } = options;
    return await this.transport.call<ErasureVerification>('/v1/erasures/verify', {
      method: 'POST',
      body: { receipt, ...given({ search }) },
      ...call,
    });
  }

  /**
   * Newest first, without receipts.
   *
   * @example
   * const { items } = await client.erasures.list();
   */
  async list(filters: PageOptions & CallOptions = {}): Promise<Page<Omit<Erasure, 'receipt'>>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call('/v1/erasures', { query, ...given({ signal, timeoutMs }) });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const { id, status } of client.erasures.iterate()) console.log(id, status);
   */
  iterate(
    filters: { limit?: number } & CallOptions = {},
  ): AsyncGenerator<Omit<Erasure, 'receipt'>> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }
}
