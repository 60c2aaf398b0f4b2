import { z } from 'zod';
import { VIAS } from '../../contracts/names';
import { instantFilter, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { accessRowSchema } from '../../schemas/listing-records';
import { countAccess, listAccess } from '../../store/access-log';
import type { ApiDependencies, App } from '../app';
import { pageOfLog } from '../log-page';

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
    async (request) =>
      await pageOfLog(deps, request, {
        filter: ({ agent, person, card, via }, named) => ({
          agent: named(agent),
          person: named(person),
          card: card ?? null,
          via: via ?? null,
        }),
        list: listAccess,
        count: countAccess,
        numberOf: ({ id }) => id,
      }),
  );
}
