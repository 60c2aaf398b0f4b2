import type { CardScope } from '../contracts/card';
import { RECALLED_STATUSES } from '../contracts/names';
import { CONFIDENCE_KEPT_PER_DAY, confidenceNow, isArchivable } from '../domain/confidence';
import type { Tx } from './database';
import { IN_A_PERSONS_WORDS } from './in-a-persons-words';

/**
 * Card `c` is one that a pass may propose to take out of use: nobody put it into words, confirmed it or keeps it under
 * a key, nothing else is to be decided about it, and it has a lifecycle of no other kind.
 */
export const PROPOSABLE = `c.status IN ('pending', 'active') AND c.key IS NULL AND NOT ${IN_A_PERSONS_WORDS}
    AND c.validated_at IS NULL AND c.flags = '{}'
    AND c.kind NOT IN ('competence', 'skill_lesson')
    AND NOT EXISTS (SELECT 1 FROM proposals p
                     WHERE p.workspace_id = c.workspace_id AND p.status IN ('open', 'reopened')
                       AND p.evidence @> ARRAY[c.id])`;

/** When anything last happened to card `c`, with its usage `u`. */
const TOUCHED = 'GREATEST(c.recorded_at, c.edited_at, c.validated_at, u.last_used_at)';
const daysSince = (time: string) =>
  `GREATEST(0, floor(extract(epoch FROM $2::timestamptz - ${time}) / 86400))::int`;
/** As `confidenceNow` has it. */
const CONFIDENCE_NOW = `c.confidence * power(${CONFIDENCE_KEPT_PER_DAY}, ${daysSince(TOUCHED)})`;

export interface FadingRule {
  unusedDays: number;
  below: number;
}

export interface FadingCard {
  id: string;
  version: number;
}

interface FadingRow extends FadingCard {
  confidence: number;
  untouched: number;
  unused: number;
}

/**
 * Cards of a scope that nobody used for so long that hardly anything speaks for them, the oldest first. A warning that
 * nothing resolved stays, and what a person kept when they were last asked, until it is touched again.
 */
export async function fadingCards(
  tx: Tx,
  scope: CardScope,
  rule: FadingRule,
  { now, limit }: { now: Date; limit: number },
): Promise<FadingCard[]> {
  const rows = await tx.query<FadingRow>(
    `SELECT c.id, c.version, c.confidence, ${daysSince(TOUCHED)} AS untouched,
            ${daysSince('GREATEST(c.recorded_at, u.last_used_at)')} AS unused
       FROM cards c
       LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
      WHERE c.workspace_id = $1 AND c.scope_type = $3 AND c.scope_id = $4 AND ${PROPOSABLE}
        AND (c.expires_at IS NULL OR c.expires_at > $2)
        AND GREATEST(c.recorded_at, u.last_used_at) <= $2::timestamptz - make_interval(days => $5)
        AND ${CONFIDENCE_NOW} < $6
        AND (c.sign <> 'failed' AND (c.kind <> 'constraint' OR c.sign = 'worked')
          OR EXISTS (SELECT 1 FROM edges e
                      WHERE e.workspace_id = c.workspace_id AND e.to_card = c.id AND e.type = 'satisfies'))
        AND NOT EXISTS (SELECT 1 FROM proposals p
                         WHERE p.workspace_id = c.workspace_id AND p.type = 'archive' AND p.status = 'rejected'
                           AND p.evidence @> ARRAY[c.id] AND p.closed_at >= ${TOUCHED})
      ORDER BY c.recorded_at, c.id
      LIMIT $7`,
    [tx.workspace, now, scope.type, scope.id, rule.unusedDays, rule.below, limit],
  );
  return rows
    .filter(({ confidence, untouched, unused }) =>
      isArchivable(
        { daysUnused: unused, confidenceNow: confidenceNow(confidence, untouched) },
        rule,
      ),
    )
    .map(({ id, version }) => ({ id, version }));
}

/** Cards in use whose confidence is below that of the rule by now, used or not. */
export async function countFaded(tx: Tx, below: number, now: Date): Promise<number> {
  const { faded } = await tx.one<{ faded: number }>(
    `SELECT count(*) AS faded
       FROM cards c
       LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
      WHERE c.workspace_id = $1 AND c.status = ANY ($3) AND (c.expires_at IS NULL OR c.expires_at > $2)
        AND ${CONFIDENCE_NOW} < $4`,
    [tx.workspace, now, RECALLED_STATUSES, below],
  );
  return faded;
}
