import { z } from 'zod';
import { RUN_TYPES } from '../../contracts/names';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import { RUN_STATUSES, runSchema } from '../../schemas/listing-records';
import { listRuns, readRun } from '../../store/runs';
import type { ApiDependencies, App } from '../app';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';

export function runRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/runs',
    {
      schema: {
        summary: 'What the workflows did and are doing, newest first; an agent sees its own',
        tags: ['runs'],
        querystring: listQuery({
          type: z.enum(RUN_TYPES).optional(),
          status: z.enum(RUN_STATUSES).optional(),
        }),
        response: { 200: pageSchema(runSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, type = null, status = null } = request.query;
      const { caller } = request;
      const after = positionIn(cursor, BY_TIME);
      // Whoever reads as an agent sees what ran for that agent.
      const filter = { type, status, agent: caller.context.agent };
      const { rows, total } = await deps.database.inWorkspace(caller.context.workspace, (tx) =>
        listRuns(tx, filter, { after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.created_at, row.id], total);
    },
  );

  app.get(
    '/v1/runs/:id',
    {
      schema: {
        summary: 'One run; the same id is its operation',
        tags: ['runs'],
        params: idParams,
        response: { 200: runSchema },
      },
    },
    (request) => {
      const { agent } = request.caller.context;
      return oneOf(deps, request, 'run', (tx) => readRun(tx, request.params.id, agent));
    },
  );
}
