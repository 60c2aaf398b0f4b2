import { queryEmbedders } from '../src/api/query-embedding';
import type { ReembedResult } from '../src/contracts/messages';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { passOperationId, reembedWorkflowId } from '../src/contracts/workflow-ids';
import { mergePolicy } from '../src/domain/policy';
import type { Embedder } from '../src/models/embedder';
import { createNoEmbedder } from '../src/models/no-embedder';
import { idPart } from '../src/store/ids';
import { readForRecall } from '../src/store/recall-read';
import { startReembedding } from '../src/store/reembed-starts';
import { servedModels } from '../src/store/served-models';
import type { ReembedRun, reembed } from '../src/workflows/reembed';
import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { until } from './support/until';
import { createTestEmbedder, plantCards, shelfText } from './support/vectored-cards';

jest.setTimeout(60_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

const shelves = (count: number) => Array.from({ length: count }, (_, at) => shelfText(at));

/** As a process does that starts with this embedder. */
async function claim(workspace: string, model: string) {
  return await lane.database.inWorkspace(workspace, (tx) =>
    startReembedding(tx, model, 'start', new Date()),
  );
}

async function start(workspace: string, model: string, more: Partial<ReembedRun> = {}) {
  return await lane.env.client.workflow.start<typeof reembed>('reembed', {
    workflowId: reembedWorkflowId(workspace, idPart(model)),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, model, ...more }],
  });
}

const served = (workspace: string) => lane.database.inWorkspace(workspace, servedModels);

/** How many vectors of each model there are. */
async function vectors(workspace: string): Promise<Record<string, number>> {
  const rows = await lane.rows<{ model: string; count: number }>(
    workspace,
    'SELECT model, count(*) AS count FROM card_embeddings GROUP BY model',
  );
  return Object.fromEntries(rows.map(({ model, count }) => [model, count]));
}

/** Each candidate's cosine as recall's one read tells it, for a query in both models' vectors. */
async function cosines(workspace: string, query: string, newer: Embedder, older: Embedder) {
  const [vector, old] = await Promise.all([newer.embed([query]), older.embed([query])]);
  const now = new Date();
  const { candidates } = await lane.database.inWorkspace(workspace, (tx) =>
    readForRecall(tx, {
      reader: [workspace, null, null, true, null, now],
      terms: [],
      vector: Array.from(vector[0] ?? []),
      embedder: newer.id,
      bareVector: null,
      older: { vector: Array.from(old[0] ?? []), model: older.id },
      names: [],
      from: null,
      until: null,
      index: null,
      arms: mergePolicy({}).recall.weights.arms,
      asOf: now,
      knownAt: now,
      filters: {},
      project: null,
      perArm: 200,
      reworded: [],
    }),
  );
  return new Map(candidates.map(({ summary, dense }) => [summary, dense]));
}

