import fc from 'fast-check';
import {
  CARD_STATUSES,
  type CardStatus,
  PERSON_ROLES,
  type PersonRole,
  RECALLED_STATUSES,
  SCOPE_TYPES,
  type ScopeType,
  VISIBILITIES,
  type Via,
  type Visibility,
} from '../../src/contracts/names';

/** Runs one statement on the database that the organisation is planted in. */
export type Run = (statement: string, values: unknown[]) => Promise<unknown>;

/**
 * Who may see what, written from the design's words alone and in no hurry: the second opinion that
 * `visible_cards` is held against. It knows no SQL and is asked about one reader and one card.
 */

export const HOUR_MS = 3_600_000;

export interface OrgAgent {
  id: string;
  team: string | null;
  parent: string | null;
  succeeds: string | null;
}

export interface OrgCard {
  id: string;
  scopeType: ScopeType;
  /** Of the agent or the team; of the workspace it is the workspace's own id. */
  scopeId: string | null;
  visibility: Visibility;
  status: CardStatus;
  subject: string | null;
  /** Hours from now; null for a card that is kept. */
  expires: number | null;
}

export interface Organisation {
  agents: OrgAgent[];
  teams: string[];
  subjects: { id: string; household: string | null }[];
  people: { id: string; role: PersonRole; subject: string | null }[];
  groups: { id: string; members: string[] }[];
  cards: OrgCard[];
  grants: { card: string; agent: string; expires: number | null }[];
  groupGrants: { card: string; group: string; expires: number | null }[];
  /** Rows of types that are judged at read: they give nothing by themselves. */
  idleGrants: { card: string; agent: string; type: 'household' | 'organization' }[];
  edges: { from: string; to: string }[];
}

/** An agent, with the person it acts for; or a person, with the agent that they look through. */
export type OrgReader =
  | { as: 'agent'; agent: string; person: string | null }
  | { as: 'person'; person: string; agent: string | null };

const HOURS = fc.constantFrom(null, -24, -1, 1, 24);
/** Deep enough that the fourth ancestor, who lends nothing, is there. */
const MOST_AGENTS = 8;

/** Mostly live cards, or an organisation would be a graveyard. */
const STATUS = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...RECALLED_STATUSES) },
  { weight: 2, arbitrary: fc.constantFrom(...CARD_STATUSES) },
);

function named(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

/** One of the list, or null; always null where the list is empty. */
function maybe(list: readonly string[], nullWeight = 1): fc.Arbitrary<string | null> {
  if (list.length === 0) return fc.constant(null);
  return fc.oneof(
    { weight: nullWeight, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom(...list) },
  );
}

/** Chains are as likely as bushes: the parent is often the agent made just before. */
function parentOf(index: number): fc.Arbitrary<string | null> {
  if (index === 0) return fc.constant(null);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constant(`agent-${index - 1}`) },
    { weight: 2, arbitrary: fc.nat({ max: index - 1 }).map((at) => `agent-${at}`) },
  );
}

