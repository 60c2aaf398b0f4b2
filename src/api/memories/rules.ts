import type { Hat, RouteRule } from '../roles';

/**
 * The paths of this plugin and who may use each, as the route of cards or recall that it stands for. Each is
 * served with a slash at its end, as mem0's clients call it, and without.
 */
export const MEMORY_PATHS = {
  ping: ['GET /v1/ping'],
  add: ['POST /v1/memories', 'POST /v3/memories/add'],
  search: ['POST /v1/memories/search', 'POST /v2/memories/search', 'POST /v3/memories/search'],
  list: ['GET /v1/memories'],
  listByPost: ['POST /v2/memories', 'POST /v3/memories'],
  deleteAll: ['DELETE /v1/memories'],
  one: ['GET /v1/memories/:id'],
  history: ['GET /v1/memories/:id/history'],
  update: ['PUT /v1/memories/:id'],
  deleteOne: ['DELETE /v1/memories/:id'],
  updateBatch: ['PUT /v1/batch'],
  deleteBatch: ['DELETE /v1/batch'],
  entities: ['GET /v1/entities'],
  deleteEntity: ['DELETE /v1/entities/:type/:name', 'DELETE /v2/entities/:type/:name'],
  feedback: ['POST /v1/feedback'],
} as const satisfies Record<string, readonly string[]>;

/** What mem0's clients can ask of its own platform and Cairn has no notion of, with what there is instead. */
export const UNSUPPORTED_PATHS: Readonly<Record<string, string>> = {
  'GET /api/v1/orgs/organizations/:org/projects/:project': 'PROJECT',
  'PATCH /api/v1/orgs/organizations/:org/projects/:project': 'PROJECT',
  'GET /api/v1/webhooks/projects/:project': 'WEBHOOKS',
  'POST /api/v1/webhooks/projects/:project': 'WEBHOOKS',
  'PUT /api/v1/webhooks/:webhook': 'WEBHOOKS',
  'DELETE /api/v1/webhooks/:webhook': 'WEBHOOKS',
  'GET /v2/entities/user/:name/profile': 'PROFILES',
  'POST /v2/profiles/jobs': 'PROFILES',
  'GET /v2/profiles/jobs/:job': 'PROFILES',
  'GET /v2/profiles/settings': 'PROFILES',
  'POST /v2/profiles/settings': 'PROFILES',
  'POST /v1/summary': 'PROFILES',
  'POST /v1/exports': 'EXPORTS',
  'POST /v1/exports/get': 'EXPORTS',
};

/** A path with a slash at its end and without. */
export function bothSlashes(route: string): [string, string] {
  return [route, `${route}/`];
}

/** All that are served, as `ROUTE_RULES` has them. */
export const MEMORY_ROUTES: readonly string[] = [
  ...Object.values(MEMORY_PATHS).flat(),
  ...Object.keys(UNSUPPORTED_PATHS),
].flatMap(bothSlashes);

interface Groups {
  anyone: readonly Hat[];
  writers: readonly Hat[];
  correctors: readonly Hat[];
}

/** The part of `ROUTE_RULES` that is this plugin's. */
export function memoryRules({ anyone, writers, correctors }: Groups): Record<string, RouteRule> {
  const { ping, add, search, list, listByPost, one, history, entities, ...changes } = MEMORY_PATHS;
  const rules: [RouteRule, readonly string[]][] = [
    [
      { access: 'read', who: anyone },
      [...ping, ...search, ...list, ...listByPost, ...one, ...history, ...entities],
    ],
    [{ access: 'held', who: writers }, add],
    [{ access: 'write', who: correctors }, Object.values(changes).flat()],
    [{ access: 'read', who: anyone }, Object.keys(UNSUPPORTED_PATHS)],
  ];
  return Object.fromEntries(
    rules.flatMap(([rule, paths]) =>
      paths.flatMap((path) => bothSlashes(path).map((route) => [route, rule])),
    ),
  );
}
