import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createSweepActivities } from '../src/activities/sweep';
import { flow } from '../src/cli/doctor/flow';
import { Samples } from '../src/cli/doctor/metrics';
import { readOptions } from '../src/config/options';
import { reembedWorkflowId } from '../src/contracts/workflow-ids';
import { REEMBED_AGAIN_AFTER_MS } from '../src/domain/upkeep';
import { OtherEmbedders } from '../src/models/other-embedders';
import { announceEmbedder } from '../src/store/reembed-starts';
import { servedModels } from '../src/store/served-models';
import { startApi, type TestApi } from './support/api';
import { type EmbeddingEndpoint, startEmbeddingEndpoint } from './support/embedding-endpoint';
import { TestClock } from './support/filing';
import { Program } from './support/program';
import { createTestEmbedder, plantCards, shelfText } from './support/vectored-cards';

jest.setTimeout(240_000);

describe('a process that starts with another embedder than the vectors have', () => {
  let api: TestApi;
  const clock = new TestClock('2026-06-01T09:00:00Z');
  beforeAll(async () => {
    api = await startApi({ clock: clock.now });
  });
  afterAll(() => api.close());

  let made = 0;
  /** A workspace of its own with two cards of the old model. */
  async function workspace(): Promise<string> {
    made += 1;
    const id = `start-${made}`;
    await api.database.inWorkspace(id, (tx) =>
      tx.query('INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $1, now())', [
        id,
      ]),
    );
    await plantCards(api.database, id, [shelfText(1), shelfText(2)], createTestEmbedder('old', 16));
    return id;
  }
  // What the tests before left behind is nobody's concern.
  beforeEach(async () => {
    for (let at = 1; at <= made; at += 1) {
      await api.database.inWorkspace(`start-${at}`, async (tx) => {
        await tx.query('DELETE FROM card_embeddings');
        await tx.query('UPDATE workspaces SET embedding_model = NULL, embedding_shadow = NULL');
      });
    }
  });
  const served = (id: string) => api.database.inWorkspace(id, servedModels);
  const outbox = (id: string) =>
    api.database.inWorkspace(id, (tx) =>
      tx.query(
        "SELECT workflow_id, arguments FROM outbox WHERE action = 'start_reembed' AND workspace_id = $1",
        [id],
      ),
    );
  const forget = (id: string) =>
    api.database.inWorkspace(id, (tx) =>
      tx.query('DELETE FROM outbox WHERE workspace_id = $1', [id]),
    );
  async function starts(model: string): Promise<string[]> {
    const lines: string[] = [];
    const embedder = { id: model, makesVectors: model !== 'none' };
    await announceEmbedder(api.database, embedder, clock.now(), (line) => lines.push(line));
    return lines;
  }
  async function sweeps(model: string): Promise<void> {
    const { sweepWorkspaces } = createSweepActivities({
      database: api.database,
      clock: clock.now,
      embedder: { id: model },
      hasModel: false,
    });
    const swept = await new MockActivityEnvironment().run(sweepWorkspaces, { after: '' });
    expect(swept).toMatchObject({ failed: 0 });
  }
  /** As the workflow leaves it. */
  async function cutOver(id: string, model: string): Promise<void> {
    await api.database.inWorkspace(id, async (tx) => {
      await tx.query('UPDATE card_embeddings SET model = $1', [model]);
      await tx.query(
        `UPDATE workspaces SET embedding_model = $2, embedding_shadow = NULL, embedding_since = $3
          WHERE workspace_id = $1`,
        [id, model, clock.now()],
      );
    });
    await forget(id);
  }

  it('says so in one line and asks for one re-embedding, however often it starts', async () => {
    const id = await workspace();
    const [line, ...more] = await starts('young');
    expect(line).toBe(
      're-embedding 2 cards of one workspace from old to young: both are searched until it is done',
    );
    expect(more).toEqual([]);
    await starts('young');
    expect(await outbox(id)).toEqual([
      { workflow_id: reembedWorkflowId(id, 'young'), arguments: { workspace: id, model: 'young' } },
    ]);
    expect(await served(id)).toEqual({ serving: 'old', shadow: 'young' });
  });

  it('says nothing where all is of its own model, where nothing is, and where it makes no vectors', async () => {
    const id = await workspace();
    expect(await starts('old')).toEqual([]);
    expect(await served(id)).toEqual({ serving: 'old', shadow: null });
    expect(await starts('none')).toEqual([]);
    expect(await served('default')).toEqual({ serving: 'old', shadow: null });
    expect(await outbox(id)).toEqual([]);
  });

  it('is seen by /metrics and doctor: how many cards are left', async () => {
    const id = await workspace();
    const scrape = async () => {
      clock.advance(11_000);
      return new Samples((await api.call('GET', '/metrics', { key: null })).text);
    };
    const line = async () =>
      flow(await scrape(), readOptions({})).find(({ name }) => name === 're-embedding');
    expect((await scrape()).value('cairn_cards_to_reembed')).toBe(0);
    expect(await line()).toBeUndefined();
    await starts('young');
    expect((await scrape()).value('cairn_cards_to_reembed')).toBe(2);
    expect(await line()).toMatchObject({
      status: 'warn',
      detail: expect.stringContaining('2 cards'),
    });
    await cutOver(id, 'young');
    expect((await scrape()).value('cairn_cards_to_reembed')).toBe(0);
  });

  it('is made good by a sweep where its start was lost, or never came', async () => {
    const lost = await workspace();
    await starts('young');
    await forget(lost);
    const never = await workspace();
    await sweeps('young');
    expect(await outbox(lost)).toHaveLength(1);
    expect(await outbox(never)).toHaveLength(1);
    expect(await served(never)).toEqual({ serving: 'old', shadow: 'young' });
  });

  it('is not undone by the sweep of a worker that is about to be replaced, and by one that stays', async () => {
    const id = await workspace();
    await starts('young');
    await forget(id);
    await sweeps('old');
    expect(await served(id)).toEqual({ serving: 'old', shadow: 'young' });
    await cutOver(id, 'young');
    clock.advance(REEMBED_AGAIN_AFTER_MS - 1_000);
    await sweeps('old');
    expect(await served(id)).toEqual({ serving: 'young', shadow: null });
    clock.advance(2_000);
    await sweeps('old');
    expect(await served(id)).toEqual({ serving: 'young', shadow: 'old' });
    expect(await outbox(id)).toHaveLength(1);
  });

  it('has vectors that a process left behind looked for and replaced by the next sweep', async () => {
    const id = await workspace();
    await cutOver(id, 'young');
    await plantCards(api.database, id, [shelfText(3)], createTestEmbedder('old', 16));
    await sweeps('young');
    expect(await served(id)).toEqual({ serving: 'old', shadow: 'young' });
    expect(await outbox(id)).toHaveLength(1);
  });
});

