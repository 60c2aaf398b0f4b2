import { z } from 'zod';
import { RUN_TYPES } from '../../contracts/names';
import { labelSchema } from '../../schemas/event';
import { idParams, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import {
  RUN_STATUSES,
  runChangeSchema,
  runDetailSchema,
  runSchema,
  scopeFilter,
} from '../../schemas/run';
import { listChanges } from '../../store/run-changes-read';
import { listRuns, readRun } from '../../store/runs';
import type { ApiDependencies, App } from '../app';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { notFound } from '../problem';
import { runDetail } from '../run-detail';

/** Of a diff: the run that did it, and the number of the line. */
const BY_LINE = z.tuple([labelSchema, z.int().min(0)]);

export function runRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/runs',
    {
      schema: {
        summary: 'What the workflows did and are doing, newest first; an agent sees its own',
        description:
          'With `parent_id` the units of one pass; with `scope` (`team:support`) those of one scope.',
        tags: ['runs'],
        querystring: listQuery({
          type: z.enum(RUN_TYPES).optional(),
          status: z.enum(RUN_STATUSES).optional(),
          parent_id: textFilter,
          scope: scopeFilter,
        }),
        response: { 200: pageSchema(runSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, type = null, status = null } = request.query;
      const { parent_id: parent = null, scope = null } = request.query;
      const { caller } = request;
      const after = positionIn(cursor, BY_TIME);
      // Whoever reads as an agent sees what ran for that agent.
      const filter = { type, status, agent: caller.context.agent, parent, scope };
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
        summary: 'One run, with the beginning of what it did; the same id is its operation',
        description:
          '`diff` has the first 50 changes, in ids, versions and codes. Of a dry run it says what would be, and ' +
          '`drafts` has the texts that would be written, as far as their sources are to be seen.',
        tags: ['runs'],
        params: idParams,
        response: { 200: runDetailSchema },
      },
    },
    (request) => {
      const { caller } = request;
      const { agent } = caller.context;
      return oneOf(deps, request, 'run', async (tx) => {
        const run = await readRun(tx, request.params.id, agent);
        return run === null ? null : await runDetail(tx, deps, caller, run);
      });
    },
  );

  app.get(
    '/v1/runs/:id/changes',
    {
      schema: {
        summary:
          'What a run and its units did, or in a dry run would do, in ids, versions and codes',
        tags: ['runs'],
        params: idParams,
        querystring: listQuery({}),
        response: { 200: pageSchema(runChangeSchema) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const { id } = request.params;
      const { workspace, agent } = request.caller.context;
      const after = positionIn(cursor, BY_LINE);
      const { rows, total } = await deps.database.inWorkspace(workspace, async (tx) => {
        if ((await readRun(tx, id, agent)) === null) throw notFound('run');
        return await listChanges(tx, id, { after, limit });
      });
      return pageOf(rows, limit, (row) => [row.run_id, row.n], total);
    },
  );
}
