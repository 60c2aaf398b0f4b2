import type { ConversationContext } from '../contracts/conversation';
import { assembleContext } from '../domain/conversation/context';
import { factsShown } from '../domain/conversation/facts-shown';
import { durationMs } from '../domain/durations';
import { mergePolicy } from '../domain/policy';
import { tokensOf } from '../models/token-count';
import { readForContext } from '../store/conversation-context';
import { readConversation } from '../store/conversations';
import { newId } from '../store/ids';
import { recordRecall } from '../store/recall-write';
import type { ApiDependencies } from './app';
import { type Caller, surfaceOf } from './authentication';
import { readerOf } from './card-rights';
import { contextVersionOf } from './context-version';
import { archived } from './conversation-writing';
import { notFound } from './problem';
import { NOT_MODIFIED } from './recall';

export interface ContextRequest {
  id: string;
  /** o200k tokens; the policy's ceiling and summary together unless named. */
  budgetTokens: number | undefined;
  /** Versions that the caller has. */
  known: readonly string[];
}

/**
 * What one sends to a model: one statement reads, a pure function assembles, one statement logs which facts were told.
 * No model is called, and no compaction waited for. To an agent whose memory is off nothing is given.
 * @throws Problem 404, or 409 where it is archived
 */
export async function conversationContext(
  deps: ApiDependencies,
  caller: Caller,
  { id, budgetTokens, known }: ContextRequest,
): Promise<ConversationContext | typeof NOT_MODIFIED> {
  const reader = readerOf(caller, deps.clock);
  const now = reader[5];
  const policy = mergePolicy(caller.policyDocument);
  const { ceiling_tokens, summary_tokens, facts: tellsFacts } = policy.conversations;
  const budget = budgetTokens ?? ceiling_tokens + summary_tokens;
  return await deps.database.inWorkspace(
    reader[0],
    async (tx) => {
      if (caller.memoryOff) {
        const one = await readConversation(tx, reader, id);
        if (one === null) throw notFound('conversation');
        return known.includes(NOTHING.context_version) ? NOT_MODIFIED : NOTHING;
      }
      const read = await readForContext(tx, reader, {
        id,
        facts: tellsFacts,
        budgetTokens: budget,
      });
      if (read === null) throw notFound('conversation');
      if (read.status === 'archived') throw archived();
      const assembled = assembleContext({
        id,
        summary: read.summary,
        facts: factsShown(read.facts, {
          now: now.getTime(),
          tieMs: durationMs(policy.resolve.tie),
        }),
        turns: read.turns,
        details: read.details,
        budgetTokens: budget,
        countTokens: tokensOf,
      });
      const contextVersion = contextVersionOf(JSON.stringify(assembled.messages), assembled.facts);
      if (known.includes(contextVersion)) return NOT_MODIFIED;
      const { facts } = assembled;
      const recallId = facts.length === 0 ? null : newId('recall', now);
      if (recallId !== null) {
        await recordRecall(tx, {
          id: recallId,
          at: now,
          context: caller.context,
          intent: 'look_up',
          profile: policy.recall.profile,
          contextVersion,
          degraded: [],
          cards: facts.map((fact) => ({ id: fact.id, score: fact.confidence, vias: fact.via })),
          sectionOf: new Map(),
          surface: surfaceOf(caller, 'context'),
        });
      }
      return {
        messages: assembled.messages,
        tokens: assembled.tokens,
        summary: assembled.summary,
        facts: facts.map(({ id: card, summary: text, confidence, recorded_at }) => ({
          ...{ id: card, text, confidence, recorded_at },
        })),
        context_version: contextVersion,
        recall_id: recallId,
      };
    },
    'once',
  );
}

const NOTHING = {
  messages: [],
  tokens: 0,
  summary: null,
  facts: [],
  context_version: 'memory_off',
  recall_id: null,
  degraded: ['memory_off'],
} satisfies ConversationContext;
