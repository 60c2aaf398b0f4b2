import type { Card } from '../../contracts/card';
import type { CardStatus } from '../../contracts/names';
import { reasonSchema, validationSchema } from '../../schemas/card';
import { changedCardSchema } from '../../schemas/card-answers';
import { idParams } from '../../schemas/listing';
import { recordProvenUse } from '../../store/card-edits';
import { readLatestVersion } from '../../store/card-history';
import type { Tx } from '../../store/database';
import type { ApiDependencies, App } from '../app';
import { auditCard, changeOnce, setStatus, shownCard } from '../card-changing';
import { fitRemark } from '../card-content';
import { isPerson, requireCard, requireChange } from '../card-rights';
import { tagged } from '../card-versions';
import { notFound, Problem } from '../problem';

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
          'its own counts as a proven use.',
        tags: ['cards'],
        params: idParams,
        body: validationSchema,
        response: { 200: changedCardSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { verdict } = request.body;
      const reason = await fitRemark(deps, request.caller, request.body.note);
      const card = await changeOnce(deps, request, id, async (tx, reader) => {
        const seen = await requireCard(tx, reader, id);
        requireChange(request.caller, seen.card);
        requireJudgeable(seen.card);
        const now = deps.clock();
        if (verdict === 'success' && !isPerson(request.caller)) {
          await recordProvenUse(tx, id, now);
          await auditCard(tx, deps, request, {
            action: 'used',
            id,
            changed: ['use_count', 'confidence'],
            reason,
          });
        } else {
          await setStatus(tx, deps, request, {
            id,
            expected: seen.card.version,
            columns:
              verdict === 'success'
                ? { status: 'validated', validated_at: now.toISOString() }
                : { status: 'rejected', status_before: seen.card.status },
            action: verdict === 'success' ? 'validated' : 'rejected',
            reason,
          });
        }
        return (await shownCard(tx, deps, request, id)) ?? outOfSight(seen.card, 'rejected');
      });
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
      const reason = await fitRemark(deps, request.caller, request.body?.reason);
      const card = await changeOnce(deps, request, id, async (tx, reader) => {
        const seen = await requireCard(tx, reader, id);
        requireChange(request.caller, seen.card);
        if (seen.card.status !== 'quarantined') {
          await setStatus(tx, deps, request, {
            id,
            expected: seen.card.version,
            columns: { status: 'quarantined', status_before: seen.card.status },
            action: 'quarantined',
            reason,
          });
        }
        return (await shownCard(tx, deps, request, id)) ?? outOfSight(seen.card, 'quarantined');
      });
      return tagged(reply, card).send(card);
    },
  );

  app.post(
    '/v1/cards/:id/release',
    {
      schema: {
        summary: 'Give a quarantined card back its status',
        tags: ['cards'],
        params: idParams,
        body: reasonSchema,
        response: { 200: changedCardSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const reason = await fitRemark(deps, request.caller, request.body?.reason);
      const card = await changeOnce(deps, request, id, async (tx, reader) => {
        const seen = await requireCard(tx, reader, id);
        requireChange(request.caller, seen.card);
        if (seen.card.status !== 'quarantined') {
          throw new Problem(409, 'not_quarantined', 'this card is not quarantined');
        }
        await setStatus(tx, deps, request, {
          id,
          expected: seen.card.version,
          columns: { status: await statusBefore(tx, id) },
          action: 'released',
          reason,
        });
        const released = await shownCard(tx, deps, request, id);
        if (released === null) throw notFound('card');
        return released;
      });
      return tagged(reply, card).send(card);
    },
  );
}

/** From the history, since a card may have been deleted and restored while it was quarantined. */
async function statusBefore(tx: Tx, id: string): Promise<CardStatus> {
  return (await readLatestVersion(tx, id))?.before_quarantine ?? 'active';
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
