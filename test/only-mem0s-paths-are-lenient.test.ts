import { type Method, startApi, type TestApi } from './support/api';

let api: TestApi;
let key: string;
let id: string;
beforeAll(async () => {
  api = await startApi();
  key = await api.keyFor({ kind: 'agent', id: 'clerk' });
  const body = { text: 'I love hiking', user_id: 'ann' };
  id = (await api.call('POST', '/v1/memories', { key, body })).body.results[0].id;
});
afterAll(() => api.close());

const token = () => ({ key: null, headers: { authorization: `Token ${key}` } });

describe('on the paths of mem0', () => {
  const CALLS: [Method, string, object | null][] = [
    ['GET', '/v1/ping', null],
    ['POST', '/v3/memories/add', { messages: 'I ski', user_id: 'ann', newest_field: 1 }],
    ['POST', '/v1/memories', { messages: { role: 'user', content: 'I sail', tone: 1 }, x: 1 }],
    ['POST', '/v3/memories/search', { query: 'sport', rerank: true, newest_field: 1 }],
    ['POST', '/v3/memories', { show_expired: true, newest_field: 1 }],
    ['GET', '/v1/memories', null],
    ['GET', '/v1/memories/ID', null],
    ['GET', '/v1/memories/ID/history', null],
    ['PUT', '/v1/memories/ID', { text: 'I love walking', newest_field: 1 }],
    ['GET', '/v1/entities', null],
    ['POST', '/v1/feedback', { memory_id: 'ID', feedback: 'NEGATIVE', newest_field: 1 }],
    ['DELETE', '/v1/memories/ID', null],
  ];

  it.each(CALLS)(
    '%s %s takes fields that nobody knows, a slash at the end and its scheme',
    async (method, path, body) => {
      const url = path.replace('ID', id);
      const given = body === null ? {} : { body: JSON.stringify(body).replace('ID', id) };
      const parameter = method === 'GET' ? '?newest_parameter=1' : '';
      for (const [form, options] of [
        [`${url}/${parameter}`, { ...token(), ...given }],
        [`${url}${parameter}`, { key, ...given }],
      ] as const) {
        if (method === 'DELETE' && form === url) continue;
        expect([form, (await api.call(method, form, options)).status]).toEqual([form, 200]);
      }
    },
  );

  it('what narrows a deletion is not overlooked', async () => {
    const answer = await api.call('DELETE', '/v1/memories/?user_id=ann&colour=red', token());
    expect([answer.status, answer.body.pointer]).toEqual([400, '/colour']);
  });

  it('a body that is not theirs is still refused', async () => {
    for (const [path, body] of [
      ['/v3/memories/add/', {}],
      ['/v3/memories/add/', { messages: [] }],
      ['/v3/memories/add/', { messages: [{ role: 'user', content: 1 }] }],
      ['/v3/memories/search/', {}],
      ['/v3/memories/search/', { query: 'x', top_k: 0 }],
      ['/v3/memories/search/', { query: 'x', top_k: 101 }],
      ['/v1/feedback/', { memory_id: id, feedback: 'GREAT' }],
    ] as const) {
      const answer = await api.call('POST', path, { ...token(), body });
      expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'invalid']);
    }
  });
});

describe('on every other path', () => {
  it('the scheme Token is no key', async () => {
    for (const path of ['/v1/cards', '/v1/notes', '/v1/keys', '/v1/workspace']) {
      expect([path, (await api.call('GET', path, token())).status]).toEqual([path, 401]);
    }
    const answer = await api.call('POST', '/v1/recall', { ...token(), body: { query: 'x' } });
    expect(answer.status).toBe(401);
  });

  it('a slash at the end leads nowhere', async () => {
    for (const path of ['/v1/workspace/', '/v1/audit/', '/v1/competence/']) {
      const found = await api.call('GET', path, { key: api.ownerKey });
      expect([path, found.status]).toEqual([path, 404]);
    }
  });

  it('a field that nobody knows is refused', async () => {
    for (const [path, body] of [
      ['/v1/cards', { summary: 'Something.', newest_field: 1 }],
      ['/v1/recall', { query: 'x', newest_field: 1 }],
    ] as const) {
      const answer = await api.call('POST', path, { key, body });
      expect([path, answer.status, answer.body.pointer]).toEqual([path, 400, '/newest_field']);
    }
  });
});
