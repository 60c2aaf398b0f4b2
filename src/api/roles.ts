import type { FastifyRequest } from 'fastify';
import type { PersonRole } from '../contracts/names';
import type { App } from './app';
import type { Caller } from './authentication';
import { memoryRules } from './memories/rules';
import { notAllowed, type Problem, stoppedByPerson } from './problem';

/** `installation` is the owner key of the installation, whatever else it may act as. */
export type Hat = PersonRole | 'agent' | 'runtime' | 'installation';

/**
 * What a restricted agent meets: it may `read`, not `write`, and what is `held` becomes a pending write
 * that its parent or a person accepts.
 */
export type Access = 'read' | 'write' | 'held';

export interface RouteRule {
  access: Access;
  who: readonly Hat[];
  /** That a person stopped who calls is told for each item of the body, and not of the whole call. */
  stopsByItem?: true;
}

const GOVERNORS = ['owner', 'operator'] as const;
const DECIDERS = ['owner', 'reviewer'] as const;
const EDITORS = ['owner', 'operator', 'reviewer'] as const;
const AUDITORS = ['owner', 'operator', 'auditor'] as const;
const STAFF = ['owner', 'operator', 'reviewer', 'auditor'] as const;
const WORKERS = ['agent', 'runtime'] as const;
const ANYONE = [...STAFF, 'member', ...WORKERS] as const;

const read = (...who: Hat[]): RouteRule => ({ access: 'read', who });
const write = (...who: Hat[]): RouteRule => ({ access: 'write', who });
const held = (...who: Hat[]): RouteRule => ({ access: 'held', who });

/**
 * Who may use which route; the whole list, since a route without a rule keeps the API from starting.
 * A rule says who is let in; what of it they see is decided further in, by `visible_cards` above all: a
 * `member` sees what is about their own subject, an agent what it has a path to.
 */
