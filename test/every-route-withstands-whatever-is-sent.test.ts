import fc from 'fast-check';
import { startApi, type TestApi, textOf } from './support/api';
import { faultOf } from './support/fuzz/answers';
import { readDocument } from './support/fuzz/document';
import { type FuzzRequest, requestsTo } from './support/fuzz/requests';
import { type Caller, FOREIGN, makeWorld, PRIVATE, type World } from './support/fuzz/world';
import { good } from './support/hostile-events';

jest.setTimeout(600_000);

/** The same seed sends the same requests in the same order. */
const SEED = Number(process.env.CAIRN_FUZZ_SEED ?? 20_260_601);
/** Of each route and each kind of caller. */
const RUNS = Number(process.env.CAIRN_FUZZ_RUNS ?? 3);
/** Longer than anything takes on the slowest machine: what takes longer hangs. */
const HANGS_MS = 30_000;
/** They change by what rules all the others are judged, so they come last. */
const LATE = /policy|workspace|\/keys|people|agents|sources|teams|groups|erasure|holds|import/;

let api: TestApi;
let world: World;
/** Routes and which classes of statuses each answered with. */
const answered = new Map<string, Set<number>>();

beforeAll(async () => {
  api = await startApi();
  world = await makeWorld(api);
});
afterAll(() => api.close());

interface Sent extends FuzzRequest {
  method: string;
}

async function send({ method, path, headers, body }: Sent, caller: Caller) {
  const answer = await fetch(api.url + path, {
    method,
    headers: withOwn(headers, caller),
    ...(body === null || method === 'GET' ? {} : { body }),
    signal: AbortSignal.timeout(HANGS_MS),
  });
  const text = await textOf(answer);
  return { status: answer.status, headers: answer.headers, text };
}

/** Whose key and name a call bears is not the fuzzer's to choose. */
function withOwn(headers: Record<string, string>, { headers: own, key }: Caller): Headers {
  const sent = new Headers(headers);
  for (const [name, value] of Object.entries(own)) sent.set(name, value);
  if (key !== null) sent.set('authorization', `Bearer ${key}`);
  return sent;
}

/** What is wrong with the answer, or with there being none. */
async function faultFor(name: string, request: Sent, caller: Caller): Promise<string | null> {
  try {
    const answer = await send(request, caller);
    const seen = answered.get(name) ?? new Set();
    answered.set(name, seen.add(Math.floor(answer.status / 100)));
    return faultOf(name, answer, caller.unseen);
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return `no answer: ${String(error)} ${cause?.code ?? ''}`;
  }
}

it(`no request brings a route down or shows what is not its caller's (seed ${SEED})`, async () => {
  const document = await readDocument(api);
  const inOrder = [...document.routes].sort(
    (a, b) => Number(LATE.test(a.path)) - Number(LATE.test(b.path)),
  );
  const faults: string[] = [];
  for (const [who, caller] of world.callers.entries()) {
    for (const [at, route] of inOrder.entries()) {
      const runs = caller.key === null ? 1 : RUNS;
      const seed = SEED + who * 1_000 + at;
      const requests = fc.sample(requestsTo(route, document, world.pool), { seed, numRuns: runs });
      for (const [run, request] of requests.entries()) {
        const sent = { ...request, method: route.method };
        const fault = await faultFor(route.name, sent, caller);
        if (fault === null) continue;
        const said = JSON.stringify(sent).slice(0, 1_500);
        faults.push(`${route.name} as ${caller.name}, run ${run}: ${fault}\n  ${said}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

it('the requests were no nonsense: most routes did something for somebody', () => {
  const routes = [...answered.entries()];
  const did = routes.filter(([, seen]) => seen.has(2));
  expect(routes.length).toBeGreaterThan(100);
  expect(did.length / routes.length).toBeGreaterThan(0.6);
  expect(routes.filter(([, seen]) => !seen.has(4)).length).toBeLessThan(routes.length * 0.1);
});

it('what must not be seen was there all the time', async () => {
  const cards = await api.call('GET', '/v1/cards?limit=500&agent=hermit');
  expect(cards.text).toContain(PRIVATE);
  const [, stranger] = world.callers;
  const key = stranger?.key ?? '';
  expect((await api.call('GET', '/v1/cards?limit=500', { key })).text).toContain(FOREIGN);
});

it('the service takes and answers what is right as before', async () => {
  const key = await api.keyFor({ kind: 'runtime', id: 'afterwards' });
  const posted = await api.call('POST', '/v1/events', { key, body: good('afterwards') });
  expect([posted.status, posted.body.items?.[0]?.status]).toEqual([202, 'accepted']);
  expect((await api.call('GET', '/v1/events/afterwards')).status).toBe(200);
});
