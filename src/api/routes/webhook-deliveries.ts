import type { FastifyRequest } from 'fastify';
import type { WebhookDelivery } from '../../contracts/webhook';
import { idParams, pageSchema } from '../../schemas/listing';
import { deliveriesQuery, deliveryParams, deliverySchema } from '../../schemas/webhook';
import type { Tx } from '../../store/database';
import { listDeliveries, readDelivery, retryDelivery } from '../../store/deliveries';
import { announceTo, readWebhook } from '../../store/webhooks';
import type { ApiDependencies, App } from '../app';
import { writeOnce } from '../idempotency';
import { BY_NUMBER, pageOf, positionIn } from '../paging';
import { notFound } from '../problem';
import { auditWebhook } from '../webhook-writing';

/** What webhooks were told, and telling it by hand. */
export function webhookDeliveryRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/webhooks/:id/deliveries',
    {
      schema: {
        summary: 'What a webhook was told in the last 30 days and what came of it, newest first',
        tags: ['webhooks'],
        params: idParams,
        querystring: deliveriesQuery,
        response: { 200: pageSchema(deliverySchema) },
      },
    },
    async (request) => {
      const { id: webhookId } = request.params;
      const { limit, cursor, state = null } = request.query;
      const before = positionIn(cursor, BY_NUMBER)?.[0] ?? null;
      return await deps.database.inWorkspace(request.caller.context.workspace, async (tx) => {
        if ((await readWebhook(tx, webhookId)) === null) throw notFound('webhook');
        const wanted = { webhookId, state, before, limit: limit + 1 };
        const { rows, total } = await listDeliveries(tx, wanted);
        return pageOf(rows, limit, ({ n }) => [n], total);
      });
    },
  );

  app.post(
    '/v1/webhooks/:id/deliveries/:n/retry',
    {
      schema: {
        summary:
          'Send a delivery once more, with the same id and all its tries; at once if it waits',
        tags: ['webhooks'],
        params: deliveryParams,
        response: { 202: deliverySchema },
      },
    },
    async (request, reply) => {
      const { id, n } = request.params;
      const body = await delivered(deps, request, id, async (tx) => {
        if (!(await retryDelivery(tx, id, n, deps.clock()))) throw notFound('delivery');
        await auditWebhook(tx, deps, request, { action: 'webhook.retried', id });
        return n;
      });
      return reply.status(202).send(body);
    },
  );

  app.post(
    '/v1/webhooks/:id/ping',
    {
      schema: {
        summary: 'Tell a webhook `ping`, whatever it subscribes to, to try it',
        tags: ['webhooks'],
        params: idParams,
        response: { 202: deliverySchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const body = await delivered(deps, request, id, async (tx) => {
        const ping = { type: 'ping', at: deps.clock(), data: {} } as const;
        const n = await announceTo(tx, id, ping);
        if (n === null) throw notFound('webhook');
        await auditWebhook(tx, deps, request, { action: 'webhook.pinged', id });
        return n;
      });
      return reply.status(202).send(body);
    },
  );
}

/** Does what has a delivery made, once, and answers with how it stands. */
async function delivered(
  deps: ApiDependencies,
  request: FastifyRequest,
  webhookId: string,
  make: (tx: Tx) => Promise<number>,
): Promise<WebhookDelivery> {
  const read = async (tx: Tx, n: number): Promise<WebhookDelivery> => {
    const delivery = await readDelivery(tx, webhookId, n);
    if (delivery === null) throw notFound('delivery');
    return delivery;
  };
  const { body } = await writeOnce(request, deps, {
    perform: async (tx) => {
      const n = await make(tx);
      return { status: 202, reference: { n }, body: await read(tx, n) };
    },
    rebuild: (tx, { n }) => read(tx, n),
  });
  deps.pokeDeliveries?.();
  return body as WebhookDelivery;
}
