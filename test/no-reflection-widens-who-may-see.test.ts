import { MockActivityEnvironment } from '@temporalio/testing';
import fc from 'fast-check';
import { createReflectionActivities } from '../src/activities/reflection';
import type { UnitInput } from '../src/contracts/passes';
import type { ReflectionPlan } from '../src/contracts/reflection';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { Database } from '../src/store/database';
import { scopesInUse } from '../src/store/filing-scopes';
import { type ReaderArguments, visibleAmong } from '../src/store/visible-cards';
import { LANE_SECRET } from './support/capture-lane';
import { createTestDatabase, describeNative, type TestDatabase } from './support/database';
import { type Organisation, type OrgReader, organisation, readersOf } from './support/organisation';
import { plant, plantVersions } from './support/organisation-plant';
import { waysOf } from './support/visibility-model';

jest.setTimeout(240_000);

const NOW = new Date('2026-03-02T12:00:00Z');
const RUNS = 25;

/** Of each card four: two calls that failed, and two that answered them, with the same readers each. */
function fourfold(org: Organisation): Organisation {
  const four = <T extends { card: string }>(all: readonly T[]) =>
    all.flatMap((one) => [0, 1, 2, 3].map((n) => ({ ...one, card: `${one.card}-${n}` })));
  return {
    ...org,
    cards: org.cards.flatMap((card) =>
      [0, 1, 2, 3].map((n) => ({ ...card, id: `${card.id}-${n}` })),
    ),
    grants: four(org.grants),
    groupGrants: four(org.groupGrants),
    idleGrants: four(org.idleGrants),
    edges: [],
  };
}

/** Makes planted cards what a reflection looks at; the even ones failed, and the next one worked. */
const CALLS = `
WITH call AS (
  UPDATE cards c
     SET kind = CASE WHEN n % 2 = 0 THEN 'constraint' ELSE 'experience' END, tier = 'episodic', key = NULL,
         sign = CASE WHEN n % 2 = 0 THEN 'failed' ELSE 'worked' END, service = 'booking', operation = 'book',
         input_fields = jsonb_build_object('room', id, 'payment_amount', CASE WHEN n % 2 = 0 THEN '50' ELSE '100' END),
         summary = CASE WHEN n % 2 = 0 THEN 'Booked it. It failed: the payment amount does not add up.'
                        ELSE 'Booked it. It worked.' END,
         error_signature = CASE WHEN n % 2 = 0 THEN 'the payment amount does not add up' END,
         valid_from = $2::timestamptz - interval '1 day' + n * interval '1 hour', event_id = 'event-of-' || id,
         agent_id = CASE WHEN scope_type = 'agent' THEN scope_id END
    FROM (SELECT id AS of, right(id, 1)::int AS n FROM cards WHERE workspace_id = $1) planted
   WHERE c.workspace_id = $1 AND c.id = planted.of
  RETURNING id, n
)
INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
SELECT $1, 'answer-' || w.id, 'satisfies', w.id, f.id, 0.9, 'it worked later, payment amount 50 → 100', $2
  FROM call f
  JOIN call w ON w.n = f.n + 1 AND left(w.id, -2) = left(f.id, -2)
 WHERE f.n % 2 = 0`;

function argumentsOf(workspace: string, org: Organisation, reader: OrgReader): ReaderArguments {
  if (reader.as === 'agent') return [workspace, reader.agent, reader.person, false, null, NOW];
  const bare = reader.agent === null;
  const person = org.people.find(({ id }) => id === reader.person);
  const isMember = person?.role === 'member';
  const subject = bare && isMember ? person.subject : null;
  return [workspace, reader.agent, null, bare && !isMember, subject, NOW];
}

