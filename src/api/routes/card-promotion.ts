import { reasonSchema } from '../../schemas/card';
import { changedCardSchema } from '../../schemas/card-answers';
import { idParams } from '../../schemas/listing';
import { askedPromotionSchema, promotionSchema } from '../../schemas/proposal';
import type { ApiDependencies, App } from '../app';
import { answerDecision } from '../card-deciding';
import { askPromotion, demote } from '../card-promoting';

/** Showing a card to more than its own agent takes a person; so does taking that back. */
export function cardPromotionRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/cards/:id/promotion',
    {
      schema: {
        summary: 'Propose to show a card to a team or to the whole workspace',
        description:
          'By the agent whose card it is, to its own team or the workspace; by a runtime for it; by an owner or ' +
          'a reviewer. Somebody else decides. Where the same waits already, that one is the answer. 409: ' +
          '`not_in_use` (or in that scope already), `not_wider`, `key_taken`. `expires_in` is an ISO 8601 ' +
          "duration; without it the policy's.",
        tags: ['proposals'],
        params: idParams,
        body: promotionSchema,
        response: { 202: askedPromotionSchema },
      },
    },
    async (request, reply) => {
      const asked = await askPromotion(deps, request, request.params.id, request.body);
      deps.pokeOutbox();
      return reply.status(202).send(asked);
    },
  );

  app.post(
    '/v1/cards/:id/demotion',
    {
      schema: {
        summary: 'Take a promotion back: the card is in the scope again that it came from',
        description: '409: `not_promoted`, or `key_taken` where its key is another card’s there.',
        tags: ['cards'],
        params: idParams,
        body: reasonSchema,
        response: { 200: changedCardSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return await answerDecision(deps, request, reply, {
        id,
        said: request.body?.reason,
        decide: (tx, reader, reason) => demote(tx, deps, request, reader, { id, reason }),
      });
    },
  );
}
