import type { Dice } from '../faults/dice';
import { HOUR_MS, ROLES, STATUSES, type Status } from '../organisation';
import type { LeakStage, LeakWorkspace } from './workspace';

/**
 * What happens between reads: each change is made through the API where there is a call for it, and in
 * the model where the API took it. What is refused (a circle in the tree, a card that is gone) changes
 * neither.
 */
export type Change = (space: LeakWorkspace, dice: Dice, stage: LeakStage) => Promise<boolean>;

const VISIBILITIES = ['private', 'household', 'organization'] as const;
const AHEAD = [0.25, 0.5, 1, 2, 4];

/** One of them, or none every third time. */
function maybe<T>(dice: Dice, list: readonly T[]): T | null {
  return list.length === 0 || dice.next() < 1 / 3 ? null : dice.pick(list);
}

/** An end that is ahead, or none. */
function endOf(space: LeakWorkspace, dice: Dice): number | null {
  const ahead = maybe(dice, AHEAD);
  return ahead === null ? null : space.hours + ahead;
}

const until = (space: LeakWorkspace, end: number | null) =>
  end === null ? {} : { expires_at: space.at(end) };

const grant: Change = async (space, dice) => {
  const [card, agent] = [dice.pick(space.org.cards).id, dice.pick(space.org.agents).id];
  const expires = endOf(space, dice);
  const path = `/v1/cards/${card}/grants/${agent}`;
  const { status } = await space.call('PUT', path, until(space, expires));
  if (status !== 200) return false;
  const others = space.org.grants.filter((one) => one.card !== card || one.agent !== agent);
  space.org.grants = [...others, { card, agent, expires }];
  return true;
};

const ungrant: Change = async (space, dice) => {
  if (space.org.grants.length === 0) return false;
  const taken = dice.pick(space.org.grants);
  const { status } = await space.call('DELETE', `/v1/cards/${taken.card}/grants/${taken.agent}`);
  if (status !== 204) return false;
  space.org.grants = space.org.grants.filter((one) => one !== taken);
  return true;
};

const groupGrant: Change = async (space, dice) => {
  if (space.org.groups.length === 0) return false;
  const [card, group] = [dice.pick(space.org.cards).id, dice.pick(space.org.groups).id];
  const expires = endOf(space, dice);
  const path = `/v1/cards/${card}/group-grants/${group}`;
  const { status } = await space.call('PUT', path, until(space, expires));
  if (status !== 200) return false;
  const others = space.org.groupGrants.filter((one) => one.card !== card || one.group !== group);
  space.org.groupGrants = [...others, { card, group, expires }];
  return true;
};

const groupUngrant: Change = async (space, dice) => {
  if (space.org.groupGrants.length === 0) return false;
  const taken = dice.pick(space.org.groupGrants);
  const path = `/v1/cards/${taken.card}/group-grants/${taken.group}`;
  if ((await space.call('DELETE', path)).status !== 204) return false;
  space.org.groupGrants = space.org.groupGrants.filter((one) => one !== taken);
  return true;
};

const membership: Change = async (space, dice) => {
  if (space.org.groups.length === 0) return false;
  const group = dice.pick(space.org.groups);
  const members = space.org.agents.filter(() => dice.next() < 0.5).map(({ id }) => id);
  const { status } = await space.call('PUT', `/v1/agent-groups/${group.id}`, { members });
  if (status !== 200) return false;
  group.members = members;
  return true;
};

const correction: Change = async (space, dice) => {
  const card = dice.pick(space.org.cards);
  const path = `/v1/cards/${card.id}`;
  const before = await space.call('GET', path);
  if (before.status !== 200) return false;
  const expires = endOf(space, dice);
  const change = dice.pick([
    { visibility: dice.pick(VISIBILITIES) },
    {
      subject: maybe(
        dice,
        space.org.subjects.map(({ id }) => id),
      ),
    },
    { expires },
  ]);
  const body =
    'expires' in change ? { expires_at: expires === null ? null : space.at(expires) } : change;
  const { status } = await space.call('PATCH', path, body, `"${before.body.version}"`);
  if (status !== 200) return false;
  Object.assign(card, change);
  return true;
};

