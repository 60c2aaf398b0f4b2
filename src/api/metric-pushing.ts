import type { z } from 'zod';
import type { MetricSnapshot } from '../contracts/insight';
import type { pushedMetricsSchema } from '../schemas/insights';
import { pushSnapshots } from '../store/metric-snapshots';
import type { ApiDependencies } from './app';
import { settingsIn } from './card-content';
import { type Asked, writeOnce } from './idempotency';
import { fitMetric } from './insight-fitting';

/**
 * Keeps numbers of the workspace, once per `Idempotency-Key`; all of them or none.
 * @returns how many moments they are
 * @throws Problem 422 where a name holds a secret or somebody's address, 400 for a number of the future
 */
export async function pushMetricsOnce(
  deps: ApiDependencies,
  request: Asked,
  body: z.output<typeof pushedMetricsSchema>,
): Promise<{ accepted: number }> {
  const { caller } = request;
  const { principal, workspace } = caller.context;
  const settings = await deps.database.inWorkspace(workspace, settingsIn);
  const many = 'metrics' in body;
  const snapshots: MetricSnapshot[] = (many ? body.metrics : [body]).map((metric, at) => ({
    ...fitMetric(deps, caller, settings, metric, many ? `/metrics/${at}` : ''),
    value: metric.value,
  }));
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const source = { kind: principal.kind, id: principal.id };
      const accepted = await pushSnapshots(tx, snapshots, source, deps.clock());
      return { status: 201, reference: { accepted }, body: { accepted } };
    },
    rebuild: async (_tx, reference) => reference,
  });
  return answer.body as { accepted: number };
}
