import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActivityFailure, ApplicationFailure, RetryState } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import {
  type CairnActivities,
  type CairnActivitiesOptions,
  createCairnActivities,
  createRecordEvent,
} from '../src/adapters/temporal/activities';
import { refusalOf } from '../src/adapters/temporal/workflow/memory';
import { RUNTIME_FAILURES } from '../src/contracts/failures';
import { describeNative } from './support/database';
import { historyText } from './support/history-text';
import { type RuntimeFleet, startRuntimeFleet } from './support/native/runtime-fleet';
import { asRuntime, startAgent } from './support/native/runtime-lane';
import { email, githubToken } from './support/secret-strings';

jest.setTimeout(120_000);

/** In every event, and in no failure. */
const PLANTED = 'PLANTED words of a refused event';
const GOOD = { kind: 'observation', outcome: 'neutral', text: PLANTED };

it('is known by every code that the page says is not tried again, and by no other', () => {
  const page = readFileSync(join(__dirname, '../docs/temporal-native.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (?<codes>(?:`\w+` ?)+)\| (?<again>no|yes) \|/gm)];
  const codes = rows.flatMap(({ groups }) =>
    [...(groups?.codes ?? '').matchAll(/\w+/g)].map(([code]) => [code, groups?.again] as const),
  );
  const told = codes.flatMap(([code, again]) => (again === 'no' ? [code] : []));
  const permanent = Object.entries(RUNTIME_FAILURES).filter(([, { retryable }]) => !retryable);
  expect(told.sort()).toEqual(permanent.map(([code]) => code).sort());
  const failed = (type: string) => {
    const cause = ApplicationFailure.create({ type, message: type });
    return new ActivityFailure('', 'cairnRecordEvent', '1', RetryState.TIMEOUT, 'w', cause);
  };
  for (const [code, again] of codes) {
    expect([code, refusalOf(failed(code))]).toEqual([code, again === 'no' ? code : null]);
  }
  expect(refusalOf(failed('constructor'))).toBeNull();
  expect(refusalOf(new Error('stopped'))).toBeNull();
});

const quiet = { logger: new DefaultLogger('ERROR', () => undefined) };

describeNative('an event that is refused', () => {
  let { api, env, fleet } = {} as RuntimeFleet;
  beforeAll(async () => {
    ({ api, env, fleet } = await startRuntimeFleet());
    const put = (path: string, body: object) => api.call('PUT', path, { body });
    await put('/v1/agents/watched', { writes_stopped: true });
    await put('/v1/agents/reader', { restricted: true, parent_agent: 'planner' });
  });
  afterAll(() => api.close());

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
    ['has no text for a task', 'invalid', {}, { task: 17 }],
    ['has an address in an id', 'pii_in_identifier', {}, { project: email() }],
    ['has a secret in an id', 'secret_in_identifier', {}, { task: githubToken() }],
  ] as const;

  const connection = (via: 'http' | 'postgres', key: string): CairnActivitiesOptions =>
    via === 'http'
      ? { url: api.url, key }
      : { databaseUrl: api.testDatabase.url, secretKey: api.secretKey, key };

  const activitiesBy = (
    via: 'http' | 'postgres',
    key: string,
    loaders: CairnActivitiesOptions['loaders'] = {},
  ) => createCairnActivities({ ...connection(via, key), loaders });

  const defaultsOf = (agent: string) => ({ agent, occurred_at: '2026-03-02T08:24:15Z', n: 1 });

  const recorded = (cairn: CairnActivities, agent: string, event: unknown = GOOD) => {
    const input = { event, defaults: defaultsOf(agent), mode: 'outbox' };
    return new MockActivityEnvironment({}, quiet).run(cairn.cairnRecordEvent, input as never);
  };

  const recordedFrom = (cairn: CairnActivities, loader: string) => {
    const input = { loader, reference: {}, defaults: defaultsOf('planner'), mode: 'outbox' };
    return new MockActivityEnvironment({}, quiet).run(cairn.cairnRecordEventFrom, input as never);
  };

  describe.each(['http', 'postgres'] as const)('over %s', (via) => {
    it.each(cases)(
      '%s: %s at the first try, and no word of it',
      async (_how, code, options, fields) => {
        await asRuntime(env, activitiesBy(via, fleet.runtime), async () => {
          const handle = await startAgent(env.client, 'isRefused', [
            { agent: 'planner', ...options },
            { ...GOOD, ...fields },
          ]);
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

    it('is none, and no try makes it one', async () => {
      const none = [null, undefined, PLANTED, [GOOD], 17];
      const loaders = Object.fromEntries(
        none.map((nothing, at) => [`l-${at}`, async () => nothing as never]),
      );
      const cairn = activitiesBy(via, fleet.runtime, loaders);
      const { recordEvent, close } = createRecordEvent(connection(via, fleet.runtime));
      const invalid = { type: 'invalid', message: 'invalid', nonRetryable: true };
      for (const [at, nothing] of none.entries()) {
        await expect(recorded(cairn, 'planner', nothing ?? null)).rejects.toMatchObject(invalid);
        await expect(recordedFrom(cairn, `l-${at}`)).rejects.toMatchObject(invalid);
        const byHand = new MockActivityEnvironment({}, quiet).run(recordEvent, nothing as never);
        await expect(byHand).rejects.toMatchObject(invalid);
      }
      await close();
      await asRuntime(env, cairn, async () => {
        const handle = await startAgent(env.client, 'isRefused', [{ agent: 'planner' }, null]);
        expect(await handle.result()).toBe('invalid');
      });
    });

    it.each([
      ['unauthenticated', async () => `nobody-${randomUUID()}`],
      ['not_allowed', () => api.keyFor({ kind: 'agent', id: 'reader' })],
    ])('is told to its workflow as %s, where the key is not good for it', async (code, keyed) => {
      await asRuntime(env, activitiesBy(via, await keyed()), async () => {
        const handle = await startAgent(env.client, 'isRefused', [{ agent: 'reader' }, GOOD]);
        expect(await handle.result()).toBe(code);
      });
    });

    it('under an id that other content had, is told so', async () => {
      const event = { ...GOOD, event_id: `twice-${via}` };
      const first = { ...event, agent: 'planner', occurred_at: '2026-03-02T08:24:15Z' };
      const { status } = await api.call('POST', '/v1/events', { key: fleet.runtime, body: first });
      expect(status).toBe(202);
      await asRuntime(env, activitiesBy(via, fleet.runtime), async () => {
        const handle = await startAgent(env.client, 'isRefused', [
          { agent: 'planner' },
          { ...event, text: `${PLANTED}, changed` },
        ]);
        expect(await handle.result()).toBe('event_id_conflict');
      });
    });

    it.each([
      ['of nobody', async () => `nobody-${randomUUID()}`, 'unauthenticated'],
      ['of a person', () => api.keyOf('reviewer'), 'not_allowed'],
      ['of a restricted agent', () => api.keyFor({ kind: 'agent', id: 'reader' }), 'not_allowed'],
    ])('is so for the key %s', async (_whose, keyed, code) => {
      const cairn = activitiesBy(via, await keyed());
      await expect(recorded(cairn, 'reader')).rejects.toMatchObject({
        type: code,
        message: code,
        nonRetryable: true,
      });
      await cairn.close();
    });

    it('is of another agent than the key’s own', async () => {
      const cairn = activitiesBy(via, fleet.coder);
      await expect(recorded(cairn, 'planner')).rejects.toMatchObject({
        type: 'agent_conflict',
        nonRetryable: true,
      });
      await cairn.close();
    });
  });
});
