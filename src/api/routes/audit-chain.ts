import {
  askedSealSchema,
  auditSealSchema,
  exportPageSchema,
  exportQuery,
  verificationSchema,
  verifyQuery,
} from '../../schemas/audit';
import { listQuery, pageSchema } from '../../schemas/listing';
import { listSeals } from '../../store/audit-chain';
import { askForSeal } from '../../store/audit-seal-starts';
import type { ApiDependencies, App } from '../app';
import { exportPage } from '../audit-export';
import { verifyChain } from '../audit-verifying';
import { writeOnce } from '../idempotency';
import { BY_NUMBER, pageOf, positionIn } from '../paging';

/** What proves the logs: their chain of hashes, looked at, computed anew, taken along, gone on with. */
export function auditChainRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/audit/seals',
    {
      schema: {
        summary: 'The blocks in which the logs are sealed, newest first',
        description:
          '`head` stands for everything up to its block. Keep one outside of this database, and ' +
          '`GET /v1/audit/verify?anchor=` says whether the chain still goes through it.',
        tags: ['audit'],
        querystring: listQuery({}),
        response: { 200: pageSchema(auditSealSchema) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const before = positionIn(cursor, BY_NUMBER)?.[0] ?? null;
      const { rows, total } = await deps.database.inWorkspace(
        request.caller.context.workspace,
        (tx) => listSeals(tx, { before, limit: limit + 1 }),
      );
      return pageOf(rows, limit, ({ n }) => [n], total);
    },
  );

  app.get(
    '/v1/audit/verify',
    {
      schema: {
        summary: 'Compute the chain anew: does everything stand as it was sealed?',
        description:
          'Looks at a hundred blocks. `next` says where to go on (`after`); where it is null, everything was ' +
          'looked at, and `ok` is the answer. `first_bad` names the first row, by block and number, that was ' +
          'changed, is missing, was put in or stands elsewhere; `chain` is a seal itself. With `anchor`, a ' +
          'head that was known before, it also finds a chain that was cut short or made anew.',
        tags: ['audit'],
        querystring: verifyQuery,
        response: { 200: verificationSchema },
      },
    },
    async (request) => {
      const { after = 0, anchor = null } = request.query;
      return await verifyChain(deps, request.caller.context.workspace, { after, anchor });
    },
  );

  app.get(
    '/v1/audit/export',
    {
      schema: {
        summary: 'Both logs and their seals, as they were hashed: to verify them elsewhere',
        description:
          'Lines of a file, a block a page: a manifest first, each seal followed by its rows, then the rows ' +
          'that are not sealed yet, and an end with the head. `cairn audit verify --file` reads it without a ' +
          'server; docs/audit.md says what is hashed.',
        tags: ['audit'],
        querystring: exportQuery,
        response: { 200: exportPageSchema },
      },
    },
    async (request) =>
      await exportPage(deps, request.caller.context.workspace, request.query.cursor),
  );

  app.post(
    '/v1/audit/seal',
    {
      schema: {
        summary: 'Seal what is in the logs now, without waiting for the next pass',
        description: 'The result of the operation has the head.',
        tags: ['audit'],
        response: { 202: askedSealSchema },
      },
    },
    async (request, reply) => {
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const reference = { operation_id: await askForSeal(tx, deps.clock()) };
          return { status: 202, reference, body: reference };
        },
        rebuild: async (_tx, reference) => reference,
      });
      deps.pokeOutbox();
      return reply.status(202).send(answer.body as { operation_id: string });
    },
  );
}
