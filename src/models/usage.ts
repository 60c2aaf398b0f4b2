/** What calls of a model cost, so that a pass can keep its budget. */
export interface ModelUsage {
  /** Answered calls: one, or two where the first answer had to be repaired. */
  calls: number;
  tokens_in: number;
  tokens_out: number;
  /** True where the endpoint did not say, and the texts were measured instead. */
  estimated: boolean;
}

export const NO_USAGE: Readonly<ModelUsage> = {
  calls: 0,
  tokens_in: 0,
  tokens_out: 0,
  estimated: false,
};

export function usageSum(one: Readonly<ModelUsage>, other: Readonly<ModelUsage>): ModelUsage {
  return {
    calls: one.calls + other.calls,
    tokens_in: one.tokens_in + other.tokens_in,
    tokens_out: one.tokens_out + other.tokens_out,
    estimated: one.estimated || other.estimated,
  };
}

/**
 * A token has about four bytes of English prose and about three of JSON, ids or Chinese. Three: a budget
 * that ends early spends nothing that nobody allowed.
 */
const BYTES_PER_TOKEN = 3;
/** No model reads as many at once; a count beyond it is a fault of the endpoint's. */
const MOST_TOKENS = 10_000_000;

/**
 * The cost of one answered call.
 * @param counted the `usage` of the completion, whatever the endpoint put there
 * @param asked all that was sent, for where it counts nothing
 * @param said what was answered
 */
export function usageOf(counted: unknown, asked: string, said: string): ModelUsage {
  const fields = typeof counted === 'object' && counted !== null ? counted : {};
  const { prompt_tokens, completion_tokens } = fields as Record<string, unknown>;
  const [tokensIn, tokensOut] = [countIn(prompt_tokens, 1), countIn(completion_tokens, 0)];
  return {
    calls: 1,
    tokens_in: tokensIn ?? estimate(asked),
    tokens_out: tokensOut ?? estimate(said),
    estimated: tokensIn === null || tokensOut === null,
  };
}

function countIn(value: unknown, least: number): number | null {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= MOST_TOKENS
    ? Number(value)
    : null;
}

function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
