import type {
  CompactionBegun,
  CompactionEnd,
  CompactionRound,
  FactsFiled,
  SummaryCommitted,
} from '../contracts/compaction';
import type { CompactionInput, CompactionReason } from '../contracts/conversation';
import type { RunEnd } from '../contracts/passes';
import { compactionDue, FACT_MESSAGES } from '../domain/conversation/due';
import { factsIn } from '../domain/conversation/facts';
import { newFacts } from '../domain/conversation/known-facts';
import { boundedTokens } from '../domain/conversation/message-tokens';
import { chunkOf, type Untold } from '../domain/conversation/told-chunk';
import { makesVectors } from '../models/no-embedder';
import { tokensOf } from '../models/token-count';
import { fileFacts, knownOf } from '../store/card-writes-facts';
import { readCompactionDraft } from '../store/compaction-drafts';
import {
  type CompactedConversation,
  lastMessages,
  mayMakeFacts,
  readCompacted,
  untoldMessages,
} from '../store/compaction-reads';
import {
  askCompaction,
  beginCompactionRun,
  commitSummary,
  endCompactionRun,
  factsFiledBefore,
  moveFactsOn,
  noteFactsFiled,
  releaseCompaction,
} from '../store/compactions';
import { backlogOf } from '../store/conversation-messages';
import type { Tx } from '../store/database';
import { endRun } from '../store/pass-endings';
import { policyOf, readSettings } from '../store/settings';
import { readRound, writtenRound } from './compaction-round';
import type { WordingDependencies } from './dependencies';
import { executionOf } from './execution';

export interface CompactionActivities {
  /** Its row runs from now on, and what there is to do is counted. */
  beginCompaction(input: CompactionInput): Promise<CompactionBegun>;
  /** Checks what a model left, or what the rules write, puts back what is missing, and commits: one round. */
  commitSummary(round: CompactionRound): Promise<SummaryCommitted>;
  /** Files what the last messages tell of their subject, once. */
  fileFacts(input: CompactionInput): Promise<FactsFiled>;
  /** Writes the record; asks for the next one where more has come meanwhile. */
  endCompaction(end: CompactionEnd): Promise<void>;
  /** Of one that failed or was cancelled: its row says so, and another may begin. */
  dropCompaction(input: CompactionInput & { end: RunEnd['end'] }): Promise<void>;
}

const count = (text: string): number => boundedTokens(text, tokensOf);

const NO_FACTS: FactsFiled = { found: 0, filed: 0, known: 0 };

