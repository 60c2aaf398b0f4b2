import type { MetricGoal, MetricSnapshot } from '../contracts/insight';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

export interface NewMetric {
  name: string;
  value: number;
  unit?: string | null;
  /** RFC 3339; now where left out. */
  at?: string;
  /** Whether more of it is better; left out, its name tells where it can. */
  goal?: MetricGoal | null;
}

export interface MetricFilters {
  name?: string;
  since?: string;
  until?: string;
}

/** Of one request. */
const MOST = 500;

/** Numbers of the business over time: what insights are scored and measured by. */
export class Metrics {
  constructor(private readonly transport: Transport) {}

  /**
   * Pushes numbers, 500 at a time and in order. The same moment of a metric is one number: pushed again, it is the
   * later one.
   *
   * @returns how many moments were kept
   * @example
   * await client.metrics.push([{ name: 'labor_percent', value: 31.4, unit: '%', at: '2026-03-02T00:00:00Z' }]);
   */
  async push(
    metrics: readonly NewMetric[],
    options: CallOptions = {},
  ): Promise<{ accepted: number }> {
    let accepted = 0;
    for (let from = 0; from < metrics.length; from += MOST) {
      const body = { metrics: metrics.slice(from, from + MOST) };
      const call = { method: 'POST', body, ...options } as const;
      accepted += (await this.transport.call<{ accepted: number }>('/v1/metrics', call)).accepted;
    }
    return { accepted };
  }

  /**
   * The newest first.
   *
   * @example
   * const { items } = await client.metrics.list({ name: 'labor_percent', limit: 7 });
   */
  async list(
    filters: MetricFilters & PageOptions & CallOptions = {},
  ): Promise<Page<MetricSnapshot>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<MetricSnapshot>>('/v1/metrics', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /** All of them, a page at a time. */
  iterate(
    filters: MetricFilters & { limit?: number } & CallOptions = {},
  ): AsyncGenerator<MetricSnapshot> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }
}
