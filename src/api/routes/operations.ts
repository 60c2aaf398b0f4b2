import { z } from 'zod';
import { readOperation } from '../../store/operations';
import type { ApiDependencies, App } from '../app';
import { notFound } from '../problem';

export function operationRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/operations/:id',
    {
      schema: {
        summary: 'The state, the result and the workflow of something that was started',
        tags: ['operations'],
        params: z.object({ id: z.string() }),
      },
    },
    async (request) => {
      const { workspace, principal } = request.caller.context;
      const agent = principal.kind === 'agent' ? principal.id : null;
      const operation = await deps.database.inWorkspace(workspace, (tx) =>
        readOperation(tx, request.params.id, agent),
      );
      if (operation === null) throw notFound('operation');
      return operation;
    },
  );
}
