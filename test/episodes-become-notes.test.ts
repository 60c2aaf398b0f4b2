import type { UnitResult } from '../src/contracts/passes';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { Intake } from '../src/intake/intake';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { insertCard } from '../src/store/card-writes';
import { undoBatch } from '../src/store/undoing';
import type { consolidateScope } from '../src/workflows/consolidate-scope';
import type { FanOutRun } from '../src/workflows/fan-out';
import { CaptureLane, LANE_SECRET } from './support/capture-lane';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';
import {
  batches,
  cardsOf,
  changesOf,
  expectNoHalfState,
  filed,
  night,
  notesOf,
  openUnitOf,
  sourcesOf,
  startNight,
} from './support/night';
import { plainCard } from './support/plain-card';

jest.setTimeout(120_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start();
});
afterAll(() => lane?.stop());

const models = { embedder: createHashedEmbedder(), distiller: null };

const unitsOf = (workspace: string) =>
  lane.rows<{
    id: string;
    scope_id: string;
    state: string;
    workflow_id: string;
    counts: Record<string, number>;
    result: UnitResult;
  }>(workspace, 'SELECT * FROM runs WHERE parent_id IS NOT NULL ORDER BY scope_id');

/** Two agents with seven calls each, of which two fail. */
async function stocked(): Promise<{ workspace: string; ids: string[] }> {
  const workspace = await lane.workspace();
  const sizes = [20, 180, 40, 250, 80, 100, 60];
  const ids = [
    ...(await filed(lane, workspace, batches('ada', sizes))),
    ...(await filed(lane, workspace, batches('bob', sizes))),
  ];
  return { workspace, ids };
}

async function consolidated(workspace: string, more: Partial<FanOutRun> = {}) {
  return await lane.working(models, () => night(lane, workspace, more));
}

