import * as fc from 'fast-check';
import type { MessageRole } from '../src/contracts/conversation';
import type { ContextTurn } from '../src/domain/conversation/turns';
import { assembled, costsOf, fact, turn } from './support/contexts';

const text = fc
  .tuple(fc.constantFrom('alpha', 'beta 12', 'Überfahrt', '船票'), fc.integer({ min: 1, max: 60 }))
  .map(([word, times]) => `${word} `.repeat(times).trim());
const conversations = fc
  .array(
    fc.record({
      role: fc.constantFrom<MessageRole>('user', 'assistant', 'tool'),
      content: text,
      isCleared: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((all) =>
    all.map(({ role, content, isCleared }, index) =>
      turn(
        index + 1,
        role,
        `${index + 1} ${content}`,
        role === 'tool' && isCleared ? `${index + 1} taken` : null,
      ),
    ),
  );

/** The least that any context of these turns holds: the last word of the user, and the newest turn. */
function leastOf(turns: readonly ContextTurn[]): number {
  return assembled(turns, { budgetTokens: 0 }).tokens;
}

it('tokens are those of what stands in the list, and no more than the budget where that can be', () => {
  fc.assert(
    fc.property(conversations, fc.integer({ min: 0, max: 4000 }), (turns, budgetTokens) => {
      const context = assembled(turns, { budgetTokens });
      expect(context.tokens).toBe(costsOf(context));
      expect(context.tokens).toBeLessThanOrEqual(Math.max(budgetTokens, leastOf(turns)));
    }),
    { numRuns: 200 },
  );
});

it('the last message of the user stays, and no result stands without the turn before it', () => {
  fc.assert(
    fc.property(conversations, fc.integer({ min: 0, max: 3000 }), (turns, budgetTokens) => {
      const { messages } = assembled(turns, { budgetTokens });
      const asked = turns.filter(({ role }) => role === 'user').at(-1);
      if (asked !== undefined) {
        const kept = messages.filter(({ role }) => role === 'user').at(-1);
        expect(kept?.content).toBe(asked.content);
      }
      expect(messages[0]?.role === 'tool').toBe(false);
      // Each result follows what it followed in the conversation.
      const calls = new Map(turns.map((one, at) => [one.tool_call_id, turns[at - 1]]));
      for (const [at, { role, tool_call_id: call }] of messages.entries()) {
        if (role !== 'tool') continue;
        const before = calls.get(call ?? null);
        expect(messages[at - 1]?.role).toBe(before?.role);
      }
    }),
    { numRuns: 200 },
  );
});

it('the oldest turns go first, and nothing is left out between those that stay', () => {
  fc.assert(
    fc.property(conversations, fc.integer({ min: 100, max: 3000 }), (turns, budgetTokens) => {
      const numbers = ({ messages }: ReturnType<typeof assembled>) =>
        messages.map(({ content }) => Number.parseInt(content, 10));
      const kept = numbers(assembled(turns, { budgetTokens }));
      const all = numbers(assembled(turns));
      const asked = turns.filter(({ role }) => role === 'user').at(-1)?.n ?? Infinity;
      // The user's last word, and results beside it, may stand before a gap; all else has none.
      const after = kept.filter((n) => n > asked);
      const before = kept.filter((n) => n < asked);
      const isNewest = (some: number[], among: number[]) =>
        expect(some).toEqual(among.slice(among.length - some.length));
      const results = new Set(turns.filter(({ role }) => role === 'tool').map(({ n }) => n));
      const beside = after.filter((n, at) => results.has(n) && n === asked + at + 1);
      if (before.length > 0) expect(kept).toEqual(all.slice(all.length - kept.length));
      else isNewest(after.slice(beside.length), all);
    }),
    { numRuns: 200 },
  );
});

describe('what is remembered', () => {
  const facts = Array.from({ length: 20 }, (_, index) =>
    fact(`card_${index}`, `Fact number ${index} about a long and winding road.`),
  );
  const summary = {
    ...{ text: 'A line of the story.\n'.repeat(100), through: 40, version: 3 },
    written_by: 'fallback' as const,
  };
  const turns = Array.from({ length: 30 }, (_, index) =>
    turn(41 + index, index % 2 === 0 ? 'user' : 'assistant', 'Some words of no weight at all.'),
  );

  it('stays whole while turns can make room', () => {
    const context = assembled(turns, { summary, facts, budgetTokens: 1500 });
    expect(context.tokens).toBeLessThanOrEqual(1500);
    expect(context.facts).toHaveLength(20);
    expect(context.summary).toEqual(summary);
    expect(context.messages.length).toBeLessThan(turns.length);
  });

  it('gives up its oldest facts and then the end of the summary, and says what it told', () => {
    const some = assembled(turns, { summary, facts, budgetTokens: 900 });
    expect(some.tokens).toBeLessThanOrEqual(900);
    expect(some.facts.length).toBeLessThan(20);
    expect(some.facts.map(({ id }) => id)).toEqual(
      facts.slice(20 - some.facts.length).map(({ id }) => id),
    );
    const little = assembled(turns, { summary, facts, budgetTokens: 256 });
    expect(little.tokens).toBeLessThanOrEqual(256);
    expect(little.facts).toEqual([]);
    expect(little.summary?.text.length).toBeLessThan(summary.text.length);
    const memory = little.messages.find(({ content }) => content.startsWith('# Memory'));
    expect(memory?.content).toContain('A line of the story.');
  });
});

it('instructions stay, wherever they were given', () => {
  const turns = [
    turn(1, 'system', 'Be brief.'),
    turn(9, 'system', 'Never mention the price.'),
    ...Array.from({ length: 40 }, (_, index) => turn(21 + index, 'user', 'Words. '.repeat(30))),
    turn(70, 'system', 'Speak French.'),
    turn(71, 'user', 'Hello?'),
  ];
  const summary = { text: 'Told.', through: 20, version: 1, written_by: 'model' as const };
  const { messages } = assembled(turns, { summary, budgetTokens: 500 });
  const said = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  expect(said).toEqual([
    ...['Be brief.', 'Never mention the price.'],
    ...[expect.stringContaining('Told.'), 'Speak French.'],
  ]);
});
