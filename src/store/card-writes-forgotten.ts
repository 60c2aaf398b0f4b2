import type { ForgetRule } from '../contracts/policy';
import type { Batch } from './card-writes-evicted';
import type { Tx } from './database';

/** A rule of the policy, and before when a card was recorded that it forgets by now. */
export interface DueRule {
  match: ForgetRule['match'];
  before: Date;
}

/** A card whose time is over by a rule. */
export interface CardToForget {
  id: string;
  version: number;
  event_id: string | null;
}

/** Columns of the rules as a statement unfolds them. */
const RULES = (rules: string) => `
  jsonb_to_recordset(${rules}::jsonb) AS f (service text, operation text, agent text, kind text, topic text, project text,
                                            subject text, subject_kind text, before timestamptz)`;

/** A field of a rule that is not given fits everything; one that ends in `*` fits what begins so. */
const fits = (field: string, given: string) =>
  `(f.${field} IS NULL OR COALESCE(${given} = f.${field}
      OR right(f.${field}, 1) = '*' AND starts_with(${given}, left(f.${field}, -1)), false))`;

const KIND_OF = (subject: string) =>
  `(SELECT s.kind FROM subjects s WHERE s.workspace_id = $1 AND s.id = ${subject})`;

/** Whether card `c` is past its time by one of the rules. */
const CARD_IS_DUE = (rules: string) => `EXISTS (
  SELECT 1 FROM ${RULES(rules)}
   WHERE c.recorded_at <= f.before AND ${fits('service', 'c.service')} AND ${fits('operation', 'c.operation')}
     AND ${fits('agent', 'c.agent_id')} AND ${fits('kind', 'c.kind')} AND ${fits('topic', 'c.topic')}
     AND ${fits('project', 'c.project')} AND ${fits('subject', 'c.subject')}
     AND ${fits('subject_kind', KIND_OF('c.subject'))})`;

/**
 * Whether event `e` is past its time by one of the rules. What became of it as a card, its kind and topic, is not the
 * event's: a rule that names those reaches its payload through the card.
 */
export const EVENT_IS_DUE = (rules: string) => `EXISTS (
  SELECT 1 FROM ${RULES(rules)}
   WHERE e.recorded_at <= f.before AND f.kind IS NULL AND f.topic IS NULL
     AND ${fits('service', "e.payload ->> 'service'")} AND ${fits('operation', "e.payload ->> 'operation'")}
     AND ${fits('agent', 'e.agent_id')} AND ${fits('project', "e.payload ->> 'project'")}
     AND ${fits('subject', "e.payload ->> 'subject'")}
     AND ${fits('subject_kind', KIND_OF("e.payload ->> 'subject'"))})`;

export function rulesAsJson(rules: readonly DueRule[]): string {
  return JSON.stringify(rules.map(({ match, before }) => ({ ...match, before })));
}

/** The next cards that the policy forgets by now, whatever their status; none that a legal hold keeps. */
export async function cardsToForget(
  tx: Tx,
  { after, limit }: Batch,
  rules: readonly DueRule[],
  dryRun: boolean,
): Promise<CardToForget[]> {
  if (rules.length === 0) return [];
  return await tx.query<CardToForget>(
    `SELECT c.id, c.version, c.event_id
       FROM cards c
      WHERE c.workspace_id = $1 AND c.purged_at IS NULL AND c.id > $2 AND ${CARD_IS_DUE('$4')}
        AND NOT is_held($1, 'card', c.id)
      ORDER BY c.id
      LIMIT $3
      ${dryRun ? '' : 'FOR UPDATE'}`,
    [tx.workspace, after, limit, rulesAsJson(rules)],
  );
}

/** How many cards the policy forgets by now. */
export async function countToForget(tx: Tx, rules: readonly DueRule[]): Promise<number> {
  if (rules.length === 0) return 0;
  const { due } = await tx.one<{ due: number }>(
    `SELECT count(*) AS due FROM cards c
      WHERE c.workspace_id = $1 AND c.purged_at IS NULL AND ${CARD_IS_DUE('$2')} AND NOT is_held($1, 'card', c.id)`,
    [tx.workspace, rulesAsJson(rules)],
  );
  return due;
}
