import {
  erasureAcceptedSchema,
  erasureBodySchema,
  erasureListQuery,
  erasureSchema,
  listedErasureSchema,
} from '../../schemas/erasure';
import { idParams, pageSchema } from '../../schemas/listing';
import { listErasures, readErasure } from '../../store/erasures-read';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { askErasure } from '../erasure-asking';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';

export function erasureRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/erasures',
    {
      schema: {
        summary:
          'Erase a subject, a person, an agent, a source, a project, or events and cards by id',
        description:
          'Of several fields all that any of them names goes, and what was derived from it: what rests on nothing ' +
          'else too, and the rest is written again without it. From the answer on, what comes late about it is ' +
          'refused (410 `erased`); new work is taken. `dry_run` counts and changes nothing. What a legal hold keeps ' +
          'stays, and the request ends `held`. A member leaves the selector out and erases what is about themselves.',
        tags: ['erasures'],
        body: erasureBodySchema,
        response: { 202: erasureAcceptedSchema },
      },
    },
    async (request, reply) => reply.status(202).send(await askErasure(deps, request, request.body)),
  );

  app.get(
    '/v1/erasures',
    {
      schema: {
        summary: 'Erasures, newest first; a member sees those that they asked for',
        tags: ['erasures'],
        querystring: erasureListQuery,
        response: { 200: pageSchema(listedErasureSchema) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = positionIn(cursor, BY_TIME);
      const by = askerOf(request.caller);
      const { rows, total } = await deps.database.inWorkspace(
        request.caller.context.workspace,
        (tx) => listErasures(tx, { by, after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.requested_at, row.id], total);
    },
  );

  app.get(
    '/v1/erasures/:id',
    {
      schema: {
        summary: 'One erasure: how it stands, its counts, and at the end its signed receipt',
        tags: ['erasures'],
        params: idParams,
        response: { 200: erasureSchema },
      },
    },
    (request) =>
      oneOf(deps, request, 'erasure', (tx) =>
        readErasure(tx, request.params.id, askerOf(request.caller)),
      ),
  );
}

/** Null for whoever sees those of others. */
function askerOf({ context }: Caller): string | null {
  const { role, id } = context.principal;
  return role === 'member' ? id : null;
}
