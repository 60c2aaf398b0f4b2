import { z } from 'zod';
import type { App } from './app';

const NONE = z.strictObject({});

/**
 * Holds every route that is registered from here on to the contract: a parameter that nobody knows is
 * 400, also where a route takes none and so has no schema for them. What needs no key is asked by
 * probes and browsers, which add some of their own.
 */
export function refuseUnknownParameters(app: App): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.open === true || route.url.startsWith('/docs')) return;
    route.schema = { querystring: NONE, ...route.schema };
  });
}
