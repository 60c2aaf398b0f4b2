import type { CompetenceRecord } from '../contracts/competence';
import type { ConsoleSession } from '../contracts/console';
import type { SettledEvent } from '../contracts/event';
import type { Models, Overview } from '../contracts/overview';
import type { RecallAnswer, RecallFeedback, RecallRequest } from '../contracts/recall';
import type { Page } from '../contracts/run';
import { Actions } from './actions';
import { Audit } from './audit';
import type { CaptureHandle, CaptureOutcome } from './capture-handle';
import { type CaptureOptions, Capturing } from './capturing';
import { Cards } from './cards';
import { type ChangesOptions, changesOf, type StreamEvent } from './changes';
import { ConfigFixes } from './config-fixes';
import { Conversations } from './conversations';
import { Agents, People } from './directory';
import { Erasures } from './erasures';
import { Events } from './events';
import { given } from './given';
import { Insights } from './insights';
import { Keys } from './keys';
import { LegalHolds } from './legal-holds';
import { Metrics } from './metrics';
import { Notes } from './notes';
import { Operations } from './operations';
import type { PageOptions } from './paging';
import { PendingWrites } from './pending-writes';
import { Policies } from './policy';
import { Proposals } from './proposals';
import { Runs } from './runs';
import { Sessions } from './sessions';
import { Skills } from './skills';
import { Sources } from './sources';
import { Tombstones } from './tombstones';
import { Transfers } from './transfers';
import {
  type Call,
  type CallOptions,
  type ClientOptions,
  type Query,
  Transport,
} from './transport';
import { Webhooks } from './webhooks';

/** Whom a derived client speaks for; what is left out stays as it was. */
export type Speaking = Pick<ClientOptions, 'agent' | 'person' | 'session' | 'executionMode'>;

export interface RequestOptions extends CallOptions {
  query?: Query;
  body?: unknown;
  /** For `If-Match`. */
  ifMatch?: number;
}

/**
 * Cairn's API in TypeScript: methods in camel case, and JSON exactly as the API documents it (so
 * `event_id`, never `eventId`). It needs nothing but `fetch`.
 *
 * Every method throws {@link CairnError} for a problem. What may be repeated is tried again on 429,
 * 502, 503, 504 and when nothing answers, within a bound; writes carry an `Idempotency-Key`.
 *
 * @example
 * const client = new CairnClient({ url: 'http://127.0.0.1:4747', key });
 * const handle = await client.capture({
 *   event_id: 'run-42', kind: 'service_call', agent: 'herald', service: 'mailer',
 *   operation: 'send_bulk', outcome: 'failed', occurred_at: '2026-03-02T08:24:15Z',
 *   input: { recipients: 1200 }, error: 'at most 500 recipients a call',
 * });
 * await handle.result();
 * const { context } = await client.with({ agent: 'herald' }).recall({ query: 'send the newsletter' });
 */
export class CairnClient {
  readonly operations: Operations;
  readonly events: Events;
  readonly cards: Cards;
  readonly notes: Notes;
  readonly conversations: Conversations;
  readonly insights: Insights;
  readonly actions: Actions;
  readonly metrics: Metrics;
  readonly agents: Agents;
  readonly people: People;
  readonly keys: Keys;
  readonly pendingWrites: PendingWrites;
  readonly policy: Policies;
  readonly proposals: Proposals;
  readonly configFixes: ConfigFixes;
  readonly runs: Runs;
  readonly sessions: Sessions;
  readonly skills: Skills;
  readonly sources: Sources;
  readonly legalHolds: LegalHolds;
  readonly erasures: Erasures;
  readonly tombstones: Tombstones;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
  readonly transfers: Transfers;
  private readonly transport: Transport;
  private readonly capturing: Capturing;

  constructor(options: ClientOptions) {
    this.transport = new Transport(options);
    this.operations = new Operations(this.transport);
    this.capturing = new Capturing(this.transport, this.operations);
    this.events = new Events(this.transport);
    this.cards = new Cards(this.transport);
    this.notes = new Notes(this.transport);
    this.conversations = new Conversations(this.transport);
    this.insights = new Insights(this.transport);
    this.actions = new Actions(this.transport);
    this.metrics = new Metrics(this.transport);
    this.agents = new Agents(this.transport);
    this.people = new People(this.transport);
    this.keys = new Keys(this.transport);
    this.pendingWrites = new PendingWrites(this.transport);
    this.policy = new Policies(this.transport);
    this.proposals = new Proposals(this.transport);
    this.configFixes = new ConfigFixes(this.transport);
    this.runs = new Runs(this.transport);
    this.sessions = new Sessions(this.transport);
    this.skills = new Skills(this.transport);
    this.sources = new Sources(this.transport);
    this.legalHolds = new LegalHolds(this.transport);
    this.erasures = new Erasures(this.transport);
    this.tombstones = new Tombstones(this.transport);
    this.webhooks = new Webhooks(this.transport);
    this.audit = new Audit(this.transport);
    this.transfers = new Transfers(this.transport);
  }

  /** The agent that it names with each call; undefined where the key says whose calls they are. */
  get agent(): string | undefined {
    return this.transport.options.agent;
  }