export const organisation: fc.Arbitrary<Organisation> = fc
  .record({
    agents: fc.integer({ min: 1, max: MOST_AGENTS }),
    teams: fc.integer({ min: 1, max: 3 }),
    subjects: fc.integer({ min: 0, max: 4 }),
    groups: fc.integer({ min: 0, max: 3 }),
    people: fc.integer({ min: 1, max: 4 }),
    cards: fc.integer({ min: 0, max: 24 }),
  })
  .chain((size) => {
    const agents = named('agent', size.agents);
    const teams = named('team', size.teams);
    const subjects = named('subject', size.subjects);
    const groups = named('group', size.groups);
    const cards = named('card', size.cards);
    const agent = fc.constantFrom(...agents);
    const pair = <T>(first: readonly string[], shape: (of: string) => fc.Arbitrary<T>) =>
      first.length === 0
        ? fc.constant<T[]>([])
        : fc.array(fc.constantFrom(...first).chain(shape), { maxLength: 12 });
    return fc.record<Organisation>({
      teams: fc.constant(teams),
      agents: fc.tuple(
        ...agents.map((id, index) =>
          fc.record({
            id: fc.constant(id),
            team: maybe(teams),
            parent: parentOf(index),
            succeeds: maybe(
              agents.filter((other) => other !== id),
              4,
            ),
          }),
        ),
      ),
      subjects: fc.tuple(
        ...subjects.map((id) =>
          fc.record({ id: fc.constant(id), household: maybe(['home-0', 'home-1']) }),
        ),
      ),
      people: fc.tuple(
        ...named('person', size.people).map((id) =>
          fc.record({
            id: fc.constant(id),
            role: fc.constantFrom(...PERSON_ROLES),
            subject: maybe(subjects),
          }),
        ),
      ),
      groups: fc.tuple(
        ...groups.map((id) => fc.record({ id: fc.constant(id), members: fc.subarray(agents) })),
      ),
      cards: fc
        .tuple(
          ...cards.map((id) =>
            fc.record({
              id: fc.constant(id),
              scopeType: fc.constantFrom(...SCOPE_TYPES, 'agent' as const, 'agent' as const),
              agent,
              team: fc.constantFrom(...teams),
              visibility: fc.constantFrom(...VISIBILITIES, 'private' as const),
              status: STATUS,
              subject: maybe(subjects),
              expires: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, HOURS),
            }),
          ),
        )
        .map((drawn) =>
          drawn.map(({ agent: owner, team, ...card }) => ({
            ...card,
            scopeId: { agent: owner, team, workspace: null }[card.scopeType],
          })),
        ),
      grants: once(
        pair(cards, (card) => fc.record({ card: fc.constant(card), agent, expires: HOURS })),
        (grant) => `${grant.card} ${grant.agent}`,
      ),
      groupGrants: once(
        pair(groups, (group) =>
          cards.length === 0
            ? fc.constant(null)
            : fc.record({
                card: fc.constantFrom(...cards),
                group: fc.constant(group),
                expires: HOURS,
              }),
        ).map((drawn) => drawn.filter((grant) => grant !== null)),
        (grant) => `${grant.card} ${grant.group}`,
      ),
      idleGrants: once(
        pair(cards, (card) =>
          fc.record({
            card: fc.constant(card),
            agent,
            type: fc.constantFrom('household' as const, 'organization' as const),
          }),
        ),
        (grant) => `${grant.card} ${grant.agent} ${grant.type}`,
      ),
      edges: once(
        pair(cards, (from) =>
          fc.record({ from: fc.constant(from), to: fc.constantFrom(...cards) }),
        ).map((drawn) => drawn.filter((edge) => edge.from < edge.to)),
        (edge) => `${edge.from} ${edge.to}`,
      ),
    });
  });

function once<T>(list: fc.Arbitrary<T[]>, key: (item: T) => string): fc.Arbitrary<T[]> {
  return list.map((items) => [...new Map(items.map((item) => [key(item), item])).values()]);
}

/**
 * Everybody who could ask: each agent for each person and for nobody, each person bare and, but for
 * members, through each agent.
 */
export function readersOf({ agents, people }: Organisation): OrgReader[] {
  const nobody = { id: null };
  return [
    ...agents.flatMap(({ id }) =>
      [nobody, ...people].map(
        (person): OrgReader => ({ as: 'agent', agent: id, person: person.id }),
      ),
    ),
    ...people.flatMap(({ id, role }) =>
      [nobody, ...(role === 'member' ? [] : agents)].map(
        (agent): OrgReader => ({ as: 'person', person: id, agent: agent.id }),
      ),
    ),
  ];
}

