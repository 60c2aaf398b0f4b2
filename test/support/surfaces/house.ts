import { Client } from 'pg';
import type { Answer, CallOptions, Method, TestApi } from '../api';
import { Filing, HOUR, type TestClock } from '../filing';
import type { Organisation, OrgCard, OrgReader, Status } from '../organisation';
import { COMMON_WORD } from '../organisation-plant';
import { waysOf } from '../visibility-model';
import { plantConversations } from './conversing';
import { itemSaying, PLAIN } from './house-items';
import { plantInsights } from './insightful';
import { nameInProposals, plantProposals } from './proposing';
import { isMember, type Keys, makeKeys, readerFor } from './readers';
import { plantSkills } from './skilled';
import { headersOf, type Reader, type Surface, type SurfaceCard } from './surface';

export type HouseCard = OrgCard & SurfaceCard & { name: string };

export interface HouseReader {
  name: string;
  who: OrgReader;
  reader: Reader;
}

/** A small company in which every way of seeing a card, and every reason not to, occurs once. */
export interface House {
  org: Organisation;
  cards: HouseCard[];
  readers: HouseReader[];
  keys: Keys;
  owner: Reader;
  filing: Filing;
  card(name: string): HouseCard;
  reader(name: string): HouseReader;
  /** @throws where the call is refused. */
  done(
    method: Method,
    path: string,
    options?: Omit<CallOptions, 'key'>,
    as?: Reader,
  ): Promise<Answer>;
  /** A card by hand, through the API and into the model. */
  write(name: string, body: Record<string, unknown>, as?: Reader): Promise<HouseCard>;
  /** Ids that the model lets this reader see on this surface, sorted. */
  expected(surface: Surface, reader: HouseReader): string[];
}

const agent = (id: string, more: Partial<Organisation['agents'][number]> = {}) => ({
  ...{ id, team: null, parent: null, succeeds: null },
  ...more,
});

const ORG: Omit<Organisation, 'cards' | 'grants' | 'groupGrants'> = {
  teams: ['red', 'blue'],
  agents: [
    agent('writer', { team: 'red' }),
    agent('mate', { team: 'red' }),
    agent('child', { parent: 'writer' }),
    agent('grandchild', { parent: 'child' }),
    agent('great', { parent: 'grandchild' }),
    agent('fourth', { parent: 'great' }),
    agent('heir', { succeeds: 'writer' }),
    agent('outsider', { team: 'blue' }),
    agent('guest'),
    agent('crewman'),
    agent('concierge'),
  ],
  subjects: [
    { id: 'ann', household: 'quay-street' },
    { id: 'ben', household: 'quay-street' },
    { id: 'cat', household: 'elsewhere' },
  ],
  people: [
    { id: 'auditor', role: 'auditor', subject: null },
    { id: 'ann', role: 'member', subject: 'ann' },
    { id: 'cat', role: 'member', subject: 'cat' },
    { id: 'nobody', role: 'member', subject: null },
  ],
  groups: [{ id: 'crew', members: ['crewman'] }],
  idleGrants: [],
  edges: [],
};

const acts = (agentId: string, person: string | null = null): OrgReader => ({
  ...{ as: 'agent', agent: agentId, person },
});
const looks = (person: string, agentId: string | null = null): OrgReader => ({
  ...{ as: 'person', person, agent: agentId },
});

/** The last says whether an agent comes with a key of its own. */
const READERS: readonly [name: string, who: OrgReader, byOwnKey: boolean][] = [
  ['the writer', acts('writer'), true],
  ['its mate', acts('mate'), true],
  ['its child', acts('child'), false],
  ['the third generation', acts('great'), false],
  ['the fourth generation', acts('fourth'), false],
  ['its heir', acts('heir'), true],
  ['an outsider', acts('outsider'), false],
  ['a guest', acts('guest'), true],
  ['one of the crew', acts('crewman'), false],
  ['a concierge', acts('concierge'), false],
  ['a concierge for Ann', acts('concierge', 'ann'), false],
  ['a concierge for Cat', acts('concierge', 'cat'), false],
  ['the auditor', looks('auditor'), false],
  ['the auditor with an outsider’s eyes', looks('auditor', 'outsider'), false],
  ['Ann herself', looks('ann'), false],
  ['Cat herself', looks('cat'), false],
  ['a member about whom nothing is', looks('nobody'), false],
];

