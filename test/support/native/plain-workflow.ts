import { sleep } from '@temporalio/workflow';

/** Of a runtime that remembers nothing: what any bundle weighs. */
export async function forgets(): Promise<void> {
  await sleep('1s');
}
