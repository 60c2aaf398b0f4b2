import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createNoEmbedder } from '../src/models/no-embedder';
import { openPass } from '../src/store/passes';
import { startReembedding } from '../src/store/reembed-starts';
import { startApi, type TestApi, type TestApiOptions } from './support/api';
import { createTestEmbedder, plantCards, shelfText } from './support/vectored-cards';

let api: TestApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function models(options: TestApiOptions = {}) {
  api = await startApi(options);
  const answer = await api.call('GET', '/v1/models');
  expect(answer.status).toBe(200);
  return answer;
}

it('an endpoint is its host: no path, no query, no name and no password', async () => {
  const secret = ['pass', 'word'].join('');
  const baseUrl = `https://someone:${secret}@llm.example.com:8443/v1?key=${secret}`;
  const { body, text } = await models({
    languageModel: { baseUrl, model: 'large', small: 'small' },
    embedder: createHashedEmbedder(),
  });
  const endpoint = 'llm.example.com:8443';
  expect(body.distiller).toEqual({ kind: 'model', model: 'small', endpoint });
  expect(body.writer).toEqual({ kind: 'model', model: 'large', endpoint });
  const { id, dims } = createHashedEmbedder();
  expect(body.embedder).toEqual({ id, dimensions: dims, state: 'ready' });
  expect(text).not.toContain(secret);
});

it.each([
  ['of OpenAI where none is named', null, 'api.openai.com'],
  ['unknown where the address is none', 'not an address', null],
])('an endpoint is %s', async (_, baseUrl, endpoint) => {
  const languageModel = { baseUrl, model: 'large', small: 'small' };
  expect((await models({ languageModel })).body.distiller.endpoint).toBe(endpoint);
});

it('without a model rules word everything, and an embedder may be loading or absent', async () => {
  const rules = { kind: 'rules', model: null, endpoint: null };
  const loading = await models();
  expect(loading.body).toEqual({
    ...{ distiller: rules, writer: rules, vectors: [], reembedding: null },
    embedder: { id: null, dimensions: null, state: 'loading' },
  });
  await api?.close();
  const { body } = await models({ embedder: createNoEmbedder() });
  expect(body.embedder).toEqual({ id: null, dimensions: null, state: 'absent' });
});

it('cards are counted by the model of their vectors, and the run that replaces them is named', async () => {
  const [before, after] = [createTestEmbedder('before', 8), createTestEmbedder('after', 16)];
  const now = new Date('2026-03-02T12:00:00Z');
  api = await startApi({ embedder: after, clock: () => now });
  const { database, call } = api;
  const texts = [1, 2, 3].map(shelfText);
  await plantCards(database, 'default', texts, before);
  await plantCards(database, 'default', texts.slice(1), after);
  await plantCards(database, 'default', ['No vector yet.'], null);
  const vectors = [
    { embedder: 'before', cards: 3 },
    { embedder: 'after', cards: 2 },
  ];
  expect((await call('GET', '/v1/models')).body).toMatchObject({ vectors, reembedding: null });

  await database.inWorkspace('default', async (tx) => {
    await startReembedding(tx, 'after', 'start', now);
  });
  expect((await call('GET', '/v1/models')).body.reembedding).toBeNull();
  await database.inWorkspace('default', async (tx) => {
    const workflowId = 'reembed/default/after';
    await openPass(tx, { operationId: 'op_1', type: 'reembed', workflowId, runId: 'run' }, now);
  });
  expect((await call('GET', '/v1/models')).body).toMatchObject({ vectors, reembedding: 'op_1' });
  expect((await call('GET', '/v1/runs/op_1')).body.type).toBe('reembed');
});
