/**
 * What a hold keeps; at least one of them, and whatever any of them names. `source` is a service, a `person` stands
 * for what they wrote and for what is about the subject that they are.
 */
export interface HoldSelector {
  subject?: string;
  person?: string;
  agent?: string;
  source?: string;
  project?: string;
  event_ids?: string[];
  card_ids?: string[];
}

/** While it stands, nothing that it keeps is deleted, expires, is purged or erased. */
export interface LegalHold {
  id: string;
  selector: HoldSelector;
  /** Null where the words were erased. */
  reason: string | null;
  /** A person's id. */
  set_by: string;
  created_at: string;
  changed_at: string;
}

/** What can be asked of `holds_on`. */
export const HELD_TYPES = ['card', 'event', 'conversation', 'proposal', 'pending_write'] as const;
export type HeldType = (typeof HELD_TYPES)[number];
