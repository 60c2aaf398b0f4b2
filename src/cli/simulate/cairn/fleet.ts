import type { CairnClient } from '../../../client/client';
import type { World } from '../world/build';
import { agentsOf } from '../world/tasks';
import type { Stack } from './stack';

/** Who speaks to Cairn: the runtime for all agents, a person who decides, the owner who starts passes. */
export interface Fleet {
  runtime: CairnClient;
  reviewer: CairnClient;
  owner: CairnClient;
  workspace: string;
  agents: readonly { agent: string; team: string }[];
}

/** The passes that have a Schedule; they run by the world's nights here, and not by the machine's. */
const SCHEDULED = ['retention', 'consolidation', 'reflection', 'recalibration'] as const;

/** The loop of learning has no pause: at this novelty it takes only tasks of which nothing was ever seen. */
const NOTHING_LIKE_IT = 10;

/** Teams, agents, keys; and the policy as it comes, but for the Schedules, which are paused. */
export async function setUp(
  { owner, withKey, workspace }: Stack,
  world: World,
  passes: boolean,
): Promise<Fleet> {
  const agents = agentsOf(world);
  for (const team of new Set(agents.map((one) => one.team))) {
    await owner.request('PUT', `/v1/teams/${team}`, { body: { name: team } });
  }
  for (const { agent, team } of agents) await owner.agents.put(agent, { team });
  await owner.people.put('reviewer', { name: 'Reviewer', role: 'reviewer' });
  const keyOf = async (kind: 'runtime' | 'person', id: string) =>
    (await owner.keys.create({ principal: { kind, id } })).key;
  const { version } = await owner.policy.get();
  await owner.policy.put(version, {
    ...Object.fromEntries(SCHEDULED.map((type) => [type, { paused: true }])),
    ...(passes ? {} : { learning: { novelty: NOTHING_LIKE_IT } }),
  });
  return {
    owner,
    workspace,
    agents,
    runtime: withKey(await keyOf('runtime', 'simulated-fleet')),
    reviewer: withKey(await keyOf('person', 'reviewer')),
  };
}