const VERDICTS: readonly [call: string, body: object, then: Status | null][] = [
  ['quarantine', {}, 'quarantined'],
  ['release', {}, null],
  ['restore', {}, null],
  ['restore', {}, null],
  ['validation', { verdict: 'success' }, 'validated'],
  ['validation', { verdict: 'wrong' }, 'rejected'],
];

const verdict: Change = async (space, dice) => {
  const card = dice.pick(space.org.cards);
  const [call, body, then] = dice.pick(VERDICTS);
  const answer = await space.call('POST', `/v1/cards/${card.id}/${call}`, body);
  if (answer.status !== 200) return false;
  // What it was before is the history's to say.
  card.status = then ?? (answer.body.status as Status);
  return true;
};

const deletion: Change = async (space, dice) => {
  const card = dice.pick(space.org.cards);
  if ((await space.call('DELETE', `/v1/cards/${card.id}`)).status !== 204) return false;
  card.status = 'deleted';
  return true;
};

/** As the passes of upkeep will: archived, superseded, and back. */
const upkeep: Change = async (space, dice) => {
  const card = dice.pick(space.org.cards);
  const status = dice.pick(STATUSES.filter((one) => one !== 'deleted'));
  await space.beside('UPDATE cards SET status = $2 WHERE id = $1', [card.id, status]);
  card.status = status;
  return true;
};

const move: Change = async (space, dice) => {
  const agent = dice.pick(space.org.agents);
  const others = space.org.agents.map(({ id }) => id).filter((id) => id !== agent.id);
  const body = dice.pick([
    { team: maybe(dice, space.org.teams) },
    { parent_agent: maybe(dice, others) },
    { succeeds: maybe(dice, others) },
  ]);
  if ((await space.call('PUT', `/v1/agents/${agent.id}`, body)).status !== 200) return false;
  const { parent_agent: parent, ...more } = { parent_agent: agent.parent, ...body };
  Object.assign(agent, { parent, ...more });
  return true;
};

const household: Change = async (space, dice) => {
  if (space.org.subjects.length === 0) return false;
  const subject = dice.pick(space.org.subjects);
  const home = maybe(dice, ['home-0', 'home-1']);
  const { status } = await space.call('PUT', `/v1/subjects/${subject.id}`, { household: home });
  if (status !== 200) return false;
  subject.household = home;
  return true;
};

/** Of an agent, of a subject, and seldom of all; on again more often than off. */
const memory: Change = async (space, dice) => {
  const isOff = dice.next() < 1 / 3;
  const mode = { memory_mode: isOff ? 'off' : 'automatic' };
  const { org } = space;
  const [path, body, whose] = dice.pick([
    ...org.agents.map((agent) => [`/v1/agents/${agent.id}`, mode, agent] as const),
    ...org.subjects.map(
      (one) => [`/v1/subjects/${one.id}`, { memory: isOff ? 'off' : 'on' }, one] as const,
    ),
    ['/v1/workspace', mode, org] as const,
  ]);
  if ((await space.call('PUT', path, body)).status !== 200) return false;
  whose.isOff = isOff;
  return true;
};

const office: Change = async (space, dice) => {
  const person = dice.pick(space.org.people.filter(({ id }) => id !== 'governor'));
  const role = dice.pick(ROLES);
  const subject = maybe(
    dice,
    space.org.subjects.map(({ id }) => id),
  );
  const body = { name: person.id, role, subject };
  if ((await space.call('PUT', `/v1/people/${person.id}`, body)).status !== 200) return false;
  Object.assign(person, { role, subject });
  return true;
};

const time: Change = async (_space, dice, stage) => {
  stage.advance(dice.pick(AHEAD) * HOUR_MS);
  return true;
};

/** What comes and goes most stands there most. */
export const CHANGES: readonly Change[] = [
  ...[grant, grant, ungrant, ungrant, groupGrant, groupGrant, groupUngrant, membership],
  ...[
    correction,
    correction,
    verdict,
    verdict,
    deletion,
    upkeep,
    move,
    move,
    household,
    memory,
    memory,
    office,
    time,
  ],
];
