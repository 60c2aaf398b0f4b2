import type { CairnClient } from '../../../client/client';
import type { Insight, InsightAction, KnownAction } from '../../../contracts/insight';
import { Failed } from '../../failure';
import { ALL_ACTIONS } from './story';
import { LAST_TITLE, type Told } from './telling';

/** What three months have taught, by Cairn's own answers. */
export interface Shown {
  /** Each action of the sample over all restaurants. */
  actions: KnownAction[];
  promoted: InsightAction[];
  demoted: InsightAction[];
  /** What a person has blocked. */
  removed: KnownAction[];
  /** The last insight, as it is read now. */
  last: Insight;
  /** Each measuring that can be read: of what is blocked none is. */
  outcomes: { title: string; action: InsightAction }[];
}

/**
 * Looks at what became of the actions. As the person whose key it has, it blocks the one that made things worse most
 * surely, unless one of them is blocked already.
 */
export async function lookAtGroup(client: CairnClient, told: Told): Promise<Shown> {
  if (!(await knownActions(client)).some(({ blocked }) => blocked !== null)) {
    const [worst] = (await knownActions(client)).sort((a, b) => a.boost - b.boost);
    if (worst === undefined || worst.priority !== 'low') {
      throw new Failed('No action of the sample made things worse.', 'sample_not_measured');
    }
    const { worse, outcomes } = worst.evidence;
    await client.actions.block(worst.hash, {
      reason: `It made things worse ${worse} of ${outcomes} times.`,
    });
  }
  const last = await lastOf(client, told);
  const actions = await knownActions(client);
  return {
    actions,
    promoted: last.actions.filter(({ priority }) => priority === 'high'),
    demoted: last.actions.filter(({ priority }) => priority === 'low'),
    removed: actions.filter(({ blocked }) => blocked !== null),
    last,
    outcomes: await outcomesOf(client, told),
  };
}

async function knownActions(client: CairnClient): Promise<KnownAction[]> {
  const known: KnownAction[] = [];
  for await (const one of client.actions.iterate({ limit: 100 })) {
    if (ALL_ACTIONS.includes(one.text)) known.push(one);
  }
  return known.sort((a, b) => ALL_ACTIONS.indexOf(a.text) - ALL_ACTIONS.indexOf(b.text));
}

async function lastOf(client: CairnClient, told: Told): Promise<Insight> {
  const last = told.insights.get(LAST_TITLE);
  if (last === undefined) throw new Failed('The last insight of the sample is gone.', 'not_found');
  return await client.insights.get(last.id);
}

async function outcomesOf(client: CairnClient, told: Told): Promise<Shown['outcomes']> {
  const shown: Shown['outcomes'] = [];
  for (const [title, { id }] of [...told.insights].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { actions } = await client.insights.get(id);
    for (const action of actions) if (action.outcome !== null) shown.push({ title, action });
  }
  return shown;
}
