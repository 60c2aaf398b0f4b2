import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { MessageRole } from '../../src/contracts/conversation';
import type { ContextInput } from '../../src/domain/conversation/context';
import { type AssembledContext, assembleContext } from '../../src/domain/conversation/context';
import type { ShownFact } from '../../src/domain/conversation/facts-shown';
import { messageTokens } from '../../src/domain/conversation/message-tokens';
import { type ContextTurn, clearedText } from '../../src/domain/conversation/turns';

export const ID = 'talk';

/** A turn as the store would give it; with `extracted` a result that was cleared. */
export function turn(
  n: number,
  role: MessageRole,
  content: string,
  extracted: string | null = null,
): ContextTurn {
  const name = role === 'tool' ? 'look_up' : null;
  const costs = (text: string) => messageTokens({ content: text, name }, countTokens);
  return {
    ...{ n, role, name, extracted },
    content: extracted === null ? content : null,
    is_dropped: false,
    tool_call_id: role === 'tool' ? `call_${n}` : null,
    tokens: costs(content),
    extracted_tokens:
      extracted === null ? null : costs(clearedText(ID, n, extracted, { isDropped: false })),
  };
}

export function fact(id: string, summary: string, more: Partial<ShownFact> = {}): ShownFact {
  return {
    ...{ id, summary, version: 1, sign: 'neutral', status: 'active', trust: 'agent', flags: [] },
    ...{
      confidence: 0.8,
      valid_from: '2026-03-01T08:00:00.000Z',
      valid_to: null,
      expires_at: null,
    },
    ...{ recorded_at: '2026-03-01T08:00:00.000Z', via: ['own'], contradicted: false },
    ...more,
  };
}

export function assembled(
  turns: readonly ContextTurn[],
  more: Partial<ContextInput> = {},
): AssembledContext {
  return assembleContext({
    id: ID,
    summary: null,
    facts: [],
    turns,
    details: { found: [], total: 0, df: {} },
    budgetTokens: 1_000_000,
    countTokens,
    ...more,
  });
}

/** What the list of messages costs, counted from what stands in it. */
export function costsOf({ messages }: Pick<AssembledContext, 'messages'>): number {
  return messages.reduce((sum, message) => sum + messageTokens(message, countTokens), 0);
}
