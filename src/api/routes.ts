import type { ApiDependencies, App } from './app';
import { eventRoutes } from './routes/events';
import { healthRoutes } from './routes/health';
import { operationRoutes } from './routes/operations';
import { recallRoutes } from './routes/recall';

/** Every route of the API, a file a resource. */
export function registerRoutes(app: App, deps: ApiDependencies): void {
  for (const register of [healthRoutes, eventRoutes, operationRoutes, recallRoutes]) {
    register(app, deps);
  }
}
