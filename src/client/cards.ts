import type { Card, CardEdge, CardHints, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { CardKind, CardStatus, Sign, Via, Visibility } from '../contracts/names';
import type { Page } from '../contracts/run';
import { given } from './given';
import { itemsOf, type PageOptions } from './paging';
import type { CallOptions, Transport } from './transport';

/** What a list of cards may be narrowed to. Times are RFC 3339 with a zone. */
export interface CardFilters {
  kind?: CardKind | CardKind[];
  sign?: Sign | Sign[];
  /** Without it, what was superseded or archived is left out. */
  status?: CardStatus | CardStatus[];
  agent?: string;
  team?: string;
  subject?: string;
  service?: string;
  operation?: string;
  /** Cards that hold all of these words. */
  q?: string;
  /** When it was recorded; `until` itself is left out. */
  since?: string;
  until?: string;
}

/** A card that a person or an agent writes itself, at most 2,000 characters. */
export interface NewCard {
  summary: string;
  kind?: CardKind;
  sign?: Sign;
  key?: string;
  subject?: string;
  topic?: string;
  project?: string;
  hints?: Partial<CardHints>;
  /** 1–10. */
  importance?: number;
  /** 0–1. */
  confidence?: number;
  visibility?: Visibility;
  /** The agent's own by default; team or workspace needs a reviewer or owner. */
  scope?: CardScope;
  valid_from?: string;
  expires_at?: string | null;
  metadata?: JsonObject;
}

export type CardChange = Partial<Omit<NewCard, 'scope'>> & { valid_to?: string | null };

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
   * Which agents would see it, and by which way, if they read now.
   *
   * @example
   * const { agents } = await client.cards.visibleTo(card.id);
   */
  async visibleTo(id: string, options: CallOptions = {}): Promise<VisibleTo> {
    return await this.transport.call<VisibleTo>(`${path(id)}/visible-to`, options);
  }

  /**
   * A verdict on a card from having used it.
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
