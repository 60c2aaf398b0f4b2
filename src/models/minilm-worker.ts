/**
 * The thread that runs all-MiniLM-L6-v2, so that a burst of captures never blocks the API.
 *
 * It works on one text at a time: on two cores a batch is no faster than its texts one by one, and
 * between two texts a query can go first. Loaded by `minilm-embedder.ts` and by nothing else.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type EmbedPriority, normalize } from './embedder';
import { createWordPiece, type WordPiece } from './wordpiece';

export interface MiniLmWorkerData {
  readonly modelPath: string;
}

export type MiniLmRequest =
  | {
      readonly type: 'embed';
      readonly id: number;
      readonly texts: readonly string[];
      readonly priority: EmbedPriority;
    }
  | { readonly type: 'cancel'; readonly id: number }
  /** End by yourself: a thread that is terminated inside the model takes the process with it. */
  | { readonly type: 'close' };

export type MiniLmReply =
  | { readonly type: 'ready'; readonly dims: number }
  /** All vectors of a request, one after the other. */
  | { readonly type: 'vectors'; readonly id: number; readonly vectors: Float32Array }
  | { readonly type: 'failed'; readonly id: number; readonly message: string };

interface Job {
  readonly id: number;
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
}

/** The model's hidden size, checked against every answer. */
const DIMS = 384;

const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread');

const queues: Record<EmbedPriority, Job[]> = { query: [], card: [] };
let wake: () => void = () => {};
let closing = false;

port.on('message', (request: MiniLmRequest) => {
  switch (request.type) {
    case 'embed':
      queues[request.priority].push({ id: request.id, texts: request.texts, vectors: [] });
      wake();
      break;
    case 'cancel':
      queues.query = queues.query.filter((job) => job.id !== request.id);
      queues.card = queues.card.filter((job) => job.id !== request.id);
      break;
    case 'close':
      closing = true;
      wake();
      break;
    default:
      request satisfies never;
  }
});

async function run({ modelPath }: MiniLmWorkerData): Promise<void> {
  const wordPiece = createWordPiece();
  const session = await InferenceSession.create(modelPath, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
  });
  reply({ type: 'ready', dims: DIMS });
  while (!closing) {
    const job = queues.query[0] ?? queues.card[0];
    if (job === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    try {
      const text = job.texts[job.vectors.length];
      if (text !== undefined) job.vectors.push(await embed(text, wordPiece, session));
      if (job.vectors.length === job.texts.length) finish(job);
    } catch (error) {
      drop(job);
      reply({ type: 'failed', id: job.id, message: String(error) });
    }
    // Requests that came meanwhile are read now: one of them may be a query.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await session.release();
  port?.close();
}

/** The mean over the tokens, which all count, since a text alone needs no padding. */
async function embed(
  text: string,
  wordPiece: WordPiece,
  session: InferenceSession,
): Promise<Float32Array> {
  const ids = wordPiece.encode(text);
  const shape = [1, ids.length];
  const { last_hidden_state: hidden } = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
  });
  const data = hidden?.data as Float32Array | undefined;
  if (data?.length !== ids.length * DIMS) throw new Error('the model answered another shape');
  const mean = new Float32Array(DIMS);
  for (let token = 0; token < ids.length; token += 1) {
    for (let dim = 0; dim < DIMS; dim += 1) {
      mean[dim] = (mean[dim] as number) + (data[token * DIMS + dim] as number);
    }
  }
  return normalize(mean);
}

function finish(job: Job): void {
  const vectors = new Float32Array(job.vectors.length * DIMS);
  for (const [index, vector] of job.vectors.entries()) vectors.set(vector, index * DIMS);
  drop(job);
  reply({ type: 'vectors', id: job.id, vectors }, [vectors.buffer]);
}

function drop(job: Job): void {
  for (const queue of Object.values(queues)) {
    const index = queue.indexOf(job);
    if (index !== -1) queue.splice(index, 1);
  }
}

function reply(message: MiniLmReply, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

void run(workerData as MiniLmWorkerData);
