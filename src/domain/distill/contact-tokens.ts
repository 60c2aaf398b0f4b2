import type { SettledEvent } from '../../contracts/event';

/** As intake writes them in the place of an address: what it was, and the workspace's tag for it. */
const TOKEN = /\[((EMAIL|PHONE|EXT_IP)_[a-z2-7]{16})\]/g;
/** Of a card: more come from lists and logs, which nobody looks up by one of them. */
const MOST = 3;

/**
 * The tokens of the addresses in an event, at most three, those of people first, in lower case. A card
 * says "an address" in its words; by these it is found by whoever asks for that one.
 *
 * @example contactTokens({ …, text: 'write to [EMAIL_k3vq…]' }) // ['email_k3vq…']
 */
export function contactTokens(event: SettledEvent): string[] {
  const { text, messages, input, error, output } = event;
  const found = new Map<string, boolean>();
  for (const part of [text, messages, input, error, output]) {
    const written = typeof part === 'string' ? part : JSON.stringify(part ?? '');
    for (const [, token = '', kind] of written.matchAll(TOKEN)) {
      found.set(token.toLowerCase(), kind !== 'EXT_IP');
    }
  }
  const tokens = [...found].sort(([, one], [, other]) => Number(other) - Number(one));
  return tokens.slice(0, MOST).map(([token]) => token);
}

const KEYWORD = /^(?:email|phone|ext_ip)_[a-z2-7]{16}$/;

/** Words that somebody else chose for the same event, with the tokens among `keywords` kept. */
export function withContactTokens(
  chosen: readonly string[],
  keywords: readonly string[],
  most: number,
): string[] {
  const tokens = keywords.filter((word) => KEYWORD.test(word) && !chosen.includes(word));
  return [...chosen.slice(0, most - tokens.length), ...tokens];
}
