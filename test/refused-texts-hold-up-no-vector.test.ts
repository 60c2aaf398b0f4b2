import type { SettledEvent } from '../src/contracts/event';
import type { EmbedResult } from '../src/contracts/messages';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { embedWorkflowId } from '../src/contracts/workflow-ids';
import { type Embedder, EmbedderError } from '../src/models/embedder';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { remembering } from '../src/models/remembering-embedder';
import type { embed } from '../src/workflows/embed';
import { CaptureLane } from './support/capture-lane';
import { historyText } from './support/history-text';
import { until } from './support/until';

jest.setTimeout(60_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane?.stop());

/** Refuses every call that holds one of these texts, as an endpoint does; with dims that it learns. */
function picky(refuses: (text: string) => number | null) {
  const real = createHashedEmbedder();
  const state = { down: true, refuses, calls: 0, dims: 0 };
  const embedder: Embedder = {
    id: 'picky',
    get dims() {
      return state.dims;
    },
    embed: async (texts, signal) => {
      state.calls += 1;
      if (state.down) throw new EmbedderError('away', { status: 503 });
      for (const text of texts) {
        const status = state.refuses(text);
        if (status !== null) throw new EmbedderError('TEXT-OF-A-CARD', { status });
      }
      state.dims = real.dims;
      return await real.embed(texts, signal);
    },
    close: async () => undefined,
  };
  return { state, embedder: remembering(embedder) };
}

/** Longer in its index text than what is tried at last: long names count, long texts are shortened. */
const LONG = Array.from({ length: 40 }, (_, at) => `long${at}-${'x'.repeat(40)}`).join(' ');

function events(): SettledEvent[] {
  return ['first', 'poison', 'third'].map((event_id, at) => ({
    event_id,
    kind: 'observation',
    agent: 'scout',
    outcome: 'neutral',
    occurred_at: `2026-03-02T0${at}:00:00Z`,
    text: `The ${event_id} warehouse closes its loading dock at noon on Fridays.`,
  }));
}

async function catchUp(workspace: string): Promise<{ result: EmbedResult; history: string }> {
  const handle = await lane.env.client.workflow.start<typeof embed>('embed', {
    workflowId: embedWorkflowId(workspace),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace }],
  });
  const result = await handle.result();
  return { result, history: historyText(await handle.fetchHistory()) };
}

/** Filed while the embedder was away. */
async function filed(workspace: string): Promise<void> {
  for (const input of await lane.record(workspace, events())) {
    await (await lane.startCapture(input)).result();
  }
}

const lengthsOf = (workspace: string) =>
  lane.rows<{ event_id: string; dims: number; length: number }>(
    workspace,
    `SELECT c.event_id, e.dims, round(vector_norm(e.embedding))::int AS length
       FROM card_embeddings e
       JOIN cards c ON c.workspace_id = e.workspace_id AND c.id = e.card_id
      ORDER BY c.event_id`,
  );
const waiting = (workspace: string) =>
  lane.rows(workspace, 'SELECT event_id FROM captures WHERE needs_embed');

it.each([400, 413, 422])(
  'a text that is refused for good with %i waits no longer, and the others get their vectors',
  async (status) => {
    const workspace = await lane.workspace();
    const { state, embedder } = picky((text) => (text.includes('poison') ? status : null));
    await lane.working({ embedder, distiller: null }, async () => {
      await filed(workspace);
      expect(await waiting(workspace)).toHaveLength(3);
      expect(
        await lane.rows(workspace, "SELECT 1 FROM outbox WHERE action = 'start_embed'"),
      ).toHaveLength(1);
      state.down = false;
      const { result, history } = await catchUp(workspace);
      expect(result).toMatchObject({ embedded: 3, batches: 1 });
      expect(history).not.toMatch(/TEXT-OF-A-CARD|loading dock/);
    });
    const { dims } = createHashedEmbedder();
    expect(await lengthsOf(workspace)).toEqual([
      { event_id: 'first', dims, length: 1 },
      { event_id: 'poison', dims, length: 0 },
      { event_id: 'third', dims, length: 1 },
    ]);
    expect(await waiting(workspace)).toEqual([]);
    // Alike in words, which is what is left to go by.
    const linked = await lane.rows<{ confidence: number }>(
      workspace,
      'SELECT confidence FROM edges',
    );
    expect(linked.length).toBeGreaterThan(0);
    expect(linked.every(({ confidence }) => confidence > 0 && confidence <= 1)).toBe(true);
  },
);

it('an embedder that refuses every text is at fault itself: the cards wait for it', async () => {
  const workspace = await lane.workspace();
  const { state, embedder } = picky(() => 400);
  await lane.working({ embedder, distiller: null }, async () => {
    await filed(workspace);
    state.down = false;
    const caughtUp = catchUp(workspace);
    const before = state.calls;
    await until('it was asked ten times more', () => state.calls >= before + 10);
    expect(await lengthsOf(workspace)).toEqual([]);
    state.refuses = () => null;
    expect((await caughtUp).result).toMatchObject({ embedded: 3, batches: 1 });
  });
  expect((await lengthsOf(workspace)).map(({ length }) => length)).toEqual([1, 1, 1]);
});

it('a text that is refused for its length is embedded by its beginning', async () => {
  const workspace = await lane.workspace();
  const { state, embedder } = picky((text) => (text.length > 1_000 ? 413 : null));
  await lane.working({ embedder, distiller: null }, async () => {
    await filed(workspace);
    await lane.rows(workspace, 'UPDATE cards SET summary = $1 WHERE event_id = $2', [
      LONG,
      'poison',
    ]);
    state.down = false;
    expect((await catchUp(workspace)).result).toMatchObject({ embedded: 3, batches: 1 });
  });
  expect((await lengthsOf(workspace)).map(({ length }) => length)).toEqual([1, 1, 1]);
});
