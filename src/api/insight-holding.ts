import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NewInsightBody } from '../schemas/insights';
import type { ApiDependencies } from './app';
import { settingsIn } from './card-content';
import { readerOf } from './card-rights';
import { fitInsight } from './insight-fitting';
import { requireSources } from './insight-saving';
import { answerHeld } from './pending-writing';

/**
 * Keeps a restricted agent's insight until its parent or a person decides: 202 `{pending_write_id}`. It is scored when
 * it is accepted.
 * @throws Problem as saving it does
 */
export async function holdInsight(
  deps: ApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  body: NewInsightBody,
): Promise<FastifyReply> {
  const { caller } = request;
  const { insight, card } = await deps.database.inWorkspace(
    caller.context.workspace,
    async (tx) => {
      const fit = fitInsight(deps, caller, await settingsIn(tx), body);
      await requireSources(tx, readerOf(caller, deps.clock), fit.insight.sources);
      return fit;
    },
  );
  return await answerHeld(deps, request, reply, { type: 'insight', body: card, insight });
}
