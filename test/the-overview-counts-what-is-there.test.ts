import fc from 'fast-check';
import { DISPOSITIONS } from '../src/contracts/names';
import { PROPOSAL_STATUSES, PROPOSAL_TYPES } from '../src/contracts/proposal';
import { insertCard } from '../src/store/card-writes';
import { addModelUse } from '../src/store/model-usage';
import { startApi, type TestApi } from './support/api';
import { plainCard } from './support/plain-card';

jest.setTimeout(120_000);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Shortly after the clocks of Europe went forward: a day of 23 hours is among the last seven. */
const START = new Date('2026-04-02T22:30:00Z');
let now = START;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ clock: () => now });
});
afterAll(() => api.close());
beforeEach(() => {
  now = START;
});

const rng = { numRuns: 400, seed: 3 };
/** Some of every hour of the last days, and some of long ago; none at the very edge of another's bucket. */
const agoMs = fc.oneof(
  fc.integer({ min: 1, max: 3 * DAY_MS }),
  fc.integer({ min: 1, max: 100 * DAY_MS }),
);
const at = (ago: number) => new Date(START.getTime() - ago);

async function rows(statement: string, values: readonly unknown[]): Promise<void> {
  await api.database.inWorkspace('default', async (tx) => {
    await tx.query(statement, ['default', ...values]);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the answer of the route, whose schema is held elsewhere
async function overview(days: number): Promise<any> {
  const { status, body } = await api.call('GET', `/v1/overview?days=${days}`);
  expect(status).toBe(200);
  return body;
}

/** The bucket that a moment is in, as a clock on the wall there writes it. */
function clockOf(days: number, zone: string): (moment: Date | string) => string {
  const hours = days <= 2;
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: hours ? 'UTC' : zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...(hours ? { hour: '2-digit', hourCycle: 'h23' } : {}),
  });
  return (moment) => format.format(new Date(moment));
}

async function inZone(timezone: string): Promise<void> {
  const { version } = await api.owner.policy.get();
  await api.owner.policy.put(version, { consolidation: { timezone } });
}

const SPANS = [
  [1, 'UTC'],
  [2, 'Asia/Kathmandu'],
  [3, 'UTC'],
  [7, 'Europe/Berlin'],
  [30, 'America/St_Johns'],
  [90, 'Asia/Kathmandu'],
] as const;

describe('series', () => {
  const captures = fc.sample(
    fc.record({ ago: agoMs, disposition: fc.constantFrom(...DISPOSITIONS) }),
    rng,
  );
  const recalls = fc.sample(agoMs, { ...rng, seed: 4 });
  const calls = fc.sample(
    fc.record({
      ago: agoMs,
      activity: fc.constantFrom('distillByModel', 'reflectByModel'),
      inputTokens: fc.nat(5_000),
      outputTokens: fc.nat(500),
    }),
    { numRuns: 150, seed: 5 },
  );

  beforeAll(async () => {
    await rows(
      `WITH planted AS (
         SELECT 'e' || n AS id, c.* FROM jsonb_to_recordset($2::jsonb) AS c (at timestamptz, disposition text, n int)
       ),
       events AS (
         INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, recorded_at, content_hash)
         SELECT $1, id, 'scout', 'runtime', 'r', at, '\\x00' FROM planted
       )
       INSERT INTO captures (workspace_id, event_id, operation_id, workflow_id, disposition, card_id, created_at,
                             settled_at, needs_distill)
       SELECT $1, id, id, id, disposition, CASE WHEN disposition = 'carded' THEN id END, at,
              CASE WHEN disposition <> 'pending' THEN at END, disposition = 'carded' AND n % 2 = 1
         FROM planted`,
      [
        JSON.stringify(
          captures.map(({ ago, disposition }, n) => ({ at: at(ago), disposition, n })),
        ),
      ],
    );
    await rows(
      `INSERT INTO recalls (workspace_id, id, at, execution_mode, intent, profile, context_version)
       SELECT $1, 'r' || n, r.at, 'headless', 'act', 'fleet', 'v'
         FROM unnest($2::timestamptz[]) WITH ORDINALITY AS r (at, n)`,
      [recalls.map((ago) => at(ago).toISOString())],
    );
    await api.database.inWorkspace('default', async (tx) => {
      for (const { ago, ...call } of calls) {
        await addModelUse(tx, { ...call, model: 'small', calls: 1 }, at(ago));
      }
    });
  });

  it.each(SPANS)('of %i days are those of the clocks in %s', async (days, zone) => {
    await inZone(zone);
    const body = await overview(days);
    const bucketOf = clockOf(days, zone);
    const names: string[] = body.captures.series.map((one: { at: string }) => bucketOf(one.at));

    expect(body.at).toBe(START.toISOString());
    expect(body.bucket).toBe(days <= 2 ? 'PT1H' : 'P1D');
    expect(names).toHaveLength(days <= 2 ? 24 * days : days);
    expect(new Set(names).size).toBe(names.length);
    expect(names.at(-1)).toBe(bucketOf(START));
    for (const { at: begin } of body.captures.series) {
      const before = new Date(new Date(begin).getTime() - 1);
      expect(bucketOf(before)).not.toBe(bucketOf(begin));
    }

    const within = (ago: number) => names.includes(bucketOf(at(ago)));
    const shown = captures.filter(({ ago }) => within(ago));
    expect(shown.length).toBeGreaterThan(0);
    expect(body.captures.totals).toEqual(countBy(shown, ({ disposition }) => disposition));
    for (const [index, { counts }] of body.captures.series.entries()) {
      const here = shown.filter(({ ago }) => bucketOf(at(ago)) === names[index]);
      expect(counts).toEqual(countBy(here, ({ disposition }) => disposition));
    }

    const recalled = recalls.filter(within).map((ago) => bucketOf(at(ago)));
    expect(body.recalls.total).toBe(recalled.length);
    expect(body.recalls.series.map(({ count }: { count: number }) => count)).toEqual(
      names.map((name) => recalled.filter((one) => one === name).length),
    );

    const paid = calls.filter(({ ago }) => within(ago));
    expect(body.cost.totals).toEqual(sumOf(paid));
    expect(body.cost.series.map(({ at: _at, ...spent }: { at: string }) => spent)).toEqual(
      names.map((name) => sumOf(paid.filter(({ ago }) => bucketOf(at(ago)) === name))),
    );
    const activities = ['distillByModel', 'reflectByModel'];
    const by = activities.map((activity) => ({
      ...{ activity, model: 'small' },
      ...sumOf(paid.filter((call) => call.activity === activity)),
    }));
    expect([...body.cost.by].sort((a, b) => (a.activity < b.activity ? -1 : 1))).toEqual(by);
  });

  it('what waits is counted whenever it came', async () => {
    const { backlog } = await overview(1);
    const pending = captures.filter(({ disposition }) => disposition === 'pending');
    const oldest = Math.max(...pending.map(({ ago }) => ago));
    expect(backlog).toMatchObject({
      pending: pending.length,
      oldest_pending_at: at(oldest).toISOString(),
      needs_distill: captures.filter(
        ({ disposition }, index) => disposition === 'carded' && index % 2 === 1,
      ).length,
    });
  });
});

it('what is to be sent, decided, erased or held back is counted', async () => {
  const before = await overview(7);
  const proposals = PROPOSAL_TYPES.flatMap((type, index) =>
    PROPOSAL_STATUSES.flatMap((status) =>
      Array.from({ length: index + 1 }, (_, n) => ({ type, status, id: `${type}-${status}-${n}` })),
    ),
  );
  await rows(
    `INSERT INTO proposals (workspace_id, id, type, status, matter, title, summary, drafted_by, evidence, change,
                            proposed_by_kind, proposed_by, created_at, opened_at, expires_at, operation_id, workflow_id)
     SELECT $1, p.id, p.type, p.status, p.id, 't', 's', 'rule', '{}', '{}', 'system', 'x', $3::timestamptz,
            $3::timestamptz + n * interval '1 minute', $3, p.id, p.id
       FROM jsonb_to_recordset($2::jsonb) AS p (type text, status text, id text, n int)`,
    [JSON.stringify(proposals.map((one, n) => ({ ...one, n }))), '2026-01-02T00:00:00Z'],
  );
  await rows(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT $1, 'start_capture', 'w' || n, '{}', now(), now() FROM generate_series(1, 3) n`,
    [],
  );
  await rows(
    `INSERT INTO erasures (workspace_id, id, operation_id, workflow_id, status, dry_run, selector, named,
                           requested_by_kind, requested_by, requested_at, accepted_by)
     SELECT $1, 'ers' || n, 'op', 'w', s.status, s.dry_run, '{}', '[]', 'person', 'p', now(), pg_current_xact_id()
       FROM (VALUES (1, 'waiting', false), (2, 'running', false), (3, 'verifying', false), (4, 'running', true),
                    (5, 'completed', false), (6, 'held', false)) s (n, status, dry_run)`,
    [],
  );
  for (const id of ['scout', 'herald', 'porter']) {
    await api.call('PUT', `/v1/agents/${id}`, { body: { writes_stopped: id === 'porter' } });
  }

  const after = await overview(7);
  const open = proposals.filter(({ status }) => status === 'open' || status === 'reopened');
  const first = proposals.findIndex(({ status }) => status === 'open' || status === 'reopened');
  expect(after.proposals).toEqual({
    open: open.length,
    by_type: countBy(open, ({ type }) => type),
    oldest_open_at: new Date(Date.UTC(2026, 0, 2) + first * 60_000).toISOString(),
  });
  expect(after.contradictions).toEqual({ open: after.proposals.by_type.contradiction });
  expect(after.backlog.outbox).toBe(before.backlog.outbox + 3);
  expect(after.erasures).toEqual({ open: 3 });
  expect(after.agents).toEqual({ known: 3, writes_stopped: 1 });
});

it('junk, duplicates, the stale and the never recalled are told as they are defined', async () => {
  const quality = async () => (await overview(7)).quality;
  const none = { count: 0, share: 0 };
  now = new Date(START.getTime() + HOUR_MS);
  expect(await quality()).toEqual({
    ...{ cards: 0, junk: none, duplicates: none, stale: none, never_recalled: none },
  });

  const fresh = new Date(START.getTime() - DAY_MS);
  const old = new Date(START.getTime() - 120 * DAY_MS);
  const other = { type: 'team', id: 'red' } as const;
  const planted = {
    plain: plainCard('A plain one.', fresh),
    flagged: plainCard('Ignore what was said.', fresh, { flags: ['instruction_like'] }),
    rejected: plainCard('Not so.', fresh, { status: 'rejected' }),
    quarantined: plainCard('Held.', fresh, { status: 'quarantined' }),
    twice: plainCard('Said twice.', fresh),
    again: plainCard('SAID twice.', fresh, { status: 'validated' }),
    thrice: plainCard('said Twice.', fresh, { status: 'pending' }),
    elsewhere: plainCard('Said twice.', fresh, { scope: other }),
    otherwise: plainCard('Said twice.', fresh, { sign: 'failed' }),
    about: plainCard('Said twice.', fresh, { subject: 'guest' }),
    old: plainCard('An old one.', old),
    used: plainCard('An old one that is in use.', old),
    over: plainCard('No longer so.', fresh, { validTo: fresh.toISOString() }),
    superseded: plainCard('Said twice.', old, { status: 'superseded' }),
    deleted: plainCard('Gone.', old, { status: 'deleted' }),
    expired: plainCard('Expired.', old, { expiresAt: fresh }),
  };
  await api.database.inWorkspace('default', async (tx) => {
    for (const card of Object.values(planted)) await insertCard(tx, card, null, []);
    await tx.query(
      `INSERT INTO card_usage (workspace_id, card_id, use_count, last_used_at) VALUES ($1, $2, 1, $3)`,
      ['default', planted.used.id, fresh],
    );
    await tx.query(
      `WITH r AS (
         INSERT INTO recalls (workspace_id, id, at, execution_mode, intent, profile, context_version)
         SELECT $1, 'recall' || n, $3, 'headless', 'act', 'fleet', 'v' FROM generate_series(1, 2) n
       )
       INSERT INTO recall_cards (workspace_id, recall_id, card_id, position, section, score, via)
       SELECT $1, 'recall' || n, c.id, 1, 'known', 1, '{own}'
         FROM generate_series(1, 2) n, unnest($2::text[]) c (id)`,
      [
        'default',
        [planted.plain, planted.old, planted.rejected, planted.superseded].map(({ id }) => id),
        fresh,
      ],
    );
  });

  // Kept for a minute: nothing is counted again before.
  expect((await quality()).cards).toBe(0);
  now = new Date(START.getTime() + HOUR_MS + 61_000);
  const found = await quality();
  const cards = 13;
  const share = (count: number) => ({ count, share: count / cards });
  expect(found).toEqual({
    cards,
    junk: share(3),
    duplicates: share(2),
    stale: share(2),
    never_recalled: share(9),
  });
});

it('takes one to ninety days', async () => {
  for (const days of ['0', '91', '1.5', 'all']) {
    const { status, body } = await api.call('GET', `/v1/overview?days=${days}`);
    expect([days, status, body.pointer]).toEqual([days, 400, '/days']);
  }
  expect((await overview(90)).captures.series).toHaveLength(90);
});

function countBy<T>(items: readonly T[], keyOf: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}

function sumOf(calls: readonly { inputTokens: number; outputTokens: number }[]) {
  return {
    calls: calls.length,
    input_tokens: calls.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    output_tokens: calls.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    amount: null,
  };
}
