import type { TestApi } from './api';

/** One event of a stream. */
export interface Heard {
  event: string;
  id: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  data: any;
}

/** Longer than any look takes on the slowest machine: what does not come by then comes never. */
const PATIENCE_MS = 60_000;

/** Who listens to `GET /v1/stream`, event by event. */
export class Listening {
  private readonly buffered: Heard[] = [];
  private readonly gone = new AbortController();
  private text = '';
  private hasEnded = false;
  private wake: () => void = () => undefined;

  private constructor(readonly answer: Response) {}

  /** Connects; the answer may be a refusal. */
  static async to(api: TestApi, headers: Record<string, string>): Promise<Listening> {
    const gone = new AbortController();
    const answer = await fetch(new URL('/v1/stream', api.url), { headers, signal: gone.signal });
    const listening = new Listening(answer);
    listening.gone.signal.addEventListener('abort', () => gone.abort());
    void listening.read();
    return listening;
  }

  /** The next event, whatever it is. @throws where the stream ends before */
  async next(): Promise<Heard> {
    const until = Date.now() + PATIENCE_MS;
    for (;;) {
      const first = this.buffered.shift();
      if (first !== undefined) return first;
      if (this.hasEnded) throw new Error('the stream has ended');
      if (Date.now() > until) throw new Error('nothing came');
      await this.woken();
    }
  }

  /** What changed until these topics were all told of, the ids of all of it together. */
  async until(...topics: string[]): Promise<Heard['data']> {
    const seen = { seq: 0, topics: new Set<string>(), ids: {} as Record<string, string[]> };
    while (topics.some((topic) => !seen.topics.has(topic))) {
      const { data } = await this.next();
      seen.seq = data.seq;
      for (const topic of data.topics) seen.topics.add(topic);
      for (const [topic, ids] of Object.entries<string[]>(data.ids)) {
        seen.ids[topic] = [...(seen.ids[topic] ?? []), ...ids];
      }
    }
    return { ...seen, topics: [...seen.topics] };
  }

  /** Resolves when nothing more comes, with what came until then. */
  async end(): Promise<Heard[]> {
    const rest: Heard[] = [];
    for (;;) {
      try {
        rest.push(await this.next());
      } catch (error) {
        if (this.hasEnded) return rest;
        throw error;
      }
    }
  }

  /** Goes, as a closed tab does. */
  leave(): void {
    this.gone.abort();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.answer.body ?? []) {
        this.text += decoder.decode(chunk as Uint8Array, { stream: true });
        this.take();
        this.wake();
      }
    } catch {
      // Left, or cut off: there is no more either way.
    }
    this.hasEnded = true;
    this.wake();
  }

  private take(): void {
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(
        block.split('\n').map((line) => {
          const [name = '', ...value] = line.split(': ');
          return [name, value.join(': ')] as const;
        }),
      );
      const event = fields.get('event');
      if (event === undefined) continue;
      const data = JSON.parse(fields.get('data') ?? 'null');
      this.buffered.push({ event, id: Number(fields.get('id')), data });
    }
  }

  private async woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1_000);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
