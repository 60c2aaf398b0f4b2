import type { PassBudget, PassCounts } from '../../contracts/passes';

/** Cards that one look may hold at the most, whatever the budget says. */
export const MOST_CARDS = 2_000;
/** Of an answer: the longest that a reflection's schema holds. */
const ANSWER_TOKENS = 4_000;
/** An answer that does not fit is asked for once more, with the question and what was said. */
const CALLS_A_LOOK = 2;
/** As `usageOf` measures what an endpoint does not count. */
const BYTES_PER_TOKEN = 3;
/** Rules, schema and marks around the cards. */
const PROMPT_TOKENS = 1_500;

/** All of it bounded. */
export type WholeBudget = Required<PassBudget>;

/** What a run was told to spend, and for the rest the policy's; cards at most {@link MOST_CARDS}. */
export function budgetOf(asked: PassBudget | null, policy: WholeBudget): WholeBudget {
  const whole = { ...policy, ...asked };
  return { ...whole, cards: Math.min(whole.cards, MOST_CARDS) };
}

/** The most that asking about these texts can cost: both calls, with the longest answers. */
export function worstCost(texts: readonly string[]): { calls: number; tokens: number } {
  const bytes = texts.reduce((sum, text) => sum + utf8Length(text), 0);
  const question = PROMPT_TOKENS + Math.ceil(bytes / BYTES_PER_TOKEN);
  return { calls: CALLS_A_LOOK, tokens: CALLS_A_LOOK * (question + ANSWER_TOKENS) };
}

/** Whether a further look may be afforded: a budget is kept by stopping before it would be passed. */
export function affords(
  budget: WholeBudget,
  spent: PassCounts,
  cost: { calls: number; tokens: number },
): boolean {
  return (
    (spent.calls ?? 0) + cost.calls <= budget.calls &&
    (spent.tokens ?? 0) + cost.tokens <= budget.tokens
  );
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