export const ROUTE_RULES: Readonly<Record<string, RouteRule>> = {
  'POST /v1/events': { ...write('runtime', 'agent'), stopsByItem: true },
  'POST /v1/otel/v1/traces': write('runtime', 'agent'),
  'GET /v1/events': read(...ANYONE),
  'GET /v1/events/:event_id': read(...ANYONE),
  'GET /v1/operations/:id': read(...ANYONE),

  // Signing in needs no key but the one in its body.
  'GET /v1/session': read(...ANYONE),
  'DELETE /v1/session': write(...STAFF, 'member'),
  'GET /v1/stream': read(...STAFF),

  'POST /v1/recall': read(...ANYONE),
  'POST /v1/recalls/:id/feedback': write(...EDITORS, 'member', ...WORKERS),

  'GET /v1/cards': read(...ANYONE),
  'GET /v1/cards/facets': read(...ANYONE),
  'POST /v1/cards': held(...EDITORS, ...WORKERS),
  'GET /v1/cards/:id': read(...ANYONE),
  'PATCH /v1/cards/:id': write(...EDITORS, 'member', ...WORKERS),
  'DELETE /v1/cards/:id': write(...EDITORS, 'member', ...WORKERS),
  'POST /v1/cards/:id/restore': write(...EDITORS, 'member'),
  'GET /v1/cards/:id/history': read(...ANYONE),
  'GET /v1/cards/:id/edges': read(...ANYONE),
  'GET /v1/cards/:id/lineage': read(...ANYONE),
  'GET /v1/cards/:id/readers': read(...ANYONE),
  'GET /v1/cards/:id/story': read(...ANYONE),
  'GET /v1/cards/:id/visible-to': read(...ANYONE),
  'GET /v1/cards/:id/grants': read(...ANYONE),
  'PUT /v1/cards/:id/grants/:agent': write(...EDITORS, ...WORKERS),
  'DELETE /v1/cards/:id/grants/:agent': write(...EDITORS, ...WORKERS),
  'PUT /v1/cards/:id/group-grants/:group': write(...EDITORS, ...WORKERS),
  'DELETE /v1/cards/:id/group-grants/:group': write(...EDITORS, ...WORKERS),
  'POST /v1/cards/:id/validation': write(...EDITORS, 'member', ...WORKERS),
  'POST /v1/cards/:id/quarantine': write(...EDITORS),
  'POST /v1/cards/:id/release': write(...EDITORS),
  'POST /v1/cards/:id/stop': write(...EDITORS),
  'POST /v1/cards/:id/promotion': write(...DECIDERS, ...WORKERS),
  'POST /v1/cards/:id/demotion': write(...DECIDERS),
  'GET /v1/graph': read(...ANYONE),

  'GET /v1/notes': read(...ANYONE),
  'GET /v1/notes/:key': read(...ANYONE),
  'PUT /v1/notes/:key': held(...EDITORS, ...WORKERS),
  'DELETE /v1/notes/:key': write(...EDITORS, ...WORKERS),

  'GET /v1/pending-writes': read(...STAFF, ...WORKERS),
  'GET /v1/pending-writes/:id': read(...STAFF, ...WORKERS),
  'POST /v1/pending-writes/:id': write(...EDITORS, ...WORKERS),

  'GET /v1/sessions/:session': read(...STAFF, ...WORKERS),
  'POST /v1/sessions/:session/end': write(...EDITORS, ...WORKERS),
  'GET /v1/sessions/:session/blackboard': read(...STAFF, ...WORKERS),
  'GET /v1/sessions/:session/blackboard/:key': read(...STAFF, ...WORKERS),
  'PUT /v1/sessions/:session/blackboard/:key': write(...EDITORS, ...WORKERS),
  'DELETE /v1/sessions/:session/blackboard/:key': write(...EDITORS, ...WORKERS),

  'GET /v1/conversations': read(...ANYONE),
  'PUT /v1/conversations/:id': write(...WORKERS),
  'GET /v1/conversations/:id': read(...ANYONE),
  'GET /v1/conversations/:id/messages': read(...ANYONE),
  'POST /v1/conversations/:id/messages': write(...WORKERS),
  'GET /v1/conversations/:id/messages/:n': read(...ANYONE),
  'GET /v1/conversations/:id/context': read(...ANYONE),
  'POST /v1/conversations/:id/close': write(...EDITORS, ...WORKERS),

  'GET /v1/skills': read(...ANYONE),
  'POST /v1/skills': write(...EDITORS, ...WORKERS),
  'GET /v1/skills/:name': read(...ANYONE),
  'GET /v1/skills/:name/skill.md': read(...ANYONE),
  'GET /v1/skills/:name/diff': read(...ANYONE),
  'GET /v1/skills/:name/versions': read(...ANYONE),
  'POST /v1/skills/:name/versions': write(...EDITORS, ...WORKERS),
  'POST /v1/skills/:name/versions/:n/test': write(...EDITORS, ...WORKERS),
  'POST /v1/skills/:name/rollback': write(...EDITORS, ...WORKERS),
  'POST /v1/skills/:name/deprecate': write(...EDITORS, ...WORKERS),

  'GET /v1/insights': read(...ANYONE),
  'POST /v1/insights': held(...EDITORS, ...WORKERS),
  'GET /v1/insights/:id': read(...ANYONE),
  'POST /v1/insights/:id/actions/:action_id/taken': write(...EDITORS, ...WORKERS),
  'POST /v1/insights/:id/actions/:action_id/measure': write(...EDITORS, ...WORKERS),
  'POST /v1/insights/:id/actions/:action_id/extend': write(...EDITORS, ...WORKERS),
  'POST /v1/insights/:id/actions/:action_id/cancel': write(...EDITORS, ...WORKERS),
  'POST /v1/insights/:id/outcome': write(...EDITORS, ...WORKERS),
  'GET /v1/actions': read(...STAFF),
  'PUT /v1/actions/:hash/block': write(...DECIDERS),
  'DELETE /v1/actions/:hash/block': write(...DECIDERS),
  // An agent's own numbers would decide what is recommended to all.
  'POST /v1/metrics': write(...EDITORS, 'runtime'),
  'GET /v1/metrics': read(...STAFF, 'runtime'),

  'GET /v1/overview': read(...STAFF),
  'GET /v1/models': read(...STAFF),

  'GET /v1/workspace': read(...ANYONE),
  'PUT /v1/workspace': write(...GOVERNORS),
  'GET /v1/workspaces': read('installation'),
  'GET /v1/workspaces/:id': read('installation'),
  'POST /v1/workspaces': write('installation'),

  'GET /v1/people': read(...STAFF),
  'GET /v1/people/:id': read(...STAFF, 'member'),
  'PUT /v1/people/:id': write(...GOVERNORS),
  'GET /v1/teams': read(...STAFF, 'runtime'),
  'GET /v1/teams/:id': read(...STAFF, 'runtime'),
  'PUT /v1/teams/:id': write(...GOVERNORS),
  'GET /v1/agents': read(...STAFF, ...WORKERS),
  'GET /v1/agents/:id': read(...STAFF, ...WORKERS),
  'PUT /v1/agents/:id': write(...GOVERNORS, 'runtime'),
  'GET /v1/agent-groups': read(...STAFF, 'runtime'),
  'GET /v1/agent-groups/:id': read(...STAFF, 'runtime'),
  'PUT /v1/agent-groups/:id': write(...GOVERNORS),
  'GET /v1/subjects': read(...STAFF, 'runtime'),
  'GET /v1/subjects/:id': read(...STAFF, 'member', 'runtime'),
  'PUT /v1/subjects/:id': write(...GOVERNORS),
  'GET /v1/projects': read(...STAFF, ...WORKERS),
  'GET /v1/projects/:id': read(...STAFF, ...WORKERS),
  'PUT /v1/projects/:id': write(...EDITORS, 'runtime'),
  'POST /v1/projects/:id/close': write(...EDITORS, 'runtime'),

  'GET /v1/sources': read(...STAFF),
  'GET /v1/sources/:id': read(...STAFF),
  'PUT /v1/sources/:id': write(...EDITORS),

  'GET /v1/keys': read(...GOVERNORS),
  'POST /v1/keys': write(...GOVERNORS),
  'POST /v1/keys/:id/rotate': write(...GOVERNORS),
  'DELETE /v1/keys/:id': write(...GOVERNORS),
  'GET /v1/policy': read(...STAFF, 'runtime'),
  'PUT /v1/policy': write(...GOVERNORS),
  'POST /v1/policy/preview': read(...GOVERNORS),

  'GET /v1/proposals': read(...STAFF, ...WORKERS),
  'GET /v1/proposals/:id': read(...STAFF, ...WORKERS),
  'POST /v1/proposals/:id/decision': write(...DECIDERS),
  'GET /v1/config-fixes': read(...STAFF, 'runtime'),
  'GET /v1/config-fixes/:id': read(...STAFF, 'runtime'),
  'POST /v1/config-fixes/:id/applied': write(...GOVERNORS, 'runtime'),

  'POST /v1/erasures': write(...GOVERNORS, 'member'),
  'GET /v1/erasures': read(...AUDITORS, 'member'),
  'GET /v1/erasures/:id': read(...AUDITORS, 'member'),

  'GET /v1/legal-holds': read(...AUDITORS),
  'GET /v1/legal-holds/:id': read(...AUDITORS),
  'PUT /v1/legal-holds/:id': write(...GOVERNORS),
  'DELETE /v1/legal-holds/:id': write(...GOVERNORS),

  'GET /v1/webhooks': read(...AUDITORS),
  'GET /v1/webhooks/:id': read(...AUDITORS),
  'PUT /v1/webhooks/:id': write(...GOVERNORS),
  'DELETE /v1/webhooks/:id': write(...GOVERNORS),
  'POST /v1/webhooks/:id/ping': write(...GOVERNORS),
  'GET /v1/webhooks/:id/deliveries': read(...AUDITORS),
  'POST /v1/webhooks/:id/deliveries/:n/retry': write(...GOVERNORS),

  'POST /v1/erasures/verify': read(...AUDITORS),
  'GET /v1/tombstones': read(...GOVERNORS),
  'POST /v1/tombstones': write(...GOVERNORS),

  'GET /v1/audit': read(...AUDITORS),
  'GET /v1/audit/seals': read(...AUDITORS),
  'GET /v1/audit/verify': read(...AUDITORS),
  'GET /v1/audit/export': read(...AUDITORS),
  'POST /v1/audit/seal': write(...AUDITORS),
  'GET /v1/access-log': read(...AUDITORS),
  'GET /v1/export': read(...GOVERNORS, 'member'),
  'POST /v1/import': write(...GOVERNORS),
  'GET /v1/competence': read(...STAFF, ...WORKERS),
  'GET /v1/runs': read(...STAFF, ...WORKERS),
  'GET /v1/runs/:id': read(...STAFF, ...WORKERS),
  'GET /v1/runs/:id/changes': read(...STAFF),
  'GET /v1/timeline': read(...STAFF),
  'POST /v1/runs/:type': write(...GOVERNORS),
  'POST /v1/runs/rescan': write(...GOVERNORS),
  'POST /v1/runs/:id/pause': write(...GOVERNORS),
  'POST /v1/runs/:id/resume': write(...GOVERNORS),
  'POST /v1/runs/:id/cancel': write(...GOVERNORS),
  'POST /v1/runs/:id/undo': write(...GOVERNORS),

  // In the shape of mem0, each as the route of cards or recall that it stands for.
  ...memoryRules({
    anyone: ANYONE,
    writers: [...EDITORS, ...WORKERS],
    correctors: [...EDITORS, 'member', ...WORKERS],
  }),

  // Whoever is let in is shown the tools that the rules above give them.
  'POST /mcp': read(...ANYONE),
  'GET /mcp': read(...ANYONE),
  'DELETE /mcp': read(...ANYONE),
};

