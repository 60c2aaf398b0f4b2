import { instantFilter, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { auditRowSchema } from '../../schemas/listing-records';
import { countAudit, listAudit } from '../../store/audit';
import type { ApiDependencies, App } from '../app';
import { pageOfLog } from '../log-page';

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
    async (request) =>
      await pageOfLog(deps, request, {
        filter: ({ actor, action, target_type, target }, named) => ({
          actor: named(actor),
          action: action ?? null,
          targetType: target_type ?? null,
          target: named(target),
        }),
        list: listAudit,
        count: countAudit,
        numberOf: ({ seq }) => seq,
      }),
  );
}
