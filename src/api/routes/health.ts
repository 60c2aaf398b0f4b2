import type { ApiDependencies, App } from '../app';

export function healthRoutes(app: App, deps: ApiDependencies): void {
  app.get('/healthz', { config: { open: true } }, () => ({ status: 'ok' }));

  app.get('/readyz', { config: { open: true } }, async (_request, reply) => {
    const missing = await deps.readiness();
    const ready = Object.values(missing).every((reason) => reason === null);
    return reply.status(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready', missing });
  });
}
