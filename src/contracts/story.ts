import type { Card, CardEdge } from './card';
import type {
  CardKind,
  CardStatus,
  EdgeType,
  EventKind,
  Intent,
  Outcome,
  ScopeType,
  Sign,
  Via,
} from './names';
import type { ProposalStatus, ProposalType } from './proposal';
import type { Run } from './run';

interface StoryCard {
  id: string;
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  summary: string;
  agent: string | null;
}

interface StoryRelative extends StoryCard {
  relation: Extract<EdgeType, 'derived_from' | 'supersedes'>;
  generation: number;
}

/** The settled work that a card was made of. */
export interface StoryEvent {
  event_id: string;
  /** Null where nothing but its id was kept. */
  kind: EventKind | null;
  outcome: Outcome | null;
  agent: string;
  reported_by: { kind: string; id: string };
  occurred_at: string | null;
  recorded_at: string;
}

export type StoryOperation = Pick<
  Run,
  'id' | 'type' | 'status' | 'workflow_id' | 'run_id' | 'started_at' | 'finished_at'
>;

export interface StoryVersion {
  version: number;
  at: string;
  actor: { kind: string; id: string };
  action: string;
  changed: string[];
  status: CardStatus;
  scope: { type: ScopeType; id: string };
}

/** One that names the card as evidence. */
export interface StoryProposal {
  id: string;
  type: ProposalType;
  status: ProposalStatus;
  version: number;
  created_at: string;
  closed_at: string | null;
  /** Those that the reader may see. */
  evidence: string[];
}

/** Who saw a card that was not theirs, and how often. */
export interface StoryReader {
  agent: string | null;
  person: string | null;
  via: Via;
  reads: number;
  first_at: string;
  last_at: string;
}

/** One recall that put it into a context, own ones included. */
export interface StoryInjection {
  recall_id: string;
  at: string;
  agent: string | null;
  person: string | null;
  session: string | null;
  intent: Intent;
  section: string;
  /** From 0. */
  position: number;
  score: number;
  via: Via[];
  /** When it was told to have helped, or its session ended well. */
  proven_at: string | null;
}

interface Span {
  first_at: string | null;
  last_at: string | null;
}

/** Why a card exists, what it became, who saw it, and where it was put to use; newest first. */
export interface CardStory {
  card: StoryCard & Pick<Card, 'version' | 'scope' | 'trust' | 'confidence' | 'visibility'>;
  why: {
    event: StoryEvent | null;
    operation: StoryOperation | null;
    recorded_at: string;
    written_by: { kind: string; id: string };
    distilled_by: Card['provenance']['distilled_by'];
    model: string | null;
    prompt_version: string | null;
    workflow_id: string | null;
    run_id: string | null;
    sources: StoryRelative[];
  };
  became: {
    superseded_by: StoryCard | null;
    versions: StoryVersion[];
    edges: (CardEdge & { other: StoryCard })[];
    derived: StoryRelative[];
    proposals: StoryProposal[];
  };
  seen: Span & { reads: number; by: StoryReader[] };
  injected: Span & { recalls: number; sessions: number; latest: StoryInjection[] };
  /** Lists that hold the newest only; their counts are whole. */
  truncated: ('versions' | 'edges' | 'lineage' | 'proposals' | 'seen' | 'injected')[];
}
