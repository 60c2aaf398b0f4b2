import { DRIFT_DAYS, DRIFT_LEAST, type Outcomes } from '../domain/drift';
import type { Tx } from './database';

interface OutcomesRow extends Pick<Outcomes, 'service' | 'operation' | 'kind'> {
  worked_before: number;
  before: number;
  worked_now: number;
  now: number;
}

/**
 * How each operation, and each kind of card, did in the last thirty days and in the thirty before, by when the work
 * was done; those with enough in both.
 */
export async function outcomesBySpan(tx: Tx, now: Date): Promise<Outcomes[]> {
  const rows = await tx.query<OutcomesRow>(
    `SELECT o.service, o.operation, o.kind,
            count(*) FILTER (WHERE NOT o.late AND o.sign = 'worked')::int AS worked_before,
            count(*) FILTER (WHERE NOT o.late)::int AS before,
            count(*) FILTER (WHERE o.late AND o.sign = 'worked')::int AS worked_now,
            count(*) FILTER (WHERE o.late)::int AS now
       FROM (SELECT c.service, c.operation, c.kind, c.sign,
                    c.valid_from > $2::timestamptz - make_interval(days => $3) AS late
               FROM cards c
              WHERE c.workspace_id = $1 AND c.sign IN ('worked', 'failed')
                AND c.status NOT IN ('deleted', 'rejected', 'quarantined')
                AND c.valid_from > $2::timestamptz - make_interval(days => 2 * $3) AND c.valid_from <= $2) o
      GROUP BY GROUPING SETS ((o.service, o.operation), (o.kind))
     HAVING (o.kind IS NOT NULL OR o.operation IS NOT NULL)
        AND LEAST(count(*) FILTER (WHERE NOT o.late), count(*) FILTER (WHERE o.late)) >= $4`,
    [tx.workspace, now, DRIFT_DAYS, DRIFT_LEAST],
  );
  return rows.map(({ worked_before, before, worked_now, now: n, ...work }) => ({
    ...work,
    before: { worked: worked_before, n: before },
    now: { worked: worked_now, n },
  }));
}
