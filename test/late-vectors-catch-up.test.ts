import type { SettledEvent } from '../src/contracts/event';
import type { EmbedResult } from '../src/contracts/messages';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { embedWorkflowId } from '../src/contracts/workflow-ids';
import { insertCard, type NewCard } from '../src/store/card-writes';
import type { EmbedRun, embed } from '../src/workflows/embed';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import { plainCard } from './support/plain-card';
import { createSwitchableEmbedder } from './support/switchable-embedder';
import { until } from './support/until';

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane?.stop());

function observed(event_id: string, text: string, occurred_at: string): SettledEvent {
  return { event_id, kind: 'observation', agent: 'scout', outcome: 'neutral', occurred_at, text };
}

/** No step, key or subject in common: nothing but likeness brings these two together. */
const PAIR: SettledEvent[] = [
  observed(
    'first',
    'The loading dock of the north warehouse closes at noon on Fridays.',
    '2026-03-02T08:00:00Z',
  ),
  observed(
    'second',
    'The north warehouse closes its loading dock at noon on Fridays.',
    '2026-03-03T08:00:00Z',
  ),
];

async function capture(workspace: string, events: SettledEvent[]) {
  for (const input of await lane.record(workspace, events)) {
    await (await lane.startCapture(input)).result();
  }
}

interface Edge {
  id: string;
  type: string;
  from: string;
  to: string;
  confidence: number;
}

/** Edges by the events of their cards, so that two workspaces can be compared. */
async function edgesOf(workspace: string): Promise<Edge[]> {
  return await lane.rows<Edge>(
    workspace,
    `SELECT e.id, e.type, f.event_id AS "from", t.event_id AS "to", e.confidence
       FROM edges e
       JOIN cards f ON f.workspace_id = e.workspace_id AND f.id = e.from_card
       JOIN cards t ON t.workspace_id = e.workspace_id AND t.id = e.to_card
      WHERE e.workspace_id = $1
      ORDER BY f.event_id, t.event_id, e.type`,
    [workspace],
  );
}

interface Vector {
  card_id: string;
  model: string;
  card_version: number;
}

async function vectorsOf(workspace: string): Promise<Vector[]> {
  return await lane.rows<Vector>(
    workspace,
    'SELECT card_id, model, card_version FROM card_embeddings ORDER BY card_id, model',
  );
}

async function catchUp(
  workspace: string,
  more: Partial<EmbedRun> = {},
  name?: string,
): Promise<EmbedResult> {
  const handle = await lane.env.client.workflow.start<typeof embed>('embed', {
    workflowId: embedWorkflowId(workspace),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    taskQueue: TASK_QUEUES.workflows,
    args: [{ workspace, ...more }],
  });
  const result = await handle.result();
  if (name !== undefined) await saveHistory(name, handle);
  return result;
}

/** Cards as filing leaves them without a vector, straight into the table. */
async function fileWithoutVector(workspace: string, count: number): Promise<void> {
  await lane.database.inWorkspace(workspace, async (tx) => {
    for (let at = 0; at < count; at += 1) await insertCard(tx, shelfCard(at), null, []);
  });
}

function shelfCard(at: number): NewCard {
  const summary = `Shelf ${at} of the archive holds the ${at * 7} folders of that year.`;
  return plainCard(summary, new Date(Date.UTC(2026, 2, 2, 8, 0, at)), {
    id: `card_${at}`,
    scope: { type: 'agent', id: `agent-${at}` },
    metadata: { note: 'CALLERS-OWN' },
    validFrom: '2026-03-02T08:00:00Z',
  });
}

describe('cards that were filed while the embedder was down', () => {
  it('get the vectors and edges that they would have had in time, and one start for them all', async () => {
    const embedder = createSwitchableEmbedder();
    const [inTime, late] = [await lane.workspace(), await lane.workspace()];
    await lane.working({ embedder, distiller: null }, async () => {
      await capture(inTime, PAIR);
      embedder.down = true;
      await capture(late, PAIR);
      embedder.down = false;
      expect(await vectorsOf(late)).toEqual([]);
      expect(await edgesOf(late)).toEqual([]);
      const starts = await lane.rows<{ workflow_id: string; arguments: EmbedRun }>(
        late,
        "SELECT workflow_id, arguments FROM outbox WHERE action = 'start_embed'",
      );
      expect(starts).toEqual([
        { workflow_id: embedWorkflowId(late), arguments: { workspace: late } },
      ]);

      const result = await catchUp(late, {}, 'embed.caught-up');
      expect(result).toEqual({ embedded: 2, linked: 1, batches: 1 });
      const withoutId = ({ id: _, ...edge }: Edge) => edge;
      expect((await edgesOf(late)).map(withoutId)).toEqual((await edgesOf(inTime)).map(withoutId));
      expect((await vectorsOf(late)).map(({ model }) => model)).toEqual([embedder.id, embedder.id]);
      expect(await lane.rows(late, 'SELECT 1 FROM captures WHERE needs_embed')).toEqual([]);
      expect(await lane.rows(late, 'SELECT DISTINCT embedder FROM cards')).toEqual([
        { embedder: embedder.id },
      ]);
      // Filing in time and catching up embed the same texts.
      expect(embedder.texts.slice(2).sort()).toEqual(embedder.texts.slice(0, 2).sort());
    });
  });

  it('keep the edges that filing gave them, as they are', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    const again = (at: number) =>
      failedCall({
        event_id: `again-${at}`,
        occurred_at: `2026-03-02T0${at}:00:00Z`,
        error: `ValueError: Channel C${at} not found`,
        input: { channel: `C${at}` },
      });
    await lane.working({ embedder, distiller: null }, async () => {
      embedder.down = true;
      await capture(workspace, [1, 2, 3, 4, 5, 6].map(again));
      embedder.down = false;
      const before = await edgesOf(workspace);
      expect(before.length).toBeGreaterThan(0);
      await catchUp(workspace);
      const after = await edgesOf(workspace);
      expect(after).toEqual(expect.arrayContaining(before));
      const pairs = after.map(({ from, to }) => [from, to].sort().join(' '));
      expect(new Set(pairs).size).toBe(pairs.length);
      expect(await catchUp(workspace)).toEqual({ embedded: 0, linked: 0, batches: 1 });
      expect(await edgesOf(workspace)).toEqual(after);
    });
  });

  it('wait as long as it takes, in a history that does not grow and holds no content', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    await fileWithoutVector(workspace, 3);
    embedder.down = true;
    await lane.working({ embedder, distiller: null }, async () => {
      const handle = await lane.env.client.workflow.start<typeof embed>('embed', {
        workflowId: embedWorkflowId(workspace),
        taskQueue: TASK_QUEUES.workflows,
        args: [{ workspace }],
      });
      const result = handle.result();
      await until('it was asked twelve times', () => embedder.calls >= 12);
      const waiting = historyText((await handle.describe()).raw.pendingActivities);
      expect(waiting).toContain('model_unavailable');
      embedder.down = false;
      expect(await result).toEqual({ embedded: 3, linked: 0, batches: 1 });
      const history = await handle.fetchHistory();
      expect(history.events?.length).toBeLessThanOrEqual(12);
      const text = historyText(history);
      expect(text).toContain(workspace);
      expect(waiting + text).not.toMatch(/TEXT-OF-A-CARD|Shelf|CALLERS-OWN/);
    });
    expect(embedder.texts.join()).not.toContain('CALLERS-OWN');
  });
});

