import { CairnError } from '../../../client/error';
import { itemsOf } from '../../../client/paging';
import type { ConfigFix } from '../../../contracts/proposal';
import type { Fleet } from './fleet';

/**
 * The runtime's part in fixes. Its agents go by prompts, so a fix that was approved is applied by telling it to the
 * agents of that team before each such step, as part of what they read.
 */
export function fixes({ runtime }: Fleet) {
  let told = new Map<string, string>();
  const counts = { applied: 0 };
  const all = (status: ConfigFix['status'][]) =>
    itemsOf((cursor) =>
      runtime.configFixes.list({ status, limit: 100, ...(cursor === undefined ? {} : { cursor }) }),
    );
  return {
    counts,
    /** What an agent of the team is told before the step; empty where nothing is in force. */
    before(team: string, service: string, operation: string): string {
      return told.get(nameOf(team, service, operation)) ?? '';
    },
    /** Confirms what was approved since, and leaves out what was reopened or has lapsed. */
    async apply(): Promise<void> {
      for await (const { id } of all(['approved'])) {
        try {
          await runtime.configFixes.applied(id);
          counts.applied += 1;
        } catch (error) {
          if (!(error instanceof CairnError) || error.status !== 409) throw error;
        }
      }
      const now = new Map<string, string>();
      for await (const { team, step, fix } of all(['applied', 'proven'])) {
        now.set(nameOf(team, step.workflow, step.step), fix);
      }
      told = now;
    },
  };
}

function nameOf(team: string, service: string, operation: string): string {
  return JSON.stringify([team, service, operation]);
}
