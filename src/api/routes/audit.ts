import { instantFilter, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { auditRowSchema } from '../../schemas/listing-records';
import { countAudit, listAudit } from '../../store/audit';
import type { ApiDependencies, App } from '../app';
import { BY_NUMBER, pageOf, positionIn } from '../paging';

export function auditRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/audit',
    {
      schema: {
        summary: 'Who changed what and when, newest first, without any content',
        tags: ['audit'],
        querystring: listQuery({
          actor: textFilter,
          action: textFilter,
          target_type: textFilter,
          target: textFilter,
          since: instantFilter,
          until: instantFilter,
        }),
        response: { 200: pageSchema(auditRowSchema) },
      },
    },
    async (request) => {
      const { query } = request;
      const { workspace } = request.caller.context;
      const named = (id: string | undefined) =>
        id === undefined ? null : deps.pseudonyms.of(workspace, id);
      const filter = {
        actor: named(query.actor),
        action: query.action ?? null,
        targetType: query.target_type ?? null,
        target: named(query.target),
        since: query.since ?? null,
        until: query.until ?? null,
        before: positionIn(query.cursor, BY_NUMBER)?.[0] ?? null,
        limit: query.limit + 1,
      };
      return await deps.database.inWorkspace(workspace, async (tx) => {
        const rows = await listAudit(tx, filter);
        return pageOf(rows, query.limit, (row) => [row.seq], await countAudit(tx, filter));
      });
    },
  );
}
