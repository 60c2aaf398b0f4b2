import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EmbedderError } from '../src/models/embedder';
import { chooseEmbedder } from '../src/models/embedder-choice';
import { HASHED_ID } from '../src/models/hashed-embedder';
import { MINILM_ID } from '../src/models/minilm-embedder';
import { makesVectors } from '../src/models/no-embedder';
import { createOpenAiEmbedder } from '../src/models/openai-embedder';
import { remembering } from '../src/models/remembering-embedder';
import { describeWithModel } from './support/embedding-model';

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** An endpoint in the shape of OpenAI's: three dimensions, the first of them the text's length. */
let server: Server;
let baseUrl: string;
/** Null: the request is taken and never answered. */
let answer: (input: string[]) => Answer | null = vectors;
const requests: string[][] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((json) => {
      const { input } = JSON.parse(json) as { input: string[] };
      requests.push(input);
      const given = answer(input);
      if (given === null) return;
      const { status, headers, body } = given;
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});
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

describe('an endpoint that is away when it is chosen', () => {
  const locateModel = jest.fn<Promise<string>, []>();
  const chosenWhile = async (away: () => Answer | null, where = endpoint()) => {
    const said: string[] = [];
    answer = away;
    const say = (line: string) => said.push(line);
    const embedder = remembering(await chooseEmbedder({ endpoint: where, locateModel, say }));
    return { embedder, said };
  };

  it.each([402, 408, 429, 500, 503])(
    'with status %i is taken all the same, says so, and embeds once it is back',
    async (status) => {
      const { embedder, said } = await chosenWhile(() => ({ status, body: {} }));
      expect(said).toEqual([
        expect.stringMatching(new RegExp(`gives no vectors \\(status ${status}\\)`)),
      ]);
      expect([embedder.id, embedder.dims, makesVectors(embedder)]).toEqual([
        'openai:tiny',
        0,
        true,
      ]);
      await expect(embedder.embed(['a'])).rejects.toThrow(EmbedderError);

      answer = vectors;
      expect(await embedder.embed(['a'])).toEqual([expect.any(Float32Array)]);
      expect([embedder.id, embedder.dims]).toEqual(['openai:tiny', 3]);
      expect(locateModel).not.toHaveBeenCalled();
    },
  );

  it('is not waited for where it takes the request and never answers', async () => {
    const { embedder, said } = await chosenWhile(() => null);
    expect(said).toEqual([expect.stringContaining('gives no vectors (no answer)')]);
    expect(embedder.id).toBe('openai:tiny');
  }, 15_000);

  it('is taken where nobody listens at its address', async () => {
    const nowhere = { baseUrl: 'http://127.0.0.1:1/v1', model: 'tiny' };
    const { embedder, said } = await chosenWhile(vectorsOfNone, nowhere);
    expect(said).toEqual([expect.stringContaining('gives no vectors (no answer)')]);
    expect(embedder.id).toBe('openai:tiny');
  });

  it.each([
    [401, 'refuses the key (status 401): correct OPENAI_API_KEY.'],
    [403, 'refuses the key (status 403): correct OPENAI_API_KEY.'],
    [404, 'knows no model tiny (status 404): correct CAIRN_EMBEDDING_MODEL or OPENAI_BASE_URL.'],
  ])('is none with status %i: that does not mend itself', async (status, sentence) => {
    const choice = chosenWhile(() => ({ status, body: { error: 'the text' } }));
    await expect(choice).rejects.toThrow(`The embedding endpoint ${sentence}`);
    expect(requests).toHaveLength(1);
  });
});

describe('an endpoint', () => {
  it('answers unit vectors in the order of the texts, in batches, however it sorts them', async () => {
    answer = (input) => ({ status: 200, body: { data: data(input).reverse() } });
    const embedder = createOpenAiEmbedder(endpoint());
    const texts = Array.from({ length: 150 }, (_, index) => 'x'.repeat(index));
    const found = await embedder.embed(texts);
    expect(found).toHaveLength(150);
    expect(found[100]?.[0]).toBeCloseTo(100 / Math.hypot(100, 1), 5);
    for (const vector of found) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    // Empty input is refused by OpenAI itself.
    expect(requests.flat()).not.toContain('');
  });

  it.each([
    [400, 'texts'],
    [413, 'texts'],
    [422, 'texts'],
    [401, 'settings'],
    [404, 'settings'],
    [402, 'away'],
    [429, 'away'],
    [500, 'away'],
  ])('says with status %i what is at fault: %s', async (status, fault) => {
    const embedder = createOpenAiEmbedder(endpoint());
    answer = () => ({ status, headers: { 'retry-after': '7' }, body: { error: 'the text' } });
    const failure = await embedder.embed(['a']).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(EmbedderError);
    expect(failure).toMatchObject({ status, fault, retryAfterMs: 7_000 });
    // Nothing is retried here.
    expect(requests).toHaveLength(1);
    expect(String(failure)).not.toContain('the text');
  });

  it('refuses fewer vectors than texts, and vectors of another size', async () => {
    const embedder = createOpenAiEmbedder(endpoint());
    answer = (input) => ({ status: 200, body: { data: data(input).slice(1) } });
    await expect(embedder.embed(['a', 'b'])).rejects.toThrow('1 vectors for 2 texts');
    answer = vectors;
    await embedder.embed(['a']);
    answer = () => ({ status: 200, body: { data: [{ index: 0, embedding: [1, 2] }] } });
    await expect(embedder.embed(['a'])).rejects.toThrow('2 dimensions, not 3');
  });

  it('ends with the caller that gave up', async () => {
    const embedder = createOpenAiEmbedder(endpoint());
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

function vectorsOfNone(): never {
  throw new Error('nobody was to be asked');
}

function fail(line: string): never {
  throw new Error(`nothing was to be said: ${line}`);
}
