import { z } from 'zod';
import type { RecallRequest } from '../../contracts/recall';
import { voiceOfCaller } from '../../domain/proven-use';
import { idParams } from '../../schemas/listing';
import { feedbackSchema, recallAnswerSchema, recallSchema } from '../../schemas/recall';
import { recordFeedback } from '../../store/card-writes-proven';
import { waysToSee } from '../../store/visible-cards';
import type { ApiDependencies, App } from '../app';
import { readerOf } from '../card-rights';
import { writeOnce } from '../idempotency';
import { requireReader } from '../known-agent';
import { notFound } from '../problem';
import { NOT_MODIFIED, recall } from '../recall';

export function recallRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/recall',
    {
      schema: {
        summary: 'The few cards that fit what an agent is about to do, without contradictions',
        tags: ['recall'],
        querystring: z.strictObject({}),
        body: recallSchema,
        response: { 200: recallAnswerSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      await requireReader(deps, request.caller);
      const answer = await recall(deps, request.caller, request.body as RecallRequest);
      if (answer === NOT_MODIFIED) return reply.status(304).send();
      return reply.header('etag', `"${answer.context_version}"`).send(answer);
    },
  );

  app.post(
    '/v1/recalls/:id/feedback',
    {
      schema: {
        summary: 'Whether an injected card helped; useful is a proven use',
        description:
          'Useful counts one use, once for each injection. It raises the confidence of the card by 0.1 where ' +
          "a person says so, and once a day where an agent says so of another's card; what an agent says of " +
          'its own card raises nothing. Not useful takes nothing away.',
        tags: ['recall'],
        params: idParams,
        querystring: z.strictObject({}),
        body: feedbackSchema,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await requireReader(deps, request.caller);
      const { context } = request.caller;
      const { status } = await writeOnce(request, deps, {
        perform: async (tx) => {
          // Judged now: who may no longer see the card has no say in it.
          const reader = readerOf(request.caller, deps.clock);
          const ways = await waysToSee(tx, reader, request.body.card_id);
          if (ways.length === 0) throw notFound('injection');
          const found = await recordFeedback(tx, {
            recallId: request.params.id,
            cardId: request.body.card_id,
            useful: request.body.useful,
            agent: context.agent,
            // Staff may judge what any agent was given; a member what they were.
            person: context.principal.role === 'member' ? context.principal.id : null,
            voice: voiceOfCaller(context.principal.kind),
            at: deps.clock(),
          });
          if (!found) throw notFound('injection');
          return { status: 204, reference: {}, body: undefined };
        },
        rebuild: async () => null,
      });
      return reply.status(status as 204).send();
    },
  );
}
