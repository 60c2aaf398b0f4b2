import type { CardScope } from '../contracts/card';
import type { CardFlag, CardKind, CardStatus, Sign, WriterKind } from '../contracts/names';

/** What a list of cards, and what is counted beside it, may be narrowed to; null narrows nothing. */
export interface CardFilter {
  kind: readonly CardKind[] | null;
  sign: readonly Sign[] | null;
  /** Null leaves out what is superseded or archived: what was, not what is. */
  status: readonly CardStatus[] | null;
  /** Who did the work, or whose scope it is. */
  agent: string | null;
  /** In the team's scope, or of an agent that is in the team now. */
  team: string | null;
  subject: string | null;
  service: string | null;
  operation: string | null;
  /** By `lexicalTerms`; a card must hold all of them. */
  terms: readonly string[] | null;
  /** Cards deleted since then are looked through too; null for whoever may not bring them back. */
  deletedSince: Date | null;
  /** Of `recorded_at`: from `since` on and before `until`. */
  since: Date | null;
  until: Date | null;
  flag: CardFlag | null;
  /** Whose key it was written with. */
  writer: { kind: WriterKind; id: string } | null;
  /** The event that it was made from. */
  event: string | null;
  scope: CardScope | null;
}

/** The statuses that are listed where none is asked for. */
export const BROWSED: readonly CardStatus[] = [
  'pending',
  'active',
  'validated',
  'rejected',
  'quarantined',
];

/**
 * `$7` to `$23` of a statement whose first six values are `ReaderArguments`: what `HOLDING`, `OWN_CONDITION` and
 * `OTHER_CONDITIONS` read.
 */
export function filterValues(filter: CardFilter): unknown[] {
  return [
    filter.status ?? BROWSED,
    filter.kind,
    filter.sign,
    filter.agent,
    filter.team,
    filter.subject,
    filter.service,
    filter.operation,
    filter.since,
    filter.until,
    filter.terms,
    filter.flag,
    filter.writer?.kind ?? null,
    filter.writer?.id ?? null,
    filter.event,
    filter.scope?.type ?? null,
    filter.scope?.id ?? null,
  ];
}

/** The cards that hold all words asked for; a part of a `WITH`. */
export const HOLDING = `holding AS MATERIALIZED (
  SELECT t.card_id
    FROM card_terms t
   WHERE t.workspace_id = $1 AND t.term = ANY ($17::text[])
   GROUP BY t.card_id
  HAVING count(*) = cardinality($17)
)`;

/** Of card `c`: the filters that facets are counted for, each by itself. One of them may answer null for no. */
export const OWN_CONDITION = {
  kind: '($8::text[] IS NULL OR c.kind = ANY ($8))',
  sign: '($9::text[] IS NULL OR c.sign = ANY ($9))',
  status: 'c.status = ANY ($7)',
  scope: '($22::text IS NULL OR (c.scope_type = $22 AND c.scope_id = $23))',
  agent: `($10::text IS NULL OR c.agent_id = $10 OR (c.scope_type = 'agent' AND c.scope_id = $10))`,
  service: '($13::text IS NULL OR c.service = $13)',
} as const;
export type FacetName = keyof typeof OWN_CONDITION;

/** Of card `c`: all others. */
export const OTHER_CONDITIONS = `
         ($11::text IS NULL OR (c.scope_type = 'team' AND c.scope_id = $11)
          OR c.agent_id IN (SELECT a.id FROM agents a WHERE a.workspace_id = $1 AND a.team_id = $11))
     AND ($12::text IS NULL OR c.subject = $12)
     AND ($14::text IS NULL OR c.operation = $14)
     AND ($15::timestamptz IS NULL OR c.recorded_at >= $15)
     AND ($16::timestamptz IS NULL OR c.recorded_at < $16)
     AND ($17::text[] IS NULL OR c.id IN (SELECT h.card_id FROM holding h))
     AND ($18::text IS NULL OR $18 = ANY (c.flags))
     AND ($19::text IS NULL OR (c.writer_kind = $19 AND c.writer_id = $20))
     AND ($21::text IS NULL OR c.event_id = $21)`;
