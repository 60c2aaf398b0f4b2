import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestEmbedder } from './vectored-cards';

/** An OpenAI-compatible endpoint on loopback that embeds by several models, each of its own size. */
export interface EmbeddingEndpoint {
  baseUrl: string;
  /** Texts by model, in the order in which they were asked for. */
  asked(model: string): string[];
  /** Requests from this one on, of those that match, wait until `release`; resolves when one does. */
  holdAt(model: string, matching: RegExp, request: number): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

/** @param sizes dimensions by model; another model is unknown (404) */
export async function startEmbeddingEndpoint(
  sizes: Readonly<Record<string, number>>,
): Promise<EmbeddingEndpoint> {
  const asked = new Map<string, string[]>();
  let hold: { model: string; matching: RegExp; left: number; held(): void } | null = null;
  let waiting: (() => void)[] = [];

  async function answer(body: string): Promise<{ status: number; answer: unknown }> {
    const { model, input } = JSON.parse(body) as { model: string; input: string[] };
    const dims = sizes[model];
    if (dims === undefined) return { status: 404, answer: { error: { message: 'no such model' } } };
    asked.set(model, [...(asked.get(model) ?? []), ...input]);
    if (hold?.model === model && input.some((text) => hold?.matching.test(text))) {
      hold.left -= 1;
      if (hold.left <= 0) {
        hold.held();
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    }
    const vectors = await createTestEmbedder(model, dims).embed(input);
    const data = vectors.map((vector, index) => ({ index, embedding: Array.from(vector) }));
    return { status: 200, answer: { data } };
  }

  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += String(chunk);
    });
    request.on('end', () => {
      void answer(body).then(({ status, answer: json }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(json));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const release = () => {
    hold = null;
    for (const go of waiting) go();
    waiting = [];
  };
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    asked: (model) => asked.get(model) ?? [],
    holdAt: (model, matching, request) =>
      new Promise((held) => {
        hold = { model, matching, left: request, held };
      }),
    release,
    close: async () => {
      release();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
