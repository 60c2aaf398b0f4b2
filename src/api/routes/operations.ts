import { z } from 'zod';
import { operationSchema } from '../../schemas/listing-records';
import { readOperation } from '../../store/operations';
import type { ApiDependencies, App } from '../app';
import { operationFor } from '../operation-view';
import { notFound } from '../problem';

export function operationRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/operations/:id',
    {
      schema: {
        summary: 'The state, the result and the workflow of something that was started',
        tags: ['operations'],
        params: z.object({ id: z.string() }),
        response: { 200: operationSchema },
      },
    },
    async (request) => {
      const { caller } = request;
      const { workspace, principal } = caller.context;
      return await deps.database.inWorkspace(workspace, async (tx) => {
        const operation = await readOperation(tx, request.params.id, {
          agent: principal.kind === 'agent' ? principal.id : null,
          subject: principal.role === 'member' ? (caller.memberSubject ?? '') : null,
        });
        if (operation === null) throw notFound('operation');
        return await operationFor(tx, caller, operation, deps.clock());
      });
    },
  );
}
