import { addFailureCases } from '../src/store/skill-failures';
import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { NEWSLETTER, ORIGIN, Skills } from './support/skills';

let api: TestApi;
let fleet: Fleet;
let planner: Skills;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  planner = new Skills(api, { key: fleet.planner });
});
afterAll(() => api.close());

const named = (name: string) => ({ ...NEWSLETTER, name, tests: [ORIGIN] });
const { document } = NEWSLETTER;

it('a version that leaves out a step is failed, and the one before stays in use', async () => {
  const { body: made } = await planner.made(named('kept'));
  await planner.post('/kept/versions', { document: { ...document, steps: [document.steps[1]] } });
  const tested = await planner.post('/kept/versions/2/test');
  expect(tested.body).toMatchObject({
    version: 2,
    status: 'draft',
    version_status: 'failed',
    current_version: 1,
    test_result: {
      passed: 0,
      failed: 1,
      regressions: [made.tests[0].id],
      results: [{ passed: false, why: 'step_missing', at: 'mailer.list_readers' }],
    },
  });
  expect((await planner.get('/kept')).body).toMatchObject({ version: 1, status: 'current' });
  const { body: card } = await api.call('GET', `/v1/cards/${made.card_id}`, { key: fleet.planner });
  expect(card.version).toBe(1);
});

it('a skill that fails what it came with is refused, and leaves nothing', async () => {
  const wrong = { ...named('wrong'), document: { ...document, steps: [document.steps[1]] } };
  const refused = await planner.post('', wrong);
  expect([refused.status, refused.body.code]).toEqual([422, 'tests_failed']);
  expect(refused.body.results).toMatchObject([{ passed: false, why: 'step_missing' }]);
  expect((await planner.get('/wrong')).status).toBe(404);
  expect((await planner.post('', named('wrong'))).status).toBe(201);
});

it('a test that the version in use fails too keeps nobody out', async () => {
  await planner.made(named('no-worse'));
  const asked = { kind: 'manual', must_mention: ['postage'], must_not_mention: [] };
  await planner.post('/no-worse/versions', { document, tests: [asked] });
  const tested = await planner.post('/no-worse/versions/2/test');
  expect(tested.body).toMatchObject({
    ...{ status: 'current', current_version: 2 },
    test_result: { passed: 1, failed: 1, regressions: [] },
  });
});

it('what failed and was mended by other tests becomes current when it is tested again', async () => {
  const { body: made } = await planner.made(named('again'));
  await planner.post('/again/versions', { document: { ...document, steps: [document.steps[0]] } });
  await planner.post('/again/versions/2/test');
  await api.database.inWorkspace('default', (tx) =>
    tx.query('UPDATE skill_tests SET retired_at = added_at WHERE card_id = $1', [made.card_id]),
  );
  const tested = await planner.post('/again/versions/2/test');
  expect(tested.body).toMatchObject({ status: 'current', current_version: 2 });
});

describe('a failure with the skill in the prompt', () => {
  const SESSION = 'night-run';
  const at = () => new Date();
  const failed = (event: string, more: object = {}) => ({
    ...{ eventId: event, cardId: null, agent: 'planner', session: SESSION },
    ...{ service: 'mailer', operation: 'send_batch' },
    ...{ error_family: 'rate_limit' as const, error_signature: 'slow down for <n> s' },
    occurredAt: new Date(Date.now() + 60_000),
    ...more,
  });
  const add = (failure: ReturnType<typeof failed>) =>
    api.database.inWorkspace('default', (tx) => addFailureCases(tx, failure, at()));
  let card: string;

  beforeAll(async () => {
    card = (await planner.made(named('in-the-prompt'))).body.card_id;
  });

  it('that was not loaded there is none of its tests', async () => {
    expect(await add(failed('too-early'))).toEqual([]);
  });

  it('becomes a test once, which the version in use fails and the next one passes', async () => {
    const loaded = await api.call('GET', '/v1/skills/in-the-prompt', {
      ...{ key: fleet.planner, headers: { 'cairn-session': SESSION } },
    });
    expect(loaded.status).toBe(200);
    expect(await add(failed('elsewhere', { session: 'day-run' }))).toEqual([]);
    expect(await add(failed('another', { agent: 'coder' }))).toEqual([]);
    expect(await add(failed('other-call', { operation: 'report' }))).toEqual([]);
    expect(await add(failed('no-session', { session: null }))).toEqual([]);
    expect(await add(failed('before', { occurredAt: new Date(0) }))).toEqual([]);
    const added = await add(failed('send-1'));
    expect(added).toMatchObject([{ card_id: card }]);
    expect(await add(failed('send-1'))).toEqual([]);
    // The same error once more is no second test; another one is.
    expect(await add(failed('send-2'))).toEqual([]);
    expect(await add(failed('send-3', { error_signature: 'closed' }))).toHaveLength(1);

    await planner.post('/in-the-prompt/versions', {
      document: {
        ...document,
        failure_handling: [
          ...document.failure_handling,
          { when: 'it is too fast', then: 'wait as long as it says', error_family: 'rate_limit' },
        ],
      },
    });
    const better = await planner.post('/in-the-prompt/versions/2/test');
    expect(better.body).toMatchObject({
      ...{ status: 'current', current_version: 2 },
      test_result: { passed: 3, failed: 0 },
    });
    await planner.post('/in-the-prompt/versions', { document });
    const worse = await planner.post('/in-the-prompt/versions/3/test');
    expect(worse.body).toMatchObject({ version_status: 'failed', current_version: 2 });
    expect(worse.body.test_result.regressions).toHaveLength(2);
  });

  it('is told to nobody who may not see the work that failed', async () => {
    const team = { ...named('of-the-team'), scope: { type: 'team', id: 'red' } };
    await new Skills(api).made(team);
    const session = 'team-run';
    const headers = { 'cairn-session': session };
    await api.call('GET', '/v1/skills/of-the-team', { key: fleet.planner, headers });
    const note = await api.call('POST', '/v1/cards', {
      key: fleet.planner,
      body: { summary: 'Mine.' },
    });
    const error_signature = 'secret quota';
    const failure = failed('mine', { cardId: note.body.id, error_signature, session });
    expect(await add(failure)).toHaveLength(1);
    const shown = async (key: string) => (await new Skills(api, { key }).get('/of-the-team')).body;
    const mine = (await shown(fleet.planner)).tests.find(
      (one: { kind: string }) => one.kind === 'failure',
    );
    expect(mine.case.trace[0].error_signature).toBe('secret quota');
    const theirs = await shown(fleet.coder);
    expect(
      theirs.tests.map((one: { kind: string; case: object | null }) => [
        one.kind,
        one.case === null,
      ]),
    ).toEqual([
      ['origin', false],
      ['failure', true],
    ]);
    expect(JSON.stringify(theirs)).not.toMatch(/secret quota|mine/);
  });
});
