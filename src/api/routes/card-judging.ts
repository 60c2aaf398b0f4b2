import type { FastifyRequest } from 'fastify';
import type { Card } from '../../contracts/card';
import { type CardStatus, RECALLED_STATUSES } from '../../contracts/names';
import { voiceOfCaller, weightOf } from '../../domain/proven-use';
import { reasonSchema, validationSchema } from '../../schemas/card';
import { changedCardSchema } from '../../schemas/card-answers';
import { idParams } from '../../schemas/listing';
import { returnToIndex } from '../../store/card-writes-evicted';
import { standingAgain } from '../../store/card-writes-given-back';
import { proveByVerdict } from '../../store/card-writes-proven';
import type { Tx } from '../../store/database';
import { linkReleased, statusOnRelease } from '../../store/filing-released';
import type { ApiDependencies, App } from '../app';
import { auditCard, setStatus, shownCard } from '../card-changing';
import { answerDecision, changeableCard, retire, stillShown } from '../card-deciding';
import { isOwn } from '../card-rights';
import { Problem } from '../problem';

const JUDGED: readonly CardStatus[] = ['pending', 'active', 'validated', 'rejected'];

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
      const { id } = request.params;
      const { verdict, note } = request.body;
      return await answerDecision(deps, request, reply, {
        id,
        said: note,
        decide: async (tx, reader, reason) => {
          const card = await changeableCard(tx, request, reader, id);
          requireJudgeable(card);
          if (verdict === 'wrong') {
            await retire(tx, deps, request, card, 'rejected', reason);
          } else {
            await confirm(tx, deps, request, card, reason);
          }
          return (await shownCard(tx, deps, request, id)) ?? outOfSight(card, 'rejected');
        },
      });
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

/** A word that may validate the card does; any other is a use of it. */
async function confirm(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  card: Card,
  reason: string | null,
): Promise<void> {
  const now = deps.clock();
  const { principal, agent } = request.caller.context;
  const voice = voiceOfCaller(principal.kind);
  if (weightOf(voice, isOwn(request.caller, card)).validates) {
    await setStatus(tx, deps, request, {
      id: card.id,
      expected: card.version,
      columns: { status: 'validated', validated_at: now.toISOString() },
      action: 'validated',
      reason,
    });
    return;
  }
  const isCounted =
    agent !== null && (await proveByVerdict(tx, card.id, agent, { voice, at: now, now }));
  const changed = isCounted ? ['use_count'] : [];
  await auditCard(tx, deps, request, { action: 'used', id: card.id, changed, reason });
}

function requireJudgeable(card: Card): void {
  if (JUDGED.includes(card.status)) return;
  throw new Problem(
    409,
    'not_in_use',
    `a ${card.status} card is not judged; ${
      card.status === 'quarantined' ? 'release it first' : 'judge the one that is in use'
    }`,
  );
}

/** A rejected or quarantined card is out of its own agent's sight: it answers with what it became. */
function outOfSight(card: Card, status: CardStatus): Card {
  return { ...card, status, version: card.version + 1 };
}
