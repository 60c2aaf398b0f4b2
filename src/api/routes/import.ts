import { Readable } from 'node:stream';
import { importQuery, importTakenSchema } from '../../schemas/transfer';
import type { ApiDependencies, App } from '../app';
import { takeImport } from '../import-taking';
import { badRequest, Problem } from '../problem';

const NDJSON = ['application/x-ndjson', 'application/jsonl', 'application/ndjson'];

export function importRoutes(app: App, deps: ApiDependencies): void {
  void app.register(async (scope) => {
    // As it comes in: what is held of it is a few hundred lines, however long it is.
    scope.addContentTypeParser(NDJSON, (_request, payload, done) => done(null, payload));
    (scope as unknown as App).post(
      '/v1/import',
      {
        schema: {
          summary: 'Take an export into this workspace: its lines, whole or in parts',
          description:
            'The body is the file (`application/x-ndjson`). Its signature is verified before anything is applied; one ' +
            'by the key of another installation takes `accept_key`. Parts of a long file are sent with `more=true`, each ' +
            'after the first with `import` and `after`. Ids and lineage are kept; what stands here under the same id is ' +
            'never overwritten: the operation names it. Sent again, it goes on where it stopped.',
          tags: ['govern'],
          querystring: importQuery,
          response: { 202: importTakenSchema },
        },
      },
      async (request, reply) => {
        const body: unknown = request.body;
        if (!(body instanceof Readable)) throw noLines();
        try {
          // Whoever stops reading leaves it open: with it the connection would go, and the answer.
          const chunks = body.iterator({ destroyOnReturn: false });
          return reply.status(202).send(await takeImport(deps, request, request.query, chunks));
        } catch (error) {
          // Whoever sent it is gone: it is no fault of ours, and what is held waits for the rest.
          throw body.errored === error ? brokenOff() : error;
        } finally {
          // What is still to come is read to its end, so that the answer reaches who sends it.
          body.resume();
        }
      },
    );
  });
}

function brokenOff(): Problem {
  return badRequest('the file broke off on its way: send it again, and it goes on');
}

function noLines(): Problem {
  return new Problem(
    415,
    'unsupported_media_type',
    'send the file as it is: Content-Type: application/x-ndjson',
  );
}