describe('a night over the episodes of two agents', () => {
  test('leaves each a note of its own, and what is told there retires with its lineage', async () => {
    const { workspace } = await stocked();
    const result = await consolidated(workspace);
    expect(result).toMatchObject({ status: 'completed', units: 2, partial: 0, failed: 0 });

    const notes = await notesOf(lane, workspace);
    expect(notes.map(({ scope_id }) => scope_id).sort()).toEqual(['ada', 'bob']);
    for (const note of notes) {
      expect(note).toMatchObject({ status: 'active', sign: 'neutral', distilled_by: 'fallback' });
      expect(note.summary).toMatch(
        /^Lessons on mailer\.send_batch, \d{4}-\d{2}-\d{2}, from 7 episodes:\n- /,
      );
      expect(note.summary).toContain('mailer.send_batch failed 2 of 7 times');
      expect(note.summary).toContain('the limit is 100 per batch');
      const sources = await sourcesOf(lane, workspace, note.id);
      expect(sources).toHaveLength(7);
      const cards = await cardsOf(lane, workspace);
      const told = cards.filter(({ id }) => sources.includes(id));
      expect(new Set(told.map(({ scope_id }) => scope_id))).toEqual(new Set([note.scope_id]));
      for (const card of told.filter(({ status }) => status === 'superseded')) {
        expect(card).toMatchObject({ superseded_by: note.id, version: 2 });
      }
    }
    await expectNoHalfState(lane, workspace);
  });

  test('retires no warning that nothing resolved, and tells of it', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, batches('ada', [180, 250, 400]));
    await consolidated(workspace);
    const [note] = await notesOf(lane, workspace);
    expect(note?.summary).toContain('Still open');
    const warnings = (await cardsOf(lane, workspace)).filter(({ kind }) => kind === 'constraint');
    expect(warnings.map(({ status }) => status)).toEqual(['active', 'active', 'active']);
    // Told once: another night says it no second time.
    await consolidated(workspace);
    expect(await notesOf(lane, workspace)).toHaveLength(1);
  });

  test('says what it did: a diff, an audit row and a version for each card, and no word in Temporal', async () => {
    const { workspace } = await stocked();
    const handle = await lane.working(models, async () => {
      const started = await startNight(lane, workspace);
      await started.result();
      return started;
    });
    await saveHistory('fan-out.consolidated', handle);
    const units = await unitsOf(workspace);
    expect(units.map(({ state, result }) => [state, result.status])).toEqual([
      ['completed', 'completed'],
      ['completed', 'completed'],
    ]);
    const [first] = units;
    const unit = lane.env.client.workflow.getHandle(first?.workflow_id ?? '');
    await saveHistory('consolidate-scope.noted', unit);
    expect(first?.workflow_id).toMatch(/^consolidate\/ws-[0-9a-f]+\/agent:ada\/\d{4}-\d{2}-\d{2}$/);
    const told = historyText(await unit.fetchHistory());
    expect(told).toContain('part/000001');
    expect(told).not.toMatch(/welcome|per batch|Lessons on/);

    const notes = await notesOf(lane, workspace);
    const changes = await changesOf(lane, workspace);
    const retired = (await cardsOf(lane, workspace)).filter(
      ({ status }) => status === 'superseded',
    );
    expect(
      changes
        .filter(({ change }) => change === 'created')
        .map((c) => c.card_id)
        .sort(),
    ).toEqual(notes.map(({ id }) => id).sort());
    expect(
      changes
        .filter(({ change }) => change === 'retired')
        .map((c) => c.card_id)
        .sort(),
    ).toEqual(retired.map(({ id }) => id).sort());
    const audit = await lane.rows<{ action: string; actor_kind: string }>(
      workspace,
      "SELECT action, actor_kind FROM audit_log WHERE actor_kind = 'system' AND action LIKE 'card.%'",
    );
    expect(audit.filter(({ action }) => action === 'card.superseded')).toHaveLength(retired.length);
    expect(audit.filter(({ action }) => action === 'card.created')).toHaveLength(notes.length);
    const versions = await lane.rows<{ card_id: string }>(
      workspace,
      "SELECT card_id FROM card_versions WHERE action = 'superseded' AND actor_kind = 'system'",
    );
    expect(versions.map(({ card_id }) => card_id).sort()).toEqual(
      retired.map(({ id }) => id).sort(),
    );
    expect(await lane.rows(workspace, 'SELECT part FROM run_drafts')).toEqual([]);
  });

  test('retires nothing that its note has no room to tell of', async () => {
    const workspace = await lane.workspace();
    const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'];
    const reasons = [...words, 'ninth'];
    const calls = reasons.flatMap((reason, at) =>
      batches('ada', [180, 80]).map((event, n) => ({
        ...event,
        event_id: `${reason}-${n}`,
        operation: `send_${reason}`,
        occurred_at: `2026-03-02T08:${String(10 + 2 * at + n)}:00Z`,
        ...(event.outcome === 'failed' ? { error: `the ${reason} list is locked` } : {}),
      })),
    );
    await filed(lane, workspace, calls);
    await lane.working(models, () => night(lane, workspace));
    const [note] = await notesOf(lane, workspace);
    const retired = (await cardsOf(lane, workspace)).filter(
      ({ status }) => status === 'superseded',
    );
    expect(retired).toHaveLength(16);
    for (const { operation } of retired) expect(note?.summary).toContain(`mailer.${operation} `);
  });

  test('tells what a person imported as what a runtime reports, and leaves what a person wrote', async () => {
    const workspace = await lane.workspace();
    const { database } = lane;
    const intake = new Intake({ database, clock: () => new Date(), secretKey: LANE_SECRET });
    const principal = { kind: 'person', id: 'owner', role: 'owner', bootstrap: true } as const;
    for (const item of await intake.record(
      { workspace, principal },
      batches('ada', [10, 20, 30]),
    )) {
      const { event_id = '', operation_id = '' } = item;
      await lane.fileAgain({ workspace, event_id, operation_id });
    }
    const scope = { type: 'agent', id: 'bob' } as const;
    const writer = { kind: 'person', id: 'owner' } as const;
    await database.inWorkspace(workspace, async (tx) => {
      for (const text of ['Sent one.', 'Sent two.', 'Sent three.']) {
        const fields = { kind: 'experience', agent: 'bob', scope, writer } as const;
        await insertCard(tx, plainCard(text, new Date(), fields), null, []);
      }
    });
    await consolidated(workspace);
    const notes = await notesOf(lane, workspace);
    expect(notes.map(({ scope_id }) => scope_id)).toEqual(['ada']);
    const kept = (await cardsOf(lane, workspace)).filter(({ scope_id }) => scope_id === 'bob');
    expect(kept.map(({ status }) => status)).toEqual(['active', 'active', 'active']);
  });

  test('is taken back whole: its notes go, and what they told of is in use again', async () => {
    const { workspace } = await stocked();
    const before = await cardsOf(lane, workspace);
    await consolidated(workspace);
    const [pass] = await lane.rows<{ id: string }>(
      workspace,
      "SELECT id FROM runs WHERE type = 'consolidation' AND parent_id IS NULL",
    );
    const step = { actor: { kind: 'person', id: 'owner' }, at: new Date(), channel: 'api' };
    await lane.database.inWorkspace(workspace, (tx) => undoBatch(tx, pass?.id ?? '', 100, step));
    const after = await cardsOf(lane, workspace);
    const standing = ({ id, status, summary }: (typeof after)[number]) => [id, status, summary];
    expect(after.filter(({ kind }) => kind !== 'insight').map(standing)).toEqual(
      before.map(standing),
    );
    for (const note of await notesOf(lane, workspace)) expect(note.status).toBe('archived');
  });

  test('continues as new, and does each part once', async () => {
    const workspace = await lane.workspace();
    const agents = ['ada', 'bob', 'cid', 'dee', 'eve'];
    for (const agent of agents) await filed(lane, workspace, batches(agent, [10, 20, 30]));
    const result = await lane.working(models, async () => {
      const started = await startNight(lane, workspace, { units_a_run: 2 });
      return await started.result();
    });
    expect(result).toMatchObject({ status: 'completed', units: 5 });
    expect(await notesOf(lane, workspace)).toHaveLength(5);
  });

  test('of one scope continues as new between its parts, and forgets none', async () => {
    const workspace = await lane.workspace();
    for (const service of ['mailer', 'printer', 'scanner', 'archive']) {
      const calls = batches('ada', [10, 20, 30], { service });
      await filed(
        lane,
        workspace,
        calls.map((event) => ({ ...event, event_id: `${service}-${event.event_id}` })),
      );
    }
    const scope = { type: 'agent', id: 'ada' } as const;
    const unit = await openUnitOf(lane.database, workspace, scope, new Date());
    const result = await lane.working(models, async () => {
      const handle = await lane.env.client.workflow.start<typeof consolidateScope>(
        'consolidateScope',
        {
          workflowId: `consolidate/${workspace}/parts`,
          taskQueue: TASK_QUEUES.workflows,
          args: [{ ...unit, parts_a_run: 1 }],
        },
      );
      const first = lane.env.client.workflow.getHandle(
        handle.workflowId,
        handle.firstExecutionRunId,
      );
      const ended = await handle.result();
      expect((await first.describe()).status.name).toBe('CONTINUED_AS_NEW');
      await saveHistory('consolidate-scope.continued', first);
      return ended;
    });
    expect(result).toEqual({
      status: 'completed',
      stopped_by: null,
      counts: { read: 12, waiting: 0, cards: 12, notes: 4, retired: 12, skipped: 0 },
    });
    expect(await notesOf(lane, workspace)).toHaveLength(4);
    await expectNoHalfState(lane, workspace);
  });

  test('keeps to the share that a scope may lose in one night, the oldest first', async () => {
    const workspace = await lane.workspace();
    const ids = await filed(lane, workspace, batches('ada', Array(24).fill(50)));
    await consolidated(workspace);
    const retired = (await cardsOf(lane, workspace)).filter(
      ({ status }) => status === 'superseded',
    );
    expect(retired.map(({ id }) => id).sort()).toEqual(ids.slice(0, 12).sort());
    await consolidated(workspace);
    expect(await notesOf(lane, workspace)).toHaveLength(2);
    await expectNoHalfState(lane, workspace);
  });

  test('of one scope that is named leaves the others alone', async () => {
    const { workspace } = await stocked();
    await consolidated(workspace, { scope: { type: 'agent', id: 'bob' } });
    expect((await notesOf(lane, workspace)).map(({ scope_id }) => scope_id)).toEqual(['bob']);
  });
});

