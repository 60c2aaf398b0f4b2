import type { ErasureSelector } from '../src/contracts/erasure';
import type { SettledEvent } from '../src/contracts/event';
import { insertCard } from '../src/store/card-writes';
import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { dumped, othersThatChanged, rowsWith } from './support/others-rows';
import { plainCard } from './support/plain-card';
import { rowsOf } from './support/upkeep';

jest.setTimeout(300_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const KINDS = ['subject', 'person', 'agent', 'source', 'project'] as const;
type Kind = (typeof KINDS)[number];

/** What one world has of one selector: its cards, and the ids of its events. */
interface Planted {
  cards: string[];
  events: string[];
}

/** Where a person writes who names no agent. */
const OWN = { scope: { type: 'agent', id: 'scout' } };

const name = (kind: Kind, world: string) => `${kind}-${world}`;

async function made(
  method: 'PUT' | 'POST',
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Record<string, string>> {
  const answer = await lane.api.call(method, path, { body, headers });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** One world: each selector has what rests on it alone, each with words of its own. */
async function planted(world: string): Promise<Record<Kind, Planted>> {
  const { filing, clock, api } = lane;
  const of = (kind: Kind) => name(kind, world);
  await made('PUT', '/v1/agents/scout', {});
  await made('PUT', '/v1/agents/mate', {});
  await made('PUT', `/v1/agents/${of('agent')}`, { parent_agent: 'scout' });
  await made('PUT', `/v1/agents/child-${world}`, { parent_agent: of('agent'), restricted: true });
  await made('PUT', `/v1/subjects/${of('subject')}`, { name: `Name of ${of('subject')}` });
  await made('PUT', `/v1/people/${of('person')}`, {
    name: `Name of ${of('person')}`,
    role: 'operator',
  });
  await made('PUT', `/v1/projects/${of('project')}`, { name: `Name of ${of('project')}` });
  const done: Record<Kind, Planted> = {
    subject: { cards: [], events: [] },
    person: { cards: [], events: [] },
    agent: { cards: [], events: [] },
    source: { cards: [], events: [] },
    project: { cards: [], events: [] },
  };
  let count = 0;
  const report = async (
    kind: Kind,
    fields: Partial<SettledEvent>,
    reporter?: { kind: 'person' | 'agent'; id: string },
  ) => {
    count += 1;
    const event_id = `evt-${of(kind)}-${count}`;
    const text = `It was ${of(kind)} number ${count}.`;
    const card = await filing.card(
      { event_id, kind: 'observation', outcome: 'neutral', text, ...fields },
      reporter,
    );
    clock.advance(60_000);
    done[kind].cards.push(card);
    done[kind].events.push(event_id);
    return card;
  };
  const key = await api.keyFor({ kind: 'person', id: of('person') });
  const agentKey = await api.keyFor({ kind: 'agent', id: of('agent') });
  const byAgent = { authorization: `Bearer ${agentKey}` };
  const byScout = { 'cairn-agent': 'scout' };
  const byPerson = { authorization: `Bearer ${key}` };
  await report('subject', { subject: of('subject') });
  await report('subject', {
    subject: of('subject'),
    kind: 'service_call',
    service: 'crane',
    operation: 'lift',
    outcome: 'failed',
    error: `too heavy for ${of('subject')}`,
  });
  await report('person', {}, { kind: 'person', id: of('person') });
  await report('agent', { agent: of('agent') });
  await report('agent', {
    kind: 'delegation',
    outcome: 'worked',
    delegate: { agent: of('agent'), cost: 1, duration_ms: 1 },
    task_type: `rigging-${world}`,
  });
  await report('agent', { agent: of('agent') }, { kind: 'agent', id: of('agent') });
  await report('source', {
    kind: 'service_call',
    service: of('source'),
    operation: 'lift',
    outcome: 'failed',
    error: `no ${of('source')}`,
  });
  await report('project', { project: of('project') });
  for (const { id } of await rowsOf<{ id: string }>(
    lane,
    `SELECT id FROM cards WHERE kind = 'competence' AND agent_id = $1`,
    [of('agent')],
  )) {
    done.agent.cards.push(id);
  }
  const post = async (
    kind: Kind,
    body: Record<string, unknown>,
    headers: Record<string, string> = byScout,
  ) => {
    const { id = '' } = await made(
      'POST',
      '/v1/cards',
      { summary: `Said of ${of(kind)}, ${clock.text()}.`, ...body },
      headers,
    );
    clock.advance(1_000);
    done[kind].cards.push(id);
    return id;
  };
  await post('subject', { subject: of('subject') });
  await post('project', { project: of('project') });
  await post('agent', {}, byAgent);
  await post('person', OWN, byPerson);
  await post('source', { hints: { service: of('source') } });
  // Conversations, working memory, waiting posts, numbers and insights.
  const talk = async (
    kind: Kind,
    headers: Record<string, string>,
    body: Record<string, unknown>,
  ) => {
    await made('PUT', `/v1/conversations/talk-${of(kind)}`, body, headers);
    await made(
      'POST',
      `/v1/conversations/talk-${of(kind)}/messages`,
      {
        messages: [{ role: 'user', content: `I like ${of(kind)}.`, at: clock.text() }],
      },
      headers,
    );
  };
  await talk('subject', byScout, { subject: of('subject') });
  await talk('project', byScout, { project: of('project') });
  await talk('agent', byAgent, {});
  const board = async (entry: string, by: string, headers: Record<string, string>) =>
    await made('PUT', `/v1/sessions/${entry}`, { value: { by } }, headers);
  await board(`shared/blackboard/mine-${world}`, 'scout', byScout);
  await board(`shared/blackboard/${of('agent')}`, of('agent'), byAgent);
  await board(`shared/blackboard/${of('person')}`, of('person'), byPerson);
  await board(`root-${world}/blackboard/plan`, 'the root', byAgent);
  const childKey = await api.keyFor({ kind: 'agent', id: `child-${world}` });
  await made(
    'POST',
    '/v1/cards',
    { summary: `The child waits with ${of('subject')}.`, subject: of('subject') },
    { authorization: `Bearer ${childKey}` },
  );
  await made(
    'POST',
    '/v1/cards',
    { summary: `The child waits with ${of('project')}.`, project: of('project') },
    { authorization: `Bearer ${childKey}` },
  );
  await made(
    'POST',
    '/v1/metrics',
    { name: `num_${world}_p`, value: 3, at: clock.text() },
    byPerson,
  );
  const insight = async (
    kind: Kind,
    more: Record<string, unknown>,
    headers: Record<string, string>,
  ) => {
    const { id = '', card_id = '' } = await made(
      'POST',
      '/v1/insights',
      {
        ...{
          origin: 'user_explore',
          title: `Title of ${of(kind)}`,
          finding: `Found of ${of(kind)}`,
          domain: 'menu',
          severity: 'low',
        },
        ...{
          metrics: [
            { name: `cost_of_${kind}_${world}`, value: 900, unit: 'USD', at: clock.text() },
          ],
          actions: [{ text: `Do ${of(kind)}` }],
        },
        ...more,
      },
      headers,
    );
    clock.advance(1_000);
    const rows = await rowsOf<{ card_id: string }>(
      lane,
      'SELECT card_id FROM insights WHERE id = $1',
      [id],
    );
    done[kind].cards.push(card_id || (rows[0]?.card_id ?? ''));
  };
  await insight('subject', { subject: of('subject') }, byScout);
  await insight('project', { project: of('project') }, byScout);
  await insight('agent', {}, byAgent);
  await insight('person', OWN, byPerson);
  // Stopped and lifted again, each time for a reason.
  for (const source of [`service:${of('source')}`, `agent:${of('agent')}`]) {
    for (const stopped of [true, false]) {
      const reason = `${source} was ${stopped ? 'wrong' : 'right'}`;
      await made('PUT', `/v1/sources/${encodeURIComponent(source)}`, { stopped, reason });
    }
  }
  await lane.recall(
    { query: 'what was it? crane lift number' },
    { 'cairn-agent': of('agent'), 'cairn-session': 'shared' },
  );
  await lane.recall({ query: 'what was it? crane lift number' }, { 'cairn-session': 'shared' });
  // Others' work under its agent.
  await filing.card({
    event_id: `evt-child-${world}`,
    agent: `child-${world}`,
    parent_agent: of('agent'),
    kind: 'observation',
    outcome: 'neutral',
    text: `a child of ${world} at work`,
  });
  clock.advance(60_000);
  return done;
}

/** A card that a pass made of others. */
async function derived(of: readonly string[], said: string): Promise<string> {
  const card = plainCard(said, lane.clock.now(), {
    ...{ kind: 'insight', agent: null, writer: { kind: 'system', id: 'consolidation' } },
    ...{ scope: { type: 'workspace', id: 'default' }, visibility: 'organization' },
  });
  const edge = {
    type: 'derived_from',
    from: card.id,
    confidence: 1,
    reason: 'told in this note',
  } as const;
  await lane.api.database.inWorkspace('default', (tx) =>
    insertCard(
      tx,
      card,
      null,
      of.map((to) => ({ ...edge, to })),
    ),
  );
  return card.id;
}

async function left(ids: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(lane, 'SELECT id FROM cards WHERE id = ANY ($1)', [
    ids,
  ]);
  return rows.map(({ id }) => id);
}

async function worlds() {
  const [mine, theirs] = [await planted('quokka'), await planted('heron')];
  const alone: Partial<Record<Kind, string>> = {};
  const shared: Partial<Record<Kind, string>> = {};
  for (const kind of KINDS) {
    const [one = ''] = mine[kind].cards;
    const [other = ''] = theirs[kind].cards;
    alone[kind] = await derived([one], `Alone it told of ${name(kind, 'quokka')}.`);
    shared[kind] = await derived([one, other], `Shared it told of ${name(kind, 'quokka')}.`);
  }
  lane.clock.advance(1_000);
  return { mine, theirs, alone, shared };
}

const SELECTORS: ErasureSelector[] = [
  ...KINDS.map((kind) => ({ [kind]: name(kind, 'quokka') })),
  { subject: name('subject', 'quokka'), source: name('source', 'quokka') },
  Object.fromEntries(KINDS.map((kind) => [kind, name(kind, 'quokka')])),
];

it.each(SELECTORS.map((selector) => [Object.keys(selector).join(' and '), selector] as const))(
  'takes what rests on %s alone, and of others nothing',
  async (_what, selector) => {
    const { mine, alone, shared } = await worlds();
    const named = KINDS.filter((kind) => selector[kind] !== undefined);
    const gone = named.flatMap((kind) => [...mine[kind].cards, alone[kind] ?? '']);
    const again = named.map((kind) => shared[kind] ?? '');
    const events = named.flatMap((kind) => mine[kind].events);
    const insights = await rowsOf<{ id: string }>(
      lane,
      'SELECT id FROM insights WHERE card_id = ANY ($1)',
      [gone],
    );
    const theirs = [...gone, ...again, ...insights.map(({ id }) => id)];
    const before = await dumped((statement) => rowsOf(lane, statement));
    const { status, counts, receipt } = await erased(lane, selector);
    const after = await dumped((statement) => rowsOf(lane, statement));
    const names = named.map((kind) => name(kind, 'quokka'));
    expect(rowsWith(after, [...names, ...events, ...gone])).toEqual([]);
    expect(await left(gone)).toEqual([]);
    expect((await left(again)).sort()).toEqual([...again].sort());
    expect(counts).toMatchObject({ rederived: again.length, held: 0 });
    expect(counts.purged).toMatchObject({ cards: gone.length });
    expect(othersThatChanged(before, after, [...names, ...theirs])).toEqual([]);
    expect({ status, found: receipt?.places.filter(({ found }) => found > 0) }).toEqual({
      status: 'completed',
      found: [],
    });
  },
);

it('takes why a person did what they did, in their words, and leaves why others did it', async () => {
  await made('PUT', '/v1/agents/mate', {});
  await made('PUT', '/v1/agents/scout', {});
  for (const [world, word] of Object.entries({ quokka: 'numbat', heron: 'stork' })) {
    const id = name('person', world);
    await made('PUT', `/v1/people/${id}`, { name: id, role: 'owner' });
    const key = await lane.api.keyFor({ kind: 'person', id });
    const headers = { authorization: `Bearer ${key}` };
    const card = await lane.filing.card({
      ...{ event_id: `evt-${world}`, agent: 'mate', kind: 'observation', outcome: 'neutral' },
      text: `It was in ${world}.`,
    });
    const by = async (method: 'PUT' | 'POST', path: string, body: unknown) =>
      await made(method, `/v1/cards/${card}/${path}`, body, headers);
    await by('PUT', 'grants/scout', { purpose: `for the ${word}` });
    await by('POST', 'quarantine', { reason: `${word} is wrong` });
    await by('POST', 'release', { reason: `${word} is right` });
  }
  lane.clock.advance(1_000);
  const texts = async () => {
    const rows = await rowsOf<{ text: string }>(
      lane,
      `SELECT text FROM reasons
       UNION ALL SELECT purpose FROM card_grants WHERE purpose IS NOT NULL ORDER BY 1`,
    );
    return rows.map(({ text }) => text);
  };
  expect((await texts()).filter((text) => text.includes('numbat'))).toHaveLength(3);
  const { status } = await erased(lane, { person: name('person', 'quokka') });
  expect(status).toBe('completed');
  expect(await texts()).toEqual(['for the stork', 'stork is right', 'stork is wrong']);
});

it.each(['event_ids', 'card_ids', 'both'])(
  'takes what rests on %s alone, and of others nothing',
  async (by) => {
    const { mine, alone, shared } = await worlds();
    const [[event = ''], [first = '']] = [mine.subject.events, mine.subject.cards];
    const [[other = ''], [second = '']] = [mine.project.events, mine.project.cards];
    const selector = {
      event_ids: { event_ids: [event, other] },
      card_ids: { card_ids: [first, second] },
      both: { event_ids: [event], card_ids: [second] },
    }[by];
    const gone = [first, second, alone.subject ?? '', alone.project ?? ''];
    const again = [shared.subject ?? '', shared.project ?? ''];
    const before = await dumped((statement) => rowsOf(lane, statement));
    const { status, counts } = await erased(lane, selector);
    const after = await dumped((statement) => rowsOf(lane, statement));
    expect(rowsWith(after, [event, other, ...gone])).toEqual([]);
    expect((await left(again)).sort()).toEqual([...again].sort());
    expect({ status, ...counts }).toMatchObject({
      ...{ status: 'completed', rederived: 2, held: 0 },
      purged: { events: 2, cards: 4 },
    });
    expect(othersThatChanged(before, after, [event, other, ...gone, ...again])).toEqual([]);
  },
);
