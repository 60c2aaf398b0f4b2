import { z } from 'zod';
import { DISPOSITIONS } from '../../contracts/names';
import { labelSchema } from '../../schemas/event';
import { instantFilter, listQuery, pageSchema, textFilter } from '../../schemas/listing';
import { eventRecordSchema } from '../../schemas/listing-records';
import { type EventReader, listEventRecords, readEventRecord } from '../../store/event-records';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { badRequest, notAllowed } from '../problem';

export function eventRecordRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/events',
    {
      schema: {
        summary: 'Reported work and what became of it, newest first; an agent sees its own',
        tags: ['events'],
        querystring: listQuery({
          disposition: z.enum(DISPOSITIONS).optional(),
          agent: textFilter,
          since: instantFilter,
        }),
        response: { 200: pageSchema(eventRecordSchema) },
      },
    },
    async (request) => {
      const { limit, cursor, disposition = null, agent, since = null } = request.query;
      const { workspace } = request.caller.context;
      const reader = readerOf(request.caller);
      const filter = {
        disposition,
        since,
        agent: agent === undefined ? null : deps.pseudonyms.of(workspace, agent),
      };
      const after = positionIn(cursor, BY_TIME);
      const { rows, total } = await deps.database.inWorkspace(workspace, (tx) =>
        listEventRecords(tx, reader, filter, { after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.recorded_at, row.event_id], total);
    },
  );

  app.get(
    '/v1/events/:event_id',
    {
      schema: {
        summary: 'One event as it was redacted, until its retention is over, and what became of it',
        tags: ['events'],
        params: z.object({ event_id: labelSchema }),
        response: { 200: eventRecordSchema },
      },
    },
    (request) => {
      const reader = readerOf(request.caller);
      return oneOf(deps, request, 'event', (tx) =>
        readEventRecord(tx, request.params.event_id, reader),
      );
    },
  );
}

/** People see the workspace's, a member what is about their own subject, an agent what it emitted. */
function readerOf(caller: Caller): EventReader {
  const { principal, agent } = caller.context;
  if (principal.kind === 'runtime' && agent === null) {
    throw badRequest("name the agent that reads: a runtime's key adds Cairn-Agent");
  }
  if (principal.role !== 'member') return { agent, subject: null };
  if (caller.memberSubject === null) {
    throw notAllowed('a member sees what is about their own subject, and this one has none');
  }
  return { agent, subject: caller.memberSubject };
}
