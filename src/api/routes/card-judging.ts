import { RECALLED_STATUSES } from '../../contracts/names';
import { reasonSchema, validationSchema } from '../../schemas/card';
import { changedCardSchema } from '../../schemas/card-answers';
import { idParams } from '../../schemas/listing';
import { returnToIndex } from '../../store/card-writes-evicted';
import { standingAgain } from '../../store/card-writes-given-back';
import { linkReleased, statusOnRelease } from '../../store/filing-released';
import type { ApiDependencies, App } from '../app';
import { setStatus, shownCard } from '../card-changing';
import { answerDecision, changeableCard, retire, stillShown } from '../card-deciding';
import { outOfSight, validateCard } from '../card-validating';
import { tagged } from '../card-versions';
import { Problem } from '../problem';

/** Saying of a card that it held or was wrong, and taking one out of sight until it is looked at. */
export function cardJudgingRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/cards/:id/validation',
    {
      schema: {
        summary: 'Say whether a card held: success or wrong',
        description:
          "A person's success validates the card, a wrong one rejects it. An agent's success with a card of " +
          'its own counts as a use of what its recalls gave it, once for each, and neither validates the card ' +
          'nor raises its confidence.',
        tags: ['cards'],
        params: idParams,
        body: validationSchema,
        response: { 200: changedCardSchema },
      },
    },
    async (request, reply) => {
      const card = await validateCard(deps, request, request.params.id, request.body);
      return tagged(reply, card).send(card);
    },
  );

  app.post(
    '/v1/cards/:id/quarantine',
    {
      schema: {
        summary: 'Take a card out of everybody else’s sight until a person has looked at it',
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
        decide: async (tx, reader, reason) => {
          const card = await changeableCard(tx, request, reader, id);
          if (card.status !== 'quarantined') {
            await retire(tx, deps, request, card, 'quarantined', reason);
          }
          return (await shownCard(tx, deps, request, id)) ?? outOfSight(card, 'quarantined');
        },
      });
    },
  );

  app.post(
    '/v1/cards/:id/release',
    {
      schema: {
        summary:
          'Give a quarantined card back its status, and link it to the cards it is related to',
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
        decide: async (tx, reader, reason) => {
          const card = await changeableCard(tx, request, reader, id);
          if (card.status !== 'quarantined') {
            throw new Problem(409, 'not_quarantined', 'this card is not quarantined');
          }
          const standing = await standingAgain(tx, id, await statusOnRelease(tx, id));
          const version = await setStatus(tx, deps, request, {
            id,
            expected: card.version,
            columns: standing,
            action: 'released',
            reason,
          });
          if (RECALLED_STATUSES.some((one) => one === standing.status)) {
            await returnToIndex(tx, { id, version, at: deps.clock() });
            await linkReleased(tx, id, deps.clock());
          }
          return await stillShown(tx, deps, request, id);
        },
      });
    },
  );
}