/** The ways in which the reader sees the card now, in alphabetical order; none means 404. */
export function waysOf(org: Organisation, reader: OrgReader, card: OrgCard): Via[] {
  if (card.status === 'deleted') return [];
  if (card.expires !== null && card.expires <= 0) return [];
  const isHeld = card.status === 'quarantined' || card.status === 'rejected';
  if (reader.as === 'person' && reader.agent === null) {
    const person = org.people.find(({ id }) => id === reader.person);
    if (person?.role !== 'member') return ['person'];
    const isTheirs = person.subject !== null && card.subject === person.subject;
    return isTheirs && !isHeld ? ['person'] : [];
  }
  // What is held back from use is for people who look at the workspace as such.
  if (isHeld) return [];
  const actedFor = reader.as === 'agent' ? reader.person : null;
  return waysOfAgent(org, reader.agent ?? '', actedFor, card);
}

function waysOfAgent(
  org: Organisation,
  agent: string,
  actedFor: string | null,
  card: OrgCard,
): Via[] {
  const self = org.agents.find(({ id }) => id === agent);
  if (self === undefined) return [];
  const isScopeOf = (id: string | null) =>
    id !== null && card.scopeType === 'agent' && card.scopeId === id;
  const ways: Record<Via, boolean> = {
    own: isScopeOf(agent),
    team: card.scopeType === 'team' && self.team !== null && card.scopeId === self.team,
    workspace: card.scopeType === 'workspace',
    ancestor: ancestorsOf(org, self).some(isScopeOf),
    predecessor: isScopeOf(self.succeeds),
    explicit: org.grants.some(
      (grant) => grant.card === card.id && grant.agent === agent && stands(grant.expires),
    ),
    agent_group: org.groupGrants.some(
      (grant) =>
        grant.card === card.id &&
        stands(grant.expires) &&
        org.groups.some(({ id, members }) => id === grant.group && members.includes(agent)),
    ),
    household: card.visibility === 'household' && isOfHousehold(org, actedFor, card.subject),
    organization: card.visibility === 'organization',
    person: false,
  };
  return (Object.keys(ways) as Via[]).filter((way) => ways[way]).sort();
}

function stands(expires: number | null): boolean {
  return expires === null || expires > 0;
}

/** The parent, its parent, and that one's: three hops and no more. */
function ancestorsOf(org: Organisation, agent: OrgAgent): string[] {
  const found: string[] = [];
  let next = agent.parent;
  while (next !== null && found.length < 3) {
    const id: string = next;
    found.push(id);
    next = org.agents.find((other) => other.id === id)?.parent ?? null;
  }
  return found;
}

/** The household of the subject that the person acted for is linked to; without a person there is none. */
function isOfHousehold(
  org: Organisation,
  actedFor: string | null,
  subject: string | null,
): boolean {
  const householdOf = (id: string | null) =>
    org.subjects.find((one) => one.id === id)?.household ?? null;
  const person = org.people.find(({ id }) => id === actedFor);
  if (person === undefined) return false;
  const home = householdOf(person.subject);
  return home !== null && householdOf(subject) === home;
}

/** A word that every planted card holds, so that a recall can ask for all of them. */
export const COMMON_WORD = 'harbour';

/** The text of a planted card. */
export function textOf(workspace: string, card: string): string {
  return `The ${COMMON_WORD} of ${workspace} knows ${card}.`;
}

/** The lower its number the newer a card is, by two hours each: newer by more than the tie. */
export function validFrom(card: string, now: Date): Date {
  return new Date(now.getTime() - (Number(card.split('-')[1]) + 1) * 2 * HOUR_MS);
}

/**
 * Writes the organisation as a workspace of its own, in one statement. Edges become `conflicts`; who
 * is in a group gets its rows by the trigger on membership.
 */
export async function plant(
  run: Run,
  workspace: string,
  org: Organisation,
  now: Date,
): Promise<void> {
  const at = (hours: number | null) =>
    hours === null ? null : new Date(now.getTime() + hours * HOUR_MS);
  const rows = {
    ...org,
    members: org.groups.flatMap(({ id, members }) =>
      members.map((agent) => ({ group: id, agent })),
    ),
    cards: org.cards.map(({ expires, ...card }) => ({
      ...card,
      scopeId: card.scopeId ?? workspace,
      summary: textOf(workspace, card.id),
      validFrom: validFrom(card.id, now),
      expiresAt: at(expires),
    })),
    grants: [
      ...org.grants.map((grant) => ({ ...grant, type: 'explicit', expiresAt: at(grant.expires) })),
      ...org.idleGrants.map((grant) => ({ ...grant, expiresAt: null })),
    ],
    groupGrants: org.groupGrants.map((grant) => ({ ...grant, expiresAt: at(grant.expires) })),
  };
  await run(PLANT, [workspace, now, JSON.stringify(rows)]);
}

