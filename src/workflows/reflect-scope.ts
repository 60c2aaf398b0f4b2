/**
 * Reflect scope: what the cards of one scope have in common becomes facts, skills and links, through the gate.
 *
 * Id: `reflect/<workspace>/<scope>/<n>`. A unit of the pass `reflection`: by night, once a scope has been quiet, or
 * because somebody asked. `pause`, `resume` and cancelling may arrive at any time and take effect between two steps.
 * States: first what was approved before is looked at, and what outcomes turned against is demoted; then cards are
 * read, as many as the budget allows; batch after batch a model, or the stand-in without one, leaves candidates in
 * Postgres, and the gate decides each: written, kept as rejected, or put to a person. A model that is away, or whose
 * answer is of no use, leaves its batch to the stand-in.
 * Ends: completed with its counts; `partial`, stopped by `budget`, before a call that could pass it, or where cards are
 * left that nobody has looked at. What is left is the next one's.
 *
 * Forty-eight events around its batches, eighteen a batch, six more where a model was of no use: 2,500 at the most,
 * since a run has a hundred batches at the most.
 */
import { isCancellation, log, setWorkflowOptions } from '@temporalio/workflow';
import type { UnitInput, UnitResult } from '../contracts/passes';
import type { ReflectionBatch, ReflectionFound, ReflectionPlan } from '../contracts/reflection';
import { affords } from '../domain/reflection/budget';
import { failureTypeOf } from './failure-type';
import { asking, reflecting } from './reflection-activities';
import { asUnit, count, type Unit } from './unit';
import { movesOn } from './versioning';

setWorkflowOptions(movesOn, reflectScope);

export async function reflectScope(input: UnitInput): Promise<UnitResult> {
  return await asUnit(input, async (unit) => {
    tally(unit, await reflecting.watchScope(input));
    const plan = await reflecting.planReflection(input);
    const { done, stopped } = await lookAtAll(input, unit, plan);
    await unit.step();
    await reflecting.endReflection({ unit: input, cursor: plan.cursors[done] ?? null });
    return stopped || plan.more
      ? { status: 'partial', stopped_by: 'budget' }
      : { status: 'completed', stopped_by: null };
  });
}

async function lookAtAll(
  input: UnitInput,
  unit: Unit,
  plan: ReflectionPlan,
): Promise<{ done: number; stopped: boolean }> {
  const model: Model = { isAway: false };
  let done = 0;
  for (const batch of plan.batches) {
    await unit.step();
    const asksModel = batch.cost !== null && !model.isAway;
    if (asksModel && batch.cost !== null && !affords(plan.budget, unit.counts, batch.cost)) {
      return { done, stopped: true };
    }
    const byModel = asksModel ? await askModel(input, unit, batch, model) : null;
    const found = byModel ?? (await reflecting.reflectByRules({ unit: input, batch }));
    count(unit.counts, 'cards', batch.cards.length);
    count(unit.counts, 'found', found.found);
    tally(unit, await reflecting.judgeFound({ unit: input, batch }));
    done += 1;
  }
  return { done, stopped: false };
}

/** Away for one batch it would be for the next, after all its tries. */
interface Model {
  isAway: boolean;
}

/** @returns null where the stand-in has to look */
async function askModel(
  input: UnitInput,
  unit: Unit,
  batch: ReflectionBatch,
  model: Model,
): Promise<ReflectionFound | null> {
  try {
    const found = await asking.reflectByModel({ unit: input, batch });
    count(unit.counts, 'calls', found.calls);
    count(unit.counts, 'tokens', found.tokens);
    if (found.useless === null) return found;
    log.warn('a model found nothing that fits', { step: found.useless });
  } catch (error) {
    if (isCancellation(error)) throw error;
    model.isAway = true;
    log.warn('a model gave no answer in its tries', { step: failureTypeOf(error) ?? 'timeout' });
  }
  count(unit.counts, 'by_rules', 1);
  return null;
}

/** Nothing counted is not shown. */
function tally(unit: Unit, counts: object): void {
  for (const [name, by] of Object.entries(counts)) if (by > 0) count(unit.counts, name, by);
}
