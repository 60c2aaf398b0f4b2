import { lexicalTerms } from '../terms';
import { tokensOf } from '../tokens';
import { COURTESIES } from './courtesies';

interface Told {
  n: number;
  role: string;
  name: string | null;
  content: string;
  at: string;
}

/** The last of them; what came before stands in the details. */
export const STORY_LINES = 12;
const MOST_TOPICS = 8;
const MOST_SPEAKERS = 3;
const READ_LIMIT = 2_000;

/**
 * A stretch of messages in a line: when, who, and the words that it comes back to. Nothing for none.
 *
 * @example storyLine(messages) // ['2023-05-08 to 2023-05-25, messages 1–40: Caroline and Melanie on painting, race, …']
 */
export function storyLine(messages: readonly Told[]): string[] {
  const [first] = messages;
  const last = messages.at(-1);
  if (first === undefined || last === undefined) return [];
  const [from, to] = [first.at.slice(0, 10), last.at.slice(0, 10)];
  const days = from === to ? from : `${from} to ${to}`;
  const speakers = [...new Set(messages.map(({ name, role }) => name ?? role))].filter(
    (who) => who !== 'tool',
  );
  const topics = topicsOf(messages);
  const about = topics.length === 0 ? '' : ` on ${topics.join(', ')}`;
  return [
    `${days}, messages ${first.n}–${last.n}: ${speakers.slice(0, MOST_SPEAKERS).join(', ')}${about}`,
  ];
}

/** Words that many of the messages hold, the most frequent first, as they are written most. */
function topicsOf(messages: readonly Told[]): string[] {
  const held = new Map<string, number>();
  const written = new Map<string, string>();
  const names = new Set(messages.flatMap(({ name }) => (name === null ? [] : tokensOf(name))));
  for (const { content, role } of messages) {
    if (role === 'tool') continue;
    // What stands in brackets was not said: captions, tokens, marks.
    const text = content.slice(0, READ_LIMIT).replace(/\[[^\]]{0,400}\]/g, ' ');
    for (const token of new Set(tokensOf(text))) {
      const [term] = lexicalTerms(token).keys();
      if (term === undefined || token.length < 4 || names.has(token) || COURTESIES.has(term))
        continue;
      held.set(term, (held.get(term) ?? 0) + 1);
      if (!written.has(term)) written.set(term, token);
    }
  }
  return [...held]
    .filter(([, times]) => times > 1)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MOST_TOPICS)
    .flatMap(([term]) => written.get(term) ?? []);
}

/** A line without the day that it opens with. */
export function withoutDate(line: string): string {
  return line.replace(/^\d{4}-\d{2}-\d{2} /, '');
}
