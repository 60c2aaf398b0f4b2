import { cardListQuery, newCardSchema } from '../../schemas/card';
import { cardSchema, writtenCardSchema } from '../../schemas/card-answers';
import { idParams, pageSchema } from '../../schemas/listing';
import { heldWriteSchema } from '../../schemas/pending-write';
import { logAccess } from '../../store/access-log';
import { listCards } from '../../store/cards';
import type { ApiDependencies, App } from '../app';
import { askedText } from '../asking';
import { deletedSinceFor, filterOf } from '../card-filtering';
import { readerOf, requireCard } from '../card-rights';
import { tagged } from '../card-versions';
import { writeCardOnce } from '../card-writing';
import { BY_TIME, pageOf, positionIn } from '../paging';
import { answerHeld, waitsForParent } from '../pending-writing';

/** Browsing and writing cards; recall is what finds the few that matter. */
export function cardRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/cards',
    {
      schema: {
        summary: 'Cards that the caller may see, the newest first',
        description:
          'Without `status`, superseded and archived cards are left out. `kind`, `sign` and `status` may be ' +
          'given more than once. `q` keeps the cards that hold all of its words. `since` and `until` bound ' +
          'the time of recording, `until` itself left out. `event`, `writer` (`runtime/<id>`) and `flag` ask where ' +
          'a card is from. `status=deleted` shows owner, operator and ' +
          'reviewer what can still be restored.',
        tags: ['cards'],
        querystring: cardListQuery,
        response: { 200: pageSchema(cardSchema) },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const reader = readerOf(caller, deps.clock);
      const after = positionIn(query.cursor, BY_TIME);
      const { limit } = query;
      const words = query.q === undefined ? null : await askedText(deps, caller, query.q);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const filter = {
          ...filterOf(deps, caller, query, words),
          deletedSince: await deletedSinceFor(tx, deps, caller, query.status ?? []),
        };
        const found = await listCards(tx, reader, filter, { after, limit: limit + 1 });
        const shown = found.cards.slice(0, limit);
        await logAccess(tx, caller.context, {
          surface: 'cards.list',
          at: reader[5],
          cards: shown.map(({ card, vias }) => ({ id: card.id, vias })),
        });
        return pageOf(
          found.cards.map(({ card }) => card),
          limit,
          (card) => [card.recorded_at, card.id],
          found.total,
        );
      });
    },
  );

  app.post(
    '/v1/cards',
    {
      schema: {
        summary: "Write a card by hand; its scope is the agent's own unless a person names another",
        description:
          'The text is redacted and kept as given. A `key` makes it the current card of that key in its ' +
          'scope: the one before it is superseded. Where the policy quarantines what reads like an ' +
          "instruction, an agent's such text is `quarantined`, with its `reason`, and supersedes nothing. A " +
          "restricted agent's waits for its parent: 202 with `pending_write_id`.",
        tags: ['cards'],
        body: newCardSchema,
        response: { 201: writtenCardSchema, 202: heldWriteSchema },
      },
    },
    async (request, reply) => {
      if (waitsForParent(request.caller)) {
        return await answerHeld(deps, request, reply, { type: 'card', body: request.body });
      }
      const card = await writeCardOnce(deps, request, request.body);
      return tagged(reply, card)
        .header('location', `/v1/cards/${encodeURIComponent(card.id)}`)
        .status(201)
        .send(card);
    },
  );

  app.get(
    '/v1/cards/:id',
    {
      schema: {
        summary: 'One card, with its version as ETag; a superseded one names its successor',
        tags: ['cards'],
        params: idParams,
        response: { 200: cardSchema },
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const reader = readerOf(caller, deps.clock);
      const card = await deps.database.inWorkspace(reader[0], async (tx) => {
        const seen = await requireCard(tx, reader, params.id);
        await logAccess(tx, caller.context, {
          surface: 'cards.get',
          at: reader[5],
          cards: [{ id: seen.card.id, vias: seen.vias }],
        });
        return seen.card;
      });
      return tagged(reply, card).send(card);
    },
  );
}
