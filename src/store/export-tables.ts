import { MOVES_OF_CAPTURE, MOVES_OF_RUN } from './export-moves';
import type { ExportTable } from './export-table';

const ID = [['id', 'text']] as const;
const OF_CARD = ['t.card_id'] as const;
/** Texts of a card's row, and of what its versions remember. */
export const CARD_TEXTS = ['summary', 'topic', 'keywords', 'error_signature'] as const;
export const CARD_JSON = ['metadata', 'input_fields'] as const;
const CARD_IDS = ['key', 'subject', 'project', 'session', 'task', 'agent_id', 'event_id'] as const;
const CARD_OF_INSIGHT =
  '(SELECT i.card_id FROM insights i WHERE i.workspace_id = t.workspace_id AND i.id = t.insight_id)';
const ABOUT_CONVERSATION =
  't.conversation_id IN (SELECT c.id FROM conversations c WHERE c.workspace_id = $1 AND c.subject = $2)';

/**
 * Every table that leaves with an export, in the order of its lines: what a row refers to stands before it. A table
 * that is in neither this list nor `LEFT_OUT` fails a test.
 */
export const EXPORT_TABLES: readonly ExportTable[] = [
  { type: 'team', table: 'teams', key: ID, texts: ['name'], ids: ['id'] },
  {
    type: 'subject',
    table: 'subjects',
    key: ID,
    subject: 't.id = $2',
    texts: ['name'],
    ids: ['id', 'household'],
  },
  {
    type: 'person',
    table: 'people',
    key: ID,
    subject: 't.subject_id = $2',
    // The owner that a workspace begins with is there before any file.
    moves: [{ given: `given ->> 'role' = 'owner'`, columns: ['created_at'] }],
    texts: ['name'],
    ids: ['id'],
  },
  // By depth, so that a parent stands before its children.
  {
    type: 'agent',
    table: 'agents',
    key: [
      ['depth', 'int'],
      ['id', 'text'],
    ],
    texts: ['agent_type'],
    ids: ['id'],
  },
  { type: 'project', table: 'projects', key: ID, texts: ['name'], ids: ['id'] },
  { type: 'agent_group', table: 'agent_groups', key: ID, ids: ['id'] },
  {
    type: 'group_member',
    table: 'group_members',
    key: [
      ['group_id', 'text'],
      ['agent_id', 'text'],
    ],
  },
  { type: 'session', table: 'sessions', key: ID, ids: ['id'] },
  {
    type: 'source',
    table: 'sources',
    key: [
      ['kind', 'text'],
      ['name', 'text'],
    ],
    ids: ['name'],
  },
  { type: 'policy', table: 'policies', key: [['version', 'int']] },
  { type: 'reason', table: 'reasons', key: ID, texts: ['text'] },
  {
    type: 'event',
    table: 'events',
    key: [['event_id', 'text']],
    subject: `t.payload ->> 'subject' = $2`,
    ids: ['event_id', 'agent_id'],
  },
  {
    type: 'capture',
    table: 'captures',
    key: [['event_id', 'text']],
    omit: ['swept_at'],
    moves: MOVES_OF_CAPTURE,
    subject: `EXISTS (SELECT 1 FROM events e WHERE e.workspace_id = $1 AND e.event_id = t.event_id AND e.payload ->> 'subject' = $2)`,
  },
  {
    type: 'run',
    table: 'runs',
    key: ID,
    exact: ['cost'],
    moves: MOVES_OF_RUN,
    // A pass that is under way is no record yet; what waits for a workflow is started again where it comes in.
    where: `t.type <> 'import' AND (t.state NOT IN ('pending', 'running') OR t.type IN ('capture', 'compaction', 'proposal'))`,
  },
  {
    type: 'run_change',
    table: 'run_changes',
    key: [
      ['run_id', 'text'],
      ['n', 'int'],
    ],
    where: `t.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND r.state NOT IN ('pending', 'running'))`,
  },
  {
    type: 'card',
    table: 'cards',
    key: ID,
    // Postings and vectors are made again.
    omit: ['index_length', 'embedder'],
    subject: 't.subject = $2',
    cards: ['t.id'],
    forAgents: true,
    texts: CARD_TEXTS,
    json: CARD_JSON,
    ids: CARD_IDS,
  },
  {
    type: 'card_version',
    table: 'card_versions',
    key: [
      ['card_id', 'text'],
      ['version', 'int'],
    ],
    // What a version says of somebody else is not this subject's, whoever the card is about now.
    subject: `t.snapshot ->> 'subject' = $2`,
    cards: OF_CARD,
  },
  {
    type: 'card_usage',
    table: 'card_usage',
    key: [['card_id', 'text']],
    subject: 'true',
    cards: OF_CARD,
  },
  {
    type: 'card_group_grant',
    table: 'card_group_grants',
    key: [
      ['card_id', 'text'],
      ['group_id', 'text'],
    ],
    subject: 'true',
    cards: OF_CARD,
    texts: ['purpose'],
  },
  {
    type: 'card_grant',
    table: 'card_grants',
    key: [
      ['card_id', 'text'],
      ['agent_id', 'text'],
      ['grant_type', 'text'],
    ],
    subject: 'true',
    cards: OF_CARD,
    texts: ['purpose'],
  },
  { type: 'skill', table: 'skills', key: [['card_id', 'text']], subject: 'true', cards: OF_CARD },
  {
    type: 'skill_version',
    table: 'skill_versions',
    key: [
      ['card_id', 'text'],
      ['version', 'int'],
    ],
    subject: 'true',
    cards: OF_CARD,
    texts: ['description', 'body'],
    json: ['document'],
  },
  {
    type: 'skill_test',
    table: 'skill_tests',
    key: [
      ['card_id', 'text'],
      ['id', 'text'],
    ],
    subject: 'true',
    cards: ['t.card_id', 't.source_card'],
    json: ['case'],
  },
  { type: 'watch', table: 'watches', key: [['card_id', 'text']], subject: 'true', cards: OF_CARD },
  {
    type: 'insight',
    table: 'insights',
    key: ID,
    subject: 'true',
    cards: OF_CARD,
    texts: ['title', 'finding'],
    json: ['urgency'],
  },
  {
    type: 'metric',
    table: 'metric_snapshots',
    key: ID,
    subject: 't.insight_id IS NOT NULL',
    cards: [CARD_OF_INSIGHT],
    ids: ['name'],
  },
  {
    type: 'action',
    table: 'actions',
    key: [['hash', 'text']],
    subject: 'true',
    // In words that an insight said first; what is blocked is so for everybody.
    cardList: {
      list: `(SELECT array_agg(i.card_id) FROM insight_actions a JOIN insights i ON i.workspace_id = $1 AND i.id = a.insight_id WHERE a.workspace_id = $1 AND a.hash = t.hash)`,
      need: 'one',
      or: '$2::text IS NULL AND t.blocked_at IS NOT NULL',
    },
    texts: ['text'],
  },
  {
    type: 'insight_action',
    table: 'insight_actions',
    key: [
      ['insight_id', 'text'],
      ['id', 'text'],
    ],
    subject: 'true',
    cards: [CARD_OF_INSIGHT],
    texts: ['text'],
  },
  {
    type: 'action_outcome',
    table: 'action_outcomes',
    key: [
      ['insight_id', 'text'],
      ['action_id', 'text'],
    ],
    subject: 'true',
    cards: [CARD_OF_INSIGHT],
  },
  {
    type: 'edge',
    table: 'edges',
    key: ID,
    subject: 'true',
    cards: ['t.from_card', 't.to_card'],
    forAgents: true,
    texts: ['reason'],
  },
  {
    type: 'competence_observation',
    table: 'competence_observations',
    key: [['event_id', 'text']],
    exact: ['cost', 'duration_ms'],
  },
  {
    type: 'competence',
    table: 'competence',
    key: [
      ['agent_id', 'text'],
      ['task_type', 'text'],
    ],
    exact: ['cost_total', 'duration_total'],
  },
  { type: 'strike', table: 'strikes', key: [['event_id', 'text']] },
  {
    type: 'strike_step',
    table: 'strike_steps',
    key: [
      ['team_id', 'text'],
      ['workflow', 'text'],
      ['step', 'text'],
    ],
  },
  {
    type: 'proposal',
    table: 'proposals',
    key: ID,
    // Its own workflow here says of each that it was opened, and reminds.
    moves: [{ columns: ['announced', 'reminders', 'reminded_for', 'run_id'] }],
    texts: ['title', 'summary'],
    json: ['change'],
  },
  {
    type: 'proposal_decision',
    table: 'proposal_decisions',
    key: [
      ['proposal_id', 'text'],
      ['id', 'text'],
    ],
  },
  { type: 'config_fix', table: 'config_fixes', key: ID, texts: ['note'] },
  {
    type: 'fix_observation',
    table: 'fix_observations',
    key: [
      ['fix_id', 'text'],
      ['event_id', 'text'],
    ],
  },
  {
    type: 'dismissed_conflict',
    table: 'dismissed_conflicts',
    key: [
      ['one_card', 'text'],
      ['other_card', 'text'],
    ],
  },
  {
    type: 'reflection',
    table: 'reflections',
    key: ID,
    where: `t.run_id IN (SELECT r.id FROM runs r WHERE r.workspace_id = $1 AND r.state NOT IN ('pending', 'running'))`,
    cardList: { list: 't.sources', need: 'all' },
    json: ['draft'],
  },
  {
    type: 'reflected_scope',
    table: 'reflected_scopes',
    key: [
      ['scope_type', 'text'],
      ['scope_id', 'text'],
    ],
  },
  {
    type: 'conversation',
    table: 'conversations',
    key: ID,
    subject: 't.subject = $2',
    texts: ['summary'],
    ids: ['id', 'subject', 'project'],
  },
  {
    type: 'message',
    table: 'messages',
    key: [
      ['conversation_id', 'text'],
      ['n', 'int'],
    ],
    subject: ABOUT_CONVERSATION,
    texts: ['content', 'name', 'extracted'],
  },
  {
    type: 'conversation_detail',
    table: 'conversation_details',
    key: [
      ['conversation_id', 'text'],
      ['n', 'int'],
      ['k', 'int'],
    ],
    subject: ABOUT_CONVERSATION,
    texts: ['text'],
  },
  { type: 'pending_write', table: 'pending_writes', key: ID, json: ['content'] },
  { type: 'recall', table: 'recalls', key: ID },
  {
    type: 'recall_card',
    table: 'recall_cards',
    key: [
      ['recall_id', 'text'],
      ['card_id', 'text'],
    ],
  },
  {
    type: 'confidence_mark',
    table: 'confidence_marks',
    key: [
      ['card_id', 'text'],
      ['agent_id', 'text'],
    ],
  },
  { type: 'legal_hold', table: 'legal_holds', key: ID, ids: ['id'] },
  // Last: what is erased here is not in this file, and may be where it comes in.
  {
    type: 'erasure',
    table: 'erasures',
    key: ID,
    // Under way it is none yet; one that a hold kept back, or that still found something, has its receipt too.
    where: `t.status IN ('completed', 'held', 'unverified')`,
    texts: ['legal_basis'],
  },
  {
    type: 'tombstone',
    table: 'tombstones',
    key: [
      ['kind', 'text'],
      ['hash', 'bytea'],
      ['erasure_id', 'text'],
    ],
  },
];

export function exportTableOf(type: string): ExportTable | undefined {
  return BY_TYPE.get(type);
}

const BY_TYPE: ReadonlyMap<string, ExportTable> = new Map(
  EXPORT_TABLES.map((table) => [table.type, table]),
);
