import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { PolicyPatch } from '../src/contracts/policy';
import { DEFAULT_POLICY, mergePolicy } from '../src/domain/policy';
import { type EventGroup, mostInWindow, writeEffects } from '../src/domain/policy-effects';
import { strikesInWindow } from '../src/domain/strike-step';
import { runCommand } from './support/cli';
import { DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { booking, failure, PLANTED } from './support/quarantine';

let lane: RecallLane;
let dir: string;

const preview = async (body: unknown) =>
  (await lane.api.call('POST', '/v1/policy/preview', { body })).body;
const effectsOf = async (body: PolicyPatch) => (await preview(body)).effects;
const put = async (body: PolicyPatch) => {
  const { version } = (await lane.api.call('GET', '/v1/policy')).body;
  const headers = { 'if-match': `"${version}"` };
  const answer = await lane.api.call('PUT', '/v1/policy', { body, headers });
  if (answer.status !== 200) throw new Error(answer.text);
};

/** Work of a month: what each test asks about is of a service or a team of its own. */
beforeAll(async () => {
  lane = await startRecallLane();
  dir = mkdtempSync(join(tmpdir(), 'cairn-policy-'));
  const { filing, clock, api } = lane;
  await api.call('PUT', '/v1/teams/travel', { body: { name: 'Travel' } });
  await api.call('PUT', '/v1/agents/guide', { body: { team: 'travel' } });
  const own = { kind: 'agent', id: 'scout' } as const;

  // Older than the window of a preview.
  await filing.file({ service: 'payroll', operation: 'pay', output: 'Paid once.' });
  clock.advance(40 * DAY);
  for (const operation of ['pay', 'pay', 'correct']) {
    clock.advance(HOUR);
    await filing.file({
      service: 'payroll',
      operation,
      output: `Did ${operation} ${clock.text()}.`,
    });
  }
  await filing.file({ service: 'browser', operation: 'read_page', output: PLANTED }, own);
  await filing.file({ service: 'browser', operation: 'read_feed', output: PLANTED });
  await filing.file({ service: 'browser', operation: 'read_news', output: 'Rooms are free.' });

  const step = (name: string) => ({ workflow_step: { workflow: 'stay', step: name } });
  for (const [name, days] of [
    ['book', 1],
    ['book', 1],
    ['cancel', 1],
    ['cancel', 9],
    ['cancel', 1],
  ] as const) {
    clock.advance(days * DAY);
    await filing.file({ ...failure('inn', `no: ${clock.text()}`), ...step(name), agent: 'guide' });
  }
  // Half an hour apart, and nothing else tells who is right.
  await filing.card(booking('hostel'));
  clock.advance(HOUR / 2);
  await filing.card(failure('hostel', 'no rooms left'));
  clock.advance(HOUR);
});
afterAll(async () => {
  await lane.close();
  rmSync(dir, { recursive: true, force: true });
});

it('says what would change, from what and to what, and changes nothing', async () => {
  const told = await preview({ strikes: { count: 2 }, resolve: { tie: 'PT10M' }, version: 0 });
  expect(told).toMatchObject({
    valid: true,
    problems: [],
    changed: [
      { path: 'resolve.tie', from: 'PT1H', to: 'PT10M' },
      { path: 'strikes.count', from: 3, to: 2 },
    ],
    document: { strikes: { count: 2, window: 'P30D' } },
  });
  expect((await lane.api.call('GET', '/v1/policy')).body).toMatchObject({ strikes: { count: 3 } });
  expect(await preview({ strikes: { count: 3 } })).toMatchObject({ changed: [], effects: {} });
});

it('says all that is wrong with a candidate, instead of refusing it', async () => {
  const wrong = {
    colour: 'red',
    strikes: { count: 0, window: '30 days' },
    capture: { write_rules: [{ match: {}, route: 'sensitive' }] },
  };
  const told = await preview(wrong);
  expect(told).toMatchObject({ valid: false, changed: [], document: null, effects: {} });
  expect(told.problems.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    '/capture/write_rules/0/match',
    '/colour',
    '/strikes/count',
    '/strikes/window',
  ]);
  for (const { detail } of told.problems) expect(detail).toMatch(/\w/);
  expect(await preview([])).toMatchObject({ valid: false, problems: [{ pointer: '' }] });
  expect((await lane.api.call('POST', '/v1/policy/preview?colour=red', { body: {} })).status).toBe(
    400,
  );
});