const PLANT = `
WITH w AS (
  INSERT INTO workspaces (workspace_id, name, created_at) VALUES ($1, $1, $2)
),
teams AS (
  INSERT INTO teams (workspace_id, id, name, created_at)
  SELECT $1, t.id, t.id, $2 FROM jsonb_array_elements_text($3::jsonb -> 'teams') t (id)
),
agents AS (
  INSERT INTO agents (workspace_id, id, team_id, parent_agent, succeeds, registered_by, created_at)
  SELECT $1, a.id, a.team, a.parent, a.succeeds, 'person', $2
    FROM jsonb_to_recordset($3::jsonb -> 'agents') a (id text, team text, parent text, succeeds text)
),
subjects AS (
  INSERT INTO subjects (workspace_id, id, household, created_at)
  SELECT $1, s.id, s.household, $2
    FROM jsonb_to_recordset($3::jsonb -> 'subjects') s (id text, household text)
),
people AS (
  INSERT INTO people (workspace_id, id, name, role, subject_id, created_at)
  SELECT $1, p.id, p.id, p.role, p.subject, $2
    FROM jsonb_to_recordset($3::jsonb -> 'people') p (id text, role text, subject text)
),
groups AS (
  INSERT INTO agent_groups (workspace_id, id, created_at)
  SELECT $1, g.id, $2 FROM jsonb_to_recordset($3::jsonb -> 'groups') g (id text)
),
members AS (
  INSERT INTO group_members (workspace_id, group_id, agent_id)
  SELECT $1, m."group", m.agent
    FROM jsonb_to_recordset($3::jsonb -> 'members') m ("group" text, agent text)
),
cards AS (
  INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, subject, scope_type, scope_id,
                     visibility, confidence, trust, valid_from, recorded_at, edited_at, expires_at,
                     index_length, writer_kind, writer_id, distilled_by)
  SELECT $1, c.id, 'knowledge', 'semantic', 'neutral', c.status, c.summary, c.subject, c."scopeType",
         c."scopeId", c.visibility, 0.8, 'runtime', c."validFrom", c."validFrom", c."validFrom",
         c."expiresAt", 5, 'runtime', 'harness', 'fallback'
    FROM jsonb_to_recordset($3::jsonb -> 'cards')
      c (id text, status text, summary text, subject text, "scopeType" text, "scopeId" text,
         visibility text, "validFrom" timestamptz, "expiresAt" timestamptz)
  RETURNING id
),
terms AS (
  INSERT INTO card_terms (workspace_id, term, card_id, frequency, length)
  SELECT $1, '${COMMON_WORD}', c.id, 1, 5 FROM cards c
),
grants AS (
  INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, expires_at, created_at)
  SELECT $1, g.card, g.agent, g.type, g."expiresAt", $2
    FROM jsonb_to_recordset($3::jsonb -> 'grants')
      g (card text, agent text, type text, "expiresAt" timestamptz)
),
shared AS (
  INSERT INTO card_group_grants (workspace_id, card_id, group_id, expires_at, created_at)
  SELECT $1, g.card, g."group", g."expiresAt", $2
    FROM jsonb_to_recordset($3::jsonb -> 'groupGrants')
      g (card text, "group" text, "expiresAt" timestamptz)
)
INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
SELECT $1, e."from" || '>' || e."to", 'conflicts', e."from", e."to", 0.9, 'planted', $2::timestamptz - interval '1 hour'
  FROM jsonb_to_recordset($3::jsonb -> 'edges') e ("from" text, "to" text)`;
