import { LEFT_OUT } from '../src/store/export-left-out';
import { EXPORT_TABLES } from '../src/store/export-tables';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { exportedLines, imported, rowsIn, typeOf } from './support/transfers';

jest.setTimeout(120_000);

const SECRET = 'the secret key of two databases of one installation';
const AT = '2026-03-02T08:00:00.123456+00:00';

/** A row of each table that nothing a caller does fills by itself, by its type; what it refers to stands before it. */
const PLANTED: readonly (readonly [type: string, statement: string])[] = [
  [
    'agent',
    `INSERT INTO agents (workspace_id, id, depth, registered_by, created_at) VALUES ($1, 'scout', 0, 'person', $2)`,
  ],
  [
    'event',
    `INSERT INTO events (workspace_id, event_id, agent_id, reporter_kind, reporter_id, recorded_at, content_hash)
     VALUES ($1, 'e', 'scout', 'runtime', 'r', $2, '\\x00ff')`,
  ],
  [
    'run',
    `INSERT INTO runs (workspace_id, id, type, state, workflow_id, created_at, cost)
     VALUES ($1, 'run', 'reflection', 'completed', 'reflect/default/1', $2, 0.1234567890123456789012)`,
  ],
  [
    'run_change',
    `INSERT INTO run_changes (workspace_id, run_id, n, change, card_id, related, at)
     VALUES ($1, 'run', 1, 'created', 'card', '{a,b}', $2)`,
  ],
  [
    'card',
    `INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, scope_type, scope_id, confidence, trust,
                        valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by, agent_id, index_length)
     SELECT $1, id, 'insight', 'semantic', 'neutral', 'active', 'A card of ' || id, 'agent', 'scout', 0.1::float8 * 3,
            'runtime', $2, $2, $2, 'runtime', 'r', 'fallback', 'scout', 0
       FROM unnest(ARRAY['card', 'other']) AS id`,
  ],
  [
    'card_usage',
    `INSERT INTO card_usage (workspace_id, card_id, use_count, last_used_at) VALUES ($1, 'card', 3, $2)`,
  ],
  ['watch', `INSERT INTO watches (workspace_id, card_id, since) VALUES ($1, 'card', $2)`],
  [
    'insight',
    `INSERT INTO insights (workspace_id, id, card_id, origin, title, finding, domain, severity, follow_up, urgency,
                           score, owner_kind, owner_id, created_at)
     VALUES ($1, 'ins', 'card', 'chat_pin', 'A title', 'A finding', 'labor', 'high', 'P14D', '{"score": 12.5}', 12.5,
             'person', 'owner', $2)`,
  ],
  [
    'metric',
    `INSERT INTO metric_snapshots (workspace_id, id, name, value, at, role, insight_id, source_kind, source_id, recorded_at)
     VALUES ($1, 'm1', 'labor_cost', 1234.56, $2, 'baseline', 'ins', 'person', 'owner', $2),
            ($1, 'm2', 'labor_cost', 1e-7, $2, 'pushed', NULL, 'person', 'owner', $2)`,
  ],
  [
    'action',
    `INSERT INTO actions (workspace_id, hash, text, created_at) VALUES ($1, repeat('ab', 32), 'do it', $2)`,
  ],
  [
    'insight_action',
    `INSERT INTO insight_actions (workspace_id, insight_id, id, position, hash, text, status, taken_at, ended_at)
     VALUES ($1, 'ins', 'act', 1, repeat('ab', 32), 'Do it', 'measured', $2, $2)`,
  ],
  [
    'action_outcome',
    `INSERT INTO action_outcomes (workspace_id, insight_id, action_id, hash, result, size, at, channel, by_kind, by_id)
     VALUES ($1, 'ins', 'act', repeat('ab', 32), 'improved', -0.18, $2, 'measured', 'system', 'insight')`,
  ],
  [
    'proposal',
    `INSERT INTO proposals (workspace_id, id, type, status, matter, title, summary, drafted_by, evidence, change,
                            proposed_by_kind, proposed_by, created_at, opened_at, expires_at, operation_id, workflow_id)
     VALUES ($1, 'p', 'config_fix', 'applied', 'fix', 'A title', 'A summary', 'rule', '{card}', '{"fix": "Ask."}',
             'system', 'cairn', $2, $2, $2, 'op', 'proposal/default/p')`,
  ],
  [
    'proposal_decision',
    `INSERT INTO proposal_decisions (workspace_id, proposal_id, id, version, by_person, decision, outcome, channel, at)
     VALUES ($1, 'p', 'd', 1, 'owner', 'approve', 'taken', 'api', $2)`,
  ],
  [
    'config_fix',
    `INSERT INTO config_fixes (workspace_id, id, proposal_id, version, team_id, workflow, step, status, approved_at, note)
     VALUES ($1, 'fix', 'p', 1, 'red', 'moor', 'pay', 'applied', $2, 'A note')`,
  ],
  [
    'fix_observation',
    `INSERT INTO fix_observations (workspace_id, fix_id, event_id, worked, card_id, occurred_at)
     VALUES ($1, 'fix', 'e', true, 'card', $2)`,
  ],
  [
    'dismissed_conflict',
    `INSERT INTO dismissed_conflicts (workspace_id, one_card, other_card, proposal_id, at)
     VALUES ($1, 'card', 'other', 'p', $2)`,
  ],
  [
    'reflection',
    `INSERT INTO reflections (workspace_id, id, run_id, type, matter_hash, draft, sources, confidence, evidence, agents,
                              decision, reason, created_at)
     VALUES ($1, 'refl', 'run', 'fact', 'hash', '{"text": "A draft"}', '{card}', 0.7, 2, 1, 'rejected', 'rule', $2)`,
  ],
  [
    'reflected_scope',
    `INSERT INTO reflected_scopes (workspace_id, scope_type, scope_id, read_to, read_id)
     VALUES ($1, 'workspace', $1, $2, 'card')`,
  ],
  [
    'pending_write',
    `INSERT INTO pending_writes (workspace_id, id, agent_id, type, content, created_at)
     VALUES ($1, 'w', 'scout', 'card', '{"summary": "A draft"}', $2)`,
  ],
  [
    'confidence_mark',
    `INSERT INTO confidence_marks (workspace_id, card_id, agent_id, day) VALUES ($1, 'card', 'scout', $2::date)`,
  ],
  [
    'legal_hold',
    `INSERT INTO legal_holds (workspace_id, id, subjects, set_by, created_at, changed_at)
     VALUES ($1, 'hold', '{ann}', 'owner', $2, $2)`,
  ],
  [
    'erasure',
    `INSERT INTO erasures (workspace_id, id, operation_id, workflow_id, status, selector, named, requested_by_kind, requested_by,
                           requested_at, accepted_by, receipt)
     VALUES ($1, 'er', 'op', 'erase/default/er', 'completed', '{"card": 1}', '[]', 'person', 'sur_1', $2, '7', '{"hashes": []}')`,
  ],
  [
    'tombstone',
    `INSERT INTO tombstones (workspace_id, kind, hash, erasure_id, at)
     VALUES ($1, 'card', '\\x00ff', 'er', $2), ($1, 'card', '\\x01', 'er', $2)`,
  ],
];

