/** Lays a graph out besides the page, which stays at hand meanwhile. */
import Graph from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

/** Cards by number; where they are, two numbers each; ties, two cards each. */
export interface LayoutTask {
  task: number;
  places: Float32Array;
  /** 1: stays where it is. */
  fixed: Uint8Array;
  ties: Uint32Array;
  rounds: number;
}

export interface LayoutStep {
  task: number;
  places: Float32Array;
  done: boolean;
}

/** The step before is on the screen. */
export type Told = 'drawn';

/** Between two pictures. */
const ROUNDS_A_STEP = 12;

let current = 0;
/** The page has drawn the step before: one that is slow to draw gets fewer. */
let drawn = true;

self.onmessage = ({ data }: MessageEvent<LayoutTask | Told>) => {
  drawn = true;
  if (data !== 'drawn') begin(data);
};

function begin(data: LayoutTask): void {
  current = data.task;
  const graph = graphOf(data);
  const settings = {
    ...forceAtlas2.inferSettings(graph.order),
    barnesHutOptimize: graph.order > 500,
    gravity: 0.4,
  };
  let left = data.rounds;
  const step = () => {
    // Another task has come in between.
    if (current !== data.task) return;
    const iterations = Math.min(ROUNDS_A_STEP, left);
    if (iterations > 0) forceAtlas2.assign(graph, { iterations, settings });
    left -= iterations;
    if (left > 0) setTimeout(step, 0);
    if (!drawn && left > 0) return;
    drawn = false;
    const places = new Float32Array(graph.order * 2);
    graph.forEachNode((key, { x, y }) => {
      places[Number(key) * 2] = x;
      places[Number(key) * 2 + 1] = y;
    });
    const said: LayoutStep = { task: data.task, places, done: left <= 0 };
    self.postMessage(said, { transfer: [places.buffer] });
  };
  step();
}

function graphOf({ places, fixed, ties }: LayoutTask): Graph {
  const graph = new Graph({ type: 'undirected', multi: false });
  for (let n = 0; n * 2 < places.length; n += 1) {
    graph.addNode(n, { x: places[n * 2], y: places[n * 2 + 1], fixed: fixed[n] === 1 });
  }
  for (let n = 0; n < ties.length; n += 2) graph.mergeEdge(ties[n], ties[n + 1]);
  return graph;
}
