import type { MessageRole } from '../../contracts/conversation';

/** A longer result of a tool is cleared once it was answered from. */
export const CLEARED_ABOVE_TOKENS = 120;

interface Said {
  n: number;
  role: MessageRole;
  content: string;
}

/**
 * What the assistant answered to a tool's result: what it said after it, up to the user's next message. A call of a
 * further tool without a word answers nothing yet.
 * @param following what came after the result, in order
 * @returns empty while it waits for its answer
 */
export function answersTo(result: { n: number }, following: readonly Said[]): string[] {
  const answers: string[] = [];
  for (const { n, role, content } of following) {
    if (n <= result.n) continue;
    if (role === 'user' && answers.length > 0) break;
    if (role === 'assistant' && content.trim() !== '') answers.push(content);
  }
  return answers;
}
