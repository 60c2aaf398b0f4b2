import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { putWebhookAnswerSchema, putWebhookSchema, webhookSchema } from '../../schemas/webhook';
import { deleteWebhook, listWebhooks, readWebhook } from '../../store/webhooks';
import type { ApiDependencies, App } from '../app';
import { writeOnce } from '../idempotency';
import { checkedId, directoryOf, oneOf, pageById } from '../listing';
import { notFound } from '../problem';
import { auditWebhook, putWebhook, shownTo } from '../webhook-writing';

/** Whom to tell of what. */
export function webhookRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/webhooks',
    {
      schema: {
        summary: 'Webhooks, by id, without their secrets',
        tags: ['webhooks'],
        querystring: listQuery({}),
        response: { 200: pageSchema(webhookSchema) },
      },
    },
    (request) =>
      pageById(request, async (page) => {
        const { workspace } = request.caller.context;
        const slice = await deps.database.inWorkspace(workspace, (tx) => listWebhooks(tx, page));
        return { ...slice, rows: slice.rows.map(shownTo(deps, request)) };
      }),
  );

  app.get(
    '/v1/webhooks/:id',
    {
      schema: {
        summary: 'One webhook',
        tags: ['webhooks'],
        params: idParams,
        response: { 200: webhookSchema },
      },
    },
    async (request) => {
      const { id } = request.params;
      const stored = await oneOf(deps, request, 'webhook', (tx) => readWebhook(tx, id));
      return shownTo(deps, request)(stored);
    },
  );

  app.put(
    '/v1/webhooks/:id',
    {
      schema: {
        summary: 'Tell this address of these events; deliveries are signed',
        description:
          'Without `secret` Cairn makes one, which the answer shows once as `signing_secret`. A secret that ' +
          'is left out of a later PUT stays; null has Cairn make a new one. The address has to be https and ' +
          'public unless the policy says `webhooks.allow_private`.',
        tags: ['webhooks'],
        params: idParams,
        body: putWebhookSchema,
        response: { 200: putWebhookAnswerSchema, 201: putWebhookAnswerSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = checkedId(request.params.id, (value) => directory.plainId(value));
      const { status, body } = await putWebhook(deps, request, id, request.body);
      return reply.status(status).send(body);
    },
  );

  app.delete(
    '/v1/webhooks/:id',
    {
      schema: {
        summary: 'Tell it nothing more; its deliveries go with it',
        tags: ['webhooks'],
        params: idParams,
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await writeOnce(request, deps, {
        perform: async (tx) => {
          if (!(await deleteWebhook(tx, id))) throw notFound('webhook');
          await auditWebhook(tx, deps, request, { action: 'webhook.deleted', id });
          return { status: 204, reference: { id }, body: undefined };
        },
        rebuild: async () => undefined,
      });
      return reply.status(204).send();
    },
  );
}
