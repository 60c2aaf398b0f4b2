import { MultiDirectedGraph } from 'graphology';
import type { Sigma } from 'sigma';
import type { CardGraph } from '../../../../src/contracts/graph';
import { EDGE_FORMS } from './forms';
import { Layout, type Places } from './layout';
import { type EdgeLook, lookOf, type NodeLook, newSigma } from './looks';
import type { Shown } from './shown';

export interface Listeners {
  select(id: string | null): void;
  expand(id: string): void;
}

export type Direction = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

export const TOWARDS: Record<Direction, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

const FAINT = { node: 0.16, edge: 0.07 };
/** Of the map, in the layout's own measure. */
const LEAST_WIDTH = 30;
/** So many found cards bear their words at once. */
const MOST_NAMED = 15;
/** More cards than these are drawn smaller. */
const FEW = 400;

/** The map itself: what is on it, where, and how it answers to pointer and keys. */
export class Drawing {
  private graph = new MultiDirectedGraph<NodeLook, EdgeLook>();
  private readonly sigma: Sigma<NodeLook, EdgeLook>;
  private readonly layout: Layout;
  private shown: Shown | null = null;
  private selected: string | null = null;
  /** It may come with the next cards. */
  private wanted: string | null = null;
  private waiting: string | null = null;

  /** @throws Error where the browser has no WebGL 2 */
  constructor(
    container: HTMLElement,
    private readonly places: Places,
    scheme: 'light' | 'dark',
    listeners: Listeners,
    private readonly calm: boolean,
    settled: (done: boolean) => void,
  ) {
    this.sigma = newSigma(this.graph, container, scheme);
    this.layout = new Layout(places, (done) => {
      // Who wants less motion sees where it ends.
      if (done || !calm) this.move();
      settled(done);
      if (done && this.waiting !== null) this.look(this.waiting);
    });
    this.sigma.on('clickNode', ({ node }) => listeners.select(node));
    this.sigma.on('clickStage', () => listeners.select(null));
    this.sigma.on('doubleClickNode', (event) => {
      event.preventSigmaDefault();
      listeners.expand(event.node);
    });
  }

  load(graph: CardGraph): void {
    // Cards that all lie in one point are dear to draw: they have places before.
    this.layout.run(graph);
    const scale = Math.max(0.5, Math.min(1, Math.sqrt(FEW / graph.nodes.length)));
    const next = new MultiDirectedGraph<NodeLook, EdgeLook>();
    for (const node of graph.nodes) {
      const { x, y } = this.places.get(node.id) ?? { x: 0, y: 0 };
      next.addNode(node.id, { x, y, ...lookOf(node, scale) });
    }
    for (const { id, type, from, to } of graph.edges) {
      const { color, width, head, tail, dash, gap } = EDGE_FORMS[type];
      const look = { color, head, tail, dash, gap, size: width * Math.sqrt(scale) };
      next.addEdgeWithKey(id, from, to, { ...look, opacity: 0.7, visibility: 'visible' });
    }
    // One after the other, each card that goes would have the whole drawn anew.
    this.graph = next;
    this.sigma.setGraph(next);
    this.frame();
    if (this.shown !== null) this.show(this.shown, this.wanted);
  }

  layOutAnew(graph: CardGraph): void {
    this.layout.run(graph, true);
  }

  show(shown: Shown, selected: string | null): void {
    this.shown = shown;
    this.wanted = selected;
    this.selected = selected !== null && this.graph.hasNode(selected) ? selected : null;
    const { found } = shown;
    const near = new Set(this.selected === null ? [] : this.graph.neighbors(this.selected));
    const isClear = (id: string) =>
      id === this.selected ||
      (found !== null ? found.has(id) : this.selected === null || near.has(id));
    const names = found !== null && found.size <= MOST_NAMED ? found : null;
    this.graph.updateEachNodeAttributes((id, look) => ({
      ...look,
      selected: id === this.selected,
      visibility: shown.ids.has(id) ? 'visible' : 'hidden',
      opacity: isClear(id) ? 1 : found === null ? 0.45 : FAINT.node,
      labelVisibility:
        id === this.selected || names?.has(id) === true
          ? 'visible'
          : isClear(id)
            ? 'auto'
            : 'hidden',
    }));
    const opacityOf = (from: string, to: string) => {
      const isOf = from === this.selected || to === this.selected;
      if (isOf) return 1;
      if (this.selected === null && found === null) return 0.7;
      return found?.has(from) && found.has(to) ? 0.6 : FAINT.edge;
    };
    this.graph.updateEachEdgeAttributes(
      (id, look, from, to) => ({
        ...look,
        opacity: opacityOf(from, to),
        visibility: shown.edgeIds.has(id) ? 'visible' : 'hidden',
      }),
      // Of what was not drawn yet nothing but its order can be drawn anew.
      { attributes: ['zIndex'] },
    );
  }

