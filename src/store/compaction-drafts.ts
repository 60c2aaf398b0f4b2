import type { Fact } from '../domain/conversation/facts';
import type { Tx } from './database';

/** What a model wrote of a stretch of messages, redacted and not yet checked. */
export interface SummaryDraft {
  /** Of the summary that it was written on, and the last message that it tells. */
  version: number;
  through: number;
  text: string;
}

export interface FactsDraft {
  facts: Fact[];
  model: string;
  prompt_version: string;
}

export interface CompactionDraft {
  summary?: SummaryDraft;
  facts?: FactsDraft;
}

interface DraftKey {
  conversationId: string;
  n: number;
}

/** Keeps a part of a draft; kept again it is replaced. Where the conversation is gone meanwhile, nothing is kept. */
export async function keepCompactionDraft(
  tx: Tx,
  { conversationId, n }: DraftKey,
  draft: CompactionDraft,
  now: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO compaction_drafts (workspace_id, conversation_id, n, draft, created_at)
     SELECT c.workspace_id, c.id, $3, $4, $5
       FROM conversations c
      WHERE c.workspace_id = $1 AND c.id = $2 AND c.compacting IS NOT NULL
        FOR SHARE
     ON CONFLICT (workspace_id, conversation_id, n)
     DO UPDATE SET draft = compaction_drafts.draft || EXCLUDED.draft, created_at = EXCLUDED.created_at`,
    [tx.workspace, conversationId, n, JSON.stringify(draft), now],
  );
}

/** Empty where there is none. */
export async function readCompactionDraft(
  tx: Tx,
  { conversationId, n }: DraftKey,
): Promise<CompactionDraft> {
  const [row] = await tx.query<{ draft: CompactionDraft }>(
    'SELECT draft FROM compaction_drafts WHERE workspace_id = $1 AND conversation_id = $2 AND n = $3',
    [tx.workspace, conversationId, n],
  );
  return row?.draft ?? {};
}
