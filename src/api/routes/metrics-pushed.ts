import { z } from 'zod';
import { labelSchema } from '../../schemas/event';
import { acceptedMetricsSchema, metricSchema } from '../../schemas/insight-answers';
import { metricListQuery, pushedMetricsSchema } from '../../schemas/insights';
import { pageSchema } from '../../schemas/listing';
import { listPushed } from '../../store/metric-snapshots';
import type { ApiDependencies, App } from '../app';
import { pushMetricsOnce } from '../metric-pushing';
import { pageOf, positionIn } from '../paging';

/** By the number's own time, and then by name. */
const BY_MOMENT = z.tuple([z.iso.datetime(), labelSchema]);

/** Numbers of the business over time: what insights are scored and measured by. */
export function pushedMetricRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/metrics',
    {
      schema: {
        summary: 'Push a number, or `{metrics: […]}` of up to 500',
        description:
          'By a runtime or a person who may edit: these numbers decide what is recommended to everybody. The same ' +
          'moment of a metric is one number; pushed again it is the later one. `goal` says whether more of it is ' +
          'better; left out, its name tells where it can.',
        tags: ['insights'],
        body: pushedMetricsSchema,
        response: { 201: acceptedMetricsSchema },
      },
    },
    async (request, reply) =>
      reply.status(201).send(await pushMetricsOnce(deps, request, request.body)),
  );

  app.get(
    '/v1/metrics',
    {
      schema: {
        summary: 'Numbers that were pushed, the newest first',
        description: '`since` and `until` bound the time of the number, `until` itself left out.',
        tags: ['insights'],
        querystring: metricListQuery,
        response: { 200: pageSchema(metricSchema) },
      },
    },
    async ({ caller, query }) => {
      const { limit, cursor, name = null, since = null, until = null } = query;
      const after = positionIn(cursor, BY_MOMENT);
      const { rows, total } = await deps.database.inWorkspace(caller.context.workspace, (tx) =>
        listPushed(tx, { name, since, until }, { after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.at, row.name], total);
    },
  );
}
