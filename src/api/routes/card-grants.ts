import { z } from 'zod';
import { grantSchema } from '../../schemas/card';
import { grantAnswerSchema } from '../../schemas/card-answers';
import { labelSchema } from '../../schemas/event';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { listGrants } from '../../store/card-grants';
import type { ApiDependencies, App } from '../app';
import {
  shareWithAgent,
  shareWithGroup,
  unshareFromAgent,
  unshareFromGroup,
} from '../card-granting';
import { readerOf, requireCard, requireInspection } from '../card-rights';
import { BY_NUMBER, pageOf, positionIn } from '../paging';

const agentParams = z.object({ id: labelSchema, agent: labelSchema });
const groupParams = z.object({ id: labelSchema, group: labelSchema });

/** Showing a card to one more agent or to a group, with a purpose and an end, and taking it back. */
export function cardGrantRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards/:id/grants',
    {
      schema: {
        summary: 'With whom a card is shared, the first grant first',
        tags: ['cards'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(grantAnswerSchema) },
      },
    },
    async (request) => {
      const { caller, params, query } = request;
      const reader = readerOf(caller, deps.clock);
      const from = positionIn(query.cursor, BY_NUMBER)?.[0] ?? 0;
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const { card } = await requireCard(tx, reader, params.id);
        requireInspection(caller, card);
        const all = await listGrants(tx, card.id);
        const numbered = all.map((grant, index) => ({ grant, next: index + 1 }));
        const page = pageOf(
          numbered.slice(from, from + query.limit + 1),
          query.limit,
          ({ next }) => [next],
          all.length,
        );
        return { ...page, items: page.items.map(({ grant }) => grant) };
      });
    },
  );

  app.put(
    '/v1/cards/:id/grants/:agent',
    {
      schema: {
        summary:
          'Let one more agent see a card, for a purpose and until a time; again replaces both',
        description:
          'An agent shares its own cards within its team or spawn tree; a person anywhere.',
        tags: ['cards'],
        params: agentParams,
        body: grantSchema,
        response: { 200: z.union([grantAnswerSchema, z.object({ id: z.string() })]) },
      },
    },
    async (request) =>
      await shareWithAgent(deps, request, { ...request.params, terms: request.body }),
  );

  app.delete(
    '/v1/cards/:id/grants/:agent',
    {
      schema: {
        summary: 'Take a grant back; the very next read no longer sees the card',
        tags: ['cards'],
        params: agentParams,
      },
    },
    async (request, reply) => {
      await unshareFromAgent(deps, request, request.params);
      return reply.status(204).send();
    },
  );

  app.put(
    '/v1/cards/:id/group-grants/:group',
    {
      schema: {
        summary: 'Let the agents of a group see a card; who joins later sees it too',
        description: 'An agent may do so where every member is in its team or spawn tree.',
        tags: ['cards'],
        params: groupParams,
        body: grantSchema,
        response: { 200: z.union([grantAnswerSchema, z.object({ id: z.string() })]) },
      },
    },
    async (request) =>
      await shareWithGroup(deps, request, { ...request.params, terms: request.body }),
  );

  app.delete(
    '/v1/cards/:id/group-grants/:group',
    {
      schema: {
        summary: 'Take a grant to a group back; whoever sees the card in another way keeps it',
        tags: ['cards'],
        params: groupParams,
      },
    },
    async (request, reply) => {
      await unshareFromGroup(deps, request, request.params);
      return reply.status(204).send();
    },
  );
}
