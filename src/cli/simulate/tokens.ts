import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** A text that spells a special token is text, as recall counts it. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

/** Tokens of o200k. */
export function tokensOf(text: string): number {
  return text === '' ? 0 : countTokens(text, AS_TEXT);
}