describe('a table', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startApi({ secretKey: SECRET, clock: () => new Date(AT) });
  });
  afterAll(() => api.close());

  it('is exported, or left out for a reason, and never both', async () => {
    const rows = await api.database.asOwner<{ name: string }>(
      `SELECT c.relname AS name
         FROM pg_class c
         JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
         JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
        WHERE c.relkind = 'r'`,
    );
    const placed = [...EXPORT_TABLES.map(({ table }) => table), ...Object.keys(LEFT_OUT)];
    expect(placed.sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it('has every column of its lines in the columns that are named for it', async () => {
    for (const {
      table,
      key,
      omit = [],
      exact = [],
      texts = [],
      json = [],
      ids = [],
    } of EXPORT_TABLES) {
      const rows = await api.database.asOwner<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'public.${table}'::regclass AND attnum > 0`,
      );
      const named = [
        ...key.map(([column]) => column),
        ...omit,
        ...exact,
        ...texts,
        ...json,
        ...ids,
      ];
      const unknown = named.filter((column) => !rows.some(({ name }) => name === column));
      expect([table, unknown]).toEqual([table, []]);
    }
  });
});

describeNative('a row of each table', () => {
  it('comes back with every digit', async () => {
    const clock = () => new Date(AT);
    const [api, other] = await Promise.all([
      startApi({ secretKey: SECRET, clock }),
      startApi({ secretKey: SECRET, clock }),
    ]);
    try {
      for (const [, statement] of PLANTED) {
        await api.database.inWorkspace('default', (tx) => tx.query(statement, ['default', AT]));
      }
      const first = await exportedLines(api);
      const types = new Set(first.map(typeOf));
      expect(PLANTED.map(([type]) => type).filter((type) => !types.has(type))).toEqual([]);
      expect((await imported(other, first)).result).toMatchObject({
        status: 'completed',
        skipped: 0,
      });
      expect(rowsIn(await exportedLines(other))).toEqual(rowsIn(first));
      expect(first.join()).toContain('0.1234567890123456789012');
      expect(first.join()).toContain('08:00:00.123456+00:00');
    } finally {
      await Promise.all([api.close(), other.close()]);
    }
  });
});