describe('a re-embedding', () => {
  it('gives every card the new vector, retired and restorable ones too, and serves both until the cut', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young', 1024)];
    const workspace = await lane.workspace();
    const ids = await plantCards(lane.database, workspace, shelves(70), old);
    const [archived, superseded, restorable, gone] = ids;
    const set = (id: string | undefined, columns: string) =>
      lane.rows(workspace, `UPDATE cards SET ${columns} WHERE id = $1`, [id]);
    await set(archived, "status = 'archived'");
    await set(superseded, "status = 'superseded', valid_to = now()");
    await set(restorable, "status = 'deleted', edited_at = now() - interval '29 days'");
    await set(gone, "status = 'deleted', edited_at = now() - interval '31 days'");
    expect(await served(workspace)).toEqual({ serving: 'old', shadow: null });

    expect(await claim(workspace, young.id)).toMatchObject({ from: 'old', left: 69 });
    expect(await served(workspace)).toEqual({ serving: 'old', shadow: 'young' });
    let seen: Map<string, number | null> | null = null;
    young.meanwhile = async (batch) => {
      if (batch !== 2) return;
      young.meanwhile = async () => undefined;
      // Half-way: 32 cards have both vectors, and none has lost its old one.
      expect(await vectors(workspace)).toEqual({ old: 70, young: 32 });
      expect(await served(workspace)).toEqual({ serving: 'old', shadow: 'young' });
      const [query, other] = [createTestEmbedder('young', 1024), createTestEmbedder('old', 384)];
      seen = await cosines(workspace, shelfText(10), query, other);
      await plantCards(lane.database, workspace, ['Filed meanwhile, about reindeer.'], query);
    };
    const result = await lane.working({ embedder: young, distiller: null }, async () => {
      const handle = await start(workspace, young.id);
      const ended = await handle.result();
      await saveHistory('reembed.cut-over', handle);
      const text = historyText(await handle.fetchHistory());
      expect(text).toContain(workspace);
      expect(text).not.toMatch(/Shelf|harvest|reindeer/);
      return { ended, operation: passOperationId(handle.firstExecutionRunId) };
    });
    const counts = { embedded: 69, rounds: 1, batches: 3, linked: 0, cleared: 70 };
    const record: ReembedResult = {
      status: 'completed',
      stopped_by: null,
      model_from: 'old',
      model_to: 'young',
      ...counts,
    };
    expect(result.ended).toEqual(record);

    // Every card that stands was found by its own model's vector: the one asked for itself above all.
    const found = seen as Map<string, number | null> | null;
    expect(found?.size).toBe(66);
    expect(found?.get(shelfText(10))).toBeCloseTo(1, 5);
    expect([...(found?.values() ?? [])].every((cosine) => cosine !== null)).toBe(true);
    // Reached by then, and so compared by the new model's query.
    expect(found?.get(shelfText(69))).toBeLessThan(1);

    expect(await served(workspace)).toEqual({ serving: 'young', shadow: null });
    expect(await vectors(workspace)).toEqual({ young: 70 });
    expect(
      await lane.rows(workspace, 'SELECT id FROM cards WHERE embedder IS DISTINCT FROM $1', [
        'young',
      ]),
    ).toEqual([{ id: gone }]);
    expect(
      await lane.rows(
        workspace,
        "SELECT DISTINCT dims, vector_dims(embedding) AS size FROM card_embeddings WHERE model = 'young'",
      ),
    ).toEqual([{ dims: 1024, size: 1024 }]);
    expect(
      await lane.rows(
        workspace,
        "SELECT id, state, counts, result FROM runs WHERE type = 'reembed'",
      ),
    ).toEqual([{ id: result.operation, state: 'completed', counts, result: record }]);
    expect(
      await lane.rows(
        workspace,
        "SELECT target_type, target_id, changed FROM audit_log WHERE action = 'embeddings.cut_over'",
      ),
    ).toEqual([{ target_type: 'workspace', target_id: workspace, changed: ['embedding_model'] }]);
  });

  it('cuts only once no card lacks its vector: what comes late is another round', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(40), old);
    await claim(workspace, young.id);
    young.meanwhile = async (batch) => {
      if (batch !== 2) return;
      // Another process still has the old embedder, and somebody edits a card that is in hand.
      await plantCards(lane.database, workspace, ['Late, by the old one.'], old, Date.now());
      await lane.rows(
        workspace,
        `UPDATE cards SET summary = 'Shelf zero is empty.', version = version + 1
          WHERE summary = $1`,
        [shelfText(0)],
      );
    };
    const result = await lane.working({ embedder: young, distiller: null }, async () =>
      (await start(workspace, young.id)).result(),
    );
    expect(result).toMatchObject({ status: 'completed', embedded: 41, rounds: 2 });
    expect(young.asked.some((text) => text.includes('Shelf zero is empty.'))).toBe(true);
    expect(await vectors(workspace)).toEqual({ young: 41 });
  });

  it('goes on in further runs, carrying its place and its counts', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(70), old);
    await claim(workspace, young.id);
    await lane.working({ embedder: young, distiller: null }, async () => {
      const handle = await start(workspace, young.id, { steps_a_run: 2 });
      expect(await handle.result()).toMatchObject({ embedded: 70, rounds: 1, cleared: 70 });
      const { workflowId, firstExecutionRunId } = handle;
      const first = lane.env.client.workflow.getHandle(workflowId, firstExecutionRunId);
      const events = (await first.fetchHistory()).events ?? [];
      expect(events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
      await saveHistory('reembed.continued', first);
    });
    // Nothing was embedded twice, and the newest came first.
    expect(young.asked).toHaveLength(70);
    expect(young.asked[0]).toContain('number69');
    expect(await lane.rows(workspace, "SELECT 1 FROM runs WHERE type = 'reembed'")).toHaveLength(1);
  });

  it('waits while the embedder is away, and one refused text holds up no other', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(3), old);
    await claim(workspace, young.id);
    young.down = true;
    young.refuses = /number1/;
    const result = await lane.working({ embedder: young, distiller: null }, async () => {
      const handle = await start(workspace, young.id);
      await until('it is asked', () => young.asked.length > 0);
      const pending = async () => historyText((await handle.describe()).raw.pendingActivities);
      await until('it waits', async () => (await pending()).includes('model_unavailable'));
      expect(await pending()).not.toContain('TEXT-OF-A-CARD');
      expect(await served(workspace)).toEqual({ serving: 'old', shadow: 'young' });
      young.down = false;
      return await handle.result();
    });
    expect(result).toMatchObject({ status: 'completed', embedded: 3 });
    const zero = `SELECT c.summary FROM card_embeddings e JOIN cards c ON c.id = e.card_id
                   WHERE vector_norm(e.embedding) = 0`;
    expect(await lane.rows(workspace, zero)).toEqual([{ summary: shelfText(1) }]);
  });

  it('is given up where a third model takes its place, which uses what there is', async () => {
    const [old, young, third] = ['old', 'young', 'third'].map((id) => createTestEmbedder(id, 384));
    if (!old || !young || !third) throw new Error('three embedders');
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(40), old);
    await claim(workspace, young.id);
    young.meanwhile = async () => {
      young.meanwhile = async () => undefined;
      await claim(workspace, third.id);
    };
    await lane.working({ embedder: young, distiller: null }, async () => {
      const handle = await start(workspace, young.id);
      expect(await handle.result()).toEqual({
        status: 'partial',
        stopped_by: 'superseded',
        model_from: 'old',
        model_to: 'young',
        embedded: 32,
        rounds: 1,
        batches: 1,
        linked: 0,
        cleared: 0,
      });
      await saveHistory('reembed.superseded', handle);
    });
    expect(await vectors(workspace)).toEqual({ old: 40, young: 32 });
    expect(await served(workspace)).toEqual({ serving: 'old', shadow: 'third' });
    await lane.working({ embedder: third, distiller: null }, async () => {
      const result = await (await start(workspace, third.id)).result();
      expect(result).toMatchObject({ embedded: 40, cleared: 72, model_from: 'old' });
    });
    expect(await vectors(workspace)).toEqual({ third: 40 });
  });

  it('turns back where the old embedder is started again, making only what is missing', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(2), old);
    await claim(workspace, young.id);
    await plantCards(lane.database, workspace, ['Filed by the new one.'], young, Date.now());
    old.asked.length = 0;
    expect(await claim(workspace, old.id)).toMatchObject({ from: 'young', left: 1 });
    await lane.working({ embedder: old, distiller: null }, async () => {
      const result = await (await start(workspace, old.id)).result();
      expect(result).toMatchObject({ status: 'completed', embedded: 1, cleared: 1 });
    });
    expect(old.asked).toHaveLength(1);
    expect(await served(workspace)).toEqual({ serving: 'old', shadow: null });
    expect(await vectors(workspace)).toEqual({ old: 3 });
  });

  it('waits for a worker that has the embedder, and another one writes nothing', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const workspace = await lane.workspace();
    await plantCards(lane.database, workspace, shelves(2), old);
    await claim(workspace, young.id);
    const handle = await lane.working({ embedder: old, distiller: null }, async () => {
      const started = await start(workspace, young.id);
      const pending = async () => historyText((await started.describe()).raw.pendingActivities);
      await until('it waits', async () => (await pending()).includes('embedder_elsewhere'));
      return started;
    });
    expect(await vectors(workspace)).toEqual({ old: 2 });
    await lane.working({ embedder: young, distiller: null }, async () => {
      expect(await handle.result()).toMatchObject({ status: 'completed', embedded: 2 });
    });
  });

  it('draws the edges that filing could not see while cards had no vector in common', async () => {
    const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
    const [inTime, late] = [await lane.workspace(), await lane.workspace()];
    const observed = (event_id: string, text: string, day: number) => ({
      event_id,
      kind: 'observation' as const,
      agent: 'scout',
      outcome: 'neutral' as const,
      occurred_at: `2026-03-0${day}T08:00:00Z`,
      text,
    });
    const first = observed(
      'a',
      'The loading dock of the north warehouse closes at noon on Fridays.',
      2,
    );
    const second = observed(
      'b',
      'The north warehouse closes its loading dock at noon on Fridays.',
      3,
    );
    const file = async (workspace: string, embedder: Embedder, event: typeof first) =>
      await lane.working({ embedder, distiller: null }, async () => {
        for (const input of await lane.record(workspace, [event])) {
          await (await lane.startCapture(input)).result();
        }
      });
    const edges = (workspace: string) =>
      lane.rows(
        workspace,
        `SELECT e.type, f.event_id AS "from", t.event_id AS "to", e.confidence FROM edges e
           JOIN cards f ON f.id = e.from_card JOIN cards t ON t.id = e.to_card
          WHERE e.workspace_id = $1`,
        [workspace],
      );
    await file(inTime, young, first);
    await file(inTime, young, second);
    await file(late, old, first);
    await claim(late, young.id);
    await file(late, young, second);
    expect(await edges(late)).toEqual([]);
    await lane.working({ embedder: young, distiller: null }, async () => {
      const result = await (await start(late, young.id)).result();
      expect(result).toMatchObject({ embedded: 1, linked: 1 });
    });
    expect(await edges(late)).toHaveLength(1);
    expect(await edges(late)).toEqual(await edges(inTime));
  });

  it('has a workflow id for any model, an address or a path in it too', () => {
    expect(reembedWorkflowId('acme', idPart('openai:text-embedding-3-small'))).toBe(
      'reembed/acme/openai:text-embedding-3-small',
    );
    const odd = ['openai:org/model', 'x'.repeat(300), 'a model', ''].map(idPart);
    for (const part of odd) expect(part).toMatch(/^~[0-9a-f]{26}$/);
    expect(new Set(odd).size).toBe(odd.length);
  });
});

