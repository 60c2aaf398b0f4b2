import type { CairnClient } from '../../../client/client';
import type { NewInsight } from '../../../client/insights';
import type { CardScope } from '../../../contracts/card';
import type { Insight } from '../../../contracts/insight';
import type { Workspace } from '../../../contracts/principal';
import {
  type Book,
  bookOf,
  closeOf,
  type Deed,
  lastClose,
  metricName,
  metricsOf,
  RESTAURANTS,
  UNITS,
  WEEKS,
} from './numbers';
import { ALL_ACTIONS, DEEDS, MATTERS } from './story';

/** What the sample told, and what of it was new. */
export interface Told {
  numbers: number;
  saved: number;
  taken: number;
  /** By title, as they stand once everything is measured. */
  insights: Map<string, Insight>;
}

/** Many follow-ups wait for one worker on a small machine. */
const DEADLINE_MS = 180_000;

export const LAST_TITLE = `Sample, week ${WEEKS}: what to do about costs`;

/**
 * Tells three months of the group: its numbers, what was found in them, and what was done. Told again, nothing is told
 * twice: the numbers are the same, an insight is known by its title, and an action is taken once.
 */
export async function tellGroup(client: CairnClient, note: (line: string) => void): Promise<Told> {
  const workspace = await client.request<Workspace>('GET', '/v1/workspace');
  const scope: CardScope = { type: 'workspace', id: workspace.id };
  const book = bookOf(DEEDS);
  const end = await endOfBook(client);
  const { accepted } = await client.metrics.push(metricsOf(book, end));
  note(`${accepted} numbers of ${RESTAURANTS.length} restaurants, ${WEEKS} weeks.`);

  const known = await knownInsights(client);
  const told: Told = { numbers: accepted, saved: 0, taken: 0, insights: new Map() };
  const save = async (insight: NewInsight) => {
    const there = known.get(insight.title);
    if (there === undefined) told.saved += 1;
    return there ?? (await client.insights.save({ ...insight, scope }));
  };
  for (const deed of DEEDS) {
    const { id, actions } = await save(insightOf(deed, book, end));
    const action = actions.find(({ text }) => text === deed.action);
    // A blocked one is not shown any more; it was taken when the sample was told first.
    if (action?.status !== 'recommended') continue;
    await client.insights.take(id, action.id, { at: closeOf(deed.week, end), window: 'P21D' });
    told.taken += 1;
  }
  await save(lastInsight());
  note(`${told.saved} insights saved, ${told.taken} actions taken; measuring.`);

  for (const [title, { id, operation_id }] of await knownInsights(client)) {
    if (operation_id !== null)
      await client.operations.wait(operation_id, { deadlineMs: DEADLINE_MS });
    told.insights.set(title, await client.insights.get(id));
  }
  return told;
}

/** As far as the book was told before; else up to the last Monday. */
async function endOfBook(client: CairnClient): Promise<Date> {
  const name = metricName('harbor', 'labor_percent');
  const [newest] = (await client.metrics.list({ name, limit: 1 })).items;
  return newest === undefined ? lastClose(new Date()) : new Date(newest.at);
}

/** Those of the sample, by title. */
async function knownInsights(client: CairnClient): Promise<Map<string, Insight>> {
  const titles = new Set([...DEEDS.map(titleOf), LAST_TITLE]);
  const known = new Map<string, Insight>();
  for await (const one of client.insights.iterate({ limit: 100 })) {
    if (one.title !== null && titles.has(one.title)) known.set(one.title, one);
  }
  return known;
}

export function titleOf({ restaurant, changes, week }: Deed): string {
  const name = restaurant.charAt(0).toUpperCase() + restaurant.slice(1);
  return `Sample, week ${week}: ${MATTERS[changes]?.title ?? changes} at ${name}`;
}

function insightOf(deed: Deed, book: Book, end: Date): NewInsight {
  const { restaurant, changes, week, action } = deed;
  const matter = MATTERS[changes];
  const at = (kept: typeof changes) => book[restaurant][kept][week - 1];
  const value = at(changes);
  const sales = (at('covers') ?? 0) * (at('average_check') ?? 0);
  if (matter === undefined || value === undefined) throw new Error(`nothing is told of ${changes}`);
  const { origin, domain, severity } = matter;
  return {
    ...{ origin, domain, severity },
    title: titleOf(deed),
    finding: matter.finding(value, { sales }),
    metrics: [
      {
        name: metricName(restaurant, changes),
        value,
        unit: UNITS[changes],
        at: closeOf(week, end),
      },
    ],
    actions: [{ text: action }],
  };
}

/** All that was ever tried is on the table once more. */
function lastInsight(): NewInsight {
  return {
    origin: 'manual_trigger',
    title: LAST_TITLE,
    finding:
      'The quarter ends. Labor, waste and voids of the three restaurants are looked at together.',
    domain: 'labor',
    severity: 'high',
    // By name alone: where they stand now.
    metrics: RESTAURANTS.map((restaurant) => ({ name: metricName(restaurant, 'labor_percent') })),
    actions: ALL_ACTIONS.map((text) => ({ text })),
  };
}
