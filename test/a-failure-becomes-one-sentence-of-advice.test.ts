import type { SettledEvent } from '../src/contracts/event';
import type { ErrorFamily } from '../src/contracts/names';
import { distill } from '../src/domain/distill/distill';
import { advice } from '../src/domain/distill/error-family';
import { sentences } from '../src/domain/distill/plain-text';
import { distillPrompt } from '../src/models/distill-prompt';
import { createOpenAiFailureReflector } from '../src/models/openai-failure-reflector';
import { failedCall } from './support/distilling';
import { type FakeProvider, startFakeProvider } from './support/fake-provider';
import { REFLECTION, traceStep } from './support/model-ports';

const FRAMES = Array.from(
  { length: 50 },
  (_, at) => `    at frame${at} (/srv/app/mod${at}.js:7:3)`,
);

const ERRORS: [Exclude<ErrorFamily, 'other' | 'unfinished'>, string][] = [
  ['not_found', 'ValueError: Channel External not found in the channels list'],
  ['permission', '403 Forbidden'],
  ['rate_limit', '429 Too Many Requests: at most 100 recipients per batch'],
  ['timeout', 'The request timed out after 30 s'],
  ['validation', 'payment amount does not add up, total price is 608, but paid 304'],
  ['conflict', '409 the slot is already taken'],
  ['insufficient', 'not enough seats on flight HAT083'],
  ['syntax', "E999 SyntaxError: unmatched ']'"],
  ['auth', '401 Unauthorized: the token has expired'],
  ['unavailable', '503 Service Unavailable: maintenance until 06:00'],
];

describe('the card of a call that failed, by the rules', () => {
  it.each(ERRORS)('ends with the one sentence for %s, and holds no trace', (family, error) => {
    const draft = distill(failedCall({ error: [error, ...FRAMES].join('\n') }), []);
    expect(draft).toMatchObject({ kind: 'constraint', sign: 'failed', error_family: family });
    const told = sentences(draft.summary);
    const known = sentences(advice(family, draft.error_signature ?? ''));
    expect(known).toHaveLength(1);
    // What is to be checked is named by the error, so only how the sentence begins is the family's.
    expect(told.at(-1)?.split(' ').slice(0, 2)).toEqual(known[0]?.split(' ').slice(0, 2));
    expect(told).toHaveLength(3);
    expect(`${draft.summary} ${draft.error_signature}`).not.toMatch(
      /frame|mod\d|srv|Thread|12 more/,
    );
    expect(draft.summary.length).toBeLessThanOrEqual(350);
  });

  it('is asked of a model in the same form', () => {
    const { system } = distillPrompt(failedCall(), [], distill(failedCall(), []));
    expect(system).toMatch(/verdict is failed or blocked, the last sentence is advice/);
  });

  it('of a task that was not seen through says to see it through', () => {
    const event: SettledEvent = {
      ...failedCall({ kind: 'delegation', output: 'Could you please confirm the amount?' }),
      input: 'Send the difference to the landlord.',
    };
    const { error: _, ...unfinished } = event;
    expect(sentences(distill(unfinished, []).summary).at(-1)).toBe(advice('unfinished', ''));
  });
});

describe('a task that failed, by a model', () => {
  let provider: FakeProvider;
  beforeAll(async () => {
    provider = await startFakeProvider();
  });
  afterAll(() => provider.close());

  const reflected = async (...answers: string[]) => {
    provider.script(...answers.map((reflection) => ({ says: JSON.stringify({ reflection }) })));
    const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
    const reflector = createOpenAiFailureReflector({ ...options, clock: () => new Date() });
    const task = {
      goal: 'Change order 17 to two lamps.',
      status: 'failed' as const,
      trace: [traceStep(), traceStep({ n: 2, outcome: 'failed', error: '409 the version moved' })],
    };
    return (await reflector.reflect(task, new AbortController().signal)).reflection;
  };

  it.each([
    ['as it is', REFLECTION, REFLECTION],
    ['with the full stop that it lacked', REFLECTION.slice(0, -1), REFLECTION],
    [
      'with decimals and short forms that end no sentence',
      'Use version 4.2 of the API, e.g. for Lamp orders, since 3.1 is refused.',
      'Use version 4.2 of the API, e.g. for Lamp orders, since 3.1 is refused.',
    ],
    [
      'in its own language',
      '変更する前に注文を読み直し、読んだ版を送る。',
      '変更する前に注文を読み直し、読んだ版を送る。',
    ],
  ])('is one sentence, taken %s', async (_, said, kept) => {
    expect(await reflected(said)).toBe(kept);
    expect(provider.requests).toHaveLength(1);
  });

  it('is asked for once more where it was an account of several', async () => {
    const account = 'The order was read. Then it was changed. The version had moved on meanwhile.';
    expect(await reflected(account, REFLECTION)).toBe(REFLECTION);
    expect(provider.requests[1]?.body.messages?.at(-1)?.content).toContain('must be one sentence');
    await expect(reflected(account)).rejects.toMatchObject({ type: 'model_invalid_output' });
  });

  it('has at most 240 characters', async () => {
    const long = await reflected(`Read the order ${'once more '.repeat(60)}before changing it.`);
    expect(long.length).toBeLessThanOrEqual(240);
    expect(long).toMatch(/^Read the order once more .*…$/);
  });

  it('is worded from goal, verdict and steps', async () => {
    await reflected(REFLECTION);
    const asked = provider.requests[0]?.body.messages?.[1]?.content ?? '';
    expect(asked).toContain('The verdict on this task is: failed.');
    expect(asked).toContain('Change order 17 to two lamps.');
    expect(asked).toContain('Error: 409 the version moved');
  });
});
