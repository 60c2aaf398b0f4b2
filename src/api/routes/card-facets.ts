import { CARD_STATUSES } from '../../contracts/names';
import { cardFacetsQuery } from '../../schemas/card';
import { facetsSchema } from '../../schemas/card-answers';
import { countFacets } from '../../store/card-facets';
import type { ApiDependencies, App } from '../app';
import { askedText } from '../asking';
import { deletedSinceFor, filterOf } from '../card-filtering';
import { readerOf } from '../card-rights';

export function cardFacetRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards/facets',
    {
      schema: {
        summary:
          'How many cards the list would have with each value of kind, sign, status and so on',
        description:
          'Takes the filters of `GET /v1/cards`. Each facet is counted with all filters but its own, so that its ' +
          'values say what choosing another one would bring; the 50 largest of each, the largest first. A value ' +
          'is given as the parameter takes it: a scope as `team/support`. `total` is exact, however many.',
        tags: ['cards'],
        querystring: cardFacetsQuery,
        response: { 200: facetsSchema },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const reader = readerOf(caller, deps.clock);
      const words = query.q === undefined ? null : await askedText(deps, caller, query.q);
      return await deps.database.inWorkspace(reader[0], async (tx) =>
        countFacets(tx, reader, {
          ...filterOf(deps, caller, query, words),
          // Whatever status is asked for: another one would be too.
          deletedSince: await deletedSinceFor(tx, deps, caller, CARD_STATUSES),
        }),
      );
    },
  );
}
