import type { FastifyRequest } from 'fastify';
import { remarkSchema } from '../../schemas/card';
import type { MemoryFeedback } from '../../schemas/memories';
import type { ApiDependencies } from '../app';
import { auditCard, changeOnce } from '../card-changing';
import { fitRemark } from '../card-content';
import { changeableCard } from '../card-deciding';
import { validateCard } from '../card-validating';
import { notSupported } from './refusals';

/**
 * Positive says that it held, very negative that it is wrong, as a validation does; a negative one that it did
 * not help this time, which takes nothing from it and stands in the audit trail.
 * @throws Problem as a validation does
 */
export async function giveFeedback(
  deps: ApiDependencies,
  request: FastifyRequest,
  { memory_id: id, feedback, feedback_reason: why }: MemoryFeedback,
): Promise<{ message: string; id: string; feedback: string; feedback_reason: string | null }> {
  if (feedback == null) {
    throw notSupported('feedback is not taken back here: it stands in the history; give another');
  }
  const said = why == null || why.trim() === '' ? undefined : remarkSchema.parse(why);
  if (feedback === 'NEGATIVE') {
    const reason = await fitRemark(deps, request.caller, said);
    await changeOnce(deps, request, id, async (tx, reader) => {
      const card = await changeableCard(tx, request, reader, id);
      await auditCard(tx, deps, request, { action: 'not_useful', id, changed: [], reason });
      return card;
    });
  } else {
    const verdict = feedback === 'POSITIVE' ? 'success' : 'wrong';
    await validateCard(deps, request, id, { verdict, note: said });
  }
  return { message: 'Feedback taken.', id, feedback, feedback_reason: why ?? null };
}
