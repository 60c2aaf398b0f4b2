import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CairnClient } from '../src/client/client';
import { startApi, type TestApi } from './support/api';
import { runCommand } from './support/cli';
import { OVERTIME } from './support/insights';

const NEW = { ...OVERTIME, metrics: [...OVERTIME.metrics], actions: [...OVERTIME.actions] };

let api: TestApi;
let scout: CairnClient;
let dir: string;
beforeAll(async () => {
  api = await startApi();
  const key = await api.keyFor({ kind: 'runtime', id: 'harness' });
  scout = new CairnClient({ url: api.url, key, agent: 'scout' });
  dir = mkdtempSync(join(tmpdir(), 'cairn-insights-'));
});
afterAll(async () => {
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const cairn = (args: readonly string[], input = '') => {
  const environment = { CAIRN_DATA_DIR: dir, CAIRN_URL: api.url, CAIRN_KEY: api.ownerKey };
  return runCommand(args, environment, input);
};
const json = async (args: readonly string[], input = '') => {
  const { code, out, err } = await cairn([...args, '--json'], input);
  if (code !== 0) throw new Error(`${args.join(' ')}: ${code} ${err}`);
  return JSON.parse(out);
};

it('the client pushes, saves, lists, takes, reports, blocks and unblocks', async () => {
  const numbers = Array.from({ length: 501 }, (_, n) => ({
    name: 'overtime_hours',
    value: n,
    at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
  }));
  expect(await scout.metrics.push(numbers)).toEqual({ accepted: 501 });
  const [newest] = (await scout.metrics.list({ name: 'overtime_hours', limit: 1 })).items;
  expect(newest?.value).toBe(500);
  let count = 0;
  for await (const one of scout.metrics.iterate({ name: 'overtime_hours' }))
    count += one.value > 0 ? 1 : 0;
  expect(count).toBe(500);

  const saved = await scout.insights.save({ ...NEW, metrics: [{ name: 'overtime_hours' }] });
  expect(saved.baseline[0]?.value).toBe(500);
  expect(await scout.insights.get(saved.id)).toEqual(saved);
  expect((await scout.insights.list({ order: 'score', severity: ['high'] })).items).toEqual([
    saved,
  ]);
  const titles: (string | null)[] = [];
  for await (const { title } of scout.insights.iterate({ limit: 1 })) titles.push(title);
  expect(titles).toEqual(['Overtime is up']);

  const [first, second] = saved.actions;
  const taken = await scout.insights.take(saved.id, first?.id ?? '', { window: 'P1D' });
  expect(taken.operation_id).toMatch(/^op_/);
  const told = { action_id: first?.id ?? '', result: 'improved', size: -0.18 } as const;
  const reported = await scout.insights.outcome(saved.id, told);
  expect(reported.actions.find(({ id }) => id === first?.id)?.outcome).toMatchObject({
    ...{ result: 'improved', size: -0.18, channel: 'reported' },
  });
  const again = scout.insights.outcome(saved.id, told);
  await expect(again).rejects.toMatchObject({ status: 409 });

  const hash = second?.hash ?? '';
  expect((await api.owner.actions.block(hash, { reason: 'too dear' })).blocked?.reason).toBe(
    'too dear',
  );
  expect((await api.owner.actions.list({ blocked: true })).items.map((one) => one.hash)).toEqual([
    hash,
  ]);
  expect((await scout.insights.get(saved.id)).removed).toBe(1);
  await api.owner.actions.unblock(hash);
  const hashes: string[] = [];
  for await (const one of api.owner.actions.iterate({ limit: 1 })) hashes.push(one.hash);
  expect(hashes.sort()).toEqual([first?.hash, hash].sort());
});

it('commands save, show, list and take an insight', async () => {
  const file = join(dir, 'insight.json');
  writeFileSync(file, JSON.stringify(NEW));
  const saved = await json(['insights', 'save', file, '--as', 'scout']);
  expect(saved).toMatchObject({ title: 'Overtime is up', owner: { kind: 'person', id: 'owner' } });
  const again = await json(['insights', 'save', '-', '--as', 'scout'], JSON.stringify(NEW));
  expect(again.id).not.toBe(saved.id);
  expect(await json(['insights', 'show', saved.id])).toEqual(saved);
  const page = await json(['insights', '--order', 'score', '--min-score', '10', '--as', 'scout']);
  expect(page.items.map(({ id }: { id: string }) => id)).toContain(saved.id);

  for (const score of ['abc', '101', '-1', '']) {
    const wrong = await cairn(['insights', '--min-score', score]);
    expect([score, wrong.code]).toEqual([score, 2]);
  }
  const shown = (await cairn(['insights', 'show', saved.id])).out;
  for (const part of [saved.id, 'Overtime is up', 'severity 23', '$1,200', 'overtime_hours']) {
    expect(shown).toContain(part);
  }
  expect(shown).toContain('normal, boost');
  expect((await cairn(['insights', 'list'])).out).toContain(saved.id);
  const taken = await json(['insights', 'take', saved.id, saved.actions[0].id, '--window', 'P1D']);
  expect(taken.workflow_id).toBe(`insight/default/${saved.id}`);
  const outcome = ['insights', 'outcome', saved.id, saved.actions[1].id, 'worse', '--size', '0.1'];
  const told = await cairn(outcome);
  expect([told.code, told.out]).toEqual([0, expect.stringContaining('worse (+10.0 %)')]);
});

it('commands push and list numbers, and block and unblock actions', async () => {
  const numbers = [{ name: 'covers', value: 1234.5, unit: 'guests', at: '2026-03-02T00:00:00Z' }];
  for (const said of [numbers, { metrics: numbers }, numbers[0]]) {
    expect(await json(['metrics', 'push', '-'], JSON.stringify(said))).toEqual({ accepted: 1 });
  }
  expect((await cairn(['metrics', '--name', 'covers'])).out).toContain('1,234.5 guests');
  expect((await cairn(['metrics', 'push', '-'], 'none')).code).toBe(2);

  const { items } = await json(['actions']);
  const { hash } = items[0];
  expect((await cairn(['actions', 'list'])).out).toContain(hash);
  const blocked = await json(['actions', 'block', hash, '--reason', 'too dear']);
  expect(blocked.blocked).toMatchObject({ by: 'owner', reason: 'too dear' });
  expect((await json(['actions', '--blocked'])).items).toHaveLength(1);
  expect((await cairn(['actions', 'unblock', hash])).code).toBe(0);
  expect((await json(['actions', '--blocked'])).items).toHaveLength(0);
});

it('commands refuse what is written wrong before they ask', async () => {
  for (const args of [
    ['insights', 'extend', 'ins', 'act'],
    ['insights', 'extend', 'ins', 'act', '--until', '2026-03-02T00:00:00Z', '--window', 'P1D'],
    ['insights', 'outcome', 'ins', 'act', 'better'],
    ['insights', 'outcome', 'ins', 'act', 'worse', '--size', 'much'],
    ['insights', '--order', 'title'],
    ['insights', 'save', join(dir, 'nowhere.json')],
  ]) {
    expect([args, (await cairn(args)).code]).toEqual([args, 2]);
  }
});
