import type { MetricSnapshot } from '../contracts/insight';
import type { Tx } from './database';
import { newId } from './ids';
import { countCapped, type Slice } from './paging';

/** Numbers of an insight, which are seen with its card alone. */
export interface InsightSnapshots {
  insightId: string;
  role: 'baseline' | 'outcome';
  snapshots: readonly MetricSnapshot[];
  source: { kind: string; id: string };
  at: Date;
}

/** Their ids follow their order, and are read in it. */
export async function insertInsightSnapshots(
  tx: Tx,
  { insightId, role, snapshots, source, at }: InsightSnapshots,
): Promise<void> {
  if (snapshots.length === 0) return;
  await tx.query(
    `INSERT INTO metric_snapshots (workspace_id, id, name, value, unit, at, role, insight_id, goal, source_kind,
                                   source_id, recorded_at)
     SELECT $1, s.id, s.name, s.value, s.unit, s.at, $3, $4, s.goal, $5, $6, $7
       FROM jsonb_to_recordset($2::jsonb)
         AS s (id text, name text, value float8, unit text, at timestamptz, goal text)`,
    [tx.workspace, rowsOf(snapshots, at), role, insightId, source.kind, source.id, at],
  );
}

/**
 * Keeps numbers of the workspace. The same moment of a metric is one number: pushed again, it is the later one.
 * @returns how many moments there were
 */
export async function pushSnapshots(
  tx: Tx,
  snapshots: readonly MetricSnapshot[],
  source: { kind: string; id: string },
  at: Date,
): Promise<number> {
  const last = new Map(snapshots.map((one) => [`${Date.parse(one.at)} ${one.name}`, one]));
  await tx.query(
    `INSERT INTO metric_snapshots (workspace_id, id, name, value, unit, at, role, goal, source_kind, source_id,
                                   recorded_at)
     SELECT $1, s.id, s.name, s.value, s.unit, s.at, 'pushed', s.goal, $3, $4, $5
       FROM jsonb_to_recordset($2::jsonb)
         AS s (id text, name text, value float8, unit text, at timestamptz, goal text)
      ORDER BY s.name, s.at
     ON CONFLICT (workspace_id, name, at) WHERE role = 'pushed' DO UPDATE
        SET value = EXCLUDED.value, unit = EXCLUDED.unit, goal = EXCLUDED.goal,
            source_kind = EXCLUDED.source_kind, source_id = EXCLUDED.source_id, recorded_at = EXCLUDED.recorded_at`,
    [tx.workspace, rowsOf([...last.values()], at), source.kind, source.id, at],
  );
  return last.size;
}

function rowsOf(snapshots: readonly MetricSnapshot[], at: Date): string {
  const ids = snapshots.map(() => newId('snap', at)).sort();
  return JSON.stringify(snapshots.map((one, index) => ({ ...one, id: ids[index] })));
}

const SNAPSHOT = 's.name, s.value, s.unit, s.at, s.goal';

/**
 * The newest pushed number of each of these metrics up to a time, of those that can be compared with its unit: where
 * either has none, or they are the same. Its goal is the last one that was said of the metric by then.
 * @returns in the order of the metrics; null where there is none
 */
export async function latestPushed(
  tx: Tx,
  metrics: readonly Pick<MetricSnapshot, 'name' | 'unit'>[],
  until: Date,
): Promise<(MetricSnapshot | null)[]> {
  if (metrics.length === 0) return [];
  const rows = await tx.query<MetricSnapshot & { nth: number }>(
    `SELECT named.nth, s.name, s.value, s.unit, s.at,
            COALESCE(s.goal, (SELECT g.goal FROM metric_snapshots g
                               WHERE g.workspace_id = $1 AND g.role = 'pushed' AND g.name = named.name
                                 AND g.at <= $4 AND g.goal IS NOT NULL
                               ORDER BY g.at DESC LIMIT 1)) AS goal
       FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS named (name, unit, nth)
      CROSS JOIN LATERAL (
        SELECT * FROM metric_snapshots p
         WHERE p.workspace_id = $1 AND p.role = 'pushed' AND p.name = named.name AND p.at <= $4
           AND (p.unit IS NULL OR named.unit IS NULL OR p.unit = named.unit)
         ORDER BY p.at DESC LIMIT 1
      ) s`,
    [tx.workspace, metrics.map(({ name }) => name), metrics.map(({ unit }) => unit), until],
  );
  const latest = new Map(rows.map(({ nth, ...row }) => [Number(nth), row]));
  return metrics.map((_, at) => latest.get(at + 1) ?? null);
}

