import fc from 'fast-check';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { retryAfterMs } from '../src/models/provider-failure';
import { distilled, failedCall } from './support/distilling';
import {
  type Answer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';
import { until } from './support/until';

const NOW = new Date('2026-03-02T08:00:00Z');

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

function distillerOf(callTimeoutMs = 20_000, baseUrl = provider.baseUrl) {
  const options = { apiKey: 'none', baseUrl, model: 'small', clock: () => NOW };
  return createOpenAiDistiller({ ...options, callTimeoutMs });
}

async function failureAfter(answer: Answer, callTimeoutMs?: number): Promise<Error> {
  provider.script(answer);
  return await distilled(distillerOf(callTimeoutMs), failedCall()).then(
    () => Promise.reject(new Error('it gave a card')),
    (error: Error) => error,
  );
}

describe('a failure of the provider', () => {
  it.each([
    [400, 'model_refused'],
    [402, 'model_rate_limited'],
    [401, 'model_not_configured'],
    [403, 'model_not_configured'],
    [404, 'model_not_configured'],
    [408, 'model_timeout'],
    [409, 'model_unavailable'],
    [413, 'model_refused'],
    [422, 'model_refused'],
    [429, 'model_rate_limited'],
    [500, 'model_unavailable'],
    [502, 'model_unavailable'],
    [503, 'model_unavailable'],
  ])('with status %i is %s: one request, and nothing of its text', async (status, type) => {
    const failure = await failureAfter(refuses(status));
    expect(failure).toMatchObject({ name: 'DistillerError', type, message: type });
    expect(failure.cause).toBeUndefined();
    expect(String(failure.stack)).not.toContain('PROVIDER-TEXT');
    expect(provider.requests).toHaveLength(1);
  });

  it('that is a refusal by the model itself is not asked again', async () => {
    const failure = await failureAfter({ refusal: 'I cannot help with that' });
    expect(failure).toMatchObject({ type: 'model_refused' });
    expect(provider.requests).toHaveLength(1);
  });

  it('that is a page of some proxy is model_unavailable', async () => {
    expect(await failureAfter({ page: '<html>Please log in</html>' })).toMatchObject({
      type: 'model_unavailable',
    });
  });

  it.each([
    ['before the headers', SAYS.hang],
    ['in the middle of the body', SAYS.stall],
  ])('that is silence %s is model_timeout', async (_, answer) => {
    expect(await failureAfter(answer, 300)).toMatchObject({ type: 'model_timeout' });
    expect(provider.requests).toHaveLength(1);
  });

  it('that is a closed port is model_unavailable', async () => {
    const gone = await startFakeProvider();
    await gone.close();
    await expect(distilled(distillerOf(20_000, gone.baseUrl), failedCall())).rejects.toMatchObject({
      type: 'model_unavailable',
    });
  });

  it('does not keep a call alive whose caller gave it up', async () => {
    provider.script(SAYS.hang);
    const caller = new AbortController();
    const call = distilled(distillerOf(), failedCall(), [], caller.signal);
    await until('it is asked', () => provider.requests.length > 0);
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: 'DistillerError' });
    await until('the call is given up', () => provider.givenUp() > 0);
    expect(provider.givenUp()).toBe(1);
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    ['1.5', 1_500],
    ['Mon, 02 Mar 2026 08:02:00 GMT', 120_000],
    ['86400', 600_000],
    ['Tue, 03 Mar 2026 08:00:00 GMT', 600_000],
    ['0', null],
    ['Mon, 02 Mar 2026 07:59:00 GMT', null],
    ['soon', null],
    ['-5', null],
    ['', null],
  ])('of %p comes along as %p ms', async (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
    expect(await failureAfter(refuses(429, { 'retry-after': header }))).toMatchObject({
      retryAfterMs: ms,
    });
  });

  it('is null or above zero and at most ten minutes, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.nat().map(String),
          fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
        ),
        (header) => {
          const ms = retryAfterMs(header, NOW);
          expect(ms === null || (ms > 0 && ms <= 600_000)).toBe(true);
        },
      ),
    );
  });
});
