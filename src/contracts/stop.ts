import type { CardKind, CardStatus } from './names';

export const STOP_ACTIONS = ['quarantine', 'delete'] as const;
export type StopAction = (typeof STOP_ACTIONS)[number];

/** Cards of one stop. More than these are several matters, each to be looked at by itself. */
export const MOST_STOPPED = 5_000;
/** Agents and proposals that an answer names; more are counted. */
export const MOST_NAMED = 200;

/** A card that is stopped, or would be. */
export interface StoppedCard {
  id: string;
  kind: CardKind;
  /** Before it. */
  was: CardStatus;
  /** After it; in a dry run as it would be. */
  status: CardStatus;
  /** False where nothing is to be done: it is quarantined or deleted already. */
  changed: boolean;
  /** How it came from `from`; null of the card that was named. */
  relation: 'derived_from' | 'supersedes' | null;
  from: string | null;
  /** 0 of the card that was named, 1 of what came from it. */
  generation: number;
  /** When it took the status that it had before; one stop gives all its cards one time. */
  changed_at: string;
}

/** Whose context a card was put into, by the recalls that injected it. */
export interface InjectedAgent {
  /** Null of a person who recalled for no agent. */
  agent: string | null;
  recalls: number;
  last_at: string;
}

export interface CardStop {
  action: StopAction;
  dry_run: boolean;
  /** The card that was named first, then what came of it, the nearest first. */
  cards: StoppedCard[];
  counts: { cards: number; changed: number; unchanged: number };
  /** Records of competence that are counted anew without these cards. */
  recounted: number;
  /** Who had any of these cards in a context, the most recent first. */
  injected: { recalls: number; agents: InjectedAgent[] };
  /** Proposals that still wait and name one of these cards as evidence. */
  proposals: string[];
}
