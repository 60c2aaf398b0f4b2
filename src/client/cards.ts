import type { Card, CardEdge } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { CardFacets } from '../contracts/facets';
import type { CardGraph } from '../contracts/graph';
import type { Via } from '../contracts/names';
import type { AskedPromotion } from '../contracts/proposal';
import type { Page } from '../contracts/run';
import type { CardStop } from '../contracts/stop';
import type { CardStory } from '../contracts/story';
import type {
  CardChange,
  CardFilters,
  GraphOptions,
  NewCard,
  PromotionRequest,
  StopRequest,
} from './card-requests';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** One change of a card: what stood there before and after, as far as the reader may see it. */
export interface CardVersion {
  version: number;
  at: string;
  actor: { kind: string; id: string };
  /** `created`, `edited`, `deleted` … */
  action: string;
  /** Fields that differ from the version before; all of them in the first. */
  changed: string[];
  /** Null in the first version, and where the reader may not see what was. */
  before: JsonObject | null;
  after: JsonObject;
}

/** One time that a card was read or put into a context: its blast radius. */
export interface CardReader {
  agent: string | null;
  person: string | null;
  at: string;
  via: Via;
  surface: string;
  recall_id: string | null;
}

/** A card that this one came from, or that came from it. */
export interface Relative {
  id: string;
  relation: 'derived_from' | 'supersedes';
  /** 1 for a parent or a child. */
  generation: number;
  [field: string]: unknown;
}

export interface Lineage {
  sources: Relative[];
  derived: Relative[];
  /** Whether there were more than are shown. */
  truncated: boolean;
}

/** Who could see a card if they read now. */
export interface VisibleTo {
  agents: { agent: string; via: Via }[];
}

/** The unit of memory: browse, correct, delete, and see who read what. */
export class Cards {
  constructor(private readonly transport: Transport) {}

