import { randomUUID } from 'node:crypto';
import { createCairnActivities } from '../src/adapters/temporal/activities';
import type { RecalledContext } from '../src/contracts/runtime-memory';
import { describeNative } from './support/database';
import { accessLog, writeCard } from './support/fleet';
import { type RuntimeFleet, startRuntimeFleet } from './support/native/runtime-fleet';
import { asRuntime, startAgent } from './support/native/runtime-lane';
import type { agentLoop } from './support/native/workflows';

jest.setTimeout(120_000);

const SUMMARY = 'The importer rejects a file of more than 500 recipients.';
const QUERY = 'import a file of recipients';

describeNative('an agent that lives in one workflow', () => {
  let { api, env, fleet } = {} as RuntimeFleet;
  beforeAll(async () => {
    ({ api, env, fleet } = await startRuntimeFleet());
  });
  afterAll(() => api.close());

  it.each(['its own key', 'a runtime’s key'])(
    'sees a revoke at its very next recall, by %s',
    async (whose) => {
      const card = await writeCard(
        api,
        { summary: SUMMARY, kind: 'experience', sign: 'failed' },
        { key: fleet.planner },
      );
      const key = whose === 'its own key' ? fleet.outsider : fleet.runtime;
      const grant = `/v1/cards/${card.id}/grants/outsider`;
      const workflowId = `agent-${randomUUID()}`;

      await asRuntime(env, createCairnActivities({ url: api.url, key }), async () => {
        const asked = [{ agent: 'outsider' }];
        const loop = await startAgent<typeof agentLoop>(env.client, 'agentLoop', asked, workflowId);
        const sees = async () => {
          const { context, cards } = await loop.executeUpdate<RecalledContext, [string]>('recall', {
            args: [QUERY],
          });
          expect(context.includes(SUMMARY)).toBe(cards.some(({ id }) => id === card.id));
          return context.includes(SUMMARY);
        };
        expect(await sees()).toBe(false);
        for (let round = 0; round < 2; round += 1) {
          await api.call('PUT', grant, { body: {} });
          expect(await sees()).toBe(true);
          await api.call('DELETE', grant);
          expect(await sees()).toBe(false);
        }
        await loop.signal('stop');
        expect(await loop.result()).toBe(5);
      });

      // Each time that it saw what is not its own stands in the log, in the session of the workflow.
      const seen = (await accessLog(api)).filter(({ card_ids }) => card_ids.includes(card.id));
      expect(seen).toHaveLength(2);
      expect(seen.every(({ agent, via }) => agent === 'outsider' && via === 'explicit')).toBe(true);
      const [{ sessions }] = (await api.database.inWorkspace('default', (tx) =>
        tx.query(
          'SELECT array_agg(DISTINCT l.session) AS sessions FROM access_log l WHERE $1 = ANY (l.card_ids)',
          [card.id],
        ),
      )) as [{ sessions: string[] }];
      expect(sessions).toEqual([workflowId]);
      await api.call('DELETE', `/v1/cards/${card.id}`);
    },
  );
});
