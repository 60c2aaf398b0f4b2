import type { CardStatus, PrincipalKind } from './names';

/** What a restricted agent posted: a card, a note under a key, a memory in the shape of mem0, or an insight. */
export const PENDING_WRITE_TYPES = ['card', 'note', 'memory', 'insight'] as const;
export type PendingWriteType = (typeof PENDING_WRITE_TYPES)[number];

/** `expired`: nobody decided in time, and its text is gone. */
export const PENDING_WRITE_STATUSES = ['waiting', 'accepted', 'rejected', 'expired'] as const;
export type PendingWriteStatus = (typeof PENDING_WRITE_STATUSES)[number];

/** A write that waits for the parent of the restricted agent, or was decided by it or by a person. */
export interface PendingWrite {
  id: string;
  type: PendingWriteType;
  status: PendingWriteStatus;
  /** The restricted agent. */
  agent: string;
  /** In whose scope it would be written; null where the agent has no parent, and its own scope is meant. */
  parent: string | null;
  session: string | null;
  /**
   * What would be written, redacted, in the fields of `POST /v1/cards`; null once it was decided. Of an insight it has
   * `insight` too, without the actions that a person has blocked.
   */
  write: ({ summary: string } & Record<string, unknown>) | null;
  created_at: string;
  /** When retention drops it, if nobody decides until then. */
  expires_at: string;
  decided_at: string | null;
  decided_by: { kind: PrincipalKind; id: string } | null;
  /** Why, in the words of who decided. */
  reason: string | null;
  /** The card that it became. */
  card_id: string | null;
  /** How that card stood as it was written; in the answer to the acceptance alone. */
  card?: AcceptedCard;
}

/** As `POST /v1/cards` says it of what it wrote. */
export interface AcceptedCard {
  status: CardStatus;
  /** Why the policy holds it back, where it does: `status` is `quarantined`, and of a note none was written. */
  reason?: 'instruction_like';
}