describe('catching up', () => {
  it('goes on in further runs, carrying its counts', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    await fileWithoutVector(workspace, 70);
    await lane.working({ embedder, distiller: null }, async () => {
      const handle = await lane.env.client.workflow.start<typeof embed>('embed', {
        workflowId: embedWorkflowId(workspace),
        taskQueue: TASK_QUEUES.workflows,
        args: [{ workspace, batches_a_run: 1 }],
      });
      const first = lane.env.client.workflow.getHandle(
        handle.workflowId,
        handle.firstExecutionRunId,
      );
      expect(await handle.result()).toEqual({ embedded: 70, linked: 0, batches: 3 });
      const events = (await first.fetchHistory()).events ?? [];
      expect(events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes).toBeTruthy();
      await saveHistory('embed.continued', first);
    });
    expect(await vectorsOf(workspace)).toHaveLength(70);
    // The newest first: the next recall asks for them.
    expect(embedder.texts[0]).toContain('Shelf 69');
  });

  it('skips a card that is edited meanwhile and takes its new text in the next batch', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    await fileWithoutVector(workspace, 2);
    embedder.meanwhile = async () => {
      embedder.meanwhile = async () => undefined;
      await lane.rows(
        workspace,
        "UPDATE cards SET summary = 'Shelf 1 is empty.', version = version + 1 WHERE id = 'card_1'",
      );
    };
    const result = await lane.working({ embedder, distiller: null }, () => catchUp(workspace));
    expect(result).toEqual({ embedded: 2, linked: 0, batches: 2 });
    expect(embedder.texts.at(-1)).toContain('Shelf 1 is empty.');
    expect(await vectorsOf(workspace)).toEqual([
      { card_id: 'card_0', model: embedder.id, card_version: 1 },
      { card_id: 'card_1', model: embedder.id, card_version: 2 },
    ]);
  });

  it('does not spin while it can do nothing: it pauses and comes back', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    await fileWithoutVector(workspace, 1);
    let edits = 0;
    embedder.meanwhile = async () => {
      edits += 1;
      if (edits <= 3) await lane.rows(workspace, 'UPDATE cards SET version = version + 1');
    };
    const before = await lane.env.currentTimeMs();
    const result = await lane.working({ embedder, distiller: null }, () => catchUp(workspace));
    expect(result).toEqual({ embedded: 1, linked: 0, batches: 4 });
    expect((await lane.env.currentTimeMs()) - before).toBeGreaterThanOrEqual(15_000);
  });

  it('leaves deleted cards alone, and gives retired ones a vector but no edge', async () => {
    const embedder = createSwitchableEmbedder();
    const workspace = await lane.workspace();
    await fileWithoutVector(workspace, 3);
    await lane.rows(workspace, "UPDATE cards SET status = 'deleted' WHERE id = 'card_0'");
    await lane.rows(workspace, "UPDATE cards SET status = 'archived' WHERE id = 'card_1'");
    const result = await lane.working({ embedder, distiller: null }, () => catchUp(workspace));
    expect(result).toEqual({ embedded: 2, linked: 0, batches: 1 });
    expect((await vectorsOf(workspace)).map(({ card_id }) => card_id)).toEqual([
      'card_1',
      'card_2',
    ]);
  });

  it('leaves cards alone that another embedder has made vectors of: those are re-embedded', async () => {
    const workspace = await lane.workspace();
    const [old, young] = [createSwitchableEmbedder('old'), createSwitchableEmbedder('young')];
    await lane.working({ embedder: old, distiller: null }, async () => {
      await capture(workspace, PAIR);
    });
    await fileWithoutVector(workspace, 1);
    const result = await lane.working({ embedder: young, distiller: null }, () =>
      catchUp(workspace),
    );
    expect(result).toEqual({ embedded: 1, linked: 0, batches: 1 });
    expect((await vectorsOf(workspace)).map(({ model }) => model).sort()).toEqual([
      'old',
      'old',
      'young',
    ]);
  });
});