/** Builds it in workspace `house`, through the API. */
export async function buildHouse(api: TestApi, clock: TestClock): Promise<House> {
  const made = await api.call('POST', '/v1/workspaces', { body: { id: 'house', name: 'House' } });
  if (made.status !== 201) throw new Error(`no house: ${made.text}`);
  const owner: Reader = { key: made.body.owner_key, agent: null, person: null };
  const org: Organisation = {
    ...structuredClone(ORG),
    cards: [],
    grants: [],
    groupGrants: [],
  };
  const cards: HouseCard[] = [];

  const done: House['done'] = async (method, path, options = {}, as = owner) => {
    const headers = { ...headersOf(as), ...options.headers };
    const answer = await api.call(method, path, { ...options, key: as.key, headers });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  await settle(org, done);
  const keys = await makeKeys(api.database, 'house', org, clock.now());
  await plantProposals(api.database, 'house', org, clock.now());
  await plantConversations(api.database, 'house', org, clock.now());

  const keep = (
    name: string,
    body: Record<string, unknown>,
    more: Partial<HouseCard>,
  ): HouseCard => {
    const scope = body.scope as { type: OrgCard['scopeType']; id: string } | undefined;
    const card: HouseCard = {
      id: '',
      name,
      key: null,
      summary: '',
      status: 'active',
      scopeType: scope?.type ?? 'agent',
      scopeId: scope?.id ?? null,
      visibility: (body.visibility as OrgCard['visibility'] | undefined) ?? 'private',
      subject: (body.subject as string | undefined) ?? null,
      expires: null,
      ...more,
    };
    cards.push(card);
    org.cards.push(card);
    return card;
  };
  const write: House['write'] = async (name, body, as = owner) => {
    clock.advance(HOUR);
    const said = { summary: `The ${COMMON_WORD} of the house knows ${name}.`, ...body };
    if (typeof body.key === 'string' && !body.key.startsWith(PLAIN)) {
      Object.assign(said, await itemSaying(body.key, said.summary));
    }
    const { body: card } = await done('POST', '/v1/cards', { body: said }, as);
    const { id, key, summary, status, scope } = card;
    await nameInProposals(api.database, 'house', [id]);
    await plantSkills(api.database, 'house', [id]);
    await plantInsights(api.database, 'house', [id]);
    return keep(name, body, { id, key, summary, status, scopeType: scope.type, scopeId: scope.id });
  };
  const readers = READERS.map(([name, who, byOwnKey]) => ({
    ...{ name, who },
    reader: {
      ...readerFor(keys, who, byOwnKey),
      isMember: isMember(org, who),
      asOwner: { ...owner, agent: who.agent },
    },
  }));
  const house: House = {
    ...{ org, cards, readers, keys, owner, done, write },
    filing: new Filing({ api, clock, workspace: 'house' }),
    card: (name) =>
      known(
        cards.find((card) => card.name === name),
        name,
      ),
    reader: (name) =>
      known(
        readers.find((reader) => reader.name === name),
        name,
      ),
    expected: (surface, { who }) =>
      cards
        .filter((card) => surface.shows(card) && waysOf(org, who, card).length > 0)
        .map(({ id }) => id)
        .sort(),
  };
  return house;
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`there is no ${name} in the house`);
  return found;
}

async function settle(org: Organisation, done: House['done']): Promise<void> {
  const put = (path: string, body: object) => done('PUT', path, { body });
  for (const id of org.teams) await put(`/v1/teams/${id}`, { name: id });
  for (const { id, team, parent, succeeds } of org.agents) {
    await put(`/v1/agents/${id}`, { team, parent_agent: parent, succeeds });
  }
  for (const { id, household } of org.subjects) await put(`/v1/subjects/${id}`, { household });
  for (const { id, role, subject } of org.people) {
    await put(`/v1/people/${id}`, { name: id, role, subject });
  }
  for (const { id, members } of org.groups) await put(`/v1/agent-groups/${id}`, { members });
}

