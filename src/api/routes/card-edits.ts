import { z } from 'zod';
import { RECALLED_STATUSES } from '../../contracts/names';
import { durationMs } from '../../domain/durations';
import { cardPatchSchema, reasonSchema } from '../../schemas/card';
import { changedCardSchema, writtenCardSchema } from '../../schemas/card-answers';
import { idParams } from '../../schemas/listing';
import { type LatestVersion, readLatestVersion } from '../../store/card-history';
import { reopenContradictions } from '../../store/card-writes-contradicted';
import { returnToIndex } from '../../store/card-writes-evicted';
import { withTimeAnew } from '../../store/card-writes-expired';
import { standingAgain } from '../../store/card-writes-given-back';
import type { Tx } from '../../store/database';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { setStatus } from '../card-changing';
import { settingsIn } from '../card-content';
import { correctCard, deleteCard } from '../card-correcting';
import { answerDecision, stillShown } from '../card-deciding';
import { isPerson } from '../card-rights';
import { requiredVersion, tagged } from '../card-versions';
import { notAllowed, notFound, Problem } from '../problem';

/** Correcting, deleting and bringing back. */
export function cardEditRoutes(app: App, deps: ApiDependencies): void {
  app.patch(
    '/v1/cards/:id',
    {
      schema: {
        summary: 'Correct a card: If-Match names the version that was read',
        description:
          '428 without If-Match, 412 when the card changed since. Scope, trust and provenance never change; ' +
          'null empties a field. The version before stays in the history. Where the policy quarantines what ' +
          "reads like an instruction, a card with an agent's such words is `quarantined`, with its `reason`.",
        tags: ['cards'],
        params: idParams,
        body: cardPatchSchema,
        response: { 200: writtenCardSchema },
      },
    },
    async (request, reply) => {
      const card = await correctCard(deps, request, request.params.id, request.body, () =>
        requiredVersion(request.headers['if-match']),
      );
      return tagged(reply, card).send(card);
    },
  );

  app.delete(
    '/v1/cards/:id',
    {
      schema: {
        summary: 'Delete a card: gone for every reader, and restorable by people for a while',
        tags: ['cards'],
        params: idParams,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      await deleteCard(deps, request, request.params.id);
      return reply.status(204).send();
    },
  );

  app.post(
    '/v1/cards/:id/restore',
    {
      schema: {
        summary: 'Bring back a deleted or archived card, within the restore window of the policy',
        description:
          'The window counts from when it was deleted or archived; after it 410. 409 where the card is neither. ' +
          'One that was superseded is in use again where nothing is left in its place. ' +
          'One that was archived as its time was over has the time of its kind once more, if the policy names one.',
        tags: ['cards'],
        params: idParams,
        body: reasonSchema,
        response: { 200: changedCardSchema },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { caller } = request;
      return await answerDecision(deps, request, reply, {
        id,
        said: request.body?.reason,
        decide: async (tx, _reader, reason) => {
          const latest = await restorable(tx, deps, caller, id);
          const standing = await standingAgain(tx, id, latest.before_retiring ?? 'active');
          const { expires_at } = await withTimeAnew(tx, latest, deps.clock());
          const version = await setStatus(tx, deps, request, {
            id,
            expected: latest.version,
            columns: { ...standing, ...(expires_at === latest.expires_at ? {} : { expires_at }) },
            action: 'restored',
            reason,
          });
          await returnToIndex(tx, { id, version, at: deps.clock() });
          if (RECALLED_STATUSES.some((one) => one === standing.status)) {
            await reopenContradictions(tx, id, deps.clock());
          }
          return await stillShown(tx, deps, request, id);
        },
      });
    },
  );
}

/** A deleted card is seen by nobody, so that who may bring it back is judged by what it was. */
async function restorable(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<LatestVersion> {
  const latest = await readLatestVersion(tx, id);
  if (latest === null || !isWithinSight(caller, latest)) throw notFound('card');
  if (!isPerson(caller)) throw notAllowed('a person restores a card');
  if (latest.status !== 'deleted' && latest.status !== 'archived') {
    throw new Problem(409, 'not_deleted', 'this card is neither deleted nor archived');
  }
  if (latest.action === 'purged') {
    throw new Problem(
      410,
      'purged',
      'this card was purged: its text is gone and cannot be restored',
    );
  }
  const { policy } = await settingsIn(tx);
  const until = new Date(latest.at).getTime() + durationMs(policy.retention.restore_window);
  if (deps.clock().getTime() > until) {
    throw new Problem(410, 'restore_window_over', 'the time in which it could be restored is over');
  }
  return latest;
}

function isWithinSight(caller: Caller, card: LatestVersion): boolean {
  const { agent, principal } = caller.context;
  if (agent !== null) return card.scope.type === 'agent' && card.scope.id === agent;
  if (principal.role !== 'member') return true;
  return caller.memberSubject !== null && caller.memberSubject === card.subject;
}
