import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { DISPOSITIONS } from '../../contracts/names';
import { type Flow, readFlow } from '../../store/event-records-flow';
import type { ApiDependencies, App } from '../app';
import { authenticate } from '../authentication';
import { requireAllowed } from '../roles';

/** Counting all captures reads all of them, so a scraper that is too eager gets the last count. */
const FRESH_MS = 10_000;

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Numbers only: no id, no name and no content stands in a metric or its labels. */
export function metricsRoutes(app: App, deps: ApiDependencies): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const gauges = flowGauges(registry);
  let read: { at: number; flow: Promise<Flow> } | null = null;

  app.get(
    '/metrics',
    { config: { open: true }, schema: { summary: 'Prometheus metrics', tags: ['operate'] } },
    async (request, reply) => {
      await requireNear(request, deps);
      const now = deps.clock();
      const isFresh = read !== null && Math.abs(now.getTime() - read.at) < FRESH_MS;
      if (read === null || !isFresh) {
        const flow = readFlow(deps.database);
        flow.catch(() => {
          read = null;
        });
        read = { at: now.getTime(), flow };
      }
      gauges(await read.flow, now);
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
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

function flowGauges(registry: Registry): (flow: Flow, now: Date) => void {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const captures = gauge('cairn_captures', 'Events by what became of them', ['disposition']);
  const oldestPending = gauge(
    'cairn_captures_pending_oldest_seconds',
    'Age of the oldest event without its card or its reason',
  );
  const unsent = gauge('cairn_outbox_unsent', 'Starts that were committed and not yet sent');
  const oldestUnsent = gauge('cairn_outbox_oldest_seconds', 'Age of the oldest unsent start');
  const toEmbed = gauge('cairn_captures_to_embed', 'Cards that wait for their vector');
  const toDistill = gauge(
    'cairn_captures_to_distill',
    'Cards of the stand-in that a model may write better',
  );
  return (flow, now) => {
    for (const disposition of DISPOSITIONS) {
      captures.set({ disposition }, flow.dispositions[disposition] ?? 0);
    }
    oldestPending.set(ageOf(flow.oldestPendingAt, now));
    unsent.set(flow.unsent);
    oldestUnsent.set(ageOf(flow.oldestUnsentAt, now));
    toEmbed.set(flow.toEmbed);
    toDistill.set(flow.toDistill);
  };
}

function ageOf(at: string | null, now: Date): number {
  return at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000);
}
