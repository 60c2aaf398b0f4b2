import { idParams } from '../../schemas/listing';
import { cardStopSchema, stopBodySchema } from '../../schemas/stop';
import type { ApiDependencies, App } from '../app';
import { stopCard } from '../card-stopping';

/** Taking away a card that does harm, with all that came of it. */
export function cardStoppingRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/cards/:id/stop',
    {
      schema: {
        summary:
          'Quarantine or delete a card, and with `derived` all that came of it, or say what that is',
        description:
          'One transaction: either all of them or none. What came of a card is what was derived from it, what ' +
          'took its place, and what came of those. Each has its row in the audit; a release or a restore, card ' +
          'by card, takes it back. `dry_run` changes nothing. The answer names whose contexts any of them was ' +
          'put into. More than 5,000 cards are 409 `too_many_cards`.',
        tags: ['stops'],
        params: idParams,
        body: stopBodySchema,
        response: { 200: cardStopSchema },
      },
    },
    async (request) => await stopCard(deps, request, request.params.id, request.body),
  );
}