describe('embedders of models that vectors are still of', () => {
  it('are made once, when asked for, and closed at the end', async () => {
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    const asked: string[] = [];
    const others = new OtherEmbedders((model) => {
      asked.push(model);
      if (model === 'unknown') return null;
      const embedder = { ...createTestEmbedder(model, 8), close };
      if (model === 'here') return embedder;
      return model === 'broken' ? Promise.reject(new Error('no file')) : Promise.resolve(embedder);
    });
    expect(others.of('here')?.id).toBe('here');
    expect(others.of('loads')).toBeNull();
    expect(others.of('unknown')).toBeNull();
    expect(others.of('broken')).toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
    expect(others.of('loads')?.id).toBe('loads');
    expect(others.of('broken')).toBeNull();
    expect(others.of('unknown')).toBeNull();
    expect(asked).toEqual(['here', 'loads', 'unknown', 'broken']);
    await others.close();
    expect(closed).toBe(2);
    expect(others.of('late')).toBeNull();
  });
});

describe('cairn start', () => {
  let endpoint: EmbeddingEndpoint;
  let dataDir: string;
  let program: Program;
  beforeAll(async () => {
    endpoint = await startEmbeddingEndpoint({ 'emb-small': 384, 'emb-large': 1024 });
    dataDir = mkdtempSync(join(tmpdir(), 'cairn-another-'));
  });
  afterAll(async () => {
    if (program?.process.exitCode === null) await program.stop('SIGKILL');
    await endpoint?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = async (model: string) => {
    program = await Program.start(dataDir, {
      OPENAI_BASE_URL: endpoint.baseUrl,
      CAIRN_EMBEDDING_MODEL: model,
    });
  };
  async function until(check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 90_000;
    while (!(await check())) {
      if (Date.now() > deadline) throw new Error(program.output.join('').slice(-2_000));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  const embedders = async () => {
    const { body } = await program.call('GET', '/v1/cards');
    return (body.items as { provenance: { embedder: string | null } }[]).map(
      ({ provenance }) => provenance.embedder,
    );
  };

  it('with a larger model answers at once, re-embeds by itself, and is done', async () => {
    await start('emb-small');
    for (const at of [1, 2, 3]) {
      const { status } = await program.call('POST', '/v1/events?wait_ms=20000', {
        event_id: `event-${at}`,
        kind: 'observation',
        agent: 'scout',
        outcome: 'neutral',
        occurred_at: `2026-03-0${at}T08:00:00Z`,
        text: shelfText(at),
      });
      expect(status).toBe(202);
    }
    await until(
      async () => (await embedders()).join() === Array(3).fill('openai:emb-small').join(),
    );
    expect(program.output.join('')).not.toContain('re-embedding');
    await program.stop();

    const held = endpoint.holdAt('emb-large', /Shelf/, 1);
    await start('emb-large');
    expect(program.output.join('')).toContain(
      're-embedding 3 cards of one workspace from openai:emb-small to openai:emb-large',
    );
    await held;
    const { status, body } = await program.call('POST', '/v1/recall', { query: 'shelf number2' });
    expect(status).toBe(200);
    expect(JSON.stringify(body.cards)).toContain('number2');
    // The cards have no vector of the new model yet: the query was embedded by the old one too.
    expect(body.degraded).toBeUndefined();
    endpoint.release();
    await until(
      async () => (await embedders()).join() === Array(3).fill('openai:emb-large').join(),
    );
    const run = async () => {
      const { body: runs } = await program.call('GET', '/v1/runs?type=reembed');
      return (runs.items as { status: string; counts: Record<string, number> }[])[0];
    };
    await until(async () => (await run())?.status === 'completed');
    expect(await run()).toMatchObject({ counts: { embedded: 3, cleared: 3 } });
    expect(await program.stop()).toBe(0);
  });
});
