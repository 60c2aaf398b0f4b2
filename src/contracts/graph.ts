import type { CardScope } from './card';
import type { CardKind, CardStatus, EdgeType, Sign } from './names';

/** A card as a graph shows it. Of other cards it tells only what comes of those that its reader may see. */
export interface GraphNode {
  id: string;
  kind: CardKind;
  sign: Sign;
  status: CardStatus;
  summary: string;
  /** Who did the work, or whose card it is. */
  agent: string | null;
  scope: CardScope;
  service: string | null;
  /** RFC 3339, UTC. */
  valid_from: string;
  recorded_at: string;
  /** Its edges of every type, also to cards that this graph does not show. */
  degree: number;
  /** It contradicts a card in use, no rule settles it, and nobody has decided. */
  open_conflict: boolean;
  /** A later success has answered it. */
  satisfied: boolean;
}

export interface GraphEdge {
  id: string;
  type: EdgeType;
  from: string;
  to: string;
  confidence: number;
  created_at: string;
}

/** Both ends of each edge are among the nodes. */
export interface CardGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** There is more than this. */
  truncated: boolean;
}
