import { MEMORY_ROUTES_WITHOUT_CARDS } from './remembering';

/**
 * The routes that read no card, each with what it reads instead. A route stands either here or in a row
 * of the table of surfaces, so that a new one is placed on purpose. Those that change a card and answer
 * with it are in `changing.ts`.
 */
export const ROUTES_WITHOUT_CARDS: Readonly<Record<string, string>> = {
  'POST /v1/events': 'what was accepted; the id of the card of the same event, to who emitted it',
  'POST /v1/otel/v1/traces': 'how many spans were not taken, and why; no id and no content',
  'GET /v1/events':
    'what was reported, and of which card it became the id: to people and to who emitted it',
  'GET /v1/events/:event_id': 'one of them',
  'GET /v1/operations/:id': 'what a workflow decided; its edges are held by a test of their own',
  'POST /v1/recalls/:id/feedback': 'nothing: it says whether an injected card helped',

  'GET /v1/pending-writes':
    'what restricted agents posted, which is no card yet: to who posted it and those above them',
  'GET /v1/pending-writes/:id': 'one of them; once it is a card, its id alone',
  'POST /v1/pending-writes/:id': 'one of them, decided',

  'GET /mcp': 'nothing: there are no streams',
  'DELETE /mcp': 'nothing: there are no sessions',

  'GET /v1/sessions/:session':
    'working memory, held by tests of its own: whose it is, and how full',
  'POST /v1/sessions/:session/end': 'working memory: the same',
  'GET /v1/sessions/:session/blackboard': 'working memory: what agents wrote there, and no card',
  'GET /v1/sessions/:session/blackboard/:key': 'working memory: one of these',
  'PUT /v1/sessions/:session/blackboard/:key': 'working memory: one of these',
  'DELETE /v1/sessions/:session/blackboard/:key': 'working memory: nothing',

  'GET /v1/conversations': 'what agents talk about, in ids and counts',
  'PUT /v1/conversations/:id': 'one of them',
  'GET /v1/conversations/:id': 'one of them',
  'POST /v1/conversations/:id/close': 'one of them',
  'GET /v1/conversations/:id/messages': 'what was said, and no card: held by tests of its own',
  'POST /v1/conversations/:id/messages': 'how many were taken',
  'GET /v1/conversations/:id/messages/:n': 'one of them',

  'GET /v1/workspace': 'settings',
  'PUT /v1/workspace': 'settings',
  'GET /v1/workspaces': 'settings',
  'GET /v1/workspaces/:id': 'settings',
  'POST /v1/workspaces': 'settings',
  'GET /v1/people': 'the directory',
  'GET /v1/people/:id': 'the directory',
  'PUT /v1/people/:id': 'the directory',
  'GET /v1/teams': 'the directory',
  'GET /v1/teams/:id': 'the directory',
  'PUT /v1/teams/:id': 'the directory',
  'GET /v1/agents': 'the directory',
  'GET /v1/agents/:id': 'the directory',
  'PUT /v1/agents/:id': 'the directory',
  'GET /v1/agent-groups': 'the directory',
  'GET /v1/agent-groups/:id': 'the directory',
  'PUT /v1/agent-groups/:id': 'the directory',
  'GET /v1/subjects': 'the directory',
  'GET /v1/subjects/:id': 'the directory',
  'PUT /v1/subjects/:id': 'the directory',
  'GET /v1/projects': 'the directory',
  'GET /v1/projects/:id': 'the directory',
  'PUT /v1/projects/:id': 'the directory',
  'POST /v1/projects/:id/close': 'the directory',
  'GET /v1/sources': 'what is stopped',
  'GET /v1/sources/:id': 'what is stopped',
  'PUT /v1/sources/:id': 'what is stopped',
  'GET /v1/keys': 'keys, never whole',
  'POST /v1/keys': 'keys, whole once',
  'DELETE /v1/keys/:id': 'keys',
  'GET /v1/policy': 'the policy',
  'PUT /v1/policy': 'the policy',
  'POST /v1/policy/preview': 'the policy',
  'POST /v1/proposals/:id/decision':
    'the proposal as its GET shows it, to people who decide and see every card',
  'GET /v1/config-fixes':
    'what people approved, in words that a person has read: to runtimes, which apply it',
  'GET /v1/config-fixes/:id': 'one of them',
  'POST /v1/config-fixes/:id/applied': 'one of them',
  'GET /v1/webhooks': 'whom to tell',
  'GET /v1/webhooks/:id': 'whom to tell',
  'PUT /v1/webhooks/:id': 'whom to tell',
  'DELETE /v1/webhooks/:id': 'whom to tell',
  'POST /v1/webhooks/:id/ping': 'what was told, in ids',
  'GET /v1/webhooks/:id/deliveries': 'what was told, in ids',
  'POST /v1/webhooks/:id/deliveries/:n/retry': 'what was told, in ids',
  'GET /v1/audit': 'who did what, without content',
  'GET /v1/audit/seals': 'hashes of who did what',
  'GET /v1/audit/verify': 'whether they hold',
  'GET /v1/audit/export': 'who did what and who saw what, without content',
  'POST /v1/audit/seal': 'nothing: it starts a pass',
  'GET /v1/access-log': 'who saw what, without content',
  'GET /v1/competence': 'counts of work that was done',
  'GET /v1/runs': 'what workflows did, in counts',
  'GET /v1/runs/:id':
    'one of them, with ids of what it did; texts of a dry run, to people only, are held by a test of their own',
  'GET /v1/runs/:id/changes': 'what a run did, in ids: to people who see every card',
  'POST /v1/runs/:type': 'the id of what was started',
  'POST /v1/runs/:id/pause': 'the run, in counts',
  'POST /v1/runs/:id/resume': 'the run, in counts',
  'POST /v1/runs/:id/cancel': 'the run, in counts',
  'POST /v1/runs/:id/undo': 'ids of what could not be taken back: to people who see every card',
  ...MEMORY_ROUTES_WITHOUT_CARDS,
};
