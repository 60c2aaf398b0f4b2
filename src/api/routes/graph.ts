import { graphQuery } from '../../schemas/card';
import { graphSchema } from '../../schemas/card-answers';
import { logAccess } from '../../store/access-log';
import { readGraph } from '../../store/graph';
import type { ApiDependencies, App } from '../app';
import { readerOf } from '../card-rights';
import { notFound } from '../problem';

export function graphRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/graph',
    {
      schema: {
        summary: 'Cards around one, and what links them; without a center, the newest',
        description:
          'Walks through cards that the caller may see only, and of the `kinds`, `agent` and time of recording ' +
          '(`since`, `until`) given, by edges of the `edge_types` given (lists with commas). `degree` counts all edges ' +
          'whose other end the caller may see, shown here or not.',
        tags: ['cards'],
        querystring: graphQuery,
        response: { 200: graphSchema },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const reader = readerOf(caller, deps.clock);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const graph = await readGraph(tx, reader, {
          center: query.center ?? null,
          depth: query.depth,
          nodes: {
            kinds: query.kinds ?? null,
            agent: query.agent ?? null,
            since: query.since ?? null,
            until: query.until ?? null,
          },
          edgeTypes: query.edge_types ?? null,
          limit: query.limit,
        });
        if (graph === null) throw notFound('card');
        const { seen, ...answer } = graph;
        await logAccess(tx, caller.context, { surface: 'graph', at: reader[5], cards: seen });
        return answer;
      });
    },
  );
}
