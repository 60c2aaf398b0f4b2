import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmbedderError } from '../src/models/embedder';
import { chooseEmbedder } from '../src/models/embedder-choice';
import { HASHED_ID } from '../src/models/hashed-embedder';
import { MINILM_ID } from '../src/models/minilm-embedder';
import { createOpenAiEmbedder } from '../src/models/openai-embedder';
import { describeWithModel } from './support/embedding-model';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** An endpoint in the shape of OpenAI's: three dimensions, the first of them the text's length. */
let server: Server;
let baseUrl: string;
let answer: (input: string[]) => Answer = vectors;
const requests: string[][] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((json) => {
      const { input } = JSON.parse(json) as { input: string[] };
      requests.push(input);
      const { status, headers, body } = answer(input);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  answer = vectors;
  requests.length = 0;
});

it('takes a configured endpoint before everything else', async () => {
  const locateModel = jest.fn<Promise<string>, []>();
  const embedder = await chooseEmbedder({ endpoint: endpoint(), locateModel, say: fail });
  expect([embedder.id, embedder.dims]).toEqual(['openai:tiny', 3]);
  expect(locateModel).not.toHaveBeenCalled();
});

it('takes the stand-in where no model can be had, and says why', async () => {
  const said: string[] = [];
  const embedder = await chooseEmbedder({
    locateModel: () => Promise.reject(new Error('offline')),
    say: (line) => said.push(line),
  });
  expect(embedder.id).toBe(HASHED_ID);
  expect(said).toEqual([expect.stringMatching(/No embedding model.*offline/)]);
});

describeWithModel('where the model is there', (modelPath) => {
  it('takes the model before the stand-in, and says nothing', async () => {
    const locateModel = () => Promise.resolve(modelPath());
    const embedder = await chooseEmbedder({ locateModel, say: fail });
    expect(embedder.id).toBe(MINILM_ID);
    await embedder.close();
  });
});

it('does not go on to another embedder when the configured one is down', async () => {
  answer = () => ({ status: 503, body: {} });
  const locateModel = jest.fn<Promise<string>, []>();
  const choice = chooseEmbedder({ endpoint: endpoint(), locateModel, say: fail });
  await expect(choice).rejects.toThrow(EmbedderError);
  expect(locateModel).not.toHaveBeenCalled();
  expect(requests).toHaveLength(1);
});

describe('an endpoint', () => {
  it('answers unit vectors in the order of the texts, in batches, however it sorts them', async () => {
    answer = (input) => ({ status: 200, body: { data: data(input).reverse() } });
    const embedder = await createOpenAiEmbedder(endpoint());
    const texts = Array.from({ length: 150 }, (_, index) => 'x'.repeat(index));
    const found = await embedder.embed(texts);
    expect(found).toHaveLength(150);
    expect(found[100]?.[0]).toBeCloseTo(100 / Math.hypot(100, 1), 5);
    for (const vector of found) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    // Empty input is refused by OpenAI itself.
    expect(requests.flat()).not.toContain('');
  });

  it.each([
    [429, false],
    [500, false],
    [400, true],
    [401, true],
  ])('says with status %i whether the same call may be tried again', async (status, permanent) => {
    const embedder = await createOpenAiEmbedder(endpoint());
    answer = () => ({ status, headers: { 'retry-after': '7' }, body: { error: 'the text' } });
    const failure = await embedder.embed(['a']).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EmbedderError);
    expect(failure).toMatchObject({ status, permanent, retryAfterMs: 7_000 });
    // One for the probe, one for the call: nothing is retried here.
    expect(requests).toHaveLength(2);
    expect(String(failure)).not.toContain('the text');
  });

  it('refuses fewer vectors than texts, and vectors of another size', async () => {
    const embedder = await createOpenAiEmbedder(endpoint());
    answer = (input) => ({ status: 200, body: { data: data(input).slice(1) } });
    await expect(embedder.embed(['a', 'b'])).rejects.toThrow('1 vectors for 2 texts');
    answer = () => ({ status: 200, body: { data: [{ index: 0, embedding: [1, 2] }] } });
    await expect(embedder.embed(['a'])).rejects.toThrow('2 dimensions, not 3');
  });

  it('ends with the caller that gave up', async () => {
    const embedder = await createOpenAiEmbedder(endpoint());
    const given = new AbortController();
    const late = embedder.embed(['a'], given.signal);
    given.abort(new Error('late'));
    await expect(late).rejects.toThrow('late');
  });
});

function endpoint(): { baseUrl: string; model: string } {
  return { baseUrl, model: 'tiny' };
}

function vectors(input: string[]): Answer {
  return { status: 200, body: { data: data(input) } };
}

function data(input: string[]): { index: number; embedding: number[] }[] {
  return input.map((line, index) => ({ index, embedding: [line.length, 1, 0] }));
}

async function text(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function fail(line: string): never {
  throw new Error(`nothing was to be said: ${line}`);
}
