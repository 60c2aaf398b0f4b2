import type { Tx } from './database';
import type { ItemKind } from './erasure-items';

/** What an erasure does with a table. */
interface TableFate {
  /** Rows that go whole with items of a kind: $1 is the workspace, $2 the ids of the items. */
  goes?: Partial<Record<ItemKind, string>>;
  /** What happens otherwise, or why nothing does. */
  note: string;
}

const CARD = 'card_id = ANY ($2)';
const OF_INSIGHT =
  'insight_id IN (SELECT n.id FROM insights n WHERE n.workspace_id = $1 AND n.card_id = ANY ($2))';
const CAPTURED =
  'IN (SELECT k.operation_id FROM captures k WHERE k.workspace_id = $1 AND k.event_id = ANY ($2))';

/**
 * Every table, and what an erasure does with it: whoever adds a table says so here. Rows are deleted in this order, so
 * that one goes before the one that it refers to.
 */
export const TABLE_FATES: Readonly<Record<string, TableFate>> = {
  // What tells of cards, before the cards.
  card_terms: { note: 'with the counts of their words (rollup.ts)' },
  term_statistics: { note: 'fewer by what went; a word that no card holds goes (rollup.ts)' },
  scope_statistics: {
    note: 'fewer by what went; those of an erased agent go (erasure-directory.ts)',
  },
  statistics_marks: { note: 'stays: how far was counted' },
  card_embeddings: { goes: { card: CARD }, note: 'vectors are made from text' },
  entities: { goes: { card: CARD }, note: 'names that a card names' },
  card_grants: {
    goes: { card: CARD },
    note: 'those to an erased agent go too (erasure-directory.ts)',
  },
  card_group_grants: { goes: { card: CARD }, note: 'with its purpose' },
  card_usage: { goes: { card: CARD }, note: 'a count of a card that is gone' },
  confidence_marks: {
    goes: { card: CARD },
    note: 'those of an erased agent go too (erasure-directory.ts)',
  },
  recall_cards: { goes: { card: CARD }, note: 'that something was recalled stays in `recalls`' },
  recalls: { note: 'stays, without an erased agent, person or session (erasure-directory.ts)' },
  edges: {
    goes: { card: '(from_card = ANY ($2) OR to_card = ANY ($2))' },
    note: 'reasons quote their cards; those that a reflection found of them too (card-writes-erased.ts)',
  },
  dismissed_conflicts: {
    goes: { card: '(one_card = ANY ($2) OR other_card = ANY ($2))' },
    note: 'a pair without an end',
  },
  watches: { goes: { card: CARD }, note: 'of a card that is gone' },
  skill_tests: {
    goes: { card: `(${CARD} OR source_card = ANY ($2))`, event: 'source_event = ANY ($2)' },
    note: 'a test replays what happened',
  },
  skill_versions: {
    goes: { card: CARD },
    note: 'of a skill that stays, versions that rest on what went (card-writes-erased-skill.ts)',
  },
  skills: { goes: { card: CARD }, note: 'with their card' },
  reasons: {
    goes: {
      card: `id IN (SELECT a.reason_id
                      FROM insights n
                      JOIN audit_log a ON a.workspace_id = $1 AND a.target_type = 'insight' AND a.target_id = n.id
                     WHERE n.workspace_id = $1 AND n.card_id = ANY ($2) AND a.reason_id IS NOT NULL)`,
    },
    note: 'those that logs of erased rows refer to go, of insights here (card-writes-erased-mentions.ts)',
  },
  action_outcomes: { goes: { card: `(${CARD} OR ${OF_INSIGHT})` }, note: 'what came of an action' },
  metric_snapshots: { goes: { card: OF_INSIGHT }, note: 'pushed ones are about no card' },
  insight_actions: { goes: { card: OF_INSIGHT }, note: 'with their texts' },
  actions: { note: 'those that no insight recommends any more go (card-writes-erased.ts)' },
  insights: { goes: { card: CARD }, note: 'with their card' },
  strikes: {
    goes: { card: CARD, event: 'event_id = ANY ($2)' },
    note: 'a failure that is gone counts for nothing',
  },
  strike_steps: { note: 'stays: labels of a workflow and a counter' },
  fix_observations: {
    goes: { card: CARD, event: 'event_id = ANY ($2)' },
    note: 'a use of a fix that is gone',
  },
  run_changes: {
    goes: { card: CARD, event: `run_id ${CAPTURED}` },
    note: 'of other lines the ids go (card-writes-erased.ts)',
  },
  reflections: { note: 'lose their words and the ids of what went (card-writes-erased.ts)' },
  card_versions: {
    goes: { card: CARD },
    note: 'of a card that is written again, the old words (card-writes-erased-again.ts)',
  },
  cards: { goes: { card: 'id = ANY ($2)' }, note: 'what rests on something else is written again' },

  // Behind the versions, which whoever keeps a draft holds (run-drafts.ts).
  run_drafts: {
    goes: { card: 'sources && $2::text[]', event: `run_id ${CAPTURED}` },
    note: 'texts on their way; of a card that is written again too (erasure-drafts.ts)',
  },

  // What happened.
  capture_drafts: {
    goes: { event: 'event_id = ANY ($2)' },
    note: 'words of a card that will not be; those that quote a card that goes are found again (erasure-drafts.ts)',
  },
  competence_observations: {
    note: 'those of the events, and the record is counted again (erasure-events.ts)',
  },
  competence: {
    note: 'counted again (erasure-events.ts); that of an erased agent goes (erasure-directory.ts)',
  },
  outbox: {
    goes: {
      event: `arguments ->> 'event_id' = ANY ($2)`,
      conversation: `arguments ->> 'conversation_id' = ANY ($2)`,
    },
    note: 'a start of what is gone; deliveries with their rows (card-writes-erased-mentions.ts)',
  },
  runs: {
    goes: { event: `id ${CAPTURED}` },
    note: 'of others the ids and names that went (card-writes-erased-mentions.ts)',
  },
  captures: { goes: { event: 'event_id = ANY ($2)' }, note: 'with their event' },
  events: {
    goes: { event: 'event_id = ANY ($2)' },
    note: 'of others the name of an erased parent (card-writes-erased-mentions.ts)',
  },

  // Conversations.
  compaction_drafts: {
    goes: { conversation: 'conversation_id = ANY ($2)' },
    note: 'a summary on its way',
  },
  conversation_details: {
    goes: { conversation: 'conversation_id = ANY ($2)' },
    note: 'clauses of messages',
  },
  messages: { goes: { conversation: 'conversation_id = ANY ($2)' }, note: 'what was said' },
  conversations: { goes: { conversation: 'id = ANY ($2)' }, note: 'with their summary' },

  // Working memory and what waits.
  blackboard: {
    goes: { session: 'session_id = ANY ($2)' },
    note: 'entries that name what went too (erasure-blackboard.ts), and of an erased writer (erasure-directory.ts)',
  },
  sessions: { note: 'those that nothing is left of (erasure-directory.ts)' },
  pending_writes: { goes: { pending_write: 'id = ANY ($2)' }, note: 'with their content' },
  proposals: { note: 'lose their words; what waits is withdrawn (erasure-proposals.ts)' },
  proposal_decisions: { note: 'stay without their reason (erasure-proposals.ts)' },
  decision_intents: {
    goes: { proposal: 'proposal_id = ANY ($2)' },
    note: 'what was decided stands in the decisions',
  },
  config_fixes: { note: 'lose their note; what was not applied lapses (erasure-proposals.ts)' },

  // Who and what there is.
  subjects: { note: 'an erased one goes (erasure-directory.ts)' },
  people: { note: 'an erased one goes (erasure-directory.ts)' },
  agents: { note: 'an erased one goes, unless it has worked since (erasure-directory.ts)' },
  projects: { note: 'an erased one goes (erasure-directory.ts)' },
  sources: { note: 'an erased one goes, unless it is stopped (erasure-directory.ts)' },
  api_keys: { note: 'those of an erased person or agent go (erasure-directory.ts)' },
  console_sessions: { note: 'go with their key' },
  group_members: { note: 'an erased agent leaves its groups (erasure-directory.ts)' },
  surrogates: {
    note: 'the names of what was erased go: ids in the logs stay ids (erasure-directory.ts)',
  },
  scope_leases: { note: 'those of an erased agent go (erasure-directory.ts)' },
  reflected_scopes: { note: 'those of an erased agent go (erasure-directory.ts)' },
  idempotency: { note: 'rows that name what went go (card-writes-erased-mentions.ts)' },
  deliveries: {
    note: 'rows that name what went go, in flight too (card-writes-erased-mentions.ts)',
  },
  imports: { note: 'problems that name what went lose it (card-writes-erased-mentions.ts)' },
  import_lines: { note: 'lines that name what went go (card-writes-erased-mentions.ts)' },

  // What stays as it is.
  workspaces: { note: 'stays: settings' },
  model_usage: { note: 'stays: how many calls and tokens, of nobody' },
  teams: { note: 'stays: no team is erased' },
  agent_groups: { note: 'stays: names of groups' },
  policies: { note: 'stays: rules that people wrote' },
  webhooks: { note: 'stays: sealed addresses' },
  installation: { note: 'stays: a fingerprint of a key' },
  audit_log: { note: 'stays: ids, field names and hashes, no content' },
  access_log: { note: 'stays: ids, no content' },
  audit_chain: { note: 'stays: hashes of the logs' },
  rescans: { note: 'stays: counts' },
  legal_holds: { note: 'stays: what it keeps is not erased' },
  erasures: { note: 'the record and its receipt' },
  tombstones: { note: 'keyed hashes in place of what went' },
  erasure_items: { note: 'go when the erasure ends' },
  erasure_terms: { note: 'go when the erasure ends' },
};

/** Deletes the rows that go with these items. @returns how many of each table */
export async function deleteWith(
  tx: Tx,
  kind: ItemKind,
  ids: readonly string[],
): Promise<Record<string, number>> {
  const gone: Record<string, number> = {};
  for (const [table, { goes }] of Object.entries(TABLE_FATES)) {
    const where = goes?.[kind];
    if (where === undefined) continue;
    const { rows } = await tx.one<{ rows: number }>(
      `WITH gone AS (DELETE FROM ${table} WHERE workspace_id = $1 AND ${where} RETURNING 1)
       SELECT count(*)::int AS rows FROM gone`,
      [tx.workspace, ids],
    );
    gone[table] = rows;
  }
  return gone;
}
