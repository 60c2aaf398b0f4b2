import { z } from 'zod';
import { VIAS } from '../../contracts/names';
import { instantFilter, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { accessRowSchema } from '../../schemas/listing-records';
import { countAccess, listAccess } from '../../store/access-log';
import type { ApiDependencies, App } from '../app';
import { BY_NUMBER, pageOf, positionIn } from '../paging';

export function accessLogRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/access-log',
    {
      schema: {
        summary: 'Who saw whose cards, in which way and for whom, newest first',
        tags: ['audit'],
        querystring: listQuery({
          agent: textFilter,
          person: textFilter,
          card: textFilter,
          via: z.enum(VIAS).optional(),
          since: instantFilter,
          until: instantFilter,
        }),
        response: { 200: pageSchema(accessRowSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { workspace } = request.caller.context;
      const named = (id: string | undefined) =>
        id === undefined ? null : deps.pseudonyms.of(workspace, id);
      const filter = {
        agent: named(query.agent),
        person: named(query.person),
        card: query.card ?? null,
        via: query.via ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
        before: positionIn(query.cursor, BY_NUMBER)?.[0] ?? null,
        limit: query.limit + 1,
      };
      return await deps.database.inWorkspace(workspace, async (tx) => {
        const rows = await listAccess(tx, filter);
        return pageOf(rows, query.limit, (row) => [row.id], await countAccess(tx, filter));
      });
    },
  );
}
