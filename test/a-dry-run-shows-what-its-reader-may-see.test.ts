import { insertCard, type NewCard } from '../src/store/card-writes';
import type { Tx } from '../src/store/database';
import { askForPass } from '../src/store/run-asking';
import { noteChanges } from '../src/store/run-changes';
import { keepDraft } from '../src/store/run-drafts';
import { startApi, type TestApi } from './support/api';
import { plainCard } from './support/plain-card';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.call('PUT', '/v1/agents/scout', { body: {} });
});
afterAll(() => api.close());

const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => api.database.inWorkspace('default', work);
const get = async (path: string, key = api.ownerKey) => (await api.call('GET', path, { key })).body;

async function plant(summary: string, fields: Partial<NewCard> = {}): Promise<string> {
  const card = plainCard(summary, new Date(), fields);
  await inWorkspace((tx) => insertCard(tx, card, null, []));
  return card.id;
}

/** A pass with so many lines of what it would do, and its texts. */
async function planned(
  drafts: Record<string, readonly string[]>,
  { lines = 1, dryRun = true } = {},
): Promise<string> {
  const now = new Date();
  return await inWorkspace(async (tx) => {
    const asked = { type: 'consolidation', scope: null, dryRun, budget: null, by: 'p' } as const;
    const run = await askForPass(tx, asked, now);
    const line = { change: 'created' as const, related: ['card_x'], reason: 'told' };
    await noteChanges(tx, run, Array(lines).fill(line), now);
    for (const [part, sources] of Object.entries(drafts)) {
      await keepDraft(tx, run, { part, sources, draft: { words: `Words of ${part}` } }, now);
    }
    return run;
  });
}

const partsOf = (run: { drafts: { part: string }[] }) => run.drafts.map(({ part }) => part);

describe('a dry run', () => {
  it('shows what would be, and the texts of which every source can be seen', async () => {
    const [here, deleted] = [await plant('Stays'), await plant('Goes')];
    await api.call('DELETE', `/v1/cards/${deleted}`);
    const run = await planned({
      'note-1': [here],
      'note-2': [here, deleted],
      'note-3': ['card_never'],
      'note-4': [],
    });
    const shown = await get(`/v1/runs/${run}`);
    expect(shown.drafts).toEqual([
      { run_id: run, part: 'note-1', sources: [here], draft: { words: 'Words of note-1' } },
    ]);
    expect(shown.diff).toMatchObject([
      { n: 1, run_id: run, change: 'created', card_id: null, reason: 'told', undone_at: null },
    ]);
    const [access] = (await get('/v1/access-log')).items;
    expect(access).toMatchObject({ surface: 'runs.get', card_ids: [here] });
  });

  it('shows no text to a runtime, and neither text nor run to an agent', async () => {
    const run = await planned({ 'note-1': [await plant('Of scout')] });
    const runtime = await api.keyFor({ kind: 'runtime', id: 'feeder' });
    expect(await get(`/v1/runs/${run}`, runtime)).toMatchObject({ id: run, diff: [], drafts: [] });
    expect((await api.call('GET', `/v1/runs/${run}/changes`, { key: runtime })).status).toBe(403);
    const agent = await api.keyFor({ kind: 'agent', id: 'scout' });
    expect((await api.call('GET', `/v1/runs/${run}`, { key: agent })).status).toBe(404);
  });

  it('of a pass that did what it said shows no text that it still works on', async () => {
    const run = await planned({ 'note-1': [await plant('In hand')] }, { dryRun: false });
    expect(partsOf(await get(`/v1/runs/${run}`))).toEqual([]);
  });

  it('shows with the pass what its units would do', async () => {
    const source = await plant('Of a unit');
    const [pass, unit] = [await planned({}), await planned({ 'note-1': [source] })];
    await inWorkspace((tx) =>
      tx.query('UPDATE runs SET parent_id = $2 WHERE id = $1', [unit, pass]),
    );
    const shown = await get(`/v1/runs/${pass}`);
    expect(partsOf(shown)).toEqual(['note-1']);
    expect(shown.diff.map(({ run_id }: { run_id: string }) => run_id).sort()).toEqual(
      [pass, unit].sort(),
    );
  });
});

describe('a long diff', () => {
  it('begins with the run, and is walked through once', async () => {
    const run = await planned({}, { lines: 120 });
    const shown = await get(`/v1/runs/${run}`);
    expect([shown.diff.length, shown.diff_capped]).toEqual([50, true]);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: { n: number }[]; next_cursor: string | null; total: number } = await get(
        `/v1/runs/${run}/changes?limit=50${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      expect(page.total).toBe(120);
      seen.push(...page.items.map(({ n }) => n));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });
});
