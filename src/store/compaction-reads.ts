import type { ConversationStatus, MessageRole } from '../contracts/conversation';
import type { FactMessage } from '../domain/conversation/facts';
import { LAST_MESSAGES } from '../domain/conversation/facts';
import type { PutBack } from '../domain/conversation/put-back';
import type { ToldMessage } from '../domain/conversation/summary';
import type { Untold } from '../domain/conversation/told-chunk';
import { writeRoute } from '../domain/policy';
import type { Tx } from './database';
import type { WorkspaceSettings } from './settings';

/** A conversation as its compaction sees it. */
export interface CompactedConversation {
  agent: string;
  /** Of the agent; null where it has none. */
  team: string | null;
  restricted: boolean;
  subject: string | null;
  /** As the directory calls them; null where it does not, or the name is one to be redacted. */
  subject_name: string | null;
  project: string | null;
  status: ConversationStatus;
  summary: string | null;
  summary_version: number;
  summary_by: 'model' | 'fallback' | null;
  summarized_through: number;
  facts_through: number;
  /** The operation of the compaction that is under way. */
  compacting: string | null;
}

export async function readCompacted(tx: Tx, id: string): Promise<CompactedConversation | null> {
  const [row] = await tx.query<CompactedConversation>(
    `SELECT c.agent_id AS agent, a.team_id AS team, a.restricted, c.subject, c.project, c.status, c.summary,
            c.summary_version, c.summary_by, c.summarized_through, c.facts_through, c.compacting,
            CASE WHEN s.redact_name IS NOT TRUE THEN s.name END AS subject_name
       FROM conversations c
       JOIN agents a ON a.workspace_id = c.workspace_id AND a.id = c.agent_id
       LEFT JOIN subjects s ON s.workspace_id = c.workspace_id AND s.id = c.subject
      WHERE c.workspace_id = $1 AND c.id = $2
        FOR KEY SHARE OF c`,
    [tx.workspace, id],
  );
  return row ?? null;
}

/** What no summary tells, oldest first: counts only. */
export async function untoldMessages(tx: Tx, id: string, through: number): Promise<Untold[]> {
  return await tx.query<Untold>(
    `SELECT n, role, COALESCE(extracted_tokens, tokens) AS tokens
       FROM messages
      WHERE workspace_id = $1 AND conversation_id = $2 AND n > $3
      ORDER BY n`,
    [tx.workspace, id, through],
  );
}

/** Of one message that is told; a longer one was pasted. */
const CHARACTERS_READ = 32_000;

/** Messages after one and up to another, as they stand in a context: what a tool gave is what was taken of it. */
export async function toldMessages(
  tx: Tx,
  id: string,
  { after, through }: { after: number; through: number },
): Promise<ToldMessage[]> {
  return await tx.query<ToldMessage>(
    `SELECT n, role, name, at, left(COALESCE(extracted, content, ''), ${CHARACTERS_READ}) AS content
       FROM messages
      WHERE workspace_id = $1 AND conversation_id = $2 AND n > $3 AND n <= $4 AND role <> 'system'
      ORDER BY n`,
    [tx.workspace, id, after, through],
  );
}

/** A detail as the check goes through it. */
export type CheckedDetail = Omit<PutBack, 'weight'> & {
  n: number;
  k: number;
  items: string[];
  terms: string[];
  role: MessageRole;
};

/** The details of all messages up to this one. */
export async function detailsThrough(
  tx: Tx,
  id: string,
  through: number,
): Promise<CheckedDetail[]> {
  return await tx.query<CheckedDetail>(
    `SELECT d.n, d.k, d.kind, d.text, d.items, d.terms, m.role, m.name, m.at
       FROM conversation_details d
       JOIN messages m ON m.workspace_id = $1 AND m.conversation_id = $2 AND m.n = d.n
      WHERE d.workspace_id = $1 AND d.conversation_id = $2 AND d.n <= $3
      ORDER BY d.n, d.k`,
    [tx.workspace, id, through],
  );
}

/** The last ten that somebody said, oldest first. */
export async function lastMessages(tx: Tx, id: string): Promise<FactMessage[]> {
  return await tx.query<FactMessage>(
    `SELECT * FROM (
       SELECT n, role, name, at, left(COALESCE(content, ''), ${CHARACTERS_READ}) AS content
         FROM messages
        WHERE workspace_id = $1 AND conversation_id = $2 AND role IN ('user', 'assistant')
        ORDER BY n DESC
        LIMIT ${LAST_MESSAGES}) last
      ORDER BY n`,
    [tx.workspace, id],
  );
}

/**
 * Whether facts may be made of a conversation now: there is somebody whom it is about and about whom something may be
 * remembered, memory is automatic, nobody stopped its agent, and that may write.
 */
export async function mayMakeFacts(
  tx: Tx,
  { agent, subject, restricted }: CompactedConversation,
  { policy, memoryMode }: WorkspaceSettings,
): Promise<boolean> {
  if (!policy.conversations.facts || subject === null || restricted) return false;
  if (memoryMode !== 'automatic' || writeRoute(policy, { agent, kind: 'chat' }) !== 'durable')
    return false;
  const { may } = await tx.one<{ may: boolean }>(
    `SELECT a.memory_mode = 'automatic' AND NOT is_stopped($1, a.id, 'agent', a.id, NULL)
            AND NOT EXISTS (SELECT 1 FROM subjects s WHERE s.workspace_id = $1 AND s.id = $3 AND s.memory = 'off') AS may
       FROM agents a
      WHERE a.workspace_id = $1 AND a.id = $2`,
    [tx.workspace, agent, subject],
  );
  return may;
}
