import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Text that spells a special token is text: what is remembered is data. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of a text, o200k. Long runs without a break take long: `boundedTokens` counts what anybody may send. */
export function tokensOf(text: string): number {
  return text === '' ? 0 : countTokens(text, AS_TEXT);
}
