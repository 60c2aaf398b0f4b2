import type { RouteOptions } from 'fastify';
import { anyQuery } from '../../schemas/memories';
import type { ApiDependencies, App } from '../app';
import { type MemoryRoute, memoryHandlers } from './handlers';
import { notSupported } from './refusals';
import { bothSlashes, MEMORY_PATHS, UNSUPPORTED_PATHS } from './rules';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Also takes its key as `Authorization: Token <key>`, as mem0's clients send it. */
    takesToken?: boolean;
  }
}

/**
 * Cards in the shape of mem0's memories, under the paths that its clients call: point one at Cairn by `host`
 * and its key, and change nothing else. Every route does what the route of cards or recall does that it stands
 * for. Only here fields that nobody knows are left alone, paths may end with a slash, and a key may come as
 * `Authorization: Token`.
 */
export function memoryRoutes(app: App, deps: ApiDependencies): void {
  void app.register(async (plugin) => {
    const routes = memoryHandlers(deps);
    for (const [name, paths] of Object.entries(MEMORY_PATHS)) {
      const route = routes[name as keyof typeof MEMORY_PATHS];
      for (const path of paths) serve(plugin as unknown as App, path, route);
    }
    for (const [path, what] of Object.entries(UNSUPPORTED_PATHS)) {
      serve(plugin as unknown as App, path, {
        summary: 'Not supported: Cairn has no notion of it',
        handler: async () => {
          throw notSupported(INSTEAD[what] ?? '');
        },
      });
    }
  });
}

const INSTEAD: Readonly<Record<string, string>> = {
  PROJECT:
    "there are no project settings of mem0's here: what is remembered and how goes by the policy, GET and PUT /v1/policy",
  WEBHOOKS: "there are no webhooks of mem0's here: PUT /v1/webhooks/{id} has Cairn's own",
  PROFILES:
    'no profiles are written here: search with filters {user_id} finds what is known of one, getAll lists it',
  EXPORTS: 'there are no exports by schema here: getAll pages through all memories',
};

/** Documented without the slash, where it is Cairn's own contract; the others are mem0's to document. */
function serve(app: App, path: string, { handler, ...schema }: MemoryRoute): void {
  for (const route of bothSlashes(path)) {
    const [method = '', url = ''] = route.split(' ');
    const isDocumented = url.startsWith('/v1/memories') && !url.endsWith('/');
    app.route({
      method,
      url,
      config: { takesToken: true },
      schema: {
        querystring: anyQuery,
        tags: ['memories'],
        ...schema,
        ...(isDocumented ? {} : { hide: true }),
      },
      handler,
    } as RouteOptions);
  }
}
