import type { Answer, CallOptions, Method } from '../api';
import { LIVE, type Status } from '../organisation';

/** The API as one reaches it. */
export interface Door {
  url: string;
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
}

/** A key and whom its holder names with each call. */
export interface Reader {
  key: string;
  agent: string | null;
  /** Named where the agent acts for somebody, which makes the call interactive. */
  person: string | null;
  /** Someone without a part in what the organisation decides. */
  isMember?: boolean;
  /** An owner of the same workspace who looks with this reader's eyes: its agent's, or as a person. */
  asOwner?: Pick<Reader, 'key' | 'agent' | 'person'>;
}

/** What a surface has to know of a card to ask for it, and to recognise it. */
export interface SurfaceCard {
  id: string;
  /** Of a note. */
  key: string | null;
  status: Status;
  /** Of this card alone, and no part of another's. */
  summary: string;
  /** Whom it is about; left out or null where it is about nobody. */
  subject?: string | null;
}

/** What one read brought: the cards that it is an answer about, and all of its text. */
export interface Shown {
  ids: string[];
  text: string;
}

/** One card asked for; `status` is HTTP's, also where the surface speaks otherwise. */
export interface Asked {
  status: number;
  text: string;
}

/** A page: the key of each item, and what the surface says of all of them. */
export interface SurfacePage {
  keys: string[];
  total: number;
  next: string | null;
}

/**
 * A way by which cards leave the system. Whatever reads cards has one row of these, and is held by it to
 * the one contract: who sees what, revoked, deleted, redacted, paged and refused.
 */
export interface Surface {
  name: string;
  /** Of the closed table of routes, those that it speaks for. */
  routes: readonly string[];
  /** Whether this reader can speak through it at all. Default: everybody. */
  serves?(reader: Reader): boolean;
  /** Of the cards that a reader may see, those that it shows. */
  shows(card: SurfaceCard): boolean;
  /** What a card has to have to be shown here. */
  about?: Readonly<Record<string, unknown>>;
  /** Everything that it shows this reader of these cards. */
  read(door: Door, reader: Reader, cards: readonly SurfaceCard[]): Promise<Shown>;
  one?(door: Door, reader: Reader, card: SurfaceCard): Promise<Asked>;
  /** `card` is the one whose list it is, where it is one's. */
  page?(
    door: Door,
    reader: Reader,
    card: SurfaceCard,
    at: { limit: number; cursor: string | null },
  ): Promise<SurfacePage>;
  /** It shows the few that fit best: of many that are alike it may leave out any. */
  isPartial?: true;
  /** Whether its pages are of cards, all that the reader may see and it shows. */
  pagesCards?: true;
  /** The statuses of calls with a field or a parameter that nobody knows. */
  unknown?(door: Door, reader: Reader, card: SurfaceCard): Promise<number[]>;
}

export function headersOf({ agent, person }: Reader): Record<string, string> {
  return {
    ...(agent === null ? {} : { 'cairn-agent': agent }),
    ...(person === null ? {} : { 'cairn-person': person, 'cairn-execution-mode': 'interactive' }),
  };
}

export function get(door: Door, reader: Reader, path: string): Promise<Answer> {
  return door.call('GET', path, { key: reader.key, headers: headersOf(reader) });
}

/** @throws where a read that has to work did not: no surface is safe because it is broken. */
export async function good(answer: Promise<Answer>): Promise<Answer> {
  const found = await answer;
  if (found.status !== 200) throw new Error(`answered ${found.status}: ${found.text}`);
  return found;
}

/** Seen, and yet not theirs to look into: who reads a card is for its owner and for people. */
const SEEN: readonly number[] = [200, 403];

/** Reads a surface that shows one card a call: each card is asked for. */
export async function readEach(
  cards: readonly SurfaceCard[],
  one: (card: SurfaceCard) => Promise<Asked>,
): Promise<Shown> {
  const found = await Promise.all(cards.map(async (card) => ({ card, ...(await one(card)) })));
  for (const { card, status, text } of found) {
    if (status === 404 || SEEN.includes(status)) continue;
    throw new Error(`${card.id} answered ${status}: ${text}`);
  }
  return {
    ids: found.filter(({ status }) => SEEN.includes(status)).map(({ card }) => card.id),
    text: found.map(({ text }) => text).join('\n'),
  };
}

/** One page of a list; `path` may have a query already. */
export async function pageAt(
  door: Door,
  reader: Reader,
  path: string,
  at: { limit: number; cursor: string | null },
  // biome-ignore lint/suspicious/noExplicitAny: each list has items of its own
  keyOf: (item: any) => string,
): Promise<SurfacePage> {
  const query = `limit=${at.limit}${at.cursor === null ? '' : `&cursor=${at.cursor}`}`;
  const { body } = await good(
    get(door, reader, `${path}${path.includes('?') ? '&' : '?'}${query}`),
  );
  return { keys: body.items.map(keyOf), total: body.total, next: body.next_cursor };
}

/** A surface that is asked for one card after the other, and shows those that it answers with. */
export function askedForEach(
  surface: Omit<Surface, 'read'> & Pick<Required<Surface>, 'one'>,
): Surface {
  const { one } = surface;
  return {
    ...surface,
    read: (door, reader, cards) => readEach(cards, (card) => one(door, reader, card)),
  };
}

export const isLive = ({ status }: Pick<SurfaceCard, 'status'>) => LIVE.includes(status);
export const isNote = (card: SurfaceCard) => card.key !== null && isLive(card);
export const idOf = ({ id }: { id: string }) => id;

export const encoded = encodeURIComponent;
