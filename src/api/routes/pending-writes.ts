import { z } from 'zod';
import { idParams, pageSchema } from '../../schemas/listing';
import {
  pendingDecisionSchema,
  pendingWriteListQuery,
  pendingWriteSchema,
} from '../../schemas/pending-write';
import { listPendingWrites } from '../../store/pending-writes';
import type { ApiDependencies, App } from '../app';
import { askedId } from '../asking';
import { oneOf } from '../listing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { decideOnce, requirePendingWrite, watcherOf } from '../pending-deciding';

/** What restricted agents posted, and the decisions of those above them. */
export function pendingWriteRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/pending-writes',
    {
      schema: {
        summary: 'What restricted agents posted, the last first',
        description:
          'An agent, or a runtime for it, sees what itself and the agents below it in the spawn tree posted; ' +
          'people see all of the workspace. `status=waiting` is what nobody has decided yet; `status` may be ' +
          'given more than once. `write` is the redacted content while it waits.',
        tags: ['pending writes'],
        querystring: pendingWriteListQuery,
        response: { 200: pageSchema(pendingWriteSchema) },
      },
    },
    async ({ caller, query }) => {
      const { limit, cursor, status = null, agent } = query;
      const after = positionIn(cursor, BY_TIME);
      const filter = {
        status,
        agent: agent === undefined ? null : askedId(deps, caller, agent, '/agent'),
      };
      const watcher = watcherOf(caller);
      const { rows, total } = await deps.database.inWorkspace(caller.context.workspace, (tx) =>
        listPendingWrites(tx, watcher, filter, { after, limit }),
      );
      return pageOf(rows, limit, (row) => [row.created_at, row.id], total);
    },
  );

  app.get(
    '/v1/pending-writes/:id',
    {
      schema: {
        summary: 'One of them; once it was decided, its text is gone',
        tags: ['pending writes'],
        params: idParams,
        response: { 200: pendingWriteSchema },
      },
    },
    (request) =>
      oneOf(deps, request, 'pending write', (tx) =>
        requirePendingWrite(tx, request.caller, request.params.id),
      ),
  );

  app.post(
    '/v1/pending-writes/:id',
    {
      schema: {
        summary: 'Accept or reject what a restricted agent posted',
        description:
          'By its parent, an agent above that, a runtime for one of them, or a person who may edit. Accepted, ' +
          "it is a card in its parent's own scope (of an agent without a parent, in its own), written by the " +
          "restricted agent and unconfirmed as any agent's word; a note is the parent's note under its key. " +
          '`card` says how that card stands: `quarantined`, with its `reason`, where the policy quarantines what ' +
          'reads like an instruction, and a note then stays as it was. ' +
          '409 `already_decided`. What nobody decides within 30 days is dropped by retention.',
        tags: ['pending writes'],
        params: idParams,
        body: pendingDecisionSchema,
        response: { 200: z.union([pendingWriteSchema, z.object({ id: z.string() })]) },
      },
    },
    (request) => decideOnce(deps, request, request.params.id, request.body),
  );
}
