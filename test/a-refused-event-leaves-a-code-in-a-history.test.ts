import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment, type TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCairnActivities } from '../src/adapters/temporal/activities';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { type Fleet, makeFleet } from './support/fleet';
import { historyText } from './support/history-text';
import { asRuntime, RUNTIME_QUEUE, runtimeBundle } from './support/native/runtime-lane';
import { email, githubToken } from './support/secret-strings';
import { createDevServerEnv } from './support/temporal';

jest.setTimeout(120_000);

/** In every event, and in no failure. */
const PLANTED = 'PLANTED words of a refused event';
const GOOD = { kind: 'observation', outcome: 'neutral', text: PLANTED };

const quiet = { logger: new DefaultLogger('ERROR', () => undefined) };

describeNative('an event that is refused', () => {
  let api: TestApi;
  let env: TestWorkflowEnvironment;
  let fleet: Fleet;
  beforeAll(async () => {
    [api, env] = await Promise.all([startApi(), createDevServerEnv(), runtimeBundle()]);
    fleet = await makeFleet(api);
    const put = (path: string, body: object) => api.call('PUT', path, { body });
    await put('/v1/agents/watched', { writes_stopped: true });
    await put('/v1/agents/reader', { restricted: true, parent_agent: 'planner' });
  });
  afterAll(async () => {
    await env.teardown();
    await api.close();
  });

  const cases = [
    ['is not as events are', 'invalid', {}, { kind: 'gossip' }],
    ['is larger than any may be', 'too_large', {}, { text: `${PLANTED} `.repeat(10_000) }],
    ['is of an agent that a person stopped', 'stopped', { agent: 'watched' }, {}],
    [
      'is of a team that is not its agent’s',
      'agent_conflict',
      { agent: 'planner' },
      { team: 'blue' },
    ],
    ['has an address in an id', 'pii_in_identifier', {}, { project: email() }],
    ['has a secret in an id', 'secret_in_identifier', {}, { task: githubToken() }],
  ] as const;

  const activitiesBy = (via: 'http' | 'postgres', key: string) =>
    createCairnActivities(
      via === 'http'
        ? { url: api.url, key }
        : { databaseUrl: api.testDatabase.url, secretKey: api.secretKey, key },
    );

  describe.each(['http', 'postgres'] as const)('over %s', (via) => {
    it.each(cases)(
      '%s: %s at the first try, and no word of it',
      async (_how, code, options, fields) => {
        await asRuntime(env, activitiesBy(via, fleet.runtime), async () => {
          const handle = await env.client.workflow.start('isRefused', {
            workflowId: `agent-${randomUUID()}`,
            taskQueue: RUNTIME_QUEUE,
            args: [
              { agent: 'planner', ...options },
              { ...GOOD, ...fields },
            ],
          });
          expect(await handle.result()).toBe(code);
          const { events } = await handle.fetchHistory();
          const failed = events?.find((event) => event.activityTaskFailedEventAttributes);
          expect(failed).toBeDefined();
          expect(historyText(failed)).not.toMatch(/PLANTED|gossip|blue/);
          expect(historyText(failed)).not.toContain(email());
          const tries = events?.map((event) => event.activityTaskStartedEventAttributes?.attempt);
          expect(Math.max(...(tries ?? []).map((tried) => tried ?? 0))).toBe(1);
        });
      },
    );

    it('under an id that other content had, is told so', async () => {
      const event = { ...GOOD, event_id: `twice-${via}` };
      const first = { ...event, agent: 'planner', occurred_at: '2026-03-02T08:24:15Z' };
      const { status } = await api.call('POST', '/v1/events', { key: fleet.runtime, body: first });
      expect(status).toBe(202);
      await asRuntime(env, activitiesBy(via, fleet.runtime), async () => {
        const handle = await env.client.workflow.start('isRefused', {
          workflowId: `agent-${randomUUID()}`,
          taskQueue: RUNTIME_QUEUE,
          args: [{ agent: 'planner' }, { ...event, text: `${PLANTED}, changed` }],
        });
        expect(await handle.result()).toBe('event_id_conflict');
      });
    });

    it.each([
      ['of nobody', async () => `nobody-${randomUUID()}`, 'unauthenticated'],
      ['of a person', () => api.keyOf('reviewer'), 'not_allowed'],
      ['of a restricted agent', () => api.keyFor({ kind: 'agent', id: 'reader' }), 'not_allowed'],
    ])('is so for the key %s', async (_whose, keyed, code) => {
      const cairn = activitiesBy(via, await keyed());
      const input = {
        event: GOOD,
        defaults: { agent: 'reader', occurred_at: '2026-03-02T08:24:15Z', n: 1 },
        mode: 'outbox',
      };
      const run = new MockActivityEnvironment({}, quiet).run(
        cairn.cairnRecordEvent,
        input as never,
      );
      await expect(run).rejects.toMatchObject({ type: code, message: code, nonRetryable: true });
      await cairn.close();
    });

    it('is of another agent than the key’s own', async () => {
      const cairn = activitiesBy(via, fleet.coder);
      const input = {
        event: GOOD,
        defaults: { agent: 'planner', occurred_at: '2026-03-02T08:24:15Z', n: 1 },
        mode: 'outbox',
      };
      const run = new MockActivityEnvironment({}, quiet).run(
        cairn.cairnRecordEvent,
        input as never,
      );
      await expect(run).rejects.toMatchObject({ type: 'agent_conflict', nonRetryable: true });
      await cairn.close();
    });
  });
});
