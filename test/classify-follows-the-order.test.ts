import type { SettledEvent } from '../src/contracts/event';
import { CARD_KINDS, EVENT_KINDS, OUTCOMES } from '../src/contracts/names';
import { classifyKind, signOf } from '../src/domain/classify';

const event = (over: Partial<SettledEvent>): SettledEvent => ({
  event_id: 'e',
  kind: 'service_call',
  agent: 'a',
  outcome: 'worked',
  occurred_at: '2026-01-01T00:00:00Z',
  ...over,
});

test("the emitter's own kind stands above everything", () => {
  for (const card_kind of CARD_KINDS)
    for (const kind of EVENT_KINDS)
      for (const outcome of OUTCOMES)
        expect(classifyKind(event({ card_kind, kind, outcome, key: 'k' }))).toBe(card_kind);
});

test('a delegation is a delegation whatever its outcome and key', () => {
  for (const outcome of OUTCOMES) {
    expect(classifyKind(event({ kind: 'delegation', outcome, key: 'k' }))).toBe('delegation');
  }
});

test('a key makes knowledge, even of a failure', () => {
  for (const kind of EVENT_KINDS) {
    if (kind === 'delegation') continue;
    for (const outcome of OUTCOMES) {
      expect(classifyKind(event({ kind, outcome, key: 'k' }))).toBe('knowledge');
    }
  }
});

test('what failed or was blocked is a constraint', () => {
  for (const kind of EVENT_KINDS) {
    if (kind === 'delegation') continue;
    expect(classifyKind(event({ kind, outcome: 'failed' }))).toBe('constraint');
    expect(classifyKind(event({ kind, outcome: 'blocked' }))).toBe('constraint');
  }
});

test('settled executions are experiences', () => {
  for (const kind of ['service_call', 'workflow_step'] as const) {
    expect(classifyKind(event({ kind, outcome: 'worked' }))).toBe('experience');
    expect(classifyKind(event({ kind, outcome: 'neutral' }))).toBe('experience');
  }
});

test('a concluded chat is an experience', () => {
  const output =
    'user: Cancel my order, I always use this shop.\nassistant: It has been cancelled.';
  expect(classifyKind(event({ kind: 'chat', service: 'shop-desk', output }))).toBe('experience');
});

test.each([
  ['From now on, always use the blue template for quotes.', 'convention'],
  ['Our policy is to answer within a day.', 'convention'],
  ['We noticed that refunds spike on Mondays.', 'insight'],
  ['I prefer aisle seats.', 'knowledge'],
  ['Remember that my daughter is allergic to nuts.', 'knowledge'],
])('the chat text %j is %s', (text, kind) => {
  expect(classifyKind(event({ kind: 'chat', outcome: 'neutral', text }))).toBe(kind);
});

test('an observation is knowledge', () => {
  expect(
    classifyKind(event({ kind: 'observation', outcome: 'neutral', text: 'The door is blue.' })),
  ).toBe('knowledge');
});

test('a block counts as a failure', () => {
  expect(OUTCOMES.map((outcome) => signOf(event({ outcome })))).toEqual([
    'worked',
    'failed',
    'failed',
    'neutral',
  ]);
});