describeNative('a reflection', () => {
  let server: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    server = await createTestDatabase();
    const options = { url: server.url, connections: 2, acquireTimeoutMs: 30_000 };
    database = new Database({ ...options, onIdleError: () => undefined });
  });
  afterAll(async () => {
    await database?.close();
    await server?.drop();
  });

  const activities = () =>
    createReflectionActivities({
      database,
      clock: () => NOW,
      embedder: createHashedEmbedder(),
      hasModel: false,
      secretKey: LANE_SECRET,
    });

  async function planted(workspace: string, org: Organisation): Promise<void> {
    await database.inWorkspace(workspace, async (tx) => {
      await plant((text, values) => tx.query(text, values), workspace, org, NOW);
      await tx.query(CALLS, [workspace, NOW]);
      await plantVersions((text, values) => tx.query(text, values), workspace);
      const policy = JSON.stringify({ gate: { rules: [{ decision: 'approve' }] } });
      await tx.query(
        'INSERT INTO policies (workspace_id, version, document, created_at) VALUES ($1, 1, $2, $3)',
        [workspace, policy, NOW],
      );
    });
  }

  /** Every scope, as the pass would: all that it finds is approved. */
  async function reflect(workspace: string): Promise<void> {
    const scopes = await database.inWorkspace(workspace, (tx) => scopesInUse(tx, null, 100));
    for (const [at, scope] of scopes.entries()) {
      const unit: UnitInput = {
        workspace,
        operation_id: `op-${at}`,
        parent_id: 'op',
        scope,
        day: '2026-03-02',
        dry_run: false,
        budget: { cards: 500 },
      };
      await database.inWorkspace(workspace, (tx) =>
        tx.query(
          `INSERT INTO runs (workspace_id, id, type, state, workflow_id, created_at)
           VALUES ($1, $2, 'reflection', 'running', $2, $3)`,
          [workspace, unit.operation_id, NOW],
        ),
      );
      const { planReflection, reflectByRules, judgeFound } = activities();
      const env = new MockActivityEnvironment();
      const { batches } = (await env.run(() => planReflection(unit))) as ReflectionPlan;
      for (const batch of batches) {
        await env.run(() => reflectByRules({ unit, batch }));
        await env.run(() => judgeFound({ unit, batch }));
      }
    }
  }

  it(`writes nothing that somebody sees who does not see all that it rests on, in ${RUNS} organisations`, async () => {
    let count = 0;
    const seen = { facts: 0, shown: 0, hidden: 0 };
    await fc.assert(
      fc.asyncProperty(organisation.map(fourfold), async (org) => {
        count += 1;
        const workspace = `org-${count}`;
        await planted(workspace, org);
        await reflect(workspace);
        const cards = new Map(org.cards.map((card) => [card.id, card]));
        const made = await database.inWorkspace(workspace, (tx) =>
          tx.query<{ id: string; sources: string[] }>(
            `SELECT c.id, array_agg(e.to_card) AS sources
               FROM cards c
               JOIN edges e ON e.workspace_id = $1 AND e.from_card = c.id AND e.type = 'derived_from'
              WHERE c.workspace_id = $1 AND c.writer_id = 'reflection'
              GROUP BY c.id`,
            [workspace],
          ),
        );
        seen.facts += made.length;
        for (const reader of readersOf(org)) {
          const as = argumentsOf(workspace, org, reader);
          const visible = await database.inWorkspace(workspace, (tx) =>
            visibleAmong(
              tx,
              as,
              made.map(({ id }) => id),
            ),
          );
          for (const { id, sources } of made) {
            if (!visible.has(id)) {
              seen.hidden += 1;
              continue;
            }
            seen.shown += 1;
            const unseen = sources.filter((source) => {
              const card = cards.get(source);
              return card === undefined || waysOf(org, reader, card).length === 0;
            });
            expect([reader, id, unseen]).toEqual([reader, id, []]);
          }
        }
      }),
      { numRuns: RUNS },
    );
    expect(seen.facts).toBeGreaterThan(RUNS);
    expect(Math.min(seen.shown, seen.hidden)).toBeGreaterThan(RUNS);
  });
});