  /**
   * One page of the cards that this key may see, with their total.
   *
   * @example
   * const { items, total } = await client.cards.list({ kind: 'constraint', service: 'mailer' });
   */
  async list(filters: CardFilters & PageOptions & CallOptions = {}): Promise<Page<Card>> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<Page<Card>>('/v1/cards', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * All of them, a page at a time.
   *
   * @example
   * for await (const card of client.cards.iterate({ sign: 'failed' })) console.log(card.summary);
   */
  iterate(filters: CardFilters & { limit?: number } & CallOptions = {}): AsyncGenerator<Card> {
    return itemsOf((cursor) => this.list({ ...filters, ...given({ cursor }) }));
  }

  /**
   * Cards and what links them: around one, or the newest.
   *
   * @throws {CairnError} 404 for a center that this key may not see
   * @example
   * const { nodes, edges } = await client.cards.graph({ center: card.id, depth: 2 });
   */
  async graph(options: GraphOptions & CallOptions = {}): Promise<CardGraph> {
    const { signal, timeoutMs, kinds, edge_types, ...query } = options;
    return await this.transport.call<CardGraph>('/v1/graph', {
      query: { ...query, ...given({ kinds: kinds?.join(','), edge_types: edge_types?.join(',') }) },
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * How many there are, and how many with each kind, sign, status, scope, agent and service in place of the one that is
   * asked for.
   *
   * @example
   * const { total, facets } = await client.cards.facets({ q: 'refund' });
   */
  async facets(filters: CardFilters & CallOptions = {}): Promise<CardFacets> {
    const { signal, timeoutMs, ...query } = filters;
    return await this.transport.call<CardFacets>('/v1/cards/facets', {
      query,
      ...given({ signal, timeoutMs }),
    });
  }

  /**
   * @throws {CairnError} 404 where there is none that this key may see
   * @example
   * const card = await client.cards.get('card_1');
   */
  async get(id: string, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(path(id), options);
  }

  /**
   * Files a card as given, after redaction. A restricted agent's waits for its parent instead.
   *
   * @example
   * const card = await client.cards.create({ kind: 'convention', summary: 'Send at most 500 at once.' });
   */
  async create(
    card: NewCard,
    options: CallOptions = {},
  ): Promise<Card | { pending_write_id: string }> {
    return await this.transport.call('/v1/cards', { method: 'POST', body: card, ...options });
  }

  /**
   * Changes a card, if nobody changed it since `version`.
   *
   * @throws {CairnError} 412 where it moved on: get it again, and decide again
   * @example
   * await client.cards.update(card.id, card.version, { summary: 'Send at most 400 at once.' });
   */
  async update(
    id: string,
    version: number,
    change: CardChange,
    options: CallOptions = {},
  ): Promise<Card> {
    return await this.transport.call<Card>(path(id), {
      method: 'PATCH',
      ifMatch: version,
      body: change,
      ...options,
    });
  }

  /**
   * Deletes a card for every reader. A person may restore it for a while.
   *
   * @example
   * await client.cards.delete(card.id);
   */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.transport.call(path(id), { method: 'DELETE', ...options });
  }

  /**
   * Takes a deletion back.
   *
   * @throws {CairnError} 404 or 410 after the window
   * @example
   * await client.cards.restore(card.id);
   */
  async restore(id: string, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(`${path(id)}/restore`, { method: 'POST', ...options });
  }

  /**
   * Its versions: who changed what, and when.
   *
   * @example
   * const { items } = await client.cards.history(card.id);
   */
  async history(id: string, options: PageOptions & CallOptions = {}): Promise<Page<CardVersion>> {
    return await this.page(id, 'history', options);
  }

  /**
   * Its relations to other cards, both ends visible to this key.
   *
   * @example
   * const { items } = await client.cards.edges(card.id);
   * const resolvedBy = items.filter((edge) => edge.type === 'satisfies' && edge.to === card.id);
   */
  async edges(id: string, options: PageOptions & CallOptions = {}): Promise<Page<CardEdge>> {
    return await this.page(id, 'edges', options);
  }

  /**
   * What it was made of, and what was made of it.
   *
   * @example
   * const { sources } = await client.cards.lineage(card.id);
   */
  async lineage(id: string, options: CallOptions = {}): Promise<Lineage> {
    return await this.transport.call<Lineage>(`${path(id)}/lineage`, options);
  }

  /**
   * Who read it or had it in a context, own injections included: its blast radius.
   *
   * @example
   * const { items } = await client.cards.readers(card.id, { limit: 100 });
   */
  async readers(id: string, options: PageOptions & CallOptions = {}): Promise<Page<CardReader>> {
    return await this.page(id, 'readers', options);
  }

  /**
   * Why it exists, what it became, who saw it, and which recalls it went into.
   *
   * @throws {CairnError} 403 where this key may see it and not look into it
   * @example
   * const { why, injected } = await client.cards.story(card.id);
   */
  async story(id: string, options: CallOptions = {}): Promise<CardStory> {
    return await this.transport.call<CardStory>(`${path(id)}/story`, options);
  }

  /**
   * Which agents would see it, and by which way, if they read now.
   *
   * @example
   * const { agents } = await client.cards.visibleTo(card.id);
   */
  async visibleTo(id: string, options: CallOptions = {}): Promise<VisibleTo> {
    return await this.transport.call<VisibleTo>(`${path(id)}/visible-to`, options);
  }

  /**
   * A verdict on a card from having used it. A person's `success` validates the card; an agent's, of a
   * card of its own, counts as a use of what it recalled, and makes nothing surer.
   *
   * @example
   * await client.cards.validate(card.id, 'success', 'held for the autumn mailing too');
   */
  async validate(
    id: string,
    verdict: 'success' | 'wrong',
    note?: string,
    options: CallOptions = {},
  ): Promise<Card> {
    return await this.transport.call<Card>(`${path(id)}/validation`, {
      method: 'POST',
      body: { verdict, ...given({ note }) },
      ...options,
    });
  }

  /**
   * Proposes to show it to a team or to the whole workspace; somebody else decides.
   *
   * @returns the ids of the proposal, the waiting one where there is one
   * @throws {CairnError} 409 `not_in_use`, `not_wider` or `key_taken`
   * @example
   * const { proposal_id } = await client.cards.promote(card.id, { scope: { type: 'team', id: 'outreach' } });
   */
  async promote(
    id: string,
    request: PromotionRequest,
    options: CallOptions = {},
  ): Promise<AskedPromotion> {
    return await this.transport.call<AskedPromotion>(`${path(id)}/promotion`, {
      method: 'POST',
      body: request,
      ...options,
    });
  }

  /**
   * Takes a card out of use, and with `derived` all that came of it, in one transaction.
   *
   * @throws {CairnError} 404, or 409 `too_many_cards` where more came of it than one stop takes
   * @example
   * const { counts, injected } = await client.cards.stop(card.id, {
   *   derived: true, action: 'delete', reason: 'planted by a web page', dry_run: true,
   * });
   */
  async stop(id: string, request: StopRequest = {}, options: CallOptions = {}): Promise<CardStop> {
    return await this.transport.call<CardStop>(`${path(id)}/stop`, {
      method: 'POST',
      body: request,
      ...options,
    });
  }

  /**
   * Gives a quarantined card back the status that it had.
   *
   * @throws {CairnError} 409 `not_quarantined`
   * @example
   * await client.cards.release(card.id, 'harmless');
   */
  async release(id: string, reason?: string, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(`${path(id)}/release`, {
      method: 'POST',
      body: given({ reason }),
      ...options,
    });
  }

  /**
   * Takes a promotion back: the card is where it came from, at the next read.
   *
   * @throws {CairnError} 409 `not_promoted` or `key_taken`
   * @example
   * await client.cards.demote(card.id, 'holds for one customer only');
   */
  async demote(id: string, reason?: string, options: CallOptions = {}): Promise<Card> {
    return await this.transport.call<Card>(`${path(id)}/demotion`, {
      method: 'POST',
      body: given({ reason }),
      ...options,
    });
  }

  private async page<T>(
    id: string,
    what: string,
    options: PageOptions & CallOptions,
  ): Promise<Page<T>> {
    const { signal, timeoutMs, ...query } = options;
    return await this.transport.call<Page<T>>(`${path(id)}/${what}`, {
      query,
      ...given({ signal, timeoutMs }),
    });
  }
}

function path(id: string): string {
  return `/v1/cards/${encodeURIComponent(id)}`;
}
