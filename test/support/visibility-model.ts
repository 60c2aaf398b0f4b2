import type { OrgAgent, Organisation, OrgCard, OrgReader } from './organisation';

/**
 * Who may see what, written from the design's words alone (§4 and §5, the contract's Principals) and in no
 * hurry: the second opinion that `visible_cards`, and every surface, is held against. It knows no SQL,
 * shares no code with the product, and is asked about one reader and one card.
 */

export type Way =
  | 'own'
  | 'team'
  | 'workspace'
  | 'ancestor'
  | 'predecessor'
  | 'explicit'
  | 'agent_group'
  | 'household'
  | 'organization'
  | 'person';

/**
 * The ways in which the reader sees the card, in alphabetical order; none means 404.
 * @param at hours since the start, when the read is made
 */
export function waysOf(org: Organisation, reader: OrgReader, card: OrgCard, at = 0): Way[] {
  if (card.status === 'deleted') return [];
  if (!stands(card.expires, at)) return [];
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
  return waysOfAgent(org, reader.agent ?? '', actedFor, card, at);
}

function waysOfAgent(
  org: Organisation,
  agent: string,
  actedFor: string | null,
  card: OrgCard,
  at: number,
): Way[] {
  const self = org.agents.find(({ id }) => id === agent);
  if (self === undefined) return [];
  // Off is off for agents: an agent's own memory, everybody's, and what is about somebody.
  if (org.isOff === true || self.isOff === true) return [];
  if (org.subjects.some(({ id, isOff }) => id === card.subject && isOff === true)) return [];
  const isScopeOf = (id: string | null) =>
    id !== null && card.scopeType === 'agent' && card.scopeId === id;
  const ways: Record<Way, boolean> = {
    own: isScopeOf(agent),
    team: card.scopeType === 'team' && self.team !== null && card.scopeId === self.team,
    workspace: card.scopeType === 'workspace',
    ancestor: ancestorsOf(org, self).some(isScopeOf),
    predecessor: isScopeOf(self.succeeds),
    explicit: org.grants.some(
      (grant) => grant.card === card.id && grant.agent === agent && stands(grant.expires, at),
    ),
    agent_group: org.groupGrants.some(
      (grant) =>
        grant.card === card.id &&
        stands(grant.expires, at) &&
        org.groups.some(({ id, members }) => id === grant.group && members.includes(agent)),
    ),
    household: card.visibility === 'household' && isOfHousehold(org, actedFor, card.subject),
    organization: card.visibility === 'organization',
    person: false,
  };
  return (Object.keys(ways) as Way[]).filter((way) => ways[way]).sort();
}

function stands(expires: number | null, at: number): boolean {
  return expires === null || expires > at;
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
