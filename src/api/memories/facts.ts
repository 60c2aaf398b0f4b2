import { type FactMessage, factsIn } from '../../domain/conversation/facts';
import type { ApiDependencies } from '../app';
import { askedText } from '../asking';
import type { Caller } from '../authentication';

/** One message of what a client adds. */
export interface SaidMessage {
  role: string;
  content: string;
  name?: string | undefined;
}

/**
 * The facts in a list of messages, by the rules of conversations; none is no error. They are looked for in what
 * was redacted: what is cut to a sentence could not be recognised in it any more.
 *
 * @param said when, RFC 3339
 * @param subject whom they are about, as the workspace knows them
 */
export async function factsOf(
  deps: ApiDependencies,
  caller: Caller,
  messages: readonly SaidMessage[],
  { said, subject }: { said: string; subject: string | null },
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
  return factsIn(read, subject).map(({ text }) => text);
}

/** Said by the user or by whom they talk to; what a system or a tool says is nobody's statement. */
export function statementsIn(messages: readonly SaidMessage[]): SaidMessage[] {
  return messages.filter(
    ({ role, content }) => ['user', 'assistant'].includes(role) && content.trim() !== '',
  );
}

/** A single statement of a user, which is kept in their own words; null where it is more, or a question. */
export function soleStatement(messages: readonly SaidMessage[]): string | null {
  const [only, ...others] = statementsIn(messages);
  if (only === undefined || others.length > 0 || only.role !== 'user') return null;
  return /[?？؟]\s*$/u.test(only.content) ? null : only.content;
}
