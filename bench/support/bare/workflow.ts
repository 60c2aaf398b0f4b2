import { proxyActivities } from '@temporalio/workflow';
import type { BareActivities } from './worker';

const { first, second } = proxyActivities<BareActivities>({ startToCloseTimeout: '10s' });

/** What any workflow of two steps costs on this server, whatever it does. */
export async function bare(): Promise<void> {
  await first();
  await second();
}