/** Of each metric the newest of a span, and no more: a sensor may push one a second. */
const MOST_OF_A_METRIC = 1_000;

/** Pushed numbers of these metrics within a span, both ends included, by time. */
export async function pushedWithin(
  tx: Tx,
  names: readonly string[],
  span: { since: Date; until: Date },
): Promise<MetricSnapshot[]> {
  if (names.length === 0) return [];
  return await tx.query<MetricSnapshot>(
    `SELECT ${SNAPSHOT}
       FROM unnest($2::text[]) AS named (name)
      CROSS JOIN LATERAL (
        SELECT * FROM metric_snapshots p
         WHERE p.workspace_id = $1 AND p.role = 'pushed' AND p.name = named.name AND p.at BETWEEN $3 AND $4
         ORDER BY p.at DESC LIMIT ${MOST_OF_A_METRIC}
      ) s
      ORDER BY s.at, s.name`,
    [tx.workspace, [...new Set(names)], span.since, span.until],
  );
}

/** A number of an insight, and whether an agent's key brought it, which may push none. */
export type OwnSnapshot = MetricSnapshot & { is_agents: boolean };

/** Where the metrics of each insight stood when it was saved: of each the newest, in the order they were named in. */
export async function baselinesOf(
  tx: Tx,
  insightIds: readonly string[],
): Promise<Map<string, OwnSnapshot[]>> {
  const rows = await tx.query<OwnSnapshot & { insight_id: string }>(
    `SELECT s.insight_id, ${SNAPSHOT}, s.source_kind = 'agent' AS is_agents
       FROM (SELECT m.*, min(m.id) OVER named AS first_id,
                    row_number() OVER (named ORDER BY m.at DESC, m.id DESC) AS nth
               FROM metric_snapshots m
              WHERE m.workspace_id = $1 AND m.insight_id = ANY ($2) AND m.role = 'baseline'
             WINDOW named AS (PARTITION BY m.insight_id, m.name)) s
      WHERE s.nth = 1
      ORDER BY s.first_id`,
    [tx.workspace, insightIds],
  );
  const baselines = new Map<string, OwnSnapshot[]>();
  for (const { insight_id, ...one } of rows) {
    baselines.set(insight_id, [...(baselines.get(insight_id) ?? []), one]);
  }
  return baselines;
}

export interface MetricFilter {
  name: string | null;
  /** Of the number's own time: from `since` on and before `until`. */
  since: Date | null;
  until: Date | null;
}

/** Pushed numbers, the newest first. */
export async function listPushed(
  tx: Tx,
  filter: MetricFilter,
  page: { after: readonly [at: string, name: string] | null; limit: number },
): Promise<Slice<MetricSnapshot>> {
  const matching = `
    SELECT ${SNAPSHOT} FROM metric_snapshots s
     WHERE s.workspace_id = $1 AND s.role = 'pushed'
       AND ($2::text IS NULL OR s.name = $2)
       AND ($3::timestamptz IS NULL OR s.at >= $3)
       AND ($4::timestamptz IS NULL OR s.at < $4)`;
  const values = [tx.workspace, filter.name, filter.since, filter.until];
  const rows = await tx.query<MetricSnapshot>(
    `${matching}
       AND ($5::timestamptz IS NULL OR s.at < $5 OR (s.at = $5 AND s.name > $6))
     ORDER BY s.at DESC, s.name
     LIMIT $7`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}
