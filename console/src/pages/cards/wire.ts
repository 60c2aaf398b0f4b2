import type { Card } from '../../../../src/contracts/card';
import type { EdgeType, Via, WriterKind } from '../../../../src/contracts/names';

/** What the routes of one card answer beside the card itself. */

export function pathOf(id: string, rest = ''): string {
  return `/v1/cards/${encodeURIComponent(id)}${rest}`;
}

/** A card as it was: what counts its uses is of now. */
export type CardThen = Omit<Card, 'use_count' | 'last_used_at'>;

export interface CardVersion {
  version: number;
  at: string;
  actor: { kind: WriterKind; id: string };
  /** `created`, `edited`, `validated` …: what made this version. */
  action: string;
  changed: string[];
  /** Null in the first version, and where the viewer may not see what was. */
  before: CardThen | null;
  after: CardThen;
}

export type Brief = Pick<Card, 'id' | 'kind' | 'sign' | 'status' | 'summary'> & {
  agent: string | null;
};

export interface Relative extends Brief {
  relation: Extract<EdgeType, 'derived_from' | 'supersedes'>;
  /** 1 for a parent or a child. */
  generation: number;
}

export interface Lineage {
  sources: Relative[];
  derived: Relative[];
  truncated: boolean;
}

export interface CardReader {
  agent: string | null;
  person: string | null;
  at: string;
  via: Via;
  surface: string;
  /** Of a recall that put it into a context. */
  recall_id: string | null;
}

export interface VisibleTo {
  agents: { agent: string; via: Via }[];
}

export interface CardGrant {
  type: 'explicit' | 'agent_group';
  agent: string | null;
  group: string | null;
  purpose: string | null;
  expires_at: string | null;
  created_at: string;
}
