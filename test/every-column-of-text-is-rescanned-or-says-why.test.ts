import { RESCAN_PLACES } from '../src/contracts/rescan';
import { PLACES } from '../src/store/rescan-places';
import { type RecallLane, startRecallLane } from './support/filing';
import { rowsOf } from './support/upkeep';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

/** Names of columns that hold ids, members of closed lists and numbers, in whichever table. */
const CALLED = new RegExp(
  '^(?:(?:.*_)?(?:id|ids|by|by_person|kind|type|status|state|mode|version|hash|code|outcome)|' +
    'role|disposition|decision|action|channel|change|direction|origin|severity|sign|tier|trust|visibility|' +
    'memory|goal|unit|intent|profile|surface|via|section|execution_mode|degraded|model|embedder|versions|budget|' +
    'counts|cards|events|sources|evidence|related|flags|number|day)$',
);

const LABEL = 'a label or an id: checked when it came, and what things are called by';
const OURS = 'ids, numbers and codes of ours';
const MADE = 'made anew with the card that it is of';
const LOG = 'a log: holds no content, by its design';

/** Columns that no rescan goes through for another reason. */
const LEFT: Readonly<Record<string, string>> = {
  'access_log.agent': LOG,
  'access_log.person': LOG,
  'access_log.session': LOG,
  'audit_chain.access_marks': LOG,
  'audit_chain.audit_marks': LOG,
  'audit_chain.head': LOG,
  'audit_log.changed': LOG,
  'audit_log.hashes': LOG,

  'action_outcomes.metric': LABEL,
  'action_outcomes.result': OURS,
  'agents.parent_agent': LABEL,
  'agents.succeeds': LABEL,
  'api_keys.replaces': OURS,
  'blackboard.key': LABEL,
  'captures.distill_end': OURS,
  'captures.reason': OURS,
  'card_embeddings.field': OURS,
  'card_terms.term': MADE,
  'entities.name': MADE,
  'term_statistics.term': MADE,
  'cards.key': LABEL,
  'cards.operation': LABEL,
  'cards.parent_event': LABEL,
  'cards.project': LABEL,
  'cards.promoted_from': OURS,
  'cards.service': LABEL,
  'cards.session': LABEL,
  'cards.status_before': OURS,
  'cards.step': LABEL,
  'cards.subject': LABEL,
  'cards.task': LABEL,
  'cards.workflow': LABEL,
  'config_fixes.step': LABEL,
  'config_fixes.workflow': LABEL,
  'conversations.compacting': OURS,
  'conversations.project': LABEL,
  'conversations.subject': LABEL,
  'decision_intents.winner': OURS,
  'deliveries.data': OURS,
  'deliveries.last_error': OURS,
  'dismissed_conflicts.one_card': OURS,
  'dismissed_conflicts.other_card': OURS,
  'edges.from_card': OURS,
  'edges.to_card': OURS,
  'erasure_items.was': OURS,
  'erasure_terms.term': 'what an erasure looks for until it has ended, which is minutes',
  'erasures.legal_basis': OURS,
  'erasures.named': 'keyed hashes',
  'erasures.places': OURS,
  'erasures.position': OURS,
  'erasures.receipt': 'signed: holds hashes, numbers and places',
  'erasures.selector': OURS,
  'events.redactions': OURS,
  'idempotency.key': LABEL,
  'idempotency.principal': LABEL,
  'idempotency.resource': OURS,
  'import_lines.refused': OURS,
  'imports.chain': OURS,
  'imports.from_workspace': LABEL,
  'imports.problems': OURS,
  'insights.domain': LABEL,
  'insights.follow_up': OURS,
  'legal_holds.agents': LABEL,
  'legal_holds.people': LABEL,
  'legal_holds.projects': LABEL,
  'legal_holds.subjects': LABEL,
  'metric_snapshots.name': LABEL,
  'model_usage.activity': OURS,
  'outbox.arguments': OURS,
  'outbox.last_error': OURS,
  'pending_writes.session': LABEL,
  'people.email_token': 'the token that stands for an address',
  'policies.document': 'rules, by labels',
  'proposals.matter': 'labels and hashes',
  'proposals.proposed_for': LABEL,
  'recalls.session': LABEL,
  'reflections.reason': OURS,
  'rescans.progress': 'numbers, and for as long as it runs the key of a row',
  'rescans.scans_as': OURS,
  'run_changes.not_undone': OURS,
  'run_changes.reason': OURS,
  'run_drafts.part': OURS,
  'runs.error': OURS,
  'runs.read_from': OURS,
  'runs.result': OURS,
  'sessions.root_agent': LABEL,
  'skill_tests.source_card': OURS,
  'skill_tests.source_event': LABEL,
  'skill_versions.test_result': OURS,
  'skills.name': LABEL,
  'sources.name': LABEL,
  'statistics_marks.counted_to': OURS,
  'strike_steps.step': LABEL,
  'strike_steps.workflow': LABEL,
  'strikes.step': LABEL,
  'strikes.workflow': LABEL,
  'subjects.household': LABEL,
  'surrogates.name': LABEL,
  'workspaces.embedding_model': LABEL,
  'workspaces.embedding_shadow': LABEL,
  'workspaces.scanned_as': OURS,
};

it('a column that can hold text is in a place of the rescan, or here with the reason', async () => {
  const columns = await rowsOf<{ table: string; column: string }>(
    lane,
    `SELECT c.table_name AS table, c.column_name AS column
       FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND (c.data_type IN ('text', 'json', 'jsonb', 'character varying') OR c.data_type = 'ARRAY' AND c.udt_name = '_text')
      ORDER BY 1, 2`,
  );
  const scanned = new Set(
    RESCAN_PLACES.flatMap((place) =>
      Object.keys(PLACES[place].fields).map((column) => `${PLACES[place].table}.${column}`),
    ),
  );
  const unanswered = columns
    .filter(({ table, column }) => !scanned.has(`${table}.${column}`))
    .filter(({ column }) => !CALLED.test(column))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => LEFT[name] === undefined);
  expect(unanswered).toEqual([]);
  const there = columns.map(({ table, column }) => `${table}.${column}`);
  expect([...scanned, ...Object.keys(LEFT)].filter((name) => !there.includes(name))).toEqual([]);
});
