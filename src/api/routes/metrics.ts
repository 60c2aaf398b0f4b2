import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { readFlow } from '../../store/event-records-flow';
import type { ApiDependencies, App } from '../app';
import { authenticate } from '../authentication';
import { flowGauges, type Seen } from '../flow-gauges';
import { requireAllowed } from '../roles';

/** Counting all captures reads all of them, so a scraper that is too eager gets the last count. */
const FRESH_MS = 10_000;

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Numbers only: no id, no name, no workspace and no content stands in a metric or its labels. */
export function metricsRoutes(app: App, deps: ApiDependencies): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = flowGauges(registry);
  let last: { at: number; seen: Promise<Seen> } | null = null;

  app.get(
    '/metrics',
    { config: { open: true }, schema: { summary: 'Prometheus metrics', tags: ['operate'] } },
    async (request, reply) => {
      await requireNear(request, deps);
      const now = deps.clock();
      const isFresh = last !== null && Math.abs(now.getTime() - last.at) < FRESH_MS;
      if (last === null || !isFresh) last = { at: now.getTime(), seen: look(deps, now) };
      gauges(await last.seen);
      const own = await registry.metrics();
      const ofWorker = (await deps.workerMetrics?.metrics()) ?? '';
      return reply.type(registry.contentType).send(`${own}\n${ofWorker}`);
    },
  );
}

/** What cannot be asked is said to be missing, and costs the rest nothing. */
async function look(deps: ApiDependencies, now: Date): Promise<Seen> {
  const [flow, readiness, stuckWorkflows] = await Promise.all([
    readFlow(deps.database, now).catch(() => null),
    deps.readiness(),
    deps.stuckWorkflows?.() ?? null,
  ]);
  return { flow, readiness, stuckWorkflows, now };
}

/** Whoever is on this machine may scrape; from elsewhere, a proxy included, it takes a person's key. */
async function requireNear(request: FastifyRequest, deps: ApiDependencies): Promise<void> {
  const forwarded = ['forwarded', 'x-forwarded-for', 'x-real-ip'].some(
    (name) => request.headers[name] !== undefined,
  );
  if (!forwarded && LOOPBACK.has(request.ip)) return;
  const caller = await authenticate(request, deps);
  requireAllowed({ access: 'read', who: ['owner', 'operator', 'auditor'] }, caller);
}
