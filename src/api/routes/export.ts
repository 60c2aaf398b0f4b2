import { exportQuery } from '../../schemas/transfer';
import type { ApiDependencies, App } from '../app';
import { askedId } from '../asking';
import { exportingOf, exportStream } from '../exporting';
import { Problem } from '../problem';

/** Each holds a connection for as long as it is read: of the ten of a server, two. */
const AT_A_TIME = 2;

export function exportRoutes(app: App, deps: ApiDependencies): void {
  let running = 0;
  app.get(
    '/v1/export',
    {
      schema: {
        summary: 'Everything there is, or what is about one subject, as signed lines of JSON',
        description:
          'A manifest, a line for each row, and a signature over all of them. With `subject` what is about them; a ' +
          'member gets what is about their own subject. With `Cairn-Agent` the cards and edges that this agent sees. ' +
          'One that breaks off has no last line. docs/export.md says what each line holds and how it is verified.',
        tags: ['govern'],
        querystring: exportQuery,
      },
    },
    async (request, reply) => {
      const { caller, query } = request;
      const subject =
        query.subject === undefined ? null : askedId(deps, caller, query.subject, '/subject');
      const exporting = exportingOf(deps, caller, subject);
      if (running >= AT_A_TIME) throw tooMany();
      running += 1;
      const stream = await exportStream(deps, caller, exporting).catch((error: unknown) => {
        running -= 1;
        throw error;
      });
      stream.once('close', () => {
        running -= 1;
      });
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="cairn-export.ndjson"')
        .send(stream);
    },
  );
}

function tooMany(): Problem {
  return new Problem(
    429,
    'too_many_exports',
    `${AT_A_TIME} exports are being read already; ask again once one of them is through`,
    {},
    { 'retry-after': '30' },
  );
}