/** As whom a caller may act; the installation's owner key is an owner and a runtime too. */
export function hatsOf(caller: Caller): readonly Hat[] {
  const { kind, role, bootstrap } = caller.context.principal;
  if (kind !== 'person') return [kind];
  const own: Hat[] = role === null ? [] : [role];
  return bootstrap ? [...own, 'runtime', 'installation'] : own;
}

/** @throws Problem 403 where the rule does not let this caller in. */
export function requireAllowed(rule: RouteRule, caller: Caller): void {
  const refusal = refusalOf(rule, caller);
  if (refusal !== null) throw refusal;
}

/** Null where the rule lets this caller in. */
export function refusalOf(rule: RouteRule, caller: Caller): Problem | null {
  const { principal, agent } = caller.context;
  if (principal.role === 'member' && agent !== null) {
    return notAllowed('a member sees what is about their own subject; leave Cairn-Agent out');
  }
  const worn = hatsOf(caller).filter((hat) => rule.who.includes(hat));
  if (worn.length === 0) {
    return notAllowed(`this takes another kind of key: ${rule.who.join(', ')}`);
  }
  // What a person may do, they may do whichever agent they name.
  const asPerson = worn.some((hat) => hat !== 'agent' && hat !== 'runtime');
  if (rule.access === 'write' && caller.restricted && !asPerson) {
    return notAllowed(
      'a restricted agent reads only; cards, notes and memories that it posts wait for its parent, and its parent does the rest',
    );
  }
  // What comes through a tool is the agent's word, whoever holds the key.
  const writesItself = !asPerson || caller.channel === 'mcp';
  if (rule.access !== 'read' && rule.stopsByItem !== true && caller.stopped && writesItself) {
    return stoppedByPerson();
  }
  return null;
}

/**
 * Holds every route that is registered from here on to its rule. Routes that say `open`, and the docs,
 * need no key and have none.
 * @throws Error while the routes are registered, naming the one that has no rule.
 */
export function enforceRoles(app: App): void {
  app.addHook('onRoute', (route) => {
    if (isOpen(route.url, route.config)) return;
    for (const method of [route.method].flat()) {
      if (ruleOf(method, route.url) === undefined) {
        throw new Error(
          `${method} ${route.url} has no rule: add it to ROUTE_RULES in src/api/roles.ts`,
        );
      }
    }
  });
  app.addHook('onRequest', async (request: FastifyRequest) => {
    const { url, config } = request.routeOptions;
    if (url === undefined || isOpen(url, config)) return;
    const rule = ruleOf(request.method, url);
    if (rule === undefined) throw notAllowed('nobody may use this route');
    requireAllowed(rule, request.caller);
  });
}

export function ruleOf(method: string, url: string): RouteRule | undefined {
  const key = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  return Object.hasOwn(ROUTE_RULES, key) ? ROUTE_RULES[key] : undefined;
}

function isOpen(url: string, config: { open?: boolean } | undefined): boolean {
  return config?.open === true || url.startsWith('/docs');
}
