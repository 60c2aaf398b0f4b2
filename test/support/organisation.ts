import fc from 'fast-check';

/**
 * Organisations to hold reads against: who there is, whose card is whose, what was shared. Nothing here
 * or in `visibility-model.ts` comes from the product, not even its lists: what would be wrong in both
 * would be found in neither.
 */

export const STATUSES = [
  'pending',
  'active',
  'validated',
  'rejected',
  'quarantined',
  'superseded',
  'archived',
  'deleted',
] as const;
export type Status = (typeof STATUSES)[number];
/** What is in use, and so recalled; `pending` is shown as unconfirmed. */
export const LIVE: readonly Status[] = ['pending', 'active', 'validated'];
export const ROLES = ['owner', 'operator', 'reviewer', 'auditor', 'member'] as const;
export type Role = (typeof ROLES)[number];
const SCOPES = ['agent', 'team', 'workspace'] as const;
export type Scope = (typeof SCOPES)[number];
const VISIBILITIES = ['private', 'household', 'organization'] as const;
export type Shown = (typeof VISIBILITIES)[number];

export const HOUR_MS = 3_600_000;

export interface OrgAgent {
  id: string;
  team: string | null;
  parent: string | null;
  succeeds: string | null;
  /** Whether its memory is off. */
  isOff?: boolean;
}

export interface OrgCard {
  id: string;
  scopeType: Scope;
  /** Of the agent or the team; of the workspace it is the workspace's own id. */
  scopeId: string | null;
  visibility: Shown;
  status: Status;
  subject: string | null;
  /** Hours from the start; null for a card that is kept. At that very moment it is gone. */
  expires: number | null;
}

export interface Organisation {
  /** Whether memory is off for all of it. */
  isOff?: boolean;
  agents: OrgAgent[];
  teams: string[];
  /** One that is off is remembered nothing more about, and told to no agent. */
  subjects: { id: string; household: string | null; isOff?: boolean }[];
  people: { id: string; role: Role; subject: string | null }[];
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

/** Zero is the moment of the read itself. */
const HOURS = fc.constantFrom(null, -24, -1, 0, 1, 24);
/** Deep enough that the fourth ancestor, who lends nothing, is there. */
const MOST_AGENTS = 8;

/** Rare, or there would be little left to see. */
const OFF = fc.nat({ max: 9 }).map((drawn) => drawn === 0);

/** Mostly live cards, or an organisation would be a graveyard. */
const STATUS = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...LIVE) },
  { weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
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
      isOff: OFF,
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
            isOff: OFF,
          }),
        ),
      ),
      subjects: fc.tuple(
        ...subjects.map((id) =>
          fc.record({ id: fc.constant(id), household: maybe(['home-0', 'home-1']), isOff: OFF }),
        ),
      ),
      people: fc.tuple(
        ...named('person', size.people).map((id) =>
          fc.record({
            id: fc.constant(id),
            role: fc.constantFrom(...ROLES),
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
              scopeType: fc.constantFrom(...SCOPES, 'agent' as const, 'agent' as const),
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
