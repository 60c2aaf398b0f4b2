import type { CardHints, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type {
  ActionStatus,
  FollowUpAnswer,
  Insight,
  InsightOrigin,
  MetricGoal,
  OutcomeResult,
  Severity,
} from '../contracts/insight';
import type { Visibility } from '../contracts/names';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** A number of an insight. */
export interface InsightMetric {
  name: string;
  /** Left out: the latest that was pushed under this name. */
  value?: number;
  unit?: string | null;
  /** RFC 3339; now where left out. */
  at?: string;
  /** Whether more of it is better; left out, its name tells where it can. */
  goal?: MetricGoal | null;
}

export interface NewInsight {
  origin: InsightOrigin;
  title: string;
  finding: string;
  /** Such as `labor`, `menu`. */
  domain: string;
  severity: Severity;
  metrics?: InsightMetric[];
  actions?: { text: string }[];
  /** ISO 8601, from an action taken to measuring it; the policy's where left out. */
  window?: string;
  /** Cards that it was made from. */
  sources?: string[];
  scope?: CardScope;
  hints?: Partial<CardHints>;
  subject?: string | null;
  project?: string | null;
  visibility?: Visibility;
  metadata?: JsonObject;
}

export interface InsightFilters {
  origin?: InsightOrigin | InsightOrigin[];
  severity?: Severity | Severity[];
  /** Of an action of it. */
  status?: ActionStatus | ActionStatus[];
  domain?: string;
  min_score?: number;
  agent?: string;
  team?: string;
  subject?: string;
  /** Words that its card holds, all of them. */
  q?: string;
  since?: string;
  until?: string;
  /** `created` by default: the newest first. */
  order?: 'score' | 'created';
}

/** Findings with a number, an owner and a follow-up. */
export class Insights {
  constructor(private readonly transport: Transport) {}

  /**
   * @example
   * const { items } = await client.insights.list({ order: 'score', min_score: 60 });
   */
  async list(filters: InsightFilters & PageOptions & CallOptions = {}): Promise<Page<Insight>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<Insight>>('/v1/insights', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const one of client.insights.iterate({ domain: 'labor' })) console.log(one.title);
   */
  iterate(
    filters: InsightFilters & { limit?: number } & CallOptions = {},
  ): AsyncGenerator<Insight> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /** @throws {CairnError} 404 where there is none that this key may see */
  async get(id: string, options: CallOptions = {}): Promise<Insight> {
    return await this.transport.call<Insight>(path(id), options);
  }

  /**
   * Saves a finding: a card, a score, a baseline, and actions judged by what came of them before. A restricted agent's
   * waits for its parent, and answers `{pending_write_id}` instead: use `request` for those.
   *
   * @example
   * const { urgency, actions } = await client.insights.save({
   *   origin: 'automated_run', title: 'Overtime is up', finding: 'Overtime cost $1,200 more than last week.',
   *   domain: 'labor', severity: 'high', metrics: [{ name: 'overtime_hours', value: 41, unit: 'h' }],
   *   actions: [{ text: 'Cap shifts at eight hours.' }],
   * });
   */
  async save(insight: NewInsight, options: CallOptions = {}): Promise<Insight> {
    return await this.post<Insight>('/v1/insights', insight, options);
  }

  /**
   * Says that an action was taken; it is measured when its window is over.
   *
   * @throws {CairnError} 409 `already_taken` at another time, `not_in_use`
   * @example
   * const { operation_id, measure_at } = await client.insights.take('ins_1', 'act_1');
   */
  async take(
    id: string,
    actionId: string,
    taking: { at?: string; window?: string } = {},
    options: CallOptions = {},
  ): Promise<{ operation_id: string; measure_at: string; workflow_id: string }> {
    return await this.post(path(id, 'actions', actionId, 'taken'), taking, options);
  }

  /** Measures an action now, before its window is over. @throws {CairnError} 409 `not_taken`, `already_ended` */
  async measure(id: string, actionId: string, options: CallOptions = {}): Promise<FollowUpAnswer> {
    return await this.post(path(id, 'actions', actionId, 'measure'), {}, options);
  }

  /** Waits longer: until a time, or a window long from when it was taken. @throws {CairnError} 409 `not_later` */
  async extend(
    id: string,
    actionId: string,
    to: { until: string } | { window: string },
    options: CallOptions = {},
  ): Promise<FollowUpAnswer> {
    return await this.post(path(id, 'actions', actionId, 'extend'), to, options);
  }

  /** Ends the follow-up of an action without an outcome. */
  async cancel(
    id: string,
    actionId: string,
    said: { reason?: string } = {},
    options: CallOptions = {},
  ): Promise<FollowUpAnswer> {
    return await this.post(path(id, 'actions', actionId, 'cancel'), said, options);
  }

  /**
   * Says oneself what an action came to. One outcome an action.
   *
   * @param outcome `size` is the relative change: −0.18 is 18 % less
   * @example
   * await client.insights.outcome('ins_1', { action_id: 'act_1', result: 'improved', size: -0.18 });
   */
  async outcome(
    id: string,
    outcome: { action_id: string; result: OutcomeResult; size?: number; note?: string },
    options: CallOptions = {},
  ): Promise<Insight> {
    return await this.post(path(id, 'outcome'), outcome, options);
  }

  private async post<T>(url: string, body: object, options: CallOptions): Promise<T> {
    return await this.transport.call<T>(url, { method: 'POST', body, ...options });
  }
}

function path(id: string, ...rest: readonly string[]): string {
  return ['/v1/insights', ...[id, ...rest].map(encodeURIComponent)].join('/');
}