describe('a query while two models are searched', () => {
  const [old, young] = [createTestEmbedder('old', 384), createTestEmbedder('young')];
  const asking = (
    own: Embedder | null,
    others: Embedder[],
    serving: string | null,
    shadow: string | null,
  ) => {
    const { newer, older, cannot } = queryEmbedders(
      {
        embedder: () => own,
        otherEmbedder: (model) => others.find(({ id }) => id === model) ?? null,
      },
      { serving, shadow },
    );
    return [newer?.id ?? null, older?.id ?? null, cannot];
  };

  it.each([
    ['one model', young, [], 'young', null, ['young', null, false]],
    ['no vector yet', young, [], null, null, ['young', null, false]],
    ['the new one here', young, [old], 'old', 'young', ['young', 'old', false]],
    ['the old one here', old, [young], 'old', 'young', ['young', 'old', false]],
    ['the new one nowhere', old, [], 'old', 'young', [null, 'old', false]],
    ['the old one nowhere', young, [], 'old', 'young', ['young', null, true]],
    ['a process that was left behind', old, [young], 'young', null, ['old', 'young', false]],
    ['none loaded yet', null, [old], 'old', 'young', [null, null, false]],
    ['embedding switched off', createNoEmbedder(), [old], 'old', null, [null, null, false]],
  ] as const)(
    'is embedded by each that can be had: %s',
    (_name, own, others, serving, shadow, expected) => {
      expect(asking(own, [...others], serving, shadow)).toEqual(expected);
    },
  );
});
