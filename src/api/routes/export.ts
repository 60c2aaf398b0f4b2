import { exportQuery } from '../../schemas/transfer';
import type { ApiDependencies, App } from '../app';
import { askedId } from '../asking';
import { ExportPlaces } from '../export-places';
import { exportingOf, exportStream } from '../exporting';

export function exportRoutes(app: App, deps: ApiDependencies): void {
  const places = new ExportPlaces();
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
      const leave = places.take(caller);
      const stream = await exportStream(deps, caller, exporting).catch((error: unknown) => {
        leave();
        throw error;
      });
      stream.once('close', leave);
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', 'attachment; filename="cairn-export.ndjson"')
        .send(stream);
    },
  );
}