it('counts events of the last 30 days that would have gone another way, by rule', async () => {
  const write_rules = [
    { match: { service: 'payroll' }, route: 'sensitive' as const },
    { match: { service: 'payroll', operation: 'correct' }, route: 'transient' as const },
    { match: { service: 'nowhere' }, route: 'transient' as const },
  ];
  const told = await preview({ capture: { write_rules } });
  expect(told.looked_at).toMatchObject({ events_capped: false, not_kept: 0 });
  expect(told.effects).toEqual({
    write_rules: {
      moved: [{ from: 'durable', to: 'sensitive', events: 3 }],
      rules: [
        { index: 0, match: { service: 'payroll' }, to: 'sensitive', events: 3 },
        {
          index: 1,
          match: { service: 'payroll', operation: 'correct' },
          to: 'transient',
          events: 1,
        },
        { index: 2, match: { service: 'nowhere' }, to: 'transient', events: 0 },
      ],
    },
  });
  await put({ capture: { write_rules } });
  await expect(
    lane.filing.file({ service: 'payroll', operation: 'pay', output: 'Paid again.' }),
  ).rejects.toThrow('not admitted: sensitive');
  const loosened = await preview({ capture: { write_rules: [] } });
  expect(loosened.looked_at.not_kept).toBe(1);
  expect(loosened.effects.write_rules.moved).toEqual([
    { from: 'sensitive', to: 'durable', events: 3 },
  ]);
  await put({ capture: { write_rules: [] } });
});

it('counts what would have been trusted less, and held back for it', async () => {
  const trust_rules = [{ match: { service: 'browser' }, trust: 'web' as const }];
  expect(await effectsOf({ capture: { trust_rules, instruction_like: 'quarantine' } })).toEqual({
    trust_rules: {
      moved: expect.arrayContaining([
        { from: 'runtime', to: 'web', events: 2 },
        { from: 'agent', to: 'web', events: 1 },
      ]),
      rules: [{ index: 0, match: { service: 'browser' }, to: 'web', events: 3 }],
    },
    instruction_like: { before: 0, after: 2 },
  });
  // Without the rule a runtime answers for what it reports.
  expect(await effectsOf({ capture: { instruction_like: 'quarantine' } })).toEqual({
    instruction_like: { before: 0, after: 1 },
  });
});

it('counts the steps that would strike out, or no longer', async () => {
  const named = (step: string, failures: number) => ({
    ...{ team: 'travel', workflow: 'stay', step },
    failures,
  });
  expect((await effectsOf({ strikes: { count: 2 } })).strikes).toEqual({
    steps: { before: 1, after: 2 },
    begin: [named('book', 2)],
    end: [],
  });
  expect((await effectsOf({ strikes: { window: 'P5D' } })).strikes).toEqual({
    steps: { before: 1, after: 0 },
    begin: [],
    end: [named('cancel', 3)],
  });
});

it('counts the conflicts that a tie would leave open', async () => {
  expect(await effectsOf({ resolve: { tie: 'PT10M' } })).toEqual({
    contradictions: { before: 1, after: 0 },
  });
});

it('counts cards and payloads that are past a horizon', async () => {
  const by_kind = { experience: 'P30D', insight: 'P1D' };
  const { retention } = await effectsOf({ retention: { by_kind, event_payload: 'P60D' } });
  expect(retention.by_kind).toEqual([
    { kind: 'experience', from: null, to: 'P30D', past: 1 },
    { kind: 'insight', from: null, to: 'P1D', past: 0 },
  ]);
  expect(retention.event_payloads).toEqual({ before: 1, after: 0 });
});

it('is for people who govern, and a put is audited', async () => {
  const reviewer = await lane.api.keyOf('reviewer');
  const asked = await lane.api.call('POST', '/v1/policy/preview', { key: reviewer, body: {} });
  expect(asked.status).toBe(403);
  await put({ strikes: { count: 4 } });
  const { body } = await lane.api.call('GET', '/v1/audit?action=policy.changed&limit=1');
  expect(body.items).toMatchObject([
    { changed: ['strikes'], actor: { kind: 'person', id: 'owner' } },
  ]);
  await put({ strikes: { count: 3 } });
});

