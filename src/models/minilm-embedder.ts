import { Worker } from 'node:worker_threads';
import { type Embedder, EmbedderError, type EmbedOptions } from './embedder';
import { entrySource } from './entry-source';
import type { MiniLmReply, MiniLmRequest, MiniLmWorkerData } from './minilm-worker';

export interface MiniLmOptions {
  /** `model.onnx`: all-MiniLM-L6-v2 with int8 weights. */
  readonly modelPath: string;
  /** Told when the thread died and is being started again. */
  readonly onRestart?: (reason: string) => void;
}

export const MINILM_ID = 'all-MiniLM-L6-v2-int8';
export const MINILM_DIMS = 384;

interface Waiting {
  readonly count: number;
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

/**
 * all-MiniLM-L6-v2 on this machine, in a worker thread: about 10 ms a sentence, texts cut at 256
 * tokens. Loading takes about half a second.
 *
 * If the thread dies, what waits is rejected and the thread is started again, once: one that dies
 * again before it has answered anything stays dead, and every call says so.
 *
 * @throws {EmbedderError} the model cannot be loaded
 */
export async function createMiniLmEmbedder(options: MiniLmOptions): Promise<Embedder> {
  const thread = new MiniLmThread(options);
  await thread.ready;
  return {
    id: MINILM_ID,
    dims: MINILM_DIMS,
    embed: (texts, signal, embedOptions) => thread.embed(texts, signal, embedOptions),
    close: () => thread.close(),
  };
}

class MiniLmThread {
  ready: Promise<void>;
  readonly #options: MiniLmOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker;
  #nextId = 1;
  #state: 'running' | 'closed' | { readonly dead: string } = 'running';
  #mayRestart = false;

  constructor(options: MiniLmOptions) {
    this.#options = options;
    [this.#worker, this.ready] = this.#start();
  }

  embed(
    texts: readonly string[],
    signal?: AbortSignal,
    options?: EmbedOptions,
  ): Promise<Float32Array[]> {
    if (this.#state === 'closed') return refuse('the embedder is closed');
    if (this.#state !== 'running') return refuse(this.#state.dead);
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (texts.length === 0) return Promise.resolve([]);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(id);
        // An idle thread must not keep the process alive.
        if (this.#waiting.size === 0) this.#worker.unref();
      };
      const abort = (): void => {
        settle();
        this.#post({ type: 'cancel', id });
        reject(signal?.reason);
      };
      this.#waiting.set(id, {
        count: texts.length,
        resolve: (vectors) => {
          settle();
          resolve(vectors);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      signal?.addEventListener('abort', abort);
      this.#worker.ref();
      this.#post({ type: 'embed', id, texts: [...texts], priority: options?.priority ?? 'card' });
    });
  }

  async close(): Promise<void> {
    const was = this.#state;
    if (was === 'closed') return;
    this.#state = 'closed';
    if (was !== 'running') return;
    this.#rejectAll('the embedder was closed');
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.ref();
    this.#post({ type: 'close' });
    await ended;
  }

  #start(): [Worker, Promise<void>] {
    const data: MiniLmWorkerData = { modelPath: this.#options.modelPath };
    const worker = new Worker(entrySource(__dirname, 'minilm-worker'), {
      eval: true,
      workerData: data,
      // The thread reads a file and computes; it has no business with keys.
      env: {},
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (reply: MiniLmReply) => {
        if (reply.type === 'ready') {
          if (this.#waiting.size === 0) worker.unref();
          resolve();
        } else {
          this.#settle(reply);
        }
      });
      let reason = 'it ended';
      worker.on('error', (error) => {
        reason = error.message;
      });
      worker.on('exit', () => {
        reject(new EmbedderError(`the embedding model cannot be run: ${reason}`));
        this.#died(reason);
      });
    });
    return [worker, ready];
  }

  #settle(reply: Exclude<MiniLmReply, { type: 'ready' }>): void {
    const waiting = this.#waiting.get(reply.id);
    switch (reply.type) {
      case 'vectors':
        this.#mayRestart = true;
        waiting?.resolve(
          Array.from({ length: waiting.count }, (_, index) =>
            // A copy in this realm: under jest the thread's arrays are of another one.
            Float32Array.from(
              reply.vectors.subarray(index * MINILM_DIMS, (index + 1) * MINILM_DIMS),
            ),
          ),
        );
        break;
      case 'failed':
        waiting?.reject(new EmbedderError(reply.message));
        break;
      default:
        reply satisfies never;
    }
  }

  #died(reason: string): void {
    if (this.#state === 'closed') return;
    this.#rejectAll(`the embedder's thread died: ${reason}`);
    if (!this.#mayRestart) {
      this.#state = { dead: `the embedder's thread died twice: ${reason}` };
      return;
    }
    this.#mayRestart = false;
    this.#options.onRestart?.(reason);
    [this.#worker, this.ready] = this.#start();
    // Whoever embeds meanwhile waits in the queue; a failed start rejects them through #died.
    this.ready.catch(() => {});
  }

  #rejectAll(message: string): void {
    for (const waiting of [...this.#waiting.values()]) waiting.reject(new EmbedderError(message));
  }

  #post(request: MiniLmRequest): void {
    this.#worker.postMessage(request);
  }
}

function refuse(message: string): Promise<never> {
  return Promise.reject(new EmbedderError(message));
}
