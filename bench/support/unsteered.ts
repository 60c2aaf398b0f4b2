import type { NewMessage } from '../../src/contracts/conversation';
import { clausesOf } from '../../src/domain/conversation/clauses';

interface Budget {
  tokens: number;
  count: (text: string) => number;
}

/** A summary that nobody steers: what each stretch opens with, evenly over the whole, as long as the budget lets it. */
export function narrative(messages: readonly NewMessage[], { tokens, count }: Budget): string {
  const lines = messages.flatMap(({ role, content }) => {
    const [first] = role === 'tool' ? [] : clausesOf(content);
    return first === undefined ? [] : [`${role}: ${first}`];
  });
  const costs = lines.map((line) => count(line) + 1);
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  let due = 0;
  let used = 0;
  return lines
    .filter((_, at) => {
      const cost = costs[at] ?? 0;
      due += (cost * tokens) / Math.max(all, 1);
      if (used + cost > due) return false;
      used += cost;
      return true;
    })
    .join('\n');
}

const CHUNK = 150;
const TIMEOUT_MS = 300_000;

/** The same by a model that is asked for a summary, and for nothing in particular. */
export async function summaryByModel(
  endpoint: { url: string; name: string },
  messages: readonly NewMessage[],
  { tokens, count }: Budget,
): Promise<string> {
  let summary = '';
  for (let from = 0; from < messages.length; from += CHUNK) {
    const part = messages
      .slice(from, from + CHUNK)
      .map(({ role, content }) => `${role}: ${content.slice(0, 2_000)}`)
      .join('\n');
    const ask = `Summarize the conversation so far in at most ${Math.floor(tokens * 0.7)} words.\n\nSummary so far:\n${summary}\n\nConversation:\n${part}`;
    const answer = await fetch(`${endpoint.url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none' },
      body: JSON.stringify({
        model: endpoint.name,
        max_tokens: tokens,
        messages: [{ role: 'user', content: ask }],
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the endpoint answered ${answer.status}`);
    const body = (await answer.json()) as { choices?: { message?: { content?: string } }[] };
    summary = body.choices?.[0]?.message?.content ?? summary;
  }
  const words = summary.split(/(?<=\s)/);
  while (count(words.join('')) > tokens) words.splice(-20);
  return words.join('');
}
