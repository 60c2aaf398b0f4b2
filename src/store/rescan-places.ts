import type { RescanPlace } from '../contracts/rescan';

/**
 * How a column is read by the scanner: `text` as a text of its own; `message` the same, and as JSON where it is that;
 * `texts` each of a list; `json` with its keys, as an event's input; `leaves` the words in a document of ours, whose
 * keys and ids are known; `name` as the directory keeps it; `value` as the value of its row's key; `words` a list of the
 * words of a text beside it, and `keywords` too. The rest are columns whose parts hang together.
 */
export type FieldKind =
  | 'text'
  | 'message'
  | 'texts'
  | 'json'
  | 'leaves'
  | 'name'
  | 'value'
  | 'payload'
  | 'summary'
  | 'keywords'
  | 'words'
  | 'snapshot';

export interface PlaceSpec {
  table: string;
  /** What a row is found by, and gone on from; with its type. */
  key: Readonly<Record<string, 'text' | 'int'>>;
  fields: Readonly<Record<string, FieldKind>>;
  /** Read beside them. */
  also?: readonly string[];
  /** Rows of one batch: those that may be long come by the dozen. */
  batch: number;
}

const SHORT = 200;
const LONG = 25;

const named = (table: string): PlaceSpec => ({
  table,
  key: { id: 'text' },
  fields: { name: 'name' },
  batch: SHORT,
});

/** Every column in which text can stand that somebody wrote; a test holds it against the tables. */
export const PLACES: Readonly<Record<RescanPlace, PlaceSpec>> = {
  events: {
    table: 'events',
    key: { event_id: 'text' },
    fields: { payload: 'payload' },
    also: ['redactions'],
    batch: LONG,
  },
  cards: {
    table: 'cards',
    key: { id: 'text' },
    fields: {
      summary: 'summary',
      topic: 'text',
      error_signature: 'text',
      error_family: 'text',
      keywords: 'keywords',
      input_fields: 'json',
      metadata: 'json',
    },
    also: ['version', 'key', 'subject', 'project', 'service', 'operation', 'task_type', 'step'],
    batch: 100,
  },
  card_versions: {
    table: 'card_versions',
    key: { card_id: 'text', version: 'int' },
    fields: { snapshot: 'snapshot' },
    batch: SHORT,
  },
  capture_drafts: {
    table: 'capture_drafts',
    key: { event_id: 'text' },
    fields: { draft: 'leaves' },
    batch: SHORT,
  },
  edges: { table: 'edges', key: { id: 'text' }, fields: { reason: 'text' }, batch: SHORT },
  card_grants: {
    table: 'card_grants',
    key: { card_id: 'text', agent_id: 'text', grant_type: 'text' },
    fields: { purpose: 'text' },
    batch: SHORT,
  },
  card_group_grants: {
    table: 'card_group_grants',
    key: { card_id: 'text', group_id: 'text' },
    fields: { purpose: 'text' },
    batch: SHORT,
  },
  reasons: { table: 'reasons', key: { id: 'text' }, fields: { text: 'text' }, batch: SHORT },
  proposals: {
    table: 'proposals',
    key: { id: 'text' },
    fields: { title: 'text', summary: 'text', change: 'leaves' },
    batch: 100,
  },
  config_fixes: {
    table: 'config_fixes',
    key: { id: 'text' },
    fields: { note: 'text' },
    batch: SHORT,
  },
  skill_versions: {
    table: 'skill_versions',
    key: { card_id: 'text', version: 'int' },
    fields: { description: 'text', body: 'text', document: 'leaves' },
    batch: LONG,
  },
  skill_tests: {
    table: 'skill_tests',
    key: { card_id: 'text', id: 'text' },
    fields: { case: 'leaves' },
    batch: LONG,
  },
  insights: {
    table: 'insights',
    key: { id: 'text' },
    fields: { title: 'text', finding: 'text', urgency: 'leaves' },
    batch: SHORT,
  },
  insight_actions: {
    table: 'insight_actions',
    key: { insight_id: 'text', id: 'text' },
    fields: { text: 'text' },
    batch: SHORT,
  },
  actions: { table: 'actions', key: { hash: 'text' }, fields: { text: 'text' }, batch: SHORT },
  reflections: {
    table: 'reflections',
    key: { id: 'text' },
    fields: { draft: 'leaves' },
    batch: 100,
  },
  run_drafts: {
    table: 'run_drafts',
    key: { run_id: 'text', part: 'text' },
    fields: { draft: 'leaves' },
    batch: LONG,
  },
  messages: {
    table: 'messages',
    key: { conversation_id: 'text', n: 'int' },
    fields: { content: 'message', extracted: 'message', name: 'text' },
    batch: LONG,
  },
  conversation_details: {
    table: 'conversation_details',
    key: { conversation_id: 'text', n: 'int', k: 'int' },
    fields: { text: 'message', items: 'words', terms: 'words', near: 'words' },
    batch: SHORT,
  },
  conversations: {
    table: 'conversations',
    key: { id: 'text' },
    fields: { summary: 'message', asked_terms: 'words' },
    batch: 100,
  },
  compaction_drafts: {
    table: 'compaction_drafts',
    key: { conversation_id: 'text', n: 'int' },
    fields: { draft: 'leaves' },
    batch: LONG,
  },
  pending_writes: {
    table: 'pending_writes',
    key: { id: 'text' },
    fields: { content: 'leaves' },
    batch: 100,
  },
  import_lines: {
    table: 'import_lines',
    key: { import_id: 'text', n: 'int' },
    fields: { line: 'leaves' },
    batch: LONG,
  },
  blackboard: {
    table: 'blackboard',
    key: { session_id: 'text', key: 'text' },
    fields: { value: 'value' },
    batch: LONG,
  },
  workspaces: {
    table: 'workspaces',
    key: { workspace_id: 'text' },
    fields: { name: 'name' },
    batch: SHORT,
  },
  teams: named('teams'),
  people: named('people'),
  subjects: named('subjects'),
  projects: named('projects'),
  api_keys: named('api_keys'),
};

/** As a statement names it: `case` is a word of SQL too. */
export const quoted = (column: string): string => `"${column}"`;
