import {
  type Answer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';
import { PORTS } from './support/model-ports';
import { until } from './support/until';

const NOW = new Date('2026-03-02T08:00:00Z');

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

describe.each(PORTS)('$name', (port) => {
  const ask = (answer: Answer, signal = new AbortController().signal, callTimeoutMs = 20_000) => {
    provider.script(answer);
    const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large', callTimeoutMs };
    return port.ask({ ...options, clock: () => NOW }, 'Read order 18.', signal);
  };

  it.each([
    ['seconds', '30', 30_000],
    ['a date', 'Mon, 02 Mar 2026 08:02:00 GMT', 120_000],
    ['an hour, of which it waits ten minutes', '3600', 600_000],
    ['nothing', '', null],
  ])('passes on when a spent quota is back: %s', async (_, header, retryAfterMs) => {
    const failure = await ask(refuses(429, { 'retry-after': header })).catch((error) => error);
    expect(failure).toMatchObject({ name: 'DistillerError', type: 'model_rate_limited' });
    expect(failure).toMatchObject({ retryAfterMs, usage: null });
    expect(String(failure.stack)).not.toContain('PROVIDER-TEXT');
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    ['a refusal', { refusal: 'I cannot help with that' }, 'model_refused'],
    ['a wrong key', refuses(401), 'model_not_configured'],
    ['a server that is down', refuses(503), 'model_unavailable'],
    ['a page of some proxy', { page: '<html>Please log in</html>' }, 'model_unavailable'],
  ] satisfies [string, Answer, string][])('names %s, by one call', async (_, answer, type) => {
    await expect(ask(answer)).rejects.toMatchObject({ name: 'DistillerError', type });
    expect(provider.requests).toHaveLength(1);
  });

  it('gives silence up', async () => {
    const never = new AbortController().signal;
    await expect(ask(SAYS.stall, never, 300)).rejects.toMatchObject({ type: 'model_timeout' });
  });

  it('ends its call with its caller', async () => {
    const caller = new AbortController();
    const call = ask(SAYS.hang, caller.signal);
    await until('it is asked', () => provider.requests.length > 0);
    caller.abort();
    await expect(call).rejects.toMatchObject({ name: 'DistillerError' });
    await until('the call is given up', () => provider.givenUp() > 0);
    expect(provider.givenUp()).toBe(1);
    expect(provider.requests).toHaveLength(1);
  });
});
