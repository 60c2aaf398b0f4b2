import { AsyncLocalStorage } from 'node:async_hooks';
import { type ModelUsage, usageSum } from './usage';

/** What was spent so far, by the name of the model. */
export type Spent = Map<string, ModelUsage>;

const spending = new AsyncLocalStorage<Spent>();

/** Runs `work`; what its calls of models cost is added to `spent`, also where it fails. */
export async function whileCounting<T>(spent: Spent, work: () => Promise<T>): Promise<T> {
  return await spending.run(spent, work);
}

/** A call was answered and has to be paid for, whatever becomes of the answer. */
export function spend(model: string, usage: ModelUsage): void {
  const spent = spending.getStore();
  if (spent === undefined) return;
  const before = spent.get(model);
  spent.set(model, before === undefined ? usage : usageSum(before, usage));
}