/** Fills it: each card is there for one reason. */
export async function furnish(api: TestApi, house: House, clock: TestClock): Promise<void> {
  const { write, done, org } = house;
  const of = (id: string) => ({ scope: { type: 'agent', id } });
  const note = async (id: string, scope: object) => {
    await write(id, { key: id, scope });
    await write(`plain-${id}`, { key: PLAIN + id, scope });
  };
  await write('own-of-the-writer', of('writer'));
  await write('own-of-an-outsider', of('outsider'));
  await write('own-pending', {}, house.reader('the writer').reader);
  await write('for-the-team', { scope: { type: 'team', id: 'red' } });
  await write('for-the-workspace', { scope: { type: 'workspace', id: 'house' } });
  await write('for-the-household', { ...of('outsider'), subject: 'ben', visibility: 'household' });
  await write('for-the-organization', { ...of('outsider'), visibility: 'organization' });
  await write('about-ann', { ...of('outsider'), subject: 'ann' });
  await note('note-of-the-writer', { type: 'agent', id: 'writer' });
  await note('note-of-the-team', { type: 'team', id: 'red' });
  await note('note-of-the-workspace', { type: 'workspace', id: 'house' });

  const forGuest = await write('for-a-guest', of('outsider'));
  await done('PUT', `/v1/cards/${forGuest.id}/grants/guest`, { body: { purpose: 'a visit' } });
  org.grants.push({ card: forGuest.id, agent: 'guest', expires: null });
  const forCrew = await write('for-the-crew', of('outsider'));
  await done('PUT', `/v1/cards/${forCrew.id}/group-grants/crew`, { body: {} });
  org.groupGrants.push({ card: forCrew.id, group: 'crew', expires: null });
  const once = await write('once-for-a-guest', of('outsider'));
  const soon = new Date(clock.now().getTime() + HOUR).toISOString();
  await done('PUT', `/v1/cards/${once.id}/grants/guest`, { body: { expires_at: soon } });
  org.grants.push({ card: once.id, agent: 'guest', expires: -1 });

  const judged: [Status, string, object][] = [
    ['validated', 'validation', { verdict: 'success' }],
    ['rejected', 'validation', { verdict: 'wrong' }],
    ['quarantined', 'quarantine', {}],
  ];
  for (const [status, verdict, body] of judged) {
    const card = await write(`was-${status}`, of('writer'));
    await done('POST', `/v1/cards/${card.id}/${verdict}`, { body });
    card.status = status;
  }
  const gone = await write('was-deleted', of('writer'));
  await done('DELETE', `/v1/cards/${gone.id}`);
  gone.status = 'deleted';
  const old = await write('was-superseded', { ...of('writer'), key: 'limit', subject: 'quay' });
  await write('took-its-place', { ...of('writer'), key: 'limit', subject: 'quay' });
  old.status = 'superseded';
  const kept = await write('was-archived', of('writer'));
  await api.database.inWorkspace('house', (tx) =>
    tx.query(`UPDATE cards SET status = 'archived' WHERE id = $1`, [kept.id]),
  );
  kept.status = 'archived';
  const over = new Date(clock.now().getTime() + 2 * HOUR).toISOString();
  (await write('was-expired', { ...of('writer'), expires_at: over })).expires = -1;
  clock.advance(3 * HOUR);
  await link(api, house, clock.now());
  await twin(api);
}

/** Each card comes from the one before it, and supports the one before that. */
async function link(api: TestApi, { cards }: House, now: Date): Promise<void> {
  const edges = cards.flatMap(({ id }, at) => {
    const to = (back: number, type: string) => {
      const other = cards[at - back];
      return other === undefined ? [] : [{ from: id, to: other.id, type }];
    };
    return [...to(1, 'derived_from'), ...to(2, 'supports')];
  });
  await api.database.inWorkspace('house', (tx) =>
    tx.query(
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       SELECT 'house', e."from" || e.type || e."to", e.type, e."from", e."to", 0.9, 'planted', $2
         FROM jsonb_to_recordset($1::jsonb) e ("from" text, "to" text, type text)
       ON CONFLICT DO NOTHING`,
      [JSON.stringify(edges), now],
    ),
  );
}

const COPIED = ['teams', 'agents', 'subjects', 'people', 'agent_groups', 'group_members'] as const;
const COPIED_WITH_CARDS = [
  ...['card_terms', 'card_versions', 'edges', 'card_grants'],
  ...['skills', 'skill_versions'],
  ...['insights', 'actions', 'insight_actions'],
] as const;

/** A workspace next door with the same ids throughout, in which everybody may see everything. */
async function twin(api: TestApi): Promise<void> {
  const copy = (table: string, change = `'{}'::jsonb`) => `
    INSERT INTO ${table}
    SELECT (jsonb_populate_record(x, '{"workspace_id": "next-door"}'::jsonb || ${change})).* FROM ${table} x
     WHERE x.workspace_id = 'house' ON CONFLICT DO NOTHING`;
  const shown = `jsonb_build_object('scope_type', 'workspace', 'scope_id', 'next-door', 'status', 'active',
    'visibility', 'organization', 'expires_at', NULL, 'key', x.id, 'summary', 'Next door, ' || x.summary)`;
  // As the owner of the tables, who sees two workspaces at once.
  const client = new Client({ connectionString: api.testDatabase.url });
  await client.connect();
  try {
    await client.query(copy('workspaces'));
    for (const table of COPIED) await client.query(copy(table));
    await client.query(copy('cards', shown));
    await client.query(copy('proposals', `jsonb_build_object('title', 'Next door, ' || x.title)`));
    for (const table of COPIED_WITH_CARDS) await client.query(copy(table));
  } finally {
    await client.end();
  }
}
