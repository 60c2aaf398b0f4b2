import { otelAnswerSchema, otelRequestSchema } from '../../schemas/otel';
import type { ApiDependencies, App } from '../app';
import { requireSameRequest } from '../idempotency';
import { unpacked } from '../otel/encodings';
import { takeSpans } from '../otel/taking';
import { mayReport } from './events';

/** OpenTelemetry: a fleet that is traced gets its memory from its traces. */
export function otelRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/otel/v1/traces',
    {
      preParsing: async (request, _reply, payload) => unpacked(request, payload),
      schema: {
        summary: 'Take OTLP/JSON spans in the GenAI semantic conventions as settled events',
        description:
          'Tool calls, agents and workflows that ran, and chats that carry their content or failed become events; ' +
          'other spans are passed over. `Cairn-Spans` of the answer counts them. A bad span never fails the rest: ' +
          '`partialSuccess` tells how many were rejected, and why.',
        tags: ['events'],
        body: otelRequestSchema,
        response: { 200: otelAnswerSchema },
      },
    },
    async (request, reply) => {
      mayReport(request.caller);
      await requireSameRequest(request, deps, 200);
      const { answer, counts } = await takeSpans(deps, request.caller, request.body);
      const told = Object.entries(counts).map(([name, count]) => `${name}=${count}`);
      return reply.header('cairn-spans', told.join(', ')).send(answer);
    },
  );
}
