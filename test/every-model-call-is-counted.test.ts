import fc from 'fast-check';
import { usageOf, usageSum } from '../src/models/usage';
import {
  type Answer,
  type FakeProvider,
  refuses,
  startFakeProvider,
} from './support/fake-provider';
import { PORTS } from './support/model-ports';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const counted = (tokensIn: unknown, tokensOut: unknown) => ({
  prompt_tokens: tokensIn,
  completion_tokens: tokensOut,
});

describe.each(PORTS)('$name', (port) => {
  const fits = JSON.stringify(port.answer);
  const ask = (...answers: Answer[]) => {
    provider.script(...answers);
    const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
    const signal = new AbortController().signal;
    return port.ask({ ...options, clock: () => new Date() }, 'Read order 18.', signal);
  };

  it('says what the endpoint counted', async () => {
    const { usage } = await ask({ says: fits, usage: counted(812, 97) });
    expect(usage).toEqual({ calls: 1, tokens_in: 812, tokens_out: 97, estimated: false });
  });

  it('adds the call of a repair, even one that came to nothing', async () => {
    const [bad, good] = [
      { says: 'No.', usage: counted(800, 2) },
      { says: fits, usage: counted(830, 90) },
    ];
    const spent = { calls: 2, tokens_in: 1_630, tokens_out: 92, estimated: false };
    expect((await ask(bad, good)).usage).toEqual(spent);
    await expect(ask(bad, bad)).rejects.toMatchObject({
      type: 'model_invalid_output',
      usage: { calls: 2, tokens_in: 1_600, tokens_out: 4 },
    });
    await expect(ask(bad, refuses(429, { 'retry-after': '7' }))).rejects.toMatchObject({
      type: 'model_rate_limited',
      retryAfterMs: 7_000,
      usage: { calls: 1, tokens_in: 800, tokens_out: 2 },
    });
  });

  it.each([
    ['is not there', undefined],
    ['is null', null],
    ['is text', counted('many', 'few')],
    ['is below zero', counted(-5, -5)],
    ['is beyond all reason', counted(1e300, 1e300)],
  ])('measures the texts where the count %s', async (_, usage) => {
    const { usage: found } = await ask({ says: fits, usage });
    expect(found).toMatchObject({ calls: 1, estimated: true });
    const sent = provider.requests[0]?.body.messages?.map(({ content }) => content).join('') ?? '';
    expect(found.tokens_in).toBeGreaterThan(sent.length / 5);
    expect(found.tokens_in).toBeLessThan(sent.length);
    expect(found.tokens_out).toBeGreaterThan(fits.length / 5);
    expect(found.tokens_out).toBeLessThanOrEqual(fits.length);
  });
});

describe('a count', () => {
  it('is whole and not below zero, whatever the endpoint says, and sums keep it so', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), fc.string(), (one, other, text) => {
        const first = usageOf(counted(one, other), text, text);
        const sum = usageSum(first, usageOf(one, text, text));
        expect(sum.calls).toBe(2);
        for (const tokens of [first.tokens_in, first.tokens_out, sum.tokens_in, sum.tokens_out]) {
          expect(Number.isSafeInteger(tokens) && tokens >= 0).toBe(true);
        }
      }),
    );
  });

  it('of a refusal is kept: it was paid for', async () => {
    const [port] = PORTS;
    provider.script({
      says: 'PROVIDER-TEXT',
      finish: 'content_filter',
      usage: counted(500, 3),
    });
    const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
    const asked = port?.ask(
      { ...options, clock: () => new Date() },
      'Read order 18.',
      new AbortController().signal,
    );
    await expect(asked).rejects.toMatchObject({
      type: 'model_refused',
      usage: { calls: 1, tokens_in: 500, tokens_out: 3 },
    });
  });
});
