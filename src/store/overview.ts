import type { Disposition } from '../contracts/names';
import type { CountAt, DispositionCounts, Overview } from '../contracts/overview';
import { DECIDABLE_STATUSES, type ProposalType } from '../contracts/proposal';
import type { Tx } from './database';

/**
 * A statement's `$2` is when each bucket begins, rising. What comes before the first is not asked for, so that a row's
 * number counts from 1; what has a later time than the last stands in the last.
 */
const bucket = (time: string) => `width_bucket(${time}, $2::timestamptz[])`;
const inBuckets = (time: string) => `${time} >= ($2::timestamptz[])[1]`;

/** What became of the events that were taken since the first bucket began; an index alone answers. */
export async function capturesIn(tx: Tx, starts: readonly string[]): Promise<Overview['captures']> {
  const rows = await tx.query<{ n: number; disposition: Disposition; count: number }>(
    `SELECT ${bucket('c.created_at')} AS n, c.disposition, count(*) AS count
       FROM captures c
      WHERE c.workspace_id = $1 AND ${inBuckets('c.created_at')}
      GROUP BY 1, 2
      ORDER BY 1, 2`,
    [tx.workspace, starts],
  );
  const totals: DispositionCounts = {};
  const series = starts.map((at) => ({ at, counts: {} as DispositionCounts }));
  for (const { n, disposition, count } of rows) {
    totals[disposition] = (totals[disposition] ?? 0) + count;
    const one = series[n - 1];
    if (one !== undefined) one.counts[disposition] = count;
  }
  return { series, totals };
}

export async function recallsIn(tx: Tx, starts: readonly string[]): Promise<Overview['recalls']> {
  const rows = await tx.query<{ n: number; count: number }>(
    `SELECT ${bucket('r.at')} AS n, count(*) AS count
       FROM recalls r
      WHERE r.workspace_id = $1 AND ${inBuckets('r.at')}
      GROUP BY 1`,
    [tx.workspace, starts],
  );
  const counts = new Map(rows.map(({ n, count }) => [n, count]));
  const series: CountAt[] = starts.map((at, index) => ({ at, count: counts.get(index + 1) ?? 0 }));
  return { series, total: rows.reduce((sum, { count }) => sum + count, 0) };
}

type Waiting = Pick<Overview, 'backlog' | 'agents' | 'erasures'>;

interface WaitingRow {
  pending: number;
  oldest_pending_at: string | null;
  needs_distill: number;
  outbox: number;
  known: number;
  writes_stopped: number;
  erasures: number;
}

/** What waits for the program, by small indexes of what does. */
export async function waitingNow(tx: Tx): Promise<Waiting> {
  const row = await tx.one<WaitingRow>(
    `SELECT p.pending, p.oldest_pending_at, a.known, a.writes_stopped,
            (SELECT count(*) FROM captures WHERE workspace_id = $1 AND needs_distill) AS needs_distill,
            (SELECT count(*) FROM outbox WHERE workspace_id = $1 AND action <> 'deliver_webhook') AS outbox,
            (SELECT count(*) FROM erasures
              WHERE workspace_id = $1 AND status IN ('waiting', 'running', 'verifying') AND NOT dry_run) AS erasures
       FROM (SELECT count(*) AS pending, min(created_at) AS oldest_pending_at
               FROM captures WHERE workspace_id = $1 AND disposition = 'pending') p,
            (SELECT count(*) AS known, count(*) FILTER (WHERE writes_stopped) AS writes_stopped
               FROM agents WHERE workspace_id = $1) a`,
    [tx.workspace],
  );
  const { pending, oldest_pending_at, needs_distill, outbox, known, writes_stopped } = row;
  return {
    backlog: { pending, oldest_pending_at, needs_distill, outbox },
    agents: { known, writes_stopped },
    erasures: { open: row.erasures },
  };
}

/** What waits for a person. A contradiction that no rule settled is a proposal too. */
export async function proposalsNow(
  tx: Tx,
): Promise<Pick<Overview, 'proposals' | 'contradictions'>> {
  const rows = await tx.query<{ type: ProposalType; open: number; oldest_at: string }>(
    `SELECT p.type, count(*) AS open, min(p.opened_at) AS oldest_at
       FROM proposals p
      WHERE p.workspace_id = $1 AND p.status = ANY ($2)
      GROUP BY p.type
      ORDER BY p.type`,
    [tx.workspace, DECIDABLE_STATUSES],
  );
  const by_type: Overview['proposals']['by_type'] = Object.fromEntries(
    rows.map(({ type, open }) => [type, open]),
  );
  const [oldest_open_at = null] = rows.map(({ oldest_at }) => oldest_at).sort();
  return {
    proposals: { open: rows.reduce((sum, { open }) => sum + open, 0), by_type, oldest_open_at },
    contradictions: { open: by_type.contradiction ?? 0 },
  };
}
