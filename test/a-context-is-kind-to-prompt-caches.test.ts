import * as fc from 'fast-check';
import type {
  ContextMessage,
  ConversationSummary,
  MessageRole,
} from '../src/contracts/conversation';
import type { ContextTurn } from '../src/domain/conversation/turns';
import { assembled, fact, turn } from './support/contexts';

const SUMMARY: ConversationSummary = {
  ...{ text: 'Decisions:\nThe trip is in May.', through: 3, version: 1, written_by: 'fallback' },
};
const FACTS = [fact('a', 'Has a dog named Rex.'), fact('b', 'Lives in Kiel.')];

const words = fc.constantFrom('Yes.', 'The boat leaves at 9.', 'Which pier was it?', 'Thanks!');
const later = fc.record({
  role: fc.constantFrom<MessageRole>('user', 'assistant', 'tool', 'system'),
  content: words,
});

/** A conversation of any shape that opens with an instruction and a word of the user. */
const conversations = fc
  .tuple(fc.boolean(), fc.array(later, { minLength: 1, maxLength: 40 }))
  .map(([isSummed, rest]): { turns: ContextTurn[]; through: number } => {
    const through = isSummed ? 3 : 0;
    const opening: [MessageRole, string][] = [
      ['system', 'Be brief.'],
      ['user', 'Hello.'],
      ['assistant', 'Hello!'],
      ['user', 'Let us plan.'],
    ];
    const all = [...opening, ...rest.map(({ role, content }) => [role, content] as const)];
    const turns = all.map(([role, content], index) => turn(index + 1, role, content));
    return { turns: turns.filter(({ n, role }) => n > through || role === 'system'), through };
  });

const listOf = (turns: readonly ContextTurn[], through: number, budgetTokens = 1_000_000) =>
  assembled(turns, {
    summary: through === 0 ? null : { ...SUMMARY, through },
    facts: FACTS,
    budgetTokens,
  }).messages;

it('a message more changes nothing before it, while summary and facts stay the same', () => {
  fc.assert(
    fc.property(conversations, ({ turns, through }) => {
      for (let length = 2; length < turns.length; length += 1) {
        const before = listOf(turns.slice(0, length), through);
        const after = listOf(turns.slice(0, length + 1), through);
        expect(after.slice(0, before.length)).toEqual(before);
      }
    }),
    { numRuns: 100 },
  );
});

it('the order is: instructions, what is remembered, turns', () => {
  fc.assert(
    fc.property(conversations, ({ turns, through }) => {
      const messages = listOf(turns, through);
      expect(messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
      const memory = messages.findIndex(({ content }) => content.startsWith('# Memory'));
      const spoken = messages.findIndex(({ role }) => role !== 'system');
      expect(memory).toBeGreaterThan(0);
      expect(spoken === -1 || memory < spoken).toBe(true);
      const shown = messages.filter((message, at) => at > memory && message.role !== 'system');
      const told = turns.filter(({ n, role }) => n > through && role !== 'system');
      expect(shown.map(({ content }) => content)).toEqual(told.map(({ content }) => content));
    }),
    { numRuns: 100 },
  );
});

it('a result of a tool that was answered from is cleared, and nothing else changes', () => {
  const raw = JSON.stringify({ pier: 7, rest: 'x '.repeat(200) });
  const opening = [turn(1, 'user', 'Which pier?'), turn(2, 'assistant', '')];
  const waiting = assembled([...opening, turn(3, 'tool', raw)]).messages;
  const answered = assembled([
    ...opening,
    turn(3, 'tool', raw, 'pier: 7'),
    turn(4, 'assistant', 'Pier 7.'),
  ]).messages;
  expect(waiting[2]?.content).toBe(raw);
  expect(answered[2]?.content).toMatch(/^pier: 7\n/);
  expect(answered[2]?.content).toContain('GET /v1/conversations/talk/messages/3');
  expect(answered[2]).toMatchObject({ role: 'tool', tool_call_id: 'call_3', name: 'look_up' });
  expect([answered[0], answered[1]]).toEqual([waiting[0], waiting[1]]);
});

it('over the budget the oldest go many at a time, so that what stays is the same for a while', () => {
  const turns = Array.from({ length: 200 }, (_, index) =>
    turn(index + 1, index % 2 === 0 ? 'user' : 'assistant', `Word ${index} of a long talk.`),
  );
  const budget = 800;
  let moved = 0;
  let before: ContextMessage[] = [];
  for (let length = 100; length <= turns.length; length += 1) {
    const after = listOf(turns.slice(0, length), 0, budget);
    const isPrefix = JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
    if (!isPrefix) moved += 1;
    before = after;
  }
  expect(moved).toBeGreaterThan(0);
  expect(moved).toBeLessThan(20);
});

it('older details stand right before the last message of the user, and all before them stays', () => {
  const found = [
    {
      ...{ n: 2, k: 0, kind: 'concrete' as const, text: 'The boat leaves from pier 7.' },
      ...{ role: 'assistant' as const, name: null, at: '2026-03-01T08:00:00.000Z' },
      ...{ terms: ['boat', 'leav', 'pier', '7'], near: [], in_summary: false },
    },
  ];
  const details = { found, total: 10, df: { pier: 1 } };
  const summary = SUMMARY;
  const turns = [turn(4, 'user', 'Let us plan.'), turn(5, 'assistant', 'Gladly.')];
  const before = assembled(turns, { summary }).messages;
  const asking = [...turns, turn(6, 'user', 'Which pier was it?')];
  const after = assembled(asking, { summary, details }).messages;
  expect(after.slice(0, before.length)).toEqual(before);
  const [told, question] = after.slice(before.length);
  expect(told?.role).toBe('system');
  expect(told?.content).toContain('- 2026-03-01 assistant: «The boat leaves from pier 7.»');
  expect(question?.content).toBe('Which pier was it?');
  // What follows the question leaves it and them where they are.
  const answered = assembled([...asking, turn(7, 'assistant', 'Pier 7.')], { summary, details });
  expect(answered.messages.slice(0, after.length)).toEqual(after);
  // What the summary tells is not told twice.
  const inSummary = { ...details, found: found.map((one) => ({ ...one, in_summary: true })) };
  expect(assembled(asking, { summary, details: inSummary }).messages).toHaveLength(
    before.length + 1,
  );
});
