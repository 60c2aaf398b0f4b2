import { cardIds, DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
/** Every card's id by a name of ours. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  lane = await startRecallLane();
  const { filing, clock } = lane;
  await lane.api.call('PUT', '/v1/projects/refit', { body: { name: 'Refit' } });
  ids.call = await filing.card({
    service: 'crane',
    operation: 'lift',
    project: 'refit',
    session: 'day-shift',
    subject: 'ship-1',
    input: { load: 'boiler' },
    output: 'lifted',
    metadata: { yard: 'north', tons: 12, crew: { chief: 'ann' } },
  });
  clock.advance(DAY);
  ids.failure = await filing.card({
    service: 'crane',
    operation: 'lower',
    session: 'night-shift',
    outcome: 'failed',
    input: { load: 'engine' },
    error: 'Error: the cable slipped',
    metadata: { yard: 'south', tons: 30 },
  });
  clock.advance(DAY);
  ids.step = await filing.card({
    kind: 'workflow_step',
    workflow_step: { workflow: 'launch', step: 'flood_dock' },
    text: 'Flooded the dock before the crane was away.',
  });
  clock.advance(DAY);
  ids.note = (
    await writeCard(
      lane.api,
      {
        summary: 'The crane driver speaks Polish.',
        key: 'crane-driver',
        topic: 'language',
        subject: 'ann@example.com',
        project: 'refit',
      },
      { key: lane.runtimeKey, headers: { 'cairn-agent': 'scout' } },
    )
  ).id;
  clock.advance(HOUR);
});
afterAll(() => lane.close());

const filtered = (filters: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  lane.recall({ query: 'crane', limit: 50, filters, ...more });

async function names(filters: Record<string, unknown>, more = {}): Promise<string[]> {
  const reply = await filtered(filters, more);
  expect(reply.status).toBe(200);
  const found = cardIds(reply);
  return Object.keys(ids).filter((name) => found.includes(ids[name] as string));
}

describe('a filter', () => {
  it.each([
    ['kind', { kind: 'constraint' }, ['failure']],
    ['several kinds', { kind: ['constraint', 'knowledge'] }, ['failure', 'note']],
    ['sign', { sign: 'failed' }, ['failure']],
    ['several signs', { sign: ['failed', 'worked'] }, ['call', 'failure', 'step']],
    ['service', { service: 'crane' }, ['call', 'failure']],
    ['operation', { operation: 'lower' }, ['failure']],
    ['workflow', { workflow: 'launch' }, ['step']],
    ['step', { step: 'flood_dock' }, ['step']],
    ['subject', { subject: 'ship-1' }, ['call']],
    ['topic', { topic: 'language' }, ['note']],
    ['project', { project: 'refit' }, ['call', 'note']],
    ['session', { session: 'night-shift' }, ['failure']],
    ['key', { key: 'crane-driver' }, ['note']],
    ['since', { since: '2026-03-04T00:00:00Z' }, ['step', 'note']],
    ['until', { until: '2026-03-03T00:00:00Z' }, ['call']],
    ['until, itself left out', { until: '2026-03-03T08:00:00Z' }, ['call']],
    ['since, itself included', { since: '2026-03-03T08:00:00Z', service: 'crane' }, ['failure']],
    ['metadata', { metadata: { yard: 'north' } }, ['call']],
    ['metadata inside', { metadata: { crew: { chief: 'ann' } } }, ['call']],
    ['two at once', { service: 'crane', sign: 'worked' }, ['call']],
    ['two that nothing meets', { service: 'crane', key: 'crane-driver' }, []],
    ['a value that is nowhere', { service: 'submarine' }, []],
  ])(
    '%s keeps the cards that meet it, all of them and no other',
    async (_name, filters, wanted) => {
      expect(await names(filters)).toEqual(wanted);
    },
  );

  it('is met by what an e-mail as a subject is kept as', async () => {
    expect(await names({ subject: 'ann@example.com' })).toEqual(['note']);
    expect(await names({ subject: 'Ann@Example.com' })).toEqual(['note']);
    expect(await names({ subject: 'bob@example.com' })).toEqual([]);
  });

  it('answers though no word of the query fits', async () => {
    expect(await names({ key: 'crane-driver' }, { query: 'quantum' })).toEqual(['note']);
    expect(await names({ key: 'crane-driver' }, { query: '' })).toEqual(['note']);
  });

  it.each([
    ['an unknown filter', { filters: { colour: 'red' } }],
    ['an unknown field', { filter: { kind: 'constraint' } }],
    ['a scope', { scope: { type: 'agent', id: 'mate' } }],
    ['an agent', { agent: 'mate' }],
    ['an unknown kind', { filters: { kind: 'rumour' } }],
    ['an empty list', { filters: { kind: [] } }],
    ['an unknown intent', { intent: 'dream' }],
    ['an unknown profile', { profile: 'poetic' }],
    ['a limit of none', { limit: 0 }],
    ['a limit of too many', { limit: 51 }],
    ['a half card', { limit: 1.5 }],
    ['no budget', { budget_tokens: 0 }],
    ['a NUL in metadata', { filters: { metadata: { yard: 'no\u0000rth' } } }],
    ['half a character in metadata', { filters: { metadata: { yard: '\ud800' } } }],
    ['a NUL in a label', { filters: { service: 'cra\u0000ne' } }],
  ])('%s is refused with a reason', async (_name, body) => {
    const reply = await lane.recall({ query: 'crane', ...body });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ status: 400, detail: expect.any(String) });
  });

  it('an unknown query parameter is refused too', async () => {
    const { status } = await lane.api.call('POST', '/v1/recall?explain=true', {
      key: lane.runtimeKey,
      headers: { 'cairn-agent': 'scout' },
      body: { query: 'crane' },
    });
    expect(status).toBe(400);
  });
});

describe('a closed project', () => {
  beforeAll(async () => {
    const { status } = await lane.api.call('POST', '/v1/projects/refit/close', { body: {} });
    expect(status).toBeLessThan(300);
  });

  it('takes its episodes out of recall and leaves what is known', async () => {
    expect(await names({})).not.toContain('call');
    expect(await names({})).toContain('note');
    expect(await names({ service: 'crane' })).toEqual(['failure']);
  });

  it('gives them back to whom asks for it, by project or by filter', async () => {
    expect(await names({ project: 'refit' })).toEqual(['call', 'note']);
    expect(await names({}, { project: 'refit' })).toEqual(['call', 'note']);
    expect(await names({ kind: 'experience' }, { project: 'refit' })).toEqual(['call']);
  });

  it('does not give them to whom asks for another', async () => {
    await lane.api.call('PUT', '/v1/projects/other', { body: {} });
    expect(await names({}, { project: 'other' })).toEqual([]);
    expect(await names({ project: 'refit' }, { project: 'other' })).toEqual([]);
  });
});
