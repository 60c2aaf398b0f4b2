import type { CardHints, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type {
  CardFlag,
  CardKind,
  CardStatus,
  EdgeType,
  Sign,
  Visibility,
} from '../contracts/names';
import type { StopAction } from '../contracts/stop';

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
  flag?: CardFlag;
  /** The event that it was made from. */
  event?: string;
  /** `<kind>/<id>` of the key that wrote it, such as `runtime/harness`. */
  writer?: string;
  /** `<type>/<id>` of the scope that it is in, such as `team/support`. */
  scope?: string;
  /** When it was recorded; `until` itself is left out. */
  since?: string;
  until?: string;
}

/** What a graph is narrowed to; a center is shown whatever it is. */
export interface GraphOptions {
  /** Left out: the newest cards in use. */
  center?: string;
  /** Hops from the center. */
  depth?: 1 | 2;
  kinds?: CardKind[];
  agent?: string;
  /** When it was recorded; `until` itself is left out. RFC 3339 with a zone. */
  since?: string;
  until?: string;
  /** Of these types only are edges shown and followed. */
  edge_types?: EdgeType[];
  /** Of nodes, 500 unless told, 5,000 at the most. */
  limit?: number;
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

/** To whom a card is to be shown. */
export interface PromotionRequest {
  scope: { type: 'team' | 'workspace'; id: string };
  reason?: string;
  /** ISO 8601, e.g. `P7D`; the policy's without it. */
  expires_in?: string;
}

/** What a stop does, and to what. */
export interface StopRequest {
  /** With all that came of the card: what was derived from it, what took its place, and so on. */
  derived?: boolean;
  /** `quarantine` when left out: out of everybody's sight but people's, until it is released. */
  action?: StopAction;
  reason?: string;
  /** Says what would be stopped, and stops nothing. */
  dry_run?: boolean;
}
