import type { MessageRole, StoredMessage } from '../contracts/conversation';
import type { DetailRow } from '../domain/conversation/detail-rows';
import type { Backlog } from '../domain/conversation/due';
import { CONVERSATION_SEEN } from './conversations';
import type { Tx } from './database';
import { countCapped } from './paging';
import { SUBJECTS_OFF } from './subjects';
import type { ReaderArguments } from './visible-cards';

/** A message that is fit to be kept: cleaned and redacted. */
export interface MessageToKeep {
  role: MessageRole;
  content: string;
  name: string | null;
  tool_call_id: string | null;
  at: string;
  tokens: number;
}

/** A tool's result that nobody has answered from yet. */
export interface UnusedResult {
  n: number;
  content: string;
  name: string | null;
  at: string;
  tokens: number;
}

const COLUMNS =
  'm.n, m.role, m.content, m.name, m.tool_call_id, m.at, m.recorded_at, m.tokens, m.extracted';

/** Appends messages from number `first` on; the conversation is held, so that nobody else has that number. */
export async function insertMessages(
  tx: Tx,
  conversationId: string,
  first: number,
  messages: readonly MessageToKeep[],
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO messages (workspace_id, conversation_id, n, role, content, name, tool_call_id, at, recorded_at, tokens)
     SELECT $1, $2, $3 + row_number() OVER (ORDER BY m.place) - 1, m.role, m.content, m.name, m.tool_call_id, m.at, $4, m.tokens
       FROM ROWS FROM (jsonb_to_recordset($5::jsonb)
              AS (role text, content text, name text, tool_call_id text, at timestamptz, tokens int))
            WITH ORDINALITY AS m (role, content, name, tool_call_id, at, tokens, place)`,
    [tx.workspace, conversationId, first, now, JSON.stringify(messages)],
  );
}

/** Results of tools before number `before` that nobody has answered from yet and that are worth clearing. */
export async function unusedResults(
  tx: Tx,
  conversationId: string,
  before: number,
  moreThanTokens: number,
): Promise<UnusedResult[]> {
  return await tx.query<UnusedResult>(
    `SELECT n, content, name, at, tokens FROM messages
      WHERE workspace_id = $1 AND conversation_id = $2 AND n < $3 AND tokens > $4
        AND role = 'tool' AND extracted IS NULL AND content IS NOT NULL
      ORDER BY n`,
    [tx.workspace, conversationId, before, moreThanTokens],
  );
}

/** What was taken of results that were answered from; the raw text stays for its time, in no context. */
export async function markUsed(
  tx: Tx,
  conversationId: string,
  used: readonly { n: number; extracted: string; tokens: number }[],
): Promise<void> {
  if (used.length === 0) return;
  await tx.query(
    `UPDATE messages m SET extracted = u.extracted, extracted_tokens = u.tokens
       FROM jsonb_to_recordset($3::jsonb) AS u (n int, extracted text, tokens int)
      WHERE m.workspace_id = $1 AND m.conversation_id = $2 AND m.n = u.n AND m.content IS NOT NULL`,
    [tx.workspace, conversationId, JSON.stringify(used)],
  );
}

export async function insertDetails(
  tx: Tx,
  conversationId: string,
  details: readonly DetailRow[],
): Promise<void> {
  if (details.length === 0) return;
  await tx.query(
    `INSERT INTO conversation_details (workspace_id, conversation_id, n, k, kind, text, items, terms, near)
     SELECT $1, $2, d.n, d.k, d.kind, d.text, d.items, d.terms, d.near
       FROM jsonb_to_recordset($3::jsonb)
         AS d (n int, k int, kind text, text text, items text[], terms text[], near text[])
     ON CONFLICT DO NOTHING`,
    [tx.workspace, conversationId, JSON.stringify(details)],
  );
}

/** What was said last before the messages that come: a detail may be the answer to it. */
export async function lastSaid(tx: Tx, conversationId: string): Promise<string | null> {
  const [row] = await tx.query<{ content: string | null }>(
    `SELECT left(COALESCE(content, extracted), 4000) AS content FROM messages
      WHERE workspace_id = $1 AND conversation_id = $2 AND role <> 'system'
      ORDER BY n DESC LIMIT 1`,
    [tx.workspace, conversationId],
  );
  return row?.content ?? null;
}

/** Counts what was added; `asked` is the last message of the user among it, and the words that it is looked up by. */
export async function countAppended(
  tx: Tx,
  conversationId: string,
  added: { messages: number; tokens: number; asked: { n: number; terms: string[] } | null },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE conversations
        SET messages = messages + $3, tokens = tokens + $4, updated_at = $5,
            asked_n = COALESCE($6, asked_n), asked_terms = COALESCE($7, asked_terms)
      WHERE workspace_id = $1 AND id = $2`,
    [
      tx.workspace,
      conversationId,
      added.messages,
      added.tokens,
      now,
      added.asked?.n ?? null,
      added.asked?.terms ?? null,
    ],
  );
}

