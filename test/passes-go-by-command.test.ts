import type { PassResult } from '../src/contracts/passes';
import { insertCard } from '../src/store/card-writes';
import { retireInFavour } from '../src/store/card-writes-retired';
import type { Tx } from '../src/store/database';
import { endPassRun } from '../src/store/pass-endings';
import { noteChanges } from '../src/store/run-changes';
import { keepDraft } from '../src/store/run-drafts';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { plainCard } from './support/plain-card';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.call('PUT', '/v1/teams/support', { body: { name: 'Support' } });
});
afterAll(() => api.close());

const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) => api.database.inWorkspace('default', work);
const cairn = (...args: string[]) =>
  runCommand(['runs', ...args], { CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey });
const json = async (...args: string[]) => JSON.parse((await cairn(...args, '--json')).out);

/** A card that a pass retired, and how that pass ended. */
async function retiredBy(run: string): Promise<string> {
  const now = new Date();
  const [card, note] = [plainCard('An episode', now), plainCard('A lesson', now)];
  await inWorkspace(async (tx) => {
    await insertCard(tx, card, null, []);
    await insertCard(tx, note, null, []);
    const cards = [{ id: card.id, version: 1 }];
    await retireInFavour(tx, {
      cards,
      by: note.id,
      pass: 'consolidation',
      workflowId: 'w',
      at: now,
    });
    const line = { card_id: card.id, version_before: 1, version_after: 2, related: [note.id] };
    await noteChanges(tx, run, [{ change: 'retired', ...line, reason: 'told' }], now);
    const unit = { scope: { type: 'team', id: 'support' }, operation_id: 'op_unit' } as const;
    const result: PassResult = {
      status: 'partial',
      day: '2026-03-02',
      units: 2,
      partial: 1,
      failed: 0,
      counts: { notes: 1, tokens: 1_200 },
      named: [{ ...unit, reason: 'budget' }],
    };
    await endPassRun(tx, run, { state: 'completed', result }, now);
  });
  return card.id;
}

test('a pass is started, listed, told, shown and undone', async () => {
  const { code, out } = await cairn('start', 'consolidation', '--scope', 'team:support');
  expect([code, out]).toEqual([0, expect.stringMatching(/^Started: cairn runs show op_\w+\n$/)]);
  const { items } = await json();
  const [{ id }] = items;
  expect(items).toMatchObject([{ type: 'consolidation', scope: { type: 'team', id: 'support' } }]);
  expect((await cairn()).out).toMatch(
    new RegExp(`^${id} {2}consolidation {2}team:support {2}\\S+ {2}running`),
  );
  expect((await cairn('pause', id)).out).toBe(`${id} is told to pause.\n`);
  expect((await cairn()).out).toContain('running (paused)');
  expect((await json('resume', id)).paused).toBe(false);
  expect((await json('cancel', id)).id).toBe(id);

  const card = await retiredBy(id);
  const shown = (await cairn('show', id)).out;
  expect(shown).toContain('consolidation of team:support');
  expect(shown).toContain('partial');
  expect(shown).toContain('notes 1, tokens 1200');
  expect(shown).toMatch(/Did not do all:\n {2}team:support {2}budget {2}op_unit/);
  expect(shown).toMatch(new RegExp(`It did:\\n {2}retired {2}${card} {2}v1 → 2 {2}told`));

  expect((await cairn('undo', id)).out).toBe('1 change was taken back.\n');
  expect((await cairn('show', id)).out).toMatch(/partial \(undone\)/);
  expect(await json('undo', id)).toEqual({ undone: 1, not_undone: [], done: true });
  const ended = await cairn('pause', id);
  expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('has ended')]);
});

test('what could not be taken back is named', async () => {
  const { operation_id: id } = await json('start', 'consolidation');
  const card = await retiredBy(id);
  await inWorkspace((tx) =>
    tx.query(
      "UPDATE cards SET version = 9, status = 'active', superseded_by = NULL WHERE id = $1",
      [card],
    ),
  );
  expect((await cairn('undo', id)).out).toBe(
    `0 changes were taken back. 1 stay as they are:\n  ${card}  has changed since\n`,
  );
});

test('a dry run shows its texts, a line each, and nothing that a terminal would obey', async () => {
  const { operation_id: id } = await json('start', 'consolidation', '--dry-run');
  const card = plainCard('A source', new Date());
  const words = { lessons: ['Ask before\u001b[31m booking', 'Second lesson'] };
  await inWorkspace(async (tx) => {
    await insertCard(tx, card, null, []);
    const draft = { part: 'note-1', sources: [card.id], draft: { words } };
    await keepDraft(tx, id, draft, new Date());
    await noteChanges(tx, id, [{ change: 'created', related: [card.id] }], new Date());
  });
  const { out } = await cairn('show', id);
  expect(out).toContain('dry run');
  expect(out).toContain('It would do:\n  created');
  expect(out).toContain('note-1, of 1 cards:\n    Ask before[31m booking\n    Second lesson');
});

test('wrong use is told before anything is asked', async () => {
  for (const args of [
    ['start', 'learning'],
    ['start', 'consolidation', '--scope', 'support'],
    ['list', '--status', 'odd'],
  ]) {
    expect([args, (await cairn(...args)).code]).toEqual([args, 2]);
  }
});
