import { z } from 'zod';
import { labelSchema } from '../../schemas/event';
import { knownActionSchema } from '../../schemas/insight-answers';
import { actionParams, blockSchema, knownActionQuery } from '../../schemas/insights';
import { pageSchema } from '../../schemas/listing';
import { logAccess } from '../../store/access-log';
import { listActions } from '../../store/actions';
import { blockOnce, knownActions, unblockOnce } from '../action-blocking';
import type { ApiDependencies, App } from '../app';
import { readerOf } from '../card-rights';
import { BY_TIME, pageOf, positionIn } from '../paging';

/** Actions over all insights, by the hash of their normalized text, and which of them nobody is to be advised. */
export function actionRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/actions',
    {
      schema: {
        summary: 'What insights recommend, with what came of it; the newest first',
        description:
          'Of insights that the caller may see; who sees every card sees what is blocked too. `blocked=true` ' +
          'lists those alone.',
        tags: ['insights'],
        querystring: knownActionQuery,
        response: { 200: pageSchema(knownActionSchema) },
      },
    },
    async ({ caller, query }) => {
      const { limit, cursor, blocked = null } = query;
      const after = positionIn(cursor, BY_TIME);
      const reader = readerOf(caller, deps.clock);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const found = await listActions(tx, reader, blocked, { after, limit: limit + 1 });
        const { items, ...page } = pageOf(
          found.actions,
          limit,
          (row) => [row.created_at, row.hash],
          found.total,
        );
        const told = items.flatMap((row) => row.told ?? []);
        const cards = [...new Map(told.map((card) => [card.id, card])).values()];
        await logAccess(tx, caller.context, { surface: 'actions.list', at: reader[5], cards });
        return { ...page, items: await knownActions(tx, reader, items) };
      });
    },
  );

  app.put(
    '/v1/actions/:hash/block',
    {
      schema: {
        summary: 'Take an action out of every insight, from the next read on',
        description:
          'By an owner or a reviewer. Insights count it in `removed`, and nobody sees its text there; outcomes ' +
          'of it that are known stay. Again, the later word stands.',
        tags: ['insights'],
        params: actionParams,
        body: blockSchema,
        response: { 200: z.union([knownActionSchema, z.object({ hash: labelSchema })]) },
      },
    },
    (request) => blockOnce(deps, request, request.params.hash, request.body?.reason),
  );

  app.delete(
    '/v1/actions/:hash/block',
    {
      schema: {
        summary: 'Let an action be recommended again',
        tags: ['insights'],
        params: actionParams,
      },
    },
    async (request, reply) => {
      await unblockOnce(deps, request, request.params.hash);
      return reply.status(204).send();
    },
  );
}