describe('a dry run', () => {
  test('keeps what it would write and changes no card', async () => {
    const { workspace } = await stocked();
    const before = await cardsOf(lane, workspace);
    const result = await consolidated(workspace, { dry_run: true });
    expect(result.counts).toMatchObject({ notes: 2 });
    expect(await cardsOf(lane, workspace)).toEqual(before);
    const drafts = await lane.rows<{ draft: { words: { lessons: { text: string }[] } } }>(
      workspace,
      "SELECT draft FROM run_drafts WHERE part LIKE 'part/%'",
    );
    expect(drafts).toHaveLength(2);
    expect(drafts[0]?.draft.words.lessons[0]?.text).toContain('the limit is 100 per batch');
    const kinds = (await changesOf(lane, workspace)).map(({ change }) => change);
    expect(kinds.filter((kind) => kind === 'created')).toHaveLength(2);
    expect(kinds.filter((kind) => kind === 'retired').length).toBeGreaterThan(0);
  });
});

describe('a budget', () => {
  test('of cards ends a unit before the note that would go beyond it', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, batches('ada', [10, 20, 30]));
    await filed(
      lane,
      workspace,
      batches('ada', [10, 20, 30, 40], { service: 'printer' }).map((event) => ({
        ...event,
        event_id: `printer-${event.event_id}`,
      })),
    );
    const result = await consolidated(workspace, { budget: { cards: 4 } });
    expect(result).toMatchObject({
      status: 'partial',
      partial: 1,
      named: [{ scope: { type: 'agent', id: 'ada' }, reason: 'budget_cards' }],
    });
    expect(await notesOf(lane, workspace)).toHaveLength(1);
    const [unit] = await unitsOf(workspace);
    const handle = lane.env.client.workflow.getHandle(unit?.workflow_id ?? '');
    await saveHistory('consolidate-scope.budget-spent', handle);
  });
});

