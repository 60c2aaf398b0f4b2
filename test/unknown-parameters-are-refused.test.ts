import { MEMORY_ROUTES } from '../src/api/memories/rules';
import { ROUTE_RULES } from '../src/api/roles';
import { type Method, startApi, type TestApi } from './support/api';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

/** What mem0's clients call leaves alone what it does not know; a test of its own says so. */
const ROUTES = Object.keys(ROUTE_RULES)
  .filter((route) => !MEMORY_ROUTES.includes(route))
  .map((route) => {
    const [method = '', url = ''] = route.split(' ');
    const path = url.replace(':hash', 'a'.repeat(64)).replace(/:\w+/g, 'x');
    return { route, method: method as Method, url, path };
  });

it.each(ROUTES)('$route refuses a parameter that nobody knows', async ({ method, url, path }) => {
  if (!api.app.hasRoute({ method, url })) return;
  const takesBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
  const answer = await api.call(method, `${path}?colour=red`, takesBody ? { body: {} } : {});
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('invalid');
  // What a body lacks is said first.
  if (!takesBody) expect(answer.body.pointer).toBe('/colour');
});

it('a probe may add what it likes', async () => {
  for (const path of ['/healthz', '/openapi.json']) {
    expect((await api.call('GET', `${path}?t=1`, { key: null })).status).toBe(200);
  }
});
