import { type FactMessage, factsIn } from '../../domain/conversation/facts';
import { beginning } from '../../domain/distill/plain-text';
import { MAX_SUMMARY } from '../../schemas/card';
import type { ApiDependencies } from '../app';
import { askedText } from '../asking';
import type { Caller } from '../authentication';

/** One message of what a client adds. */
export interface SaidMessage {
  role: string;
  content: string;
  name?: string | undefined;
}

/** When it was said, RFC 3339, and about whom, as the workspace knows them. */
interface Said {
  said: string;
  subject: string | null;
}

/**
 * The facts in a list of messages, by the rules of conversations; none is no error. They are looked for in what
 * was redacted: what is cut to a sentence could not be recognised in it any more.
 *
 * @param least messages under which there are none; as of a conversation where it is left out
 */
export async function factsOf(
  deps: ApiDependencies,
  caller: Caller,
  messages: readonly SaidMessage[],
  { said, subject }: Said,
  least?: number,
): Promise<string[]> {
  const read: FactMessage[] = [];
  for (const { role, content, name } of statementsIn(messages)) {
    read.push({
      n: read.length + 1,
      role: role === 'user' ? 'user' : 'assistant',
      name: name === undefined ? null : await askedText(deps, caller, name),
      content: await askedText(deps, caller, content),
      at: said,
    });
  }
  return factsIn(read, subject, least).map(({ text }) => text);
}

/**
 * What is remembered of a user's only message that is too long for one memory: the facts in it; where there are none
 * its beginning, up to the end of a sentence, redacted before it is cut. Of a question that holds none nothing.
 */
export async function partsOfLong(
  deps: ApiDependencies,
  caller: Caller,
  message: SaidMessage,
  about: Said,
): Promise<{ texts: string[]; isCut: boolean }> {
  const facts = await factsOf(deps, caller, [message], about, 1);
  if (facts.length > 0 || isQuestion(message)) return { texts: facts, isCut: false };
  const text = beginning(await askedText(deps, caller, message.content), MAX_SUMMARY);
  return { texts: [text], isCut: true };
}

/** Said by the user or by whom they talk to; what a system or a tool says is nobody's statement. */
export function statementsIn(messages: readonly SaidMessage[]): SaidMessage[] {
  return messages.filter(
    ({ role, content }) => ['user', 'assistant'].includes(role) && content.trim() !== '',
  );
}

/** The only message, where it is a user's; null where there are more. */
export function soleMessage(messages: readonly SaidMessage[]): SaidMessage | null {
  const [only, ...others] = statementsIn(messages);
  return only === undefined || others.length > 0 || only.role !== 'user' ? null : only;
}

export function isQuestion({ content }: SaidMessage): boolean {
  return /[?？؟]\s*$/u.test(content);
}