test("a warning that only a stranger's card answers stands, and nothing of that card is told", async () => {
  const workspace = await lane.workspace();
  const warnings = await filed(lane, workspace, batches('ada', [180, 190, 200]));
  const others = await filed(lane, workspace, batches('ada', [20, 30, 40, 50]));
  const [answer = ''] = await filed(lane, workspace, batches('bob', [77]));
  await lane.database.inWorkspace(workspace, async (tx) => {
    await tx.query("DELETE FROM edges WHERE workspace_id = $1 AND type = 'satisfies'", [workspace]);
    await tx.query(
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       SELECT $1, 'edge_' || w.id, 'satisfies', $2, w.id, 1, 'template: welcome → zanzibar', now()
         FROM unnest($3::text[]) w (id)`,
      [workspace, answer, warnings],
    );
  });
  await consolidated(workspace);
  const cards = new Map((await cardsOf(lane, workspace)).map((card) => [card.id, card]));
  for (const id of warnings) expect(cards.get(id)?.status).toBe('active');
  const notes = (await notesOf(lane, workspace)).filter(({ scope_id: scope }) => scope === 'ada');
  expect(notes.map(({ id }) => id)).toEqual([cards.get(others[0] ?? '')?.superseded_by]);
  expect(notes[0]?.summary).toContain('Still open');
  expect(JSON.stringify(notes)).not.toContain('zanzibar');
});
