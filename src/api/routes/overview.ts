import { bucketsOf } from '../../domain/buckets';
import { overviewQuery, overviewSchema } from '../../schemas/overview';
import { costIn } from '../../store/model-usage';
import { capturesIn, proposalsNow, recallsIn, waitingNow } from '../../store/overview';
import { policyOf } from '../../store/settings';
import type { ApiDependencies, App } from '../app';
import { QualityMemory } from '../quality-memory';

export function overviewRoutes(app: App, deps: ApiDependencies): void {
  const memory = new QualityMemory(deps.database, deps.clock);
  app.get(
    '/v1/overview',
    {
      schema: {
        summary: 'How the workspace does: what came, what waits, how good memory is, what it costs',
        description:
          'Series go over the last `days`, today included, in the order of time, and each bucket is there even ' +
          'where nothing happened: hours of UTC for one or two days, else days of the zone that the policy names ' +
          '(`consolidation.timezone`). All numbers are of the whole workspace, whoever asks. `quality` is at most ' +
          'a minute old; everything else is of now.',
        tags: ['operate'],
        querystring: overviewQuery,
        response: { 200: overviewSchema },
      },
    },
    async (request) => {
      const { workspace } = request.caller.context;
      const now = deps.clock();
      const quality = await memory.of(workspace);
      return await deps.database.inWorkspace(workspace, async (tx) => {
        const { consolidation } = await policyOf(tx);
        const buckets = bucketsOf(now.getTime(), request.query.days, consolidation.timezone);
        const starts = buckets.starts.map((at) => new Date(at).toISOString());
        return {
          at: now.toISOString(),
          bucket: buckets.step,
          captures: await capturesIn(tx, starts),
          ...(await waitingNow(tx)),
          ...(await proposalsNow(tx)),
          quality,
          recalls: await recallsIn(tx, starts),
          cost: await costIn(tx, starts),
        };
      });
    },
  );
}
