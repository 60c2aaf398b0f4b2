import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANCEL_FOLLOW_UP, EXTEND, MEASURE_NOW } from '../src/contracts/insight';
import type { PolicyPatch } from '../src/contracts/policy';
import { DAY_MS } from '../src/domain/durations';
import { locateTemporalCli } from '../src/embedded/fetch';
import { followUpSeal } from '../src/intake/follow-up-seal';
import { InsightLane, REVIEWER, type Saved, SECRET_KEY } from './support/insight-lane';
import { fetchOptions } from './support/programs';
import { temporalWorkflow } from './support/temporals-cli';

jest.setTimeout(120_000);

/** What an operator has who has nothing of Cairn: Temporal's own program, and the namespace. */
let lane: InsightLane;
let cli: string;
beforeAll(async () => {
  [lane, cli] = await Promise.all([
    InsightLane.start('dev'),
    locateTemporalCli(fetchOptions(process.env.CAIRN_TEMPORAL_CLI)),
  ]);
});
afterAll(() => lane?.stop());

const workflow = (...words: string[]) =>
  temporalWorkflow({ cli, address: lane.env.address }, words);

const idOf = ({ handle }: Saved) => ['--workflow-id', handle.workflowId];

/** As a script would send it. @returns the answer, or what the program says */
async function update(saved: Saved, name: string, fields: object): Promise<unknown> {
  const input = JSON.stringify({ action_id: saved.actions[0], by: REVIEWER, ...fields });
  const words = ['update', 'execute', '--name', name, '--input', input, ...idOf(saved)];
  const { code, out, err } = await workflow(...words, '--output', 'json');
  return code === 0 ? JSON.parse(out).result : err;
}

async function waiting(policy: PolicyPatch = {}): Promise<Saved> {
  const at = (days: number) => new Date(Date.now() + days * DAY_MS);
  const metrics = [{ at: at(-2).toISOString() }];
  const saved = await lane.saved(await lane.workspace(policy), { metrics });
  await lane.push(saved, 28.9, { at: at(-0.5).toISOString() });
  await lane.take(saved, { at: at(-1), isDated: true });
  return saved;
}

test('an update measures, extends and cancels as the routes do, and answers', async () => {
  const [measured, cancelled] = [await waiting(), await waiting()];
  const until = new Date(Date.now() + 90 * DAY_MS).toISOString();
  await lane.working(async () => {
    await Promise.all([lane.begun(measured), lane.begun(cancelled)]);
    expect(await update(measured, MEASURE_NOW, { by: 'reviewer' })).toContain('malformed');
    const nobody = { by: { kind: 'person', id: 'member' } };
    expect(await update(measured, MEASURE_NOW, nobody)).toMatchObject({ code: 'not_allowed' });
    expect(await update(measured, EXTEND, { until })).toMatchObject({ measure_at: until });
    expect(await update(measured, MEASURE_NOW, {})).toEqual({
      ...{ action_id: measured.actions[0], status: 'measured', result: 'improved' },
      ...{ measure_at: until, code: null },
    });
    expect(await update(cancelled, CANCEL_FOLLOW_UP, {})).toMatchObject({ status: 'cancelled' });
    expect(await update(cancelled, MEASURE_NOW, {})).toContain('already');
    await Promise.all([measured.handle.result(), cancelled.handle.result()]);
  });
  expect(await lane.audit(measured)).toEqual([
    'insight.action_taken status',
    'insight.refused measure_now not_allowed',
    'insight.extended measure_at',
    'insight.measured improved',
  ]);
});

test('what came straight to Temporal is told from what came through the API, and can be forbidden', async () => {
  const channels = async (saved: Saved) => {
    const rows = await lane.rows<{ action: string; channel: string }>(
      saved.workspace,
      'SELECT action, channel FROM audit_log WHERE target_id = $1 ORDER BY seq',
      [saved.id],
    );
    return rows.slice(1).map(({ action, channel }) => `${action} ${channel}`);
  };
  const free = await waiting();
  const bound = await waiting({ proposals: { direct_decisions: false } });
  const until = new Date(Date.now() + 90 * DAY_MS).toISOString();
  // Of another order than this one: a seal is of one.
  const ids = { workspace: bound.workspace, insight_id: bound.id };
  const said = { action_id: bound.actions[0] ?? '', by: REVIEWER };
  const seal = followUpSeal(SECRET_KEY, ids, MEASURE_NOW, said);
  await lane.working(async () => {
    await Promise.all([lane.begun(free), lane.begun(bound)]);
    expect(await update(free, EXTEND, { until })).toMatchObject({ measure_at: until });
    expect(await lane.ask(free, MEASURE_NOW)).toMatchObject({ answer: { status: 'measured' } });
    for (const fields of [{}, { seal }, { seal: 'x' }]) {
      const refused = await update(bound, CANCEL_FOLLOW_UP, fields);
      expect(refused).toMatchObject({ status: 'taken', code: 'direct_decisions_off' });
    }
    expect(await lane.ask(bound, CANCEL_FOLLOW_UP)).toMatchObject({
      answer: { status: 'cancelled' },
    });
    await Promise.all([free.handle.result(), bound.handle.result()]);
  });
  expect(await channels(free)).toEqual(['insight.extended temporal', 'insight.measured api']);
  expect(await channels(bound)).toEqual([
    ...Array(3).fill('insight.refused temporal'),
    'insight.cancelled api',
  ]);
});

test('the commands of the documentation are those of the program', async () => {
  const doc = readFileSync(join(__dirname, '..', 'docs', 'insights.md'), 'utf8');
  const [, name = '', input = ''] =
    /workflow update execute --workflow-id \S+ --name (\w+) \\\n\s+--input '(\{.*\})'/.exec(doc) ??
    [];
  const saved = await waiting();
  const said = JSON.parse(input.replace(/act_\w+…/, saved.actions[0] ?? ''));
  await lane.working(async () => {
    await lane.begun(saved);
    const by = { ...said.by, id: REVIEWER.id };
    expect(await update(saved, name, { ...said, by })).toMatchObject({ code: null });
    await update(saved, CANCEL_FOLLOW_UP, {});
    await saved.handle.result();
  });
});

test('show, describe and query read as a record, and hold no content', async () => {
  const saved = await waiting();
  await lane.working(async () => {
    await lane.begun(saved);
    const state = await workflow('query', '--name', 'state', ...idOf(saved));
    expect(state.out).toMatch(/"status":"taken"/);
    await update(saved, MEASURE_NOW, { note: 'PLANTED by hand' });
    await saved.handle.result();
  });
  const shown = await workflow('show', ...idOf(saved));
  const detailed = await workflow('show', '--detailed', ...idOf(saved));
  const described = await workflow('describe', ...idOf(saved));
  expect([shown.code, detailed.code, described.code]).toEqual([0, 0, 0]);
  for (const activity of ['lookAtInsight', 'orderFollowUp', 'endInsight']) {
    expect(detailed.out).toContain(activity);
  }
  expect(described.out).toContain(
    `Insight ${saved.id} of ${saved.workspace}: measures what its actions came to`,
  );
  const all = [shown, detailed, described].map(({ out }) => out).join('\n');
  // Words, numbers and names of metrics stay in Postgres; what somebody types into an Update by hand is their own.
  expect(all).not.toMatch(/PLANTED labor|PLANTED cut|labor_percent|28\.9/);
});
