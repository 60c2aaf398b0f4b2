import { looksLikeInstruction } from '../distill/instruction-like';
import { finish } from '../distill/plain-text';
import { SAID_ON } from '../said-on';
import { lexicalTerms } from '../terms';
import { holds, searched } from './check';
import { datesIn } from './dates-in';
import { type Fact, type FactMessage, LAST_MESSAGES, LEAST_MESSAGES } from './facts';
import { itemsOf } from './items-of';

/** Words of a fact that have to be in the message that it is taken from. */
const LEAST_SHARE = 0.3;

/**
 * What a model took for facts, held to what was said: in a message of the user, with numbers, names and dates that
 * stand there. Each says when it was said.
 */
export function groundedFacts(
  found: readonly { text: string; source: number }[],
  messages: readonly FactMessage[],
): Fact[] {
  if (messages.length < LEAST_MESSAGES) return [];
  const own = new Map(
    messages.slice(-LAST_MESSAGES).flatMap((one) => (one.role === 'user' ? [[one.n, one]] : [])),
  );
  return found.flatMap(({ text, source }) => {
    const message = own.get(source);
    if (message === undefined || !isGrounded(text, message)) return [];
    if (looksLikeInstruction(message.content, 'request')) return [];
    const said = finish(text.replace(SAID_ON, '')).replace(/[.!]+$/u, '');
    const { n, at } = message;
    return [{ text: `${said} (said on ${at.slice(0, 10)}).`, n, at }];
  });
}

function isGrounded(text: string, { content, name, at }: FactMessage): boolean {
  const said = searched(`${name ?? ''} The user\n${content}`, at);
  const claimed = itemsOf(text, datesIn(text, at)).filter(({ kind }) => kind !== 'name');
  if (!claimed.every((item) => holds(said, item.text))) return false;
  const words = lexicalTerms(content);
  const terms = [...lexicalTerms(text).keys()];
  return terms.filter((term) => words.has(term)).length / Math.max(1, terms.length) >= LEAST_SHARE;
}
