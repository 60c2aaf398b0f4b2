/**
 * The routes that read no card, each with what it reads instead. A route stands either here or in a row
 * of the table of surfaces, so that a new one is placed on purpose. Those that change a card and answer
 * with it are in `changing.ts`.
 */
export const ROUTES_WITHOUT_CARDS: Readonly<Record<string, string>> = {
  'POST /v1/events': 'what was accepted; the id of the card of the same event, to who emitted it',
  'GET /v1/events':
    'what was reported, and of which card it became the id: to people and to who emitted it',
  'GET /v1/events/:event_id': 'one of them',
  'GET /v1/operations/:id': 'what a workflow decided; its edges are held by a test of their own',
  'POST /v1/recalls/:id/feedback': 'nothing: it says whether an injected card helped',

  'GET /mcp': 'nothing: there are no streams',
  'DELETE /mcp': 'nothing: there are no sessions',

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
  'GET /v1/keys': 'keys, never whole',
  'POST /v1/keys': 'keys, whole once',
  'DELETE /v1/keys/:id': 'keys',
  'GET /v1/policy': 'the policy',
  'PUT /v1/policy': 'the policy',
  'POST /v1/policy/preview': 'the policy',
  'GET /v1/audit': 'who did what, without content',
  'GET /v1/access-log': 'who saw what, without content',
  'GET /v1/competence': 'counts of work that was done',
  'GET /v1/runs': 'what workflows did, in counts',
  'GET /v1/runs/:id': 'one of them',
};
