/** Of commands that ask no running Cairn. */
export interface LocalCommand {
  local: string;
}

/**
 * What each command asks of the API, so that the rules of `src/api/roles.ts` are the rules of the command
 * too: whoever may call all of these routes may run it, and nobody else. A command without a line here
 * fails a test, as a route without a rule keeps the API from starting.
 */
export const COMMAND_ROUTES: Readonly<Record<string, readonly string[] | LocalCommand>> = {
  'cairn start': { local: 'starts everything on this machine' },
  'cairn server': { local: 'serves the API on this machine' },
  'cairn worker': { local: 'works off workflows on this machine' },
  'cairn simulate': { local: 'asks a Cairn of its own, which it starts and ends' },

  'cairn import': [
    'POST /v1/events',
    'GET /v1/events',
    'GET /v1/operations/:id',
    'POST /v1/import',
  ],
  'cairn export': ['GET /v1/export'],
  'cairn recall': ['POST /v1/recall'],
  'cairn cards': ['GET /v1/cards'],
  'cairn cards show': ['GET /v1/cards/:id', 'GET /v1/cards/:id/edges'],
  'cairn why': ['GET /v1/cards/:id/story'],
  'cairn competence': ['GET /v1/competence'],
  'cairn overview': ['GET /v1/overview'],
  'cairn models': ['GET /v1/models'],

  'cairn conversations list': ['GET /v1/conversations'],
  'cairn conversations show': ['GET /v1/conversations/:id', 'GET /v1/conversations/:id/messages'],
  'cairn conversations context': ['GET /v1/conversations/:id/context'],

  'cairn insights list': ['GET /v1/insights'],
  'cairn insights show': ['GET /v1/insights/:id'],
  'cairn insights save': ['POST /v1/insights'],
  'cairn insights take': ['POST /v1/insights/:id/actions/:action_id/taken'],
  'cairn insights measure': ['POST /v1/insights/:id/actions/:action_id/measure'],
  'cairn insights extend': ['POST /v1/insights/:id/actions/:action_id/extend'],
  'cairn insights cancel': ['POST /v1/insights/:id/actions/:action_id/cancel'],
  'cairn insights outcome': ['POST /v1/insights/:id/outcome'],
  'cairn actions list': ['GET /v1/actions'],
  'cairn actions block': ['PUT /v1/actions/:hash/block'],
  'cairn actions unblock': ['DELETE /v1/actions/:hash/block'],
  'cairn metrics list': ['GET /v1/metrics'],
  'cairn metrics push': ['POST /v1/metrics'],

  'cairn skills list': ['GET /v1/skills'],
  'cairn skills show': ['GET /v1/skills/:name'],
  'cairn skills diff': ['GET /v1/skills/:name/diff'],
  'cairn skills test': ['POST /v1/skills/:name/versions/:n/test'],
  'cairn skills rollback': ['POST /v1/skills/:name/rollback'],
  'cairn skills deprecate': ['POST /v1/skills/:name/deprecate'],
  'cairn skills import': [
    'GET /v1/workspace',
    'POST /v1/skills',
    'POST /v1/skills/:name/versions',
    'POST /v1/skills/:name/versions/:n/test',
  ],
  'cairn skills export': ['GET /v1/skills/:name/skill.md'],

  'cairn runs list': ['GET /v1/runs'],
  'cairn runs show': ['GET /v1/runs/:id'],
  'cairn runs start': ['POST /v1/runs/:type', 'GET /v1/operations/:id', 'GET /v1/runs/:id'],
  'cairn runs rescan': ['POST /v1/runs/rescan', 'GET /v1/operations/:id', 'GET /v1/runs/:id'],
  'cairn runs pause': ['POST /v1/runs/:id/pause'],
  'cairn runs resume': ['POST /v1/runs/:id/resume'],
  'cairn runs cancel': ['POST /v1/runs/:id/cancel'],
  'cairn runs undo': ['POST /v1/runs/:id/undo'],

  'cairn timeline': ['GET /v1/timeline'],

  'cairn inbox': ['GET /v1/proposals', 'GET /v1/proposals/:id'],
  'cairn approve': ['GET /v1/proposals/:id', 'POST /v1/proposals/:id/decision'],
  'cairn reject': ['GET /v1/proposals/:id', 'POST /v1/proposals/:id/decision'],
  'cairn promote': ['GET /v1/workspace', 'POST /v1/cards/:id/promotion'],
  'cairn demote': ['POST /v1/cards/:id/demotion'],
  'cairn fixes list': ['GET /v1/config-fixes'],
  'cairn fixes applied': ['POST /v1/config-fixes/:id/applied'],

  'cairn pending list': ['GET /v1/pending-writes'],
  'cairn pending show': ['GET /v1/pending-writes/:id'],
  'cairn pending accept': ['POST /v1/pending-writes/:id'],
  'cairn pending reject': ['POST /v1/pending-writes/:id'],

  'cairn stop': ['GET /v1/cards', 'POST /v1/cards/:id/stop'],
  'cairn stop card': [
    'POST /v1/cards/:id/stop',
    'POST /v1/cards/:id/release',
    'POST /v1/cards/:id/restore',
  ],
  'cairn stop agent': ['PUT /v1/sources/:id', 'GET /v1/cards'],
  'cairn stop source': ['PUT /v1/sources/:id', 'GET /v1/cards'],
  'cairn stop list': ['GET /v1/sources', 'GET /v1/cards'],

  'cairn policy show': ['GET /v1/policy'],
  'cairn policy preview': ['POST /v1/policy/preview'],
  'cairn policy set': ['POST /v1/policy/preview', 'GET /v1/policy', 'PUT /v1/policy'],

  'cairn audit list': ['GET /v1/audit'],
  'cairn audit verify': ['GET /v1/audit/verify'],
  'cairn audit seal': ['POST /v1/audit/seal', 'GET /v1/operations/:id'],
  'cairn audit export': ['GET /v1/audit/export'],

  'cairn whoami': ['GET /v1/session'],
  'cairn keys list': ['GET /v1/keys'],
  'cairn keys create': ['POST /v1/keys'],
  'cairn keys rotate': ['POST /v1/keys/:id/rotate'],
  'cairn keys revoke': ['DELETE /v1/keys/:id'],

  'cairn webhook put': ['PUT /v1/webhooks/:id'],
  'cairn webhook list': ['GET /v1/webhooks'],
  'cairn webhook deliveries': ['GET /v1/webhooks/:id/deliveries'],
  'cairn webhook ping': ['POST /v1/webhooks/:id/ping'],
  'cairn webhook retry': ['POST /v1/webhooks/:id/deliveries/:n/retry'],
  'cairn webhook delete': ['DELETE /v1/webhooks/:id'],

  'cairn erase': ['POST /v1/erasures', 'GET /v1/operations/:id', 'GET /v1/erasures/:id'],
  'cairn erasure list': ['GET /v1/erasures'],
  'cairn erasure show': ['GET /v1/erasures/:id'],
  'cairn erasure verify': ['POST /v1/erasures/verify'],
  'cairn tombstones export': ['GET /v1/tombstones'],
  'cairn tombstones apply': ['POST /v1/tombstones'],

  'cairn holds list': ['GET /v1/legal-holds'],
  'cairn holds set': ['PUT /v1/legal-holds/:id'],
  'cairn holds lift': ['DELETE /v1/legal-holds/:id'],

  'cairn mcp': ['POST /mcp'],
  'cairn doctor': [
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /v1/operations/:id',
    'GET /v1/cards',
  ],
  'cairn sample': [
    'GET /v1/policy',
    'PUT /v1/policy',
    'POST /v1/events',
    'GET /v1/events',
    'GET /v1/events/:event_id',
    'GET /v1/operations/:id',
    'POST /v1/recall',
    'GET /v1/cards',
    'GET /v1/cards/:id',
    'GET /v1/cards/:id/edges',
    'GET /v1/competence',
    'GET /v1/notes/:key',
  ],
  'cairn sample insights': [
    'GET /v1/workspace',
    'GET /v1/metrics',
    'POST /v1/metrics',
    'GET /v1/insights',
    'GET /v1/insights/:id',
    'POST /v1/insights',
    'POST /v1/insights/:id/actions/:action_id/taken',
    'GET /v1/operations/:id',
    'GET /v1/actions',
    'PUT /v1/actions/:hash/block',
  ],
};