/** No transaction is open while a summary is put together: nobody who writes waits for it. */
export function createCompactionActivities(deps: WordingDependencies): CompactionActivities {
  const { database, clock, embedder } = deps;
  return {
    beginCompaction: ({ workspace, conversation_id: id, operation_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const { runId } = executionOf();
        const isOpen = await beginCompactionRun(tx, { operationId: operation_id, runId }, clock());
        const conversation = await readCompacted(tx, id);
        const skip = skipped(conversation, operation_id, isOpen);
        if (conversation === null || skip !== null) return { ...NOTHING, skip: skip ?? 'gone' };
        const { summary_version: version, summarized_through: through } = conversation;
        const untold = await untoldMessages(tx, id, through);
        const { keep_recent, ceiling_tokens, summary_tokens } = (await policyOf(tx)).conversations;
        const tokens = costOf(untold);
        // What is closed is read now and then: it need not be long for that.
        const most = conversation.status === 'open' ? ceiling_tokens : summary_tokens;
        return {
          ...{ skip: null, version, through, tokens, asks_model: deps.hasModel },
          tells: tokens > most && chunkOf(untold, keep_recent) !== null,
          facts: await factsDue(tx, id, conversation),
        };
      }),

    commitSummary: async ({ workspace, conversation_id: id, version, n }) => {
      const read = await database.inWorkspace(workspace, async (tx) => ({
        round: await readRound(tx, id, version),
        draft: (await readCompactionDraft(tx, { conversationId: id, n })).summary ?? null,
      }));
      const { round, draft } = read;
      if (round === null) return { ...UNTOLD, state: 'nothing', version };
      if (round.state === 'moved') {
        // Mostly its own commit, which nobody heard of.
        return { ...UNTOLD, ...round, more: true };
      }
      const written = writtenRound(round, draft, count);
      const { text, told, through, written_by, ...counts } = written;
      return await database.inWorkspace(workspace, async (tx) => {
        const summary = { version, text, through, written_by, told };
        const isCommitted = await commitSummary(tx, id, summary);
        const tokens_after = count(text) + costOf(await untoldMessages(tx, id, through));
        const at = { version: version + 1, through, more: round.more, tokens_after };
        if (isCommitted) return { state: 'committed', written_by, ...counts, ...at };
        const now = await readCompacted(tx, id);
        return { ...UNTOLD, state: 'moved', version: now?.summary_version ?? 0, more: true };
      });
    },

    fileFacts: (input) =>
      database.inWorkspace(input.workspace, async (tx) => {
        const { conversation_id: id, operation_id: operationId, n } = input;
        const before = await factsFiledBefore(tx, operationId);
        const conversation = await readCompacted(tx, id);
        const settings = await readSettings(tx);
        if (before !== null || conversation === null || settings === null)
          return before ?? NO_FACTS;
        const messages = await lastMessages(tx, id);
        const { facts: draft } = await readCompactionDraft(tx, { conversationId: id, n });
        let filed = NO_FACTS;
        if (await mayMakeFacts(tx, conversation, settings)) {
          const found = draft?.facts ?? factsIn(messages, conversation.subject_name);
          const now = clock();
          const known = await knownOf(tx, conversation, now);
          const told = known.map(({ summary }) => summary);
          const fresh = newFacts(found, told, conversation.subject);
          const ids = await fileFacts(tx, fresh, {
            ...{ conversation, settings, operationId, ...executionOf(), known, now },
            by: draft ?? null,
            makesVectors: makesVectors(embedder),
          });
          filed = { found: found.length, filed: ids.length, known: found.length - ids.length };
        }
        await moveFactsOn(tx, id, messages.at(-1)?.n ?? 0);
        await noteFactsFiled(tx, operationId, filed);
        return filed;
      }),

    endCompaction: ({ workspace, conversation_id: id, operation_id: operationId, n, result }) =>
      database.inWorkspace(workspace, async (tx) => {
        await releaseCompaction(tx, { conversationId: id, operationId, n });
        await endCompactionRun(tx, operationId, result, clock());
        const reason = await dueNext(tx, id);
        if (reason !== null) await askCompaction(tx, { conversationId: id, now: clock() });
      }),

    dropCompaction: ({ workspace, conversation_id: id, operation_id: operationId, n, end }) =>
      database.inWorkspace(workspace, async (tx) => {
        await releaseCompaction(tx, { conversationId: id, operationId, n });
        await endRun(tx, operationId, end, clock());
      }),
  };
}

const NOTHING: Omit<CompactionBegun, 'skip'> = {
  ...{ version: 0, through: 0, tokens: 0, tells: false, facts: false, asks_model: false },
};

const UNTOLD: SummaryCommitted = {
  ...{ state: 'nothing', version: 0, through: 0, more: false, written_by: null },
  ...{ items: 0, missing: 0, put_back: 0, tokens_after: 0 },
};

function costOf(messages: readonly Untold[]): number {
  return messages.reduce((sum, { tokens, role }) => sum + (role === 'system' ? 0 : tokens), 0);
}

function skipped(
  conversation: CompactedConversation | null,
  operationId: string,
  isOpen: boolean,
): CompactionBegun['skip'] {
  if (conversation === null) return 'gone';
  if (conversation.status === 'archived') return 'archived';
  return isOpen && conversation.compacting === operationId ? null : 'ended';
}

/** Every ten messages, and at the end what is left. */
async function factsDue(tx: Tx, id: string, conversation: CompactedConversation): Promise<boolean> {
  const settings = await readSettings(tx);
  if (settings === null || !(await mayMakeFacts(tx, conversation, settings))) return false;
  const { keep_recent: keepRecent } = settings.policy.conversations;
  const { fact_messages: waiting } = await backlogOf(tx, id, { keepRecent, facts: true });
  return waiting >= (conversation.status === 'open' ? FACT_MESSAGES : 1);
}

/** Why the conversation is to be worked on once more, or null. */
async function dueNext(tx: Tx, id: string): Promise<CompactionReason | null> {
  const conversation = await readCompacted(tx, id);
  if (conversation === null || conversation.status === 'archived') return null;
  const facts = await factsDue(tx, id, conversation);
  if (conversation.status === 'closed') return facts ? 'closed' : null;
  const { keep_recent: keepRecent, ceiling_tokens: ceiling } = (await policyOf(tx)).conversations;
  return compactionDue(await backlogOf(tx, id, { keepRecent, facts }), ceiling);
}