  /** Brings a card into view where it is not. */
  look(id: string): void {
    this.waiting = null;
    const at = this.sigma.getNodeDisplayData(id);
    if (at === undefined) {
      this.waiting = id;
      return;
    }
    const { x, y } = this.sigma.framedGraphToViewport(at);
    const { width, height } = this.sigma.getDimensions();
    const isSeen = x > 40 && y > 40 && x < width - 40 && y < height - 40;
    if (!isSeen) this.go({ x: at.x, y: at.y });
  }

  zoom(by: 'in' | 'out' | 'all'): void {
    const { ratio } = this.sigma.getCamera();
    if (by === 'all') this.go({ x: 0.5, y: 0.5, ratio: 1 });
    else this.go({ ratio: by === 'in' ? ratio / 1.6 : ratio * 1.6 });
  }

  /** The neighbour that lies most in this direction; of a card without any there, the nearest card. */
  next(direction: Direction): string | null {
    const { selected, shown } = this;
    if (shown === null) return null;
    if (selected === null || !shown.ids.has(selected)) return this.mostTied(shown);
    const [dx, dy] = TOWARDS[direction];
    const from = this.at(selected);
    const best = (ids: Iterable<string>, least: number) => {
      let [found, cost] = [null as string | null, Number.POSITIVE_INFINITY];
      for (const id of ids) {
        if (id === selected || !shown.ids.has(id)) continue;
        const to = this.at(id);
        const [x, y] = [to.x - from.x, to.y - from.y];
        const away = Math.hypot(x, y);
        const along = (x * dx + y * dy) / Math.max(away, 1e-6);
        if (along < least || away / along ** 2 >= cost) continue;
        [found, cost] = [id, away / along ** 2];
      }
      return found;
    };
    return best(this.tiedTo(selected, shown), 0.35) ?? best(shown.ids, 0.6);
  }

  kill(): void {
    this.layout.end();
    this.sigma.kill();
  }

  private tiedTo(id: string, shown: Shown): string[] {
    return this.graph
      .filterEdges(id, (edge) => shown.edgeIds.has(edge))
      .map((edge) => this.graph.opposite(id, edge));
  }

  private mostTied(shown: Shown): string | null {
    let [best, most] = [null as string | null, -1];
    for (const id of shown.found?.size ? shown.found : shown.ids) {
      const degree = this.graph.hasNode(id) ? this.graph.degree(id) : -1;
      if (degree > most) [best, most] = [id, degree];
    }
    return best;
  }

  private at(id: string): { x: number; y: number } {
    return this.sigma.framedGraphToViewport(this.sigma.getNodeDisplayData(id) ?? { x: 0, y: 0 });
  }

  private go(to: { x?: number; y?: number; ratio?: number }): void {
    const camera = this.sigma.getCamera();
    if (this.calm) camera.setState(to);
    else void camera.animate(to, { duration: 260 });
  }

  private move(): void {
    this.graph.updateEachNodeAttributes(
      (id, look) => ({ ...look, ...(this.places.get(id) ?? { x: 0, y: 0 }) }),
      { attributes: ['x', 'y'] },
    );
    this.frame();
  }

  /** What is seen of it all: a single card, which is as wide as nothing, would fill the map. */
  private frame(): void {
    const looks = this.graph.mapNodes((_, look) => look);
    const [x, y] = [looks.map((look) => look.x), looks.map((look) => look.y)].map(spread);
    this.sigma.setCustomBBox(x === undefined || y === undefined ? null : { x, y });
  }
}

/** From the least to the most, and no narrower than a few cards side by side. */
function spread(values: readonly number[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (values.length === 0) return [0, LEAST_WIDTH];
  const more = Math.max(0, LEAST_WIDTH - (most - least)) / 2;
  return [least - more, most + more];
}
