import { costsOf } from './support/contexts';
import { good, Talk } from './support/conversations';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const start = (id: string) => new Talk(lane.api, { id, agent: 'scout' }).start();

/** Some 20 KB, of which an answer takes one value. */
const timetable = JSON.stringify({
  harbour: { pier: 'P-77', opens: '06:40' },
  boats: Array.from({ length: 300 }, (_, index) => ({ boat: `B${index}`, seats: 40 + index })),
});
const RAW = 'B299';

const shown = async (talk: Talk, role: string) =>
  (await talk.context()).messages.filter((message) => message.role === role);

it('a result is shown raw until the assistant has answered from it, then what it took', async () => {
  const talk = await start('once');
  await talk.say(['user', 'From which pier?'], ['assistant', '']);
  good(
    await talk.send([{ role: 'tool', content: timetable, name: 'timetable', tool_call_id: 'c1' }]),
  );
  expect((await shown(talk, 'tool'))[0]?.content).toBe(timetable);
  const before = (await talk.context()).tokens;
  await talk.say(['assistant', 'It leaves from pier P-77.']);
  const [cleared] = await shown(talk, 'tool');
  expect(cleared?.content).toContain('P-77');
  expect(cleared?.content).not.toContain(RAW);
  expect(cleared).toMatchObject({ name: 'timetable', tool_call_id: 'c1' });
  expect((await talk.context()).tokens).toBeLessThan(before / 5);
  const handle = /GET (\S+)\]/.exec(cleared?.content ?? '')?.[1] ?? '';
  const raw = good(await talk.call('GET', handle)).body;
  expect(raw).toMatchObject({ n: 3, content: timetable, cleared: false, role: 'tool' });
  expect(raw.extracted).toContain('P-77');
});

it('also where all of it comes in one call, and where several results are answered at once', async () => {
  const talk = await start('batch');
  await talk.say(
    ['user', 'From which pier, and when?'],
    ['assistant', ''],
    ['tool', timetable],
    ['tool', timetable.replace('P-77', 'P-78')],
    ['assistant', 'From P-77, or P-78.'],
    ['user', 'Thanks.'],
  );
  const results = await shown(talk, 'tool');
  expect(results.map(({ content }) => [content.includes('P-7'), content.includes(RAW)])).toEqual([
    [true, false],
    [true, false],
  ]);
});

it('one that was not answered in words stays raw: a further call, or a word of the user, takes nothing', async () => {
  const talk = await start('waiting');
  await talk.say(['user', 'And when?'], ['assistant', ''], ['tool', timetable], ['assistant', ' ']);
  await talk.say(['user', 'Take your time.']);
  expect((await shown(talk, 'tool'))[0]?.content).toBe(timetable);
  await talk.say(['assistant', 'At 06:40.']);
  expect((await shown(talk, 'tool'))[0]?.content).not.toContain(RAW);
});

it('a short one stays as it is', async () => {
  const talk = await start('short');
  await talk.say(
    ['user', 'Pier?'],
    ['assistant', ''],
    ['tool', '{"pier":"P-77"}'],
    ['assistant', 'P-77.'],
  );
  expect((await shown(talk, 'tool'))[0]?.content).toBe('{"pier":"P-77"}');
});

it('the raw text goes at the horizon of the events, used or not, and what was taken stays', async () => {
  await setPolicy(lane, { retention: { event_payload: 'P10D' } });
  const talk = await start('horizon');
  await talk.say(['user', 'Pier?'], ['assistant', ''], ['tool', timetable], ['assistant', 'P-77.']);
  await talk.say(['assistant', ''], ['tool', timetable], ['tool', '{"pier":"P-9"}']);
  const before = await talk.context();
  lane.clock.advance(10 * DAY - 1);
  await upkeep(lane, 'retention');
  expect((await talk.message(3)).content).toBe(timetable);
  lane.clock.advance(1);
  await upkeep(lane, 'retention', { dryRun: true });
  expect((await talk.message(3)).content).toBe(timetable);
  await upkeep(lane, 'retention');
  const gone = await talk.message(3);
  expect(gone).toMatchObject({ content: null, cleared: true });
  expect(gone.extracted).toContain('P-77');
  const unused = await talk.message(6);
  expect(unused).toMatchObject({ content: null, cleared: true });
  expect(unused.extracted).toMatch(/^A record of 2 fields \(harbour, boats; \d+ characters\)/);
  // The context offers no handle that leads nowhere, and counts what stands in it.
  const after = await talk.context();
  expect(JSON.stringify(before)).toContain('/messages/3]');
  expect(JSON.stringify(after)).not.toContain('/messages/');
  const results = after.messages.filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => content.split('\n')[1] ?? content)).toEqual([
    '[What was taken from a longer result, which is no longer kept.]',
    '[What was taken from a longer result, which is no longer kept.]',
    '{"pier":"P-9"}',
  ]);
  expect(results[0]?.content).toContain('P-77');
  expect(results[1]?.content).toContain('harbour');
  expect(after.tokens).toBe(costsOf(after));
  // An answer that comes later finds no text to take anything from.
  await talk.say(['assistant', 'At 06:40.']);
  expect((await talk.message(6)).extracted).toBe(unused.extracted);
  const { body } = await lane.api.call('GET', '/v1/audit?action=conversation.tool_results_dropped');
  expect(body.items.map(({ hashes }: { hashes: unknown }) => hashes)).toEqual([{ messages: 2 }]);
  await upkeep(lane, 'retention');
  expect((await talk.message(7)).content).toBe('{"pier":"P-9"}');
});
