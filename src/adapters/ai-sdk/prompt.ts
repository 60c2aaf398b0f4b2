import { blockOf, withoutBlocks } from './block';
import { type Message, type Part, type Prompt, partsOf, textOf } from './shapes';

/**
 * `system`: a system message after the caller's own, which every provider takes. What is before it stays
 * in the provider's cache from turn to turn, and what follows as long as the context is the same.
 * `last_user`: a text at the head of the last user message, so that the whole conversation before it stays
 * in the cache whatever is recalled.
 */
export type Placement = 'system' | 'last_user';

/** The prompt without any context of ours that came back in it. */
export function withoutMemory<P extends Prompt>(prompt: P): P {
  const kept = (prompt as Prompt).flatMap((message): Message[] => {
    if (!holdsBlock(message)) return [message];
    if (typeof message.content === 'string') {
      const content = withoutBlocks(message.content);
      return content.trim() === '' ? [] : [{ ...message, content }];
    }
    const content = message.content.flatMap((part): Part[] => {
      if (part.type !== 'text' || typeof part.text !== 'string') return [part];
      const text = withoutBlocks(part.text);
      return text.trim() === '' && text !== part.text ? [] : [{ ...part, text }];
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return kept as unknown as P;
}

function holdsBlock(message: Message): boolean {
  const text = textOf(partsOf(message));
  return withoutBlocks(text) !== text;
}

/** The prompt with a context in its place; as it was where nothing was recalled. */
export function withMemory<P extends Prompt>(
  prompt: P,
  { context, context_version: version }: { context: string; context_version: string },
  placement: Placement,
): P {
  if (context === '') return prompt;
  const messages: Message[] = [...prompt];
  const block = blockOf(context, version);
  if (placement === 'system') {
    const turn = messages.findIndex(({ role }) => role !== 'system');
    messages.splice(turn < 0 ? messages.length : turn, 0, { role: 'system', content: block });
  } else {
    const at = lastUserIn(messages);
    const last = messages[at];
    if (last === undefined) return prompt;
    messages[at] = { ...last, content: [{ type: 'text', text: `${block}\n` }, ...partsOf(last)] };
  }
  return messages as unknown as P;
}

/** What the user said last; empty where nobody did. */
export function lastUserText(prompt: Prompt): string {
  const last = prompt[lastUserIn(prompt)];
  return last === undefined ? '' : textOf(partsOf(last));
}

export function lastUserIn(prompt: Prompt): number {
  return prompt.findLastIndex(({ role }) => role === 'user');
}
