import type { CardGraph } from '../../../../src/contracts/graph';
import type { LayoutStep, LayoutTask, Told } from './layout-worker';

export interface Place {
  x: number;
  y: number;
}
export type Places = Map<string, Place>;

/** Turned by this, points on a spiral never line up. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
/** Where more than this share is new, everything may move. */
const MUCH_NEW = 0.3;

/**
 * Where each card is. Cards keep their place while others come and go; new ones are laid out around them
 * in a worker, and cards without edges stand on rings around the rest.
 */
export class Layout {
  private readonly worker = new Worker(new URL('./layout-worker.ts', import.meta.url), {
    type: 'module',
  });
  private task = 0;
  private tied: string[] = [];
  private lone: string[] = [];

  constructor(
    /** Outlives this layout: who comes back finds the cards where they were. */
    private readonly places: Places,
    /** Called whenever cards have moved. */
    private readonly moved: (done: boolean) => void,
  ) {
    this.worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => this.took(data);
  }

  /** @param anew - everything may move */
  run(graph: CardGraph, anew = false): void {
    const degrees = new Set(graph.edges.flatMap(({ from, to }) => [from, to]));
    this.tied = graph.nodes.filter(({ id }) => degrees.has(id)).map(({ id }) => id);
    this.lone = graph.nodes
      .filter(({ id }) => !degrees.has(id))
      .sort((a, b) => (a.recorded_at < b.recorded_at ? -1 : 1))
      .map(({ id }) => id);
    const fresh = this.tied.filter((id) => !this.places.has(id));
    const all = anew || fresh.length > this.tied.length * MUCH_NEW;
    this.begin(graph, fresh);
    this.ring();
    this.task += 1;
    if (all || fresh.length > 0) this.ask(graph, new Set(all ? this.tied : fresh));
    this.moved(fresh.length === 0 && !anew);
  }

  end(): void {
    this.worker.terminate();
  }

  /** A new card begins beside one that it is tied to. */
  private begin(graph: CardGraph, fresh: readonly string[]): void {
    const news = new Set(fresh);
    const beside = new Map<string, string>();
    for (const { from, to } of graph.edges) {
      if (news.has(from) && !news.has(to)) beside.set(from, to);
      if (news.has(to) && !news.has(from)) beside.set(to, from);
    }
    const wide = Math.sqrt(this.tied.length) * 10;
    fresh.forEach((id, n) => {
      const near = this.places.get(beside.get(id) ?? '');
      const angle = n * GOLDEN_ANGLE;
      const away = near === undefined ? wide * Math.sqrt((n + 1) / fresh.length) : 8 + (n % 5);
      this.places.set(id, {
        x: (near?.x ?? 0) + away * Math.cos(angle),
        y: (near?.y ?? 0) + away * Math.sin(angle),
      });
    });
  }

  private ask(graph: CardGraph, free: ReadonlySet<string>): void {
    const { tied } = this;
    const number = new Map(tied.map((id, n) => [id, n]));
    const places = new Float32Array(tied.length * 2);
    const fixed = new Uint8Array(tied.length);
    tied.forEach((id, n) => {
      const { x, y } = this.places.get(id) ?? { x: 0, y: 0 };
      places[n * 2] = x;
      places[n * 2 + 1] = y;
      fixed[n] = free.has(id) ? 0 : 1;
    });
    const ties = Uint32Array.from(
      graph.edges.flatMap(({ from, to }) => [number.get(from) ?? 0, number.get(to) ?? 0]),
    );
    const isAll = free.size === tied.length;
    const rounds = !isAll ? 60 : tied.length > 1_500 ? 240 : 400;
    const task: LayoutTask = { task: this.task, places, fixed, ties, rounds };
    this.worker.postMessage(task, [places.buffer, fixed.buffer, ties.buffer]);
  }

  private took({ task, places, done }: LayoutStep): void {
    // What was asked for meanwhile is what counts.
    if (task !== this.task) return;
    this.tied.forEach((id, n) => {
      this.places.set(id, { x: places[n * 2] ?? 0, y: places[n * 2 + 1] ?? 0 });
    });
    this.ring();
    this.moved(done);
    // The frame after the next is asked for once this one has been drawn.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => this.worker.postMessage('drawn' satisfies Told)),
    );
  }

  /** Oldest inside, at the distance at which a spiral of as many points would go on. */
  private ring(): void {
    const reach = Math.max(
      0,
      ...this.tied.map((id) => {
        const { x, y } = this.places.get(id) ?? { x: 0, y: 0 };
        return Math.hypot(x, y);
      }),
    );
    const apart = Math.max(6, reach / Math.sqrt(Math.max(this.tied.length, 30)));
    const inner = (reach * 1.08) / apart;
    this.lone.forEach((id, n) => {
      const away = apart * Math.sqrt(inner ** 2 + n + 1);
      const angle = n * GOLDEN_ANGLE;
      this.places.set(id, { x: away * Math.cos(angle), y: away * Math.sin(angle) });
    });
  }
}