/**
 * How much of a conversation waits to be worked on.
 * @param facts whether the policy has facts made of what is said
 */
export async function backlogOf(
  tx: Tx,
  conversationId: string,
  { keepRecent, facts }: { keepRecent: number; facts: boolean },
): Promise<Backlog> {
  return await tx.one<Backlog>(
    `WITH waiting AS (
       SELECT m.role, m.n, COALESCE(m.extracted_tokens, m.tokens) AS cost,
              row_number() OVER (ORDER BY m.n DESC) AS from_end
         FROM conversations c
         JOIN messages m ON m.workspace_id = $1 AND m.conversation_id = c.id AND m.n > c.summarized_through
        WHERE c.workspace_id = $1 AND c.id = $2 AND m.role <> 'system'
     )
     SELECT (SELECT COALESCE(sum(cost), 0) FROM waiting) AS unsummarized_tokens,
            (SELECT COALESCE(sum(cost), 0) FROM waiting WHERE from_end > $3) AS older_tokens,
            (SELECT count(*) FROM messages m
              WHERE m.workspace_id = $1 AND m.conversation_id = c.id AND m.n > c.facts_through
                AND m.role IN ('user', 'assistant')) AS fact_messages,
            $4::boolean AND c.subject IS NOT NULL AND (c.subject IN (${SUBJECTS_OFF})) IS NOT TRUE
              AND EXISTS (SELECT 1 FROM workspaces w JOIN agents a ON a.workspace_id = w.workspace_id
                           WHERE w.workspace_id = $1 AND a.id = c.agent_id
                             AND w.memory_mode = 'automatic' AND a.memory_mode = 'automatic') AS facts
       FROM conversations c
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, conversationId, keepRecent, facts],
  );
}

/** A page of the raw messages, oldest first, and one more where there are more. */
export async function listMessages(
  tx: Tx,
  conversationId: string,
  { after, limit }: { after: number; limit: number },
): Promise<{ rows: StoredMessage[]; total: number }> {
  const rows = await tx.query<StoredMessage>(
    `SELECT ${COLUMNS} FROM messages m
      WHERE m.workspace_id = $1 AND m.conversation_id = $2 AND m.n > $3
      ORDER BY m.n LIMIT $4`,
    [tx.workspace, conversationId, after, limit + 1],
  );
  const total = await countCapped(
    tx,
    'SELECT m.n FROM messages m WHERE m.workspace_id = $1 AND m.conversation_id = $2',
    [tx.workspace, conversationId],
  );
  return { rows, total };
}

/** One message of a conversation that the reader sees. @returns null where there is none */
export async function readMessage(
  tx: Tx,
  reader: ReaderArguments,
  conversationId: string,
  n: number,
): Promise<StoredMessage | null> {
  const [row] = await tx.query<StoredMessage>(
    `SELECT ${COLUMNS}
       FROM conversations c
       JOIN messages m ON m.workspace_id = $1 AND m.conversation_id = c.id AND m.n = $8
      WHERE c.workspace_id = $1 AND c.id = $7 AND ${CONVERSATION_SEEN}
        AND ($3::text IS NULL OR true) AND $6::timestamptz IS NOT NULL`,
    [...reader, conversationId, n],
  );
  return row ?? null;
}
