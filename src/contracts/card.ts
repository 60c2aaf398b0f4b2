import type { JsonObject } from './event';
import type {
  CardFlag,
  CardKind,
  CardStatus,
  DistilledBy,
  EdgeType,
  ErrorFamily,
  ScopeType,
  Sign,
  Tier,
  Trust,
  Visibility,
  WriterKind,
} from './names';

/** What the structured arm of recall matches on, and what edges compare. */
export interface CardHints {
  service: string | null;
  operation: string | null;
  task_type: string | null;
  workflow: string | null;
  step: string | null;
  keywords: string[];
  /** The error with its values masked, e.g. `Channel … not found in the channels list`. */
  error_signature: string | null;
  error_family: ErrorFamily | null;
}

export interface CardScope {
  type: ScopeType;
  id: string;
}

export interface CardProvenance {
  event_id: string | null;
  writer: { kind: WriterKind; id: string };
  workflow_id: string | null;
  run_id: string | null;
  model: string | null;
  prompt_version: string | null;
  embedder: string | null;
  distilled_by: DistilledBy;
}

/** A card as every surface shows it. Times are RFC 3339 in UTC. */
export interface Card {
  id: string;
  kind: CardKind;
  tier: Tier;
  sign: Sign;
  status: CardStatus;
  /** About three sentences, at most 2,000 characters. */
  summary: string;
  hints: CardHints;
  key: string | null;
  subject: string | null;
  topic: string | null;
  project: string | null;
  session: string | null;
  scope: CardScope;
  visibility: Visibility;
  /** 1–10; null counts as 5 when scored. */
  importance: number | null;
  /** 0–1. */
  confidence: number;
  trust: Trust;
  valid_from: string;
  valid_to: string | null;
  recorded_at: string;
  expires_at: string | null;
  use_count: number;
  last_used_at: string | null;
  version: number;
  metadata: JsonObject;
  flags: CardFlag[];
  provenance: CardProvenance;
  superseded_by?: string;
}

export interface CardEdge {
  id: string;
  type: EdgeType;
  /** The newer card. */
  from: string;
  to: string;
  confidence: number;
  reason: string;
  created_at: string;
}

/** What distilling makes of one event: everything of a card that its text decides. */
export interface CardDraft {
  kind: CardKind;
  sign: Sign;
  summary: string;
  topic: string | null;
  keywords: string[];
  error_signature: string | null;
  error_family: ErrorFamily | null;
  /** 1–10, or null when nobody scored it. */
  importance: number | null;
  flags: CardFlag[];
  /** The redacted inputs' scalar fields by path, at most 2 KB as JSON; what "alike inputs" compares. */
  input_fields: Record<string, string>;
  /** Ids of the writer's own earlier warnings that a clause of the summary came from. */
  derived_from: string[];
  distilled_by: DistilledBy;
  model: string | null;
  prompt_version: string;
}
