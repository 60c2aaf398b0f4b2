import { CairnClient, CairnError } from '../src/client';
import { startApi, type TestApi } from './support/api';
import { describeNative } from './support/database';
import { SessionLane } from './support/sessions';

describeNative('writers of one blackboard at one moment', () => {
  let api: TestApi;
  let lane: SessionLane;
  beforeAll(async () => {
    api = await startApi();
    lane = new SessionLane(api);
    const helpers = Array.from({ length: 20 }, (_, n) => [`helper-${n}`, 'lead']);
    await lane.spawn({ top: null, lead: 'top', ...Object.fromEntries(helpers) });
  });
  afterAll(() => api.close());

  const board = (agent: string, session: string) =>
    new CairnClient({ url: api.url, key: api.ownerKey, agent }).sessions.blackboard(session);
  const each = <T>(work: (agent: string, n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: 20 }, (_, n) => work(`helper-${n}`, n)));

  it('keep every key, each with a version of its own', async () => {
    await board('lead', 'keys').put('plan', 0);
    const written = await each((agent, n) => board(agent, 'keys').put(`found-${n}`, n));
    expect(new Set(written.map(({ version }) => version)).size).toBe(20);
    const { items, total } = await board('lead', 'keys').list();
    expect(total).toBe(21);
    for (const { key, value } of items) {
      expect(value).toBe(key === 'plan' ? 0 : Number(key.slice('found-'.length)));
    }
  });

  it('count to the right number where each names the version it read', async () => {
    await board('lead', 'count').put('n', 0);
    await each(async (agent) => {
      for (;;) {
        const { value, version } = await board(agent, 'count').get('n');
        try {
          return await board(agent, 'count').put('n', Number(value) + 1, { ifMatch: version });
        } catch (error) {
          if (!(error instanceof CairnError) || error.status !== 412) throw error;
        }
      }
    });
    expect((await board('lead', 'count').get('n')).value).toBe(20);
  });

  it('give a key that is new to one of them', async () => {
    await board('lead', 'claim').put('plan', 0);
    const outcomes = await each((agent) =>
      board(agent, 'claim')
        .put('mine', agent, { ifNew: true })
        .then(
          () => agent,
          ({ status }: CairnError) => status,
        ),
    );
    const winners = outcomes.filter((one) => typeof one === 'string');
    expect(winners).toHaveLength(1);
    expect(outcomes.filter((one) => one === 412)).toHaveLength(19);
    expect((await board('lead', 'claim').get('mine')).value).toBe(winners[0]);
  });

  it('do not fill it beyond its bounds together', async () => {
    await board('lead', 'bounds').put('k', 1);
    await api.database.inWorkspace('default', (tx) =>
      tx.query(
        `INSERT INTO blackboard SELECT workspace_id, session_id, 'k' || n, value, bytes, version, writer_kind,
                writer_id, created_at, updated_at
           FROM blackboard, generate_series(1, 994) n WHERE session_id = 'bounds'`,
      ),
    );
    const statuses = await each(async (agent, n) => {
      const { status } = await lane.put(agent, 'bounds', `new-${n}`, n);
      return status;
    });
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(15);
  });

  it('leave nothing behind where the session ends meanwhile', async () => {
    for (let round = 0; round < 5; round += 1) {
      const session = `ends-${round}`;
      await board('lead', session).put('plan', 0);
      const final = () => lane.event('lead', session, { final: true });
      await Promise.all([
        each((agent, n) => lane.put(agent, session, `late-${n}`, n)),
        round % 2 === 0 ? final() : lane.end('lead', session),
      ]);
      expect(await lane.stored(session)).toEqual([]);
    }
  });

  it('leave the uppermost as the root, in whatever order they came', async () => {
    for (let round = 0; round < 15; round += 1) {
      const session = `root-${round}`;
      const helped = lane.event(`helper-${round}`, session);
      // Every other time it was there before, and else it comes at the same moment.
      if (round % 2 === 0) await helped;
      await Promise.all([
        helped,
        lane.event('lead', session),
        lane.put('top', session, 'plan', 1),
        lane.event('lead', session),
        lane.put('lead', session, 'mine', 2),
      ]);
      expect(await lane.stored(session)).toEqual(['mine', 'plan']);
      expect((await lane.as(null, 'GET', session)).body.root_agent).toBe('top');
    }
  });
});
