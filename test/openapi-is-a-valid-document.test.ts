import Ajv2020 from 'ajv/dist/2020';
import { MEMORY_ROUTES } from '../src/api/memories/rules';
import { ROUTE_RULES } from '../src/api/roles';
import { type Method, startApi, type TestApi } from './support/api';

type Node = Record<string, unknown>;
interface Media {
  schema: Node;
}
interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: Node }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
  security?: unknown[];
}
interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Node> };
}

let api: TestApi;
let document: OpenApi;
let operations: { name: string; operation: Operation }[];

beforeAll(async () => {
  api = await startApi();
  document = (await api.call('GET', '/openapi.json', { key: null })).body;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  );
});
afterAll(() => api.close());

function operation(name: string): Operation {
  const found = operations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not documented`);
  return found.operation;
}

function nodesOf(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  return [node as Node, ...Object.values(node).flatMap(nodesOf)];
}

function schemasOf({ parameters = [], requestBody, responses }: Operation): Node[] {
  const contents = [requestBody, ...Object.values(responses)].map((one) => one?.content ?? {});
  return [
    ...parameters.map((one) => one.schema),
    ...contents.flatMap((content) => Object.values(content).map((media) => media.schema)),
  ];
}

const headersOf = (name: string) =>
  (operation(name).parameters ?? []).filter((one) => one.in === 'header').map((one) => one.name);

describe('the document', () => {
  it('resolves every $ref', () => {
    const refs = nodesOf(document).flatMap((node) => node.$ref ?? []) as string[];
    expect(refs.length).toBeGreaterThan(0);
    for (const ref of refs) {
      const steps = ref.replace(/^#\//, '').split('/');
      const target = steps.reduce<unknown>((node, step) => (node as Node)?.[step], document);
      expect([ref, typeof target]).toEqual([ref, 'object']);
    }
  });

  it('holds schemas of JSON Schema 2020-12 only', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const all = [
      ...Object.values(document.components.schemas),
      ...operations.flatMap((one) => schemasOf(one.operation)),
    ];
    expect(all.length).toBeGreaterThan(100);
    for (const schema of all) {
      expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
    }
  });

  it('has every route of the app, and answers that say what they are', () => {
    // The other paths of mem0's clients are mem0's to document.
    const ours = /^[A-Z]+ \/v1\/memories(?:\/search|\/:id|\/:id\/history)?$/;
    const served = Object.keys(ROUTE_RULES).filter((route) => {
      const [method, url] = route.split(' ') as [Method, string];
      const isHidden = MEMORY_ROUTES.includes(route) && !ours.test(route);
      return api.app.hasRoute({ method, url }) && !isHidden;
    });
    expect(operations.map((one) => one.name).sort()).toEqual(
      [...served, 'GET /healthz', 'GET /metrics', 'GET /readyz', 'POST /v1/session'].sort(),
    );
    for (const { name, operation: one } of operations) {
      const statuses = Object.keys(one.responses).filter((status) => /^2\d\d$/.test(status));
      expect([name, statuses.length]).not.toEqual([name, 0]);
      expect([name, Object.keys(one.responses.default?.content ?? {})]).toEqual([
        name,
        ['application/problem+json'],
      ]);
      for (const { description } of Object.values(one.responses)) {
        expect([name, description]).not.toEqual([name, 'Default Response']);
      }
    }
  });

  it('names the headers that a route reads', () => {
    const context = ['Cairn-Agent', 'Cairn-Person', 'Cairn-Session', 'Cairn-Execution-Mode'];
    expect(headersOf('GET /v1/cards')).toEqual(context);
    expect(headersOf('POST /v1/recall')).toEqual(context);
    expect(headersOf('POST /v1/events')).toEqual([...context, 'Idempotency-Key']);
    expect(headersOf('PATCH /v1/cards/:id')).toEqual([...context, 'Idempotency-Key', 'If-Match']);
    const required = (operation('PUT /v1/policy').parameters ?? []).filter((one) => one.required);
    expect(required.map((one) => one.name)).toEqual(['If-Match']);
    expect(headersOf('GET /healthz')).toEqual([]);
    expect(operation('GET /healthz').security).toEqual([]);
  });
});

describe('what is documented is what is answered', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });

  /** Calls, and holds the answer to the document: its status, and its body to the schema. */
  async function check(
    name: string,
    path: string,
    options: { body?: unknown; key?: string; headers?: Record<string, string> } = {},
  ) {
    const [method] = name.split(' ') as [Method];
    const answer = await api.call(method, path, options);
    const success = Object.keys(operation(name).responses).filter((one) => one !== 'default');
    expect([name, answer.text, success]).toEqual([
      name,
      answer.text,
      expect.arrayContaining([String(answer.status)]),
    ]);
    const content = operation(name).responses[String(answer.status)]?.content ?? {};
    const schema = content['application/json']?.schema;
    expect([name, schema === undefined]).toEqual([name, answer.text === '']);
    if (schema !== undefined) {
      const valid = ajv.validate(schema, answer.body);
      expect([name, valid ? null : ajv.errors]).toEqual([name, null]);
    }
    return answer;
  }

  it('for events, operations and recall', async () => {
    const key = await api.keyFor({ kind: 'runtime', id: 'documented-runtime' });
    const event = {
      event_id: 'documented-1',
      kind: 'observation',
      agent: 'documented-agent',
      outcome: 'worked',
      occurred_at: '2026-03-02T08:24:15Z',
      input: { any: ['json', 1, null] },
    };
    const body = { events: [event, { event_id: 'documented-2' }] };
    const schema = operation('POST /v1/events').requestBody?.content['application/json']?.schema;
    const located = JSON.parse(JSON.stringify(schema).replace(/"#\//g, '"whole#/'));
    ajv.addSchema({ ...document, $id: 'whole' } as Node, 'whole');
    const accepts = ajv.compile(located);
    expect([accepts(event), accepts({ events: [event] }), accepts(body)]).toEqual([
      true,
      true,
      false,
    ]);

    const taken = await check('POST /v1/events', '/v1/events', { key, body });
    expect(taken.body.items.map((one: { status: string }) => one.status)).toEqual([
      'accepted',
      'refused',
    ]);
    const { operation_id: id } = taken.body.items[0];
    await check('GET /v1/operations/:id', `/v1/operations/${id}`, { key });

    await api.call('POST', '/v1/cards', {
      body: { summary: 'Deploys need a tag.', scope: { type: 'workspace', id: 'default' } },
    });
    const query = { query: 'how do deploys work', explain: true };
    const recalled = await check('POST /v1/recall', '/v1/recall', { body: query });
    expect(recalled.body.cards).toHaveLength(1);
    const again = { ...query, if_context_version: recalled.body.context_version };
    expect((await check('POST /v1/recall', '/v1/recall', { body: again })).status).toBe(304);
    await check(
      'POST /v1/recalls/:id/feedback',
      `/v1/recalls/${recalled.body.recall_id}/feedback`,
      {
        body: { card_id: recalled.body.cards[0].id, useful: true },
      },
    );
  });

  it('for what is deleted', async () => {
    const card = { summary: 'Short-lived.', scope: { type: 'workspace', id: 'default' } };
    const { body } = await check('POST /v1/cards', '/v1/cards', { body: card });
    const path = `/v1/cards/${body.id}`;
    await api.call('PUT', '/v1/agents/a-reader', { body: {} });
    await check('PUT /v1/cards/:id/grants/:agent', `${path}/grants/a-reader`, { body: {} });
    await check('DELETE /v1/cards/:id/grants/:agent', `${path}/grants/a-reader`);
    await check('DELETE /v1/cards/:id', path);
    await check('PUT /v1/notes/:key', '/v1/notes/gone', {
      body: { value: 'A note.', scope: { type: 'workspace', id: 'default' } },
    });
    await check('DELETE /v1/notes/:key', '/v1/notes/gone?scope_type=workspace');
    const made = await check('POST /v1/keys', '/v1/keys', {
      body: { principal: { kind: 'runtime', id: 'short-lived' } },
    });
    await check('DELETE /v1/keys/:id', `/v1/keys/${made.body.id}`);
  });
});