  /**
   * A client with the same key that speaks for someone else.
   *
   * @example
   * const herald = client.with({ agent: 'herald', session: 'run-43' });
   */
  with(speaking: Speaking): CairnClient {
    return new CairnClient({ ...this.transport.options, ...speaking });
  }

  /**
   * Reports settled work. When this answers, the event is durable; `handle.result()` waits for its
   * card. The same event again is a `duplicate` and changes nothing.
   *
   * @throws {CairnError} the event is refused: `invalid`, `too_large`, `event_id_conflict`, …
   * @example
   * const handle = await client.capture(event);
   * const { card_id } = await handle.result();
   */
  async capture(event: SettledEvent, options: CaptureOptions = {}): Promise<CaptureHandle> {
    return await this.capturing.one(event, options);
  }

  /**
   * Reports many, 500 at a time and in order. A bad one never costs the others: each has its own
   * outcome, at its own place.
   *
   * @throws {CairnError} nothing answers, or the key is refused; those sent before are kept, and
   *   sending all again is safe
   * @example
   * const outcomes = await client.captureMany(events);
   * for (const one of outcomes) if (one.status === 'refused') console.error(one.index, one.reason);
   */
  async captureMany(
    events: Iterable<SettledEvent> | AsyncIterable<SettledEvent>,
    options: CaptureOptions = {},
  ): Promise<CaptureOutcome[]> {
    return await this.capturing.many(events, options);
  }

  /**
   * About five cards that fit what the agent is about to do, ready for a prompt in `context`.
   *
   * @returns null where `if_context_version` is still the version: the context in the prompt holds
   * @example
   * const { context, cards } = await client.recall({ query: 'send the newsletter', intent: 'act' });
   */
  async recall(
    request: RecallRequest & { if_context_version?: never },
    options?: CallOptions,
  ): Promise<RecallAnswer>;
  async recall(request: RecallRequest, options?: CallOptions): Promise<RecallAnswer | null>;
  async recall(request: RecallRequest, options: CallOptions = {}): Promise<RecallAnswer | null> {
    return await this.transport.call<RecallAnswer | null>('/v1/recall', {
      method: 'POST',
      body: request,
      repeat: 'free',
      ...options,
    });
  }

  /**
   * Says whether a recalled card helped. Useful counts one use for each recall; the card gets surer by it
   * where a person says so, and once a day where an agent says so of another's card.
   *
   * @example
   * await client.feedback(answer.recall_id, { card_id: answer.cards[0].id, useful: true });
   */
  async feedback(
    recallId: string,
    feedback: RecallFeedback,
    options: CallOptions = {},
  ): Promise<void> {
    await this.transport.call(`/v1/recalls/${encodeURIComponent(recallId)}/feedback`, {
      method: 'POST',
      body: feedback,
      ...options,
    });
  }

  /**
   * Who is good at what, by evidence.
   *
   * @example
   * const { items } = await client.competence({ task_type: 'issue_refund' });
   */
  async competence(
    filters: { task_type?: string; agent?: string; team?: string } & PageOptions & CallOptions = {},
  ): Promise<Page<CompetenceRecord>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<CompetenceRecord>>('/v1/competence', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * How the workspace does: what came over the last days, what waits, how good memory is, what it costs.
   *
   * @param options `days` is 1–90, 7 when left out: by the hour for one or two, else by the day
   * @example
   * const { backlog, quality } = await client.overview({ days: 30 });
   */
  async overview(options: { days?: number } & CallOptions = {}): Promise<Overview> {
    const { days, ...call } = options;
    return await this.transport.call<Overview>('/v1/overview', { query: given({ days }), ...call });
  }

  /**
   * By which models cards are worded and found.
   *
   * @example
   * const { embedder, reembedding } = await client.models();
   */
  async models(options: CallOptions = {}): Promise<Models> {
    return await this.transport.call<Models>('/v1/models', options);
  }

  /**
   * Whose key this is, in which workspace, and which routes it opens.
   *
   * @example
   * const { principal, allowed } = await client.whoAmI();
   */
  async whoAmI(options: CallOptions = {}): Promise<ConsoleSession> {
    return await this.transport.call<ConsoleSession>('/v1/session', options);
  }

  /**
   * What changes in the workspace while it does: topics and ids, for people's keys. It ends with the key or when
   * the server drains, and is not begun again by itself: give the last `id` as `after`.
   *
   * @throws {CairnError} 403 for an agent's or a runtime's key; 429 where the key listens twenty times already
   * @example
   * for await (const { event, data } of client.changes()) {
   *   if (event === 'change' && data.topics.includes('proposals')) await lookAtInbox();
   * }
   */
  changes(options: ChangesOptions = {}): AsyncGenerator<StreamEvent, void, undefined> {
    return changesOf(this.transport, options);
  }

  /**
   * Any other route of the API, with the same key, retries and errors.
   *
   * @returns the answer's JSON; null where it has no body
   * @example
   * const { operation_id } = await client.request('POST', '/v1/runs/consolidation', { body: {} });
   */
  async request<T>(
    method: NonNullable<Call['method']>,
    path: string,
    options: RequestOptions = {},
  ): Promise<T> {
    return await this.transport.call<T>(path, { method, ...options });
  }
}
