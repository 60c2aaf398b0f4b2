import { condition, defineUpdate, proxyActivities, setHandler } from '@temporalio/workflow';
import type { BareActivities } from './worker';

const { first, second } = proxyActivities<BareActivities>({ startToCloseTimeout: '10s' });

/** What any workflow of two steps costs on this server, whatever it does. */
export async function bare(): Promise<void> {
  await first();
  await second();
}

export const answer = defineUpdate('answer');

/** What any Update costs on this server: it answers at once, and that was all. */
export async function answering(): Promise<void> {
  let answered = false;
  setHandler(answer, () => {
    answered = true;
  });
  await condition(() => answered);
}