describe('cairn policy', () => {
  const cairn = (args: string[], input = '') =>
    runCommand(
      ['policy', ...args],
      { CAIRN_DATA_DIR: dir, CAIRN_URL: lane.api.url, CAIRN_KEY: lane.api.ownerKey },
      input,
    );

  it('shows, previews and sets', async () => {
    const file = join(dir, 'policy.json');
    const shown = JSON.parse((await cairn(['show', '--json'])).out);
    expect(shown).toEqual((await lane.api.call('GET', '/v1/policy')).body);
    writeFileSync(file, JSON.stringify({ ...shown, strikes: { count: 2, window: 'P30D' } }));
    const told = await cairn(['preview', file]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toMatch(/strikes\.count {2}3 → 2/);
    expect(told.out).toContain('1 → 2 steps strike out');
    expect(told.out).toContain('strikes out: travel stay/book, 2 failures');
    const done = await cairn(['set', file, '--json']);
    expect(JSON.parse(done.out)).toEqual({
      version: shown.version + 1,
      changed: [{ path: 'strikes.count', from: 3, to: 2 }],
    });
    // The file names the version that it was made from.
    expect((await cairn(['set', file])).err).toContain('412');
    expect((await cairn(['set', '-'], '{"strikes": {"count": 3}}')).code).toBe(0);
  });

  it('says what is wrong', async () => {
    const told = await cairn(['preview', '-'], '{"strikes": {"count": 0}, "colour": 1}');
    expect(told.code).toBe(1);
    expect(told.out).toMatch(/not valid:\n.*\/strikes\/count.*\n.*\/colour/);
    expect((await cairn(['set', '-'], '{"strikes": {"count": 0}}')).code).toBe(1);
    expect((await cairn(['preview', '-'], 'count: 2')).code).toBe(2);
    expect((await cairn(['preview', '-'], '[]')).code).toBe(2);
    for (const verb of ['preview', 'set']) {
      const missing = await cairn([verb, join(dir, 'missing.json')]);
      expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') });
    }
  });
});

test('the most failures of a window are those that counting them one by one finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 60 })),
      fc.integer({ min: 1, max: 40 }),
      (minutes, window) => {
        const strikes = minutes.map((minute, index) => ({
          event_id: String(index),
          occurred_at: new Date(minute * 60_000).toISOString(),
        }));
        const counted = minutes.map(
          (end) => strikesInWindow(strikes, end * 60_000, window * 60_000).length,
        );
        const times = minutes.map((minute) => minute * 60_000);
        expect(mostInWindow(times, window * 60_000)).toBe(Math.max(0, ...counted));
      },
    ),
  );
});

test('whatever the rules, each event that moves is counted once, and one that stays is not', () => {
  const route = fc.constantFrom('durable' as const, 'transient' as const, 'sensitive' as const);
  const service = fc.constantFrom('a', 'b', 'c');
  const rules = fc.array(fc.record({ match: fc.record({ service }), route }), { maxLength: 5 });
  const policyOf = (write_rules: { match: { service: string }; route: string }[]) =>
    mergePolicy({ capture: { ...DEFAULT_POLICY.capture, write_rules } } as PolicyPatch);
  fc.assert(
    fc.property(rules, rules, fc.array(fc.tuple(service, fc.nat(9))), (before, after, counts) => {
      const groups = counts.map(
        ([name, events]): EventGroup => ({
          service: name,
          operation: null,
          agent: 'x',
          kind: 'service_call',
          reporter: 'runtime',
          events,
        }),
      );
      const { moved } = writeEffects(groups, policyOf(before), policyOf(after));
      const total = groups.reduce((sum, { events }) => sum + events, 0);
      const sum = moved.reduce((all, { events }) => all + events, 0);
      expect(sum).toBeLessThanOrEqual(total);
      for (const { from, to } of moved) expect(from).not.toBe(to);
      expect(writeEffects(groups, policyOf(after), policyOf(after)).moved).toEqual([]);
    }),
  );
});
