/** Tokens that a message costs beside its words: its role and the marks around it. */
export const MESSAGE_OVERHEAD = 4;

/** A run without a break of this many characters is counted in parts. */
const LONGEST_RUN = 128;

/**
 * Tokens of a text of any kind. A tokenizer takes time with the square of an unbroken run (40,000 Chinese
 * letters without a comma: 24 s), so a long one is counted in parts, which is a token or two too many for each.
 * Ordinary text has no such runs, and its count is exact.
 */
export function boundedTokens(text: string, countTokens: (text: string) => number): number {
  let tokens = 0;
  let from = 0;
  let run = 0;
  let wasSpace = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace = code === 32 || (code >= 9 && code <= 13);
    run = isSpace === wasSpace ? run + 1 : 1;
    wasSpace = isSpace;
    const isInsidePair = code >= 0xdc00 && code <= 0xdfff;
    if (run <= LONGEST_RUN || isInsidePair) continue;
    tokens += countTokens(text.slice(from, at));
    from = at;
    run = 1;
  }
  return tokens + countTokens(from === 0 ? text : text.slice(from));
}

/** What a message costs in a prompt: its words, its name, and its role. */
export function messageTokens(
  message: { content: string; name?: string | null | undefined },
  countTokens: (text: string) => number,
): number {
  const name = message.name ?? '';
  return (
    MESSAGE_OVERHEAD +
    boundedTokens(message.content, countTokens) +
    (name === '' ? 0 : countTokens(name))
  );
}
