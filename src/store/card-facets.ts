import { type CardFacets, FACETS, type Facet } from '../contracts/facets';
import {
  type CardFilter,
  filterValues,
  HOLDING,
  OTHER_CONDITIONS,
  OWN_CONDITION,
} from './card-filter';
import { deletedSince } from './cards-deleted';
import type { Tx } from './database';
import type { ReaderArguments } from './visible-cards';

/** Of one facet; whoever looks for another value names it in the search. */
const MOST_VALUES = 50;

/** The value of each facet in `groups g`, with what that reads from. An agent counts for its work and for its scope. */
const VALUE: Readonly<Record<Facet, readonly [value: string, from: string]>> = {
  kind: ['g.kind', 'groups g'],
  sign: ['g.sign', 'groups g'],
  status: ['g.status', 'groups g'],
  scope: [`g.scope_type || '/' || g.scope_id`, 'groups g'],
  agent: [
    'a.id',
    `groups g CROSS JOIN LATERAL (
              SELECT g.agent_id AS id UNION SELECT g.scope_id WHERE g.scope_type = 'agent') a`,
  ],
  service: ['g.service', 'groups g'],
};

const fits = (facet: Facet) => `fits_${facet}`;
const ALL_FIT = FACETS.map((facet) => `g.${fits(facet)}`).join(' AND ');

/** Counted with all filters but its own. */
function countsOf(facet: Facet): string {
  const [value, from] = VALUE[facet];
  const others = FACETS.filter((other) => other !== facet).map((other) => `g.${fits(other)}`);
  return `SELECT '${facet}' AS facet, ${value} AS value, sum(g.n) AS count
    FROM ${from}
   WHERE ${others.join(' AND ')} AND ${value} IS NOT NULL
   GROUP BY ${value}`;
}

/**
 * One judgement of what is visible, and one look at each card, for all facets: cards that are alike in all of them are
 * one group, and the groups are few. A card that misses two filters is counted nowhere. OFFSET 0 as in the list.
 */
const COUNT = `
WITH seen AS MATERIALIZED (
  SELECT DISTINCT v.card_id FROM visible_cards($1, $2, $3, $4, $5, $6::timestamptz) v
  UNION ${deletedSince('$24')}
),
${HOLDING},
groups AS MATERIALIZED (
  SELECT m.*, count(*) AS n
    FROM (SELECT c.kind, c.sign, c.status, c.scope_type, c.scope_id, c.agent_id, c.service,
                 ${FACETS.map((facet) => `(${OWN_CONDITION[facet]}) IS TRUE AS ${fits(facet)}`).join(',\n                 ')}
            FROM seen
            JOIN LATERAL (
              SELECT * FROM cards k WHERE k.workspace_id = $1 AND k.id = seen.card_id OFFSET 0
            ) c ON true
           WHERE ${OTHER_CONDITIONS}) m
   WHERE ${FACETS.map((facet) => `m.${fits(facet)}::int`).join(' + ')} >= ${FACETS.length - 1}
   GROUP BY m.kind, m.sign, m.status, m.scope_type, m.scope_id, m.agent_id, m.service,
            ${FACETS.map((facet) => `m.${fits(facet)}`).join(', ')}
),
counts AS (
  ${FACETS.map(countsOf).join('\n  UNION ALL\n  ')}
),
largest AS (
  SELECT c.*, row_number() OVER (PARTITION BY c.facet ORDER BY c.count DESC, c.value COLLATE "C") AS place
    FROM counts c
)
SELECT facet, value, count FROM largest WHERE place <= ${MOST_VALUES}
 UNION ALL
SELECT NULL, NULL, COALESCE(sum(g.n), 0) FROM groups g WHERE ${ALL_FIT}`;

interface CountRow {
  /** Null for the row that holds the total. */
  facet: Facet | null;
  value: string | null;
  count: number;
}

/** How many cards the reader sees with these filters, and with another value of each in place of its own. */
export async function countFacets(
  tx: Tx,
  reader: ReaderArguments,
  filter: CardFilter,
): Promise<CardFacets> {
  const rows = await tx.query<CountRow>(COUNT, [
    ...reader,
    ...filterValues(filter),
    filter.deletedSince,
  ]);
  const facets: CardFacets['facets'] = {
    kind: [],
    sign: [],
    status: [],
    scope: [],
    agent: [],
    service: [],
  };
  let total = 0;
  for (const { facet, value, count } of rows) {
    if (facet === null) total = count;
    else facets[facet].push({ value: value ?? '', count });
  }
  for (const facet of FACETS) facets[facet].sort(largestFirst);
  return { total, facets };
}

function largestFirst(
  one: { value: string; count: number },
  other: { value: string; count: number },
): number {
  return other.count - one.count || (one.value < other.value ? -1 : 1);
}
