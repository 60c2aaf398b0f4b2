import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Conversation,
  conversationsOf,
  type Question,
  type Turn,
} from '../../bench/support/conversations';
import type { NewMessage } from '../../src/contracts/conversation';
import { comparable } from '../../src/domain/conversation/check';
import { clausesOf } from '../../src/domain/conversation/clauses';
import { datesIn, withDates } from '../../src/domain/conversation/dates-in';
import { lexicalTerms } from '../../src/domain/terms';

/** A question about the first sitting, with the turns of that sitting that answer it. */
export interface BeginningQuestion extends Question {
  answer: string;
  turns: Turn[];
}

export interface LongConversation extends Conversation {
  beginning: BeginningQuestion[];
}

interface Sample {
  qa: { question: string; answer?: unknown }[];
}

/** The long conversations of the test data, with their questions about the very beginning. */
export function longConversations(dir: string): LongConversation[] {
  const samples = JSON.parse(readFileSync(join(dir, 'locomo-dev.json'), 'utf8'));
  return conversationsOf(samples).map((conversation, at) => {
    const { qa } = samples[at] as Sample;
    const answers = new Map(qa.map(({ question, answer }) => [question, String(answer ?? '')]));
    const first = new Map(
      conversation.turns.flatMap((turn) => (turn.sitting === 'session_1' ? [[turn.id, turn]] : [])),
    );
    const beginning = conversation.questions.flatMap((question): BeginningQuestion[] => {
      const turns = question.evidence.flatMap((id) => first.get(id) ?? []);
      return turns.length === 0
        ? []
        : [{ ...question, turns, answer: answers.get(question.text) ?? '' }];
    });
    return { ...conversation, beginning };
  });
}

/** Its turns as messages: who speaks first is the user. */
export function messagesOf({ turns }: Conversation): NewMessage[] {
  const user = turns[0]?.speaker;
  return turns.map(({ speaker, text, at }) => ({
    role: speaker === user ? 'user' : 'assistant',
    name: speaker.replace(/[^A-Za-z0-9_-]/g, '_'),
    content: text,
    at,
  }));
}

/** Whether the clause of the turn that answers best stands in the context, word for word. */
export function stands(context: string, turn: Turn, { text, answer }: BeginningQuestion): boolean {
  const wanted = new Set(lexicalTerms(answer).keys());
  const asked = new Set(lexicalTerms(text).keys());
  const worth = (clause: string) => {
    const terms = [...lexicalTerms(clause).keys()];
    return terms.reduce((sum, term) => sum + (wanted.has(term) ? 2 : asked.has(term) ? 1 : 0), 0);
  };
  const [best = turn.text] = clausesOf(turn.text).sort(
    (a, b) => worth(b) - worth(a) || b.length - a.length,
  );
  const said = comparable(context);
  return [best, withDates(best, datesIn(best, turn.at))].some((one) =>
    said.includes(comparable(one)),
  );
}
