/**
 * Conversations: messages as rows, a steered summary of what is older, and the details that a summary must keep.
 * A conversation belongs to the agent that has it, as a card belongs to its writer.
 */

export const CONVERSATION_STATUSES = ['open', 'closed', 'archived'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export const MESSAGE_ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** What a summary must keep, whatever else it leaves out. */
export const DETAIL_KINDS = ['decision', 'concrete', 'open'] as const;
export type DetailKind = (typeof DETAIL_KINDS)[number];

/** Why a compaction was started: the ceiling was passed, facts are due, or the conversation was closed. */
export const COMPACTION_REASONS = ['ceiling', 'facts', 'closed'] as const;
export type CompactionReason = (typeof COMPACTION_REASONS)[number];

/** As a caller sends one. `at` is RFC 3339 with a zone. */
export interface NewMessage {
  role: MessageRole;
  content: string;
  name?: string;
  /** Of a tool's result: the call that it answers. */
  tool_call_id?: string;
  at: string;
}

/** As it is kept. `n` counts from 1; `tokens` are o200k. */
export interface StoredMessage {
  n: number;
  role: MessageRole;
  /** Redacted. Null once the raw text of a long tool result is gone. */
  content: string | null;
  name: string | null;
  tool_call_id: string | null;
  at: string;
  recorded_at: string;
  tokens: number;
  /**
   * To be shown in place of the raw text: of a tool's result that the assistant has answered from what it took, of one
   * whose raw text went unused how it began.
   */
  extracted: string | null;
}

/** As it is shown to the agent whose it is, and to people. */
export interface ShownMessage extends StoredMessage {
  /** Whether the raw text was dropped after its time. */
  cleared: boolean;
}

/** What `POST …/messages` answers. */
export interface AppendedMessages {
  conversation_id: string;
  /** `mode_off` and `sensitive` keep nothing, as with events. */
  disposition: 'kept' | 'mode_off' | 'sensitive';
  /** A code, where nothing was kept. */
  reason: string | null;
  accepted: number;
  /** The numbers of the first and the last of them; null where nothing was kept. */
  first: number | null;
  last: number | null;
  /** Of the compaction that they gave reason to. */
  operation_id: string | null;
}

/** What `POST …/close` answers: the conversation, and the operation of its last compaction. */
export interface ClosedConversation extends Conversation {
  operation_id: string | null;
}

export interface Conversation {
  id: string;
  agent: string;
  subject: string | null;
  project: string | null;
  status: ConversationStatus;
  /** How many there are, and their tokens as they were sent. */
  messages: number;
  tokens: number;
  /** The last message that the summary covers; 0 where there is none. */
  summarized_through: number;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
  archived_at: string | null;
}

export interface ConversationSummary {
  text: string;
  /** Messages 1 to this one are told by it. */
  through: number;
  version: number;
  written_by: 'model' | 'fallback';
}

/** One clause of an older message that names something concrete, decides, or leaves open. */
export interface ConversationDetail {
  n: number;
  kind: DetailKind;
  /** The clause, in the words of the message. */
  text: string;
  /** What in it must survive, as it stands there: names, numbers, dates, ids, addresses, tokens of contacts. */
  items: string[];
  role: MessageRole;
  name: string | null;
  at: string;
  /** Whether the summary has all of it; else it comes back where it is asked about. */
  in_summary: boolean;
}

/** What one sends to a model. */
export interface ContextMessage {
  role: MessageRole;
  content: string;
  name?: string;
  tool_call_id?: string;
}

/** A card of the subject as it stands in a context. */
export interface ContextFact {
  id: string;
  text: string;
  confidence: number;
  recorded_at: string;
}

export interface ConversationContext {
  /** The whole list, in the order that a prompt cache likes: system, memory, turns, and last what is asked about. */
  messages: ContextMessage[];
  /** Of all of them, o200k. */
  tokens: number;
  summary: ConversationSummary | null;
  facts: ContextFact[];
  /** Changes when a fact, the summary or a message does; `if_context_version` answers 304. */
  context_version: string;
  /** What feedback on a fact names; null where no fact stands in it. */
  recall_id: string | null;
  /** `memory_off`: to an agent whose memory is off nothing is given. */
  degraded?: string[];
}

/** Input of the workflow `compact`. */
export interface CompactionInput {
  workspace: string;
  conversation_id: string;
  operation_id: string;
  /** The number of this compaction; part of its workflow id. */
  n: number;
}

/** Reads as the record of one compaction: ids, counts and codes. */
export interface CompactionResult {
  conversation_id: string;
  n: number;
  /** Messages told by the summary before and after. */
  from: number;
  through: number;
  tokens_before: number;
  tokens_after: number;
  written_by: 'model' | 'fallback' | null;
  /** Concrete things that had to be kept, those that a writer left out, and those put back. */
  items: number;
  missing: number;
  put_back: number;
  facts: { found: number; filed: number; known: number };
  calls: number;
  spent_tokens: number;
}
