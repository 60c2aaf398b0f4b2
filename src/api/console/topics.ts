import { STREAM_TOPICS, type StreamTopic } from '../../contracts/console';
import type { Caller } from '../authentication';
import { ROUTE_RULES, refusalOf } from '../roles';

/** What a row of the audit log speaks of, by the type of its target. Any other type changes the log alone. */
const OF_TARGET: Readonly<Record<string, readonly StreamTopic[]>> = {
  action: ['actions'],
  agent: ['agents'],
  agent_group: ['agents'],
  card: ['cards', 'skills'],
  config_fix: ['config_fixes', 'proposals'],
  conversation: ['conversations'],
  erasure: ['erasures'],
  event: ['events'],
  import: ['runs'],
  insight: ['insights'],
  key: ['keys'],
  legal_hold: ['legal_holds'],
  note: ['cards'],
  pending_write: ['pending_writes'],
  person: ['people'],
  policy: ['policy'],
  project: ['projects'],
  proposal: ['proposals'],
  reflection: ['runs'],
  run: ['runs'],
  runtime: ['sources'],
  service: ['sources'],
  session: ['sessions'],
  skill: ['skills'],
  source: ['sources'],
  subject: ['subjects'],
  team: ['teams'],
  webhook: ['webhooks'],
  workspace: ['workspace'],
};

/** Whose ids a target's id is one of: a skill is named otherwise than its card. */
const OF_ID: Readonly<Record<string, StreamTopic>> = {
  action: 'actions',
  agent: 'agents',
  card: 'cards',
  config_fix: 'config_fixes',
  conversation: 'conversations',
  erasure: 'erasures',
  event: 'events',
  insight: 'insights',
  key: 'keys',
  legal_hold: 'legal_holds',
  pending_write: 'pending_writes',
  person: 'people',
  project: 'projects',
  proposal: 'proposals',
  run: 'runs',
  session: 'sessions',
  subject: 'subjects',
  team: 'teams',
  webhook: 'webhooks',
};

/** Runs that change what has a page of its own. */
const OF_RUN: Readonly<Record<string, readonly StreamTopic[]>> = {
  capture: ['events'],
  compact: ['conversations'],
  erase: ['erasures'],
  insight: ['insights'],
};

/** Where a topic is read: who may not read it is not told of it. */
const READ_AT: Readonly<Record<StreamTopic, string>> = {
  actions: 'GET /v1/actions',
  agents: 'GET /v1/agents',
  audit: 'GET /v1/audit',
  cards: 'GET /v1/cards',
  config_fixes: 'GET /v1/config-fixes',
  conversations: 'GET /v1/conversations',
  erasures: 'GET /v1/erasures',
  events: 'GET /v1/events',
  insights: 'GET /v1/insights',
  keys: 'GET /v1/keys',
  legal_holds: 'GET /v1/legal-holds',
  pending_writes: 'GET /v1/pending-writes',
  people: 'GET /v1/people',
  policy: 'GET /v1/policy',
  projects: 'GET /v1/projects',
  proposals: 'GET /v1/proposals',
  runs: 'GET /v1/runs',
  sessions: 'GET /v1/sessions/:session',
  skills: 'GET /v1/skills',
  sources: 'GET /v1/sources',
  subjects: 'GET /v1/subjects',
  teams: 'GET /v1/teams',
  webhooks: 'GET /v1/webhooks',
  workspace: 'GET /v1/workspace',
};

export function topicsOfTarget(type: string): readonly StreamTopic[] {
  return OF_TARGET[type] ?? [];
}

export function topicOfId(type: string): StreamTopic | null {
  return OF_ID[type] ?? null;
}

export function topicsOfRun(type: string): readonly StreamTopic[] {
  return OF_RUN[type] ?? [];
}

export function topicsFor(caller: Caller): ReadonlySet<StreamTopic> {
  return new Set(
    STREAM_TOPICS.filter((topic) => {
      const rule = ROUTE_RULES[READ_AT[topic]];
      return rule !== undefined && refusalOf(rule, caller) === null;
    }),
  );
}
