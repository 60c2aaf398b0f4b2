import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
  await lane.api.call('PUT', '/v1/subjects/guest-7', { body: { kind: 'customer' } });
  await lane.api.call('PUT', '/v1/subjects/crew-1', { body: { kind: 'staff' } });
});
afterEach(() => lane.close());

interface State {
  purged: boolean;
  summary: string;
  payload: boolean;
}

async function stateOf(id: string): Promise<State | undefined> {
  const [row] = await rowsOf<State>(
    lane,
    `SELECT c.purged_at IS NOT NULL AS purged, c.summary, e.payload IS NOT NULL AS payload
       FROM cards c JOIN events e ON e.workspace_id = c.workspace_id AND e.event_id = c.event_id
      WHERE c.id = $1`,
    [id],
  );
  return row;
}

const filed = (fields: Record<string, unknown>) =>
  lane.filing.card({
    service: 'clinic',
    operation: 'visit',
    input: { with: 'a marmalade sandwich' },
    ...fields,
  });

const forget = (...rules: { match: Record<string, string>; after: string }[]) =>
  setPolicy(lane, { retention: { forget: rules, event_payload: 'P90D' } });

describe.each([
  ['service', { service: 'clinic' }, { service: 'hotel' }],
  ['services that begin so', { service: 'cli*' }, { service: 'hotel' }],
  ['operation', { operation: 'visit' }, { operation: 'stay' }],
  ['agent', { agent: 'scout' }, { agent: 'mate' }],
  ['subject', { subject: 'guest-7' }, { subject: 'guest-8' }],
  ['kind of subject', { subject_kind: 'customer' }, { subject: 'crew-1' }],
  ['project', { project: 'spring' }, { project: 'autumn' }],
  ['kind of card', { kind: 'experience' }, { outcome: 'failed', error: 'it was closed' }],
])('a rule that names a %s', (_what, match, other) => {
  it('purges that once its time is over, payload and all, and leaves the rest', async () => {
    const named = await filed({ subject: 'guest-7', project: 'spring' });
    const spared = await filed({ subject: 'guest-7', project: 'spring', ...other });
    await forget({ match, after: 'P10D' });
    lane.clock.advance(9 * DAY);
    await upkeep(lane, 'retention');
    expect(await stateOf(named)).toMatchObject({ purged: false, payload: true });
    lane.clock.advance(2 * DAY);
    const { counts, changes } = await upkeep(lane, 'retention');
    expect(counts).toEqual({ forgotten: 1 });
    expect(changes).toEqual([
      expect.objectContaining({ change: 'purged', card_id: named, reason: 'purge_forgotten' }),
    ]);
    expect(await stateOf(named)).toEqual({ purged: true, summary: 'purged', payload: false });
    expect(await stateOf(spared)).toMatchObject({ purged: false, payload: true });
    expect((await lane.api.call('GET', `/v1/cards/${named}`)).status).toBe(404);
  });
});

it('names a topic of cards that were written by hand', async () => {
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
  const write = async (topic: string) =>
    (
      await lane.api.call('POST', '/v1/cards', {
        headers: { 'cairn-agent': 'scout' },
        body: { summary: `About ${topic}.`, topic },
      })
    ).body.id;
  const [health, rooms] = [await write('health'), await write('rooms')];
  await forget({ match: { topic: 'health' }, after: 'P1D' });
  lane.clock.advance(2 * DAY);
  await upkeep(lane, 'retention');
  const rows = await rowsOf(lane, 'SELECT id FROM cards WHERE purged_at IS NULL');
  expect(rows).toEqual([{ id: rooms }]);
  expect(health).toMatch(/^card_/);
});

it('drops payloads of events that became no card of their own too', async () => {
  await filed({ event_id: 'first' });
  await filed({ event_id: 'other', service: 'hotel' });
  await rowsOf(lane, "UPDATE captures SET disposition = 'duplicate_content', card_id = NULL");
  await rowsOf(lane, "UPDATE cards SET event_id = NULL, service = 'hotel'");
  await forget({ match: { service: 'clinic' }, after: 'P1D' });
  lane.clock.advance(2 * DAY);
  await upkeep(lane, 'retention');
  expect(await rowsOf(lane, 'SELECT event_id FROM events WHERE payload IS NOT NULL')).toEqual([
    { event_id: 'other' },
  ]);
});

it('says in a dry run and in a preview what it would forget, and forgets nothing', async () => {
  const id = await filed({});
  lane.clock.advance(20 * DAY);
  const rules = [{ match: { service: 'clinic' }, after: 'P10D' }];
  const preview = await lane.api.call('POST', '/v1/policy/preview', {
    body: { retention: { forget: rules } },
  });
  expect(preview.body.effects.retention).toEqual({ forget: { before: 0, after: 1 } });
  await forget(...rules);
  const { counts } = await upkeep(lane, 'retention', { dryRun: true });
  // The payload goes with its card, and would go by itself.
  expect(counts).toEqual({ forgotten: 1, payloads_dropped: 1 });
  expect(await stateOf(id)).toMatchObject({ purged: false, payload: true });
});

it('yields to a legal hold, and is done twice as once', async () => {
  const held = await filed({ subject: 'guest-7' });
  const gone = await filed({ subject: 'guest-8' });
  await lane.api.call('PUT', '/v1/legal-holds/case-1', {
    body: { selector: { subject: 'guest-7' }, reason: 'a court has asked for it' },
  });
  await forget({ match: { service: 'clinic' }, after: 'P10D' });
  lane.clock.advance(11 * DAY);
  expect((await upkeep(lane, 'retention', { twice: true })).counts).toEqual({ forgotten: 1 });
  expect(await stateOf(held)).toMatchObject({ purged: false, payload: true });
  expect(await stateOf(gone)).toMatchObject({ purged: true, payload: false });
});

it.each([
  ['names nothing', { match: {}, after: 'P1D' }],
  ['matches everything', { match: { service: '*' }, after: 'P1D' }],
  ['has no time', { match: { service: 'clinic' }, after: 'PT0S' }],
  ['names what there is not', { match: { word: 'x' }, after: 'P1D' }],
])('a rule that %s is refused', async (_what, rule) => {
  const { headers } = await lane.api.call('GET', '/v1/policy');
  const answer = await lane.api.call('PUT', '/v1/policy', {
    body: { retention: { forget: [rule] } },
    headers: { 'if-match': headers.get('etag') ?? '' },
  });
  expect(answer.status).toBe(400);
});
