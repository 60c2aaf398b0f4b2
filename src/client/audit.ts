import type {
  AuditExportLine,
  AuditExportPage,
  AuditRow,
  AuditSeal,
  AuditVerification,
} from '../contracts/audit';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** Times are RFC 3339 with a zone. */
export interface AuditFilters {
  actor?: string;
  action?: string;
  target_type?: string;
  target?: string;
  since?: string;
  until?: string;
}

/** Who changed what, and the proof that nobody has changed that. */
export class Audit {
  constructor(private readonly transport: Transport) {}

  /**
   * Newest first, without any content.
   *
   * @example
   * const { items } = await client.audit.list({ target: 'card_1' });
   */
  async list(filters: AuditFilters & PageOptions & CallOptions = {}): Promise<Page<AuditRow>> {
    return await this.page('/v1/audit', filters);
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const row of client.audit.iterate({ actor: 'ada' })) console.log(row.at, row.action);
   */
  iterate(filters: AuditFilters & { limit?: number } & CallOptions = {}): AsyncGenerator<AuditRow> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * The blocks in which the logs are sealed, newest first. Keep a `head` elsewhere: it is an anchor.
   *
   * @example
   * const { items: [newest] } = await client.audit.seals({ limit: 1 });
   */
  async seals(options: PageOptions & CallOptions = {}): Promise<Page<AuditSeal>> {
    return await this.page('/v1/audit/seals', options);
  }

  /**
   * Seals what is in the logs now.
   *
   * @returns the operation; its result has the head
   * @example
   * const { operation_id } = await client.audit.seal();
   * const { head } = await client.operations.result<{ head: string }>(operation_id);
   */
  async seal(options: CallOptions = {}): Promise<{ operation_id: string }> {
    return await this.transport.call('/v1/audit/seal', { method: 'POST', ...options });
  }

  /**
   * Has the whole chain computed anew, a hundred blocks a call.
   *
   * @param anchor a head that was known before, from a workflow's result or from paper
   * @example
   * const { ok, first_bad } = await client.audit.verify();
   */
  async verify(anchor?: string, options: CallOptions = {}): Promise<AuditVerification> {
    for (let after = 0; ; ) {
      const query = { after, ...given({ anchor }) };
      const answer = await this.transport.call<AuditVerification>('/v1/audit/verify', {
        query,
        ...options,
      });
      if (answer.next === null) return answer;
      after = answer.next;
    }
  }

  /**
   * Both logs and their seals, as they were hashed: the lines of a file that `cairn audit verify --file` reads.
   *
   * @example
   * for await (const line of client.audit.export()) file.write(`${JSON.stringify(line)}\n`);
   */
  async *export(options: CallOptions = {}): AsyncGenerator<AuditExportLine, void, undefined> {
    let cursor: string | null = null;
    do {
      const page: AuditExportPage = await this.transport.call('/v1/audit/export', {
        query: { cursor },
        ...options,
      });
      yield* page.lines;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  private async page<T>(path: string, options: PageOptions & CallOptions): Promise<Page<T>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<T>>(path, { query, ...given({ signal, timeoutMs }) });
  }
}
