import type { CardScope } from '../contracts/card';
import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import type { WatchLooked } from '../contracts/reflection';
import { CONFIDENCE_DECIMALS } from '../domain/confidence';
import { sessionVerdict, type WatchedSession, watchVerdict } from '../domain/reflection/watch';
import { writeAudit } from './audit';
import { type ChangedColumns, changeCard } from './card-edits';
import { REFLECTION } from './card-writes-found';
import type { Tx } from './database';
import { type NewRunChange, noteChanges } from './run-changes';

/** A look over what was approved. */
export interface WatchLook {
  /** Of one scope; null looks at all of the workspace. */
  scope: CardScope | null;
  demoteAfter: number;
  /** In whose diff what it does is told. */
  operationId: string;
  workflowId: string;
  /** Looks, and changes nothing. */
  dryRun: boolean;
  now: Date;
}

interface WatchRow {
  card_id: string;
  version: number;
  status: CardStatus;
  confidence: number;
  since: string;
  demotions: number;
  is_general: boolean;
  /** Contradictions drawn since, whose other side is in use. */
  contradicted: number;
  sessions: WatchedSession[];
}

/** Looked at in one transaction; more are the next one's. */
const BATCH = 100;

/**
 * Looks at the next watched cards and demotes those that outcomes turned against, by compare-and-set. What a person
 * has validated since is theirs, and what is out of use says nothing any more.
 * @param after the last card that was looked at; '' begins
 * @returns what it did, and the last card; null at the end
 */
export async function lookAtWatched(
  tx: Tx,
  look: WatchLook,
  after: string,
): Promise<WatchLooked & { next: string | null }> {
  const rows = await readWatched(tx, look, after);
  let demoted = 0;
  for (const row of rows) {
    const verdicts = row.sessions.map((session) => sessionVerdict(session, row.is_general));
    const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
    const seen = {
      turnedAgainst: count('against') + row.contradicted,
      borneOut: count('for'),
      demotions: row.demotions,
    };
    const verdict = watchVerdict(seen, look.demoteAfter);
    if (!look.dryRun) await noteSeen(tx, row, seen, look.now);
    if (verdict !== 'keep' && (await demote(tx, row, verdict, look))) demoted += 1;
  }
  const next = rows.length < BATCH ? null : (rows.at(-1)?.card_id ?? null);
  return { watched: rows.length, demoted, next };
}

/** What was done in one session since a watched card (c) was injected into it. */
const DONE = `
  SELECT count(*)::int AS calls,
         count(*) FILTER (WHERE x.same AND x.sign = 'worked')::int AS worked,
         count(*) FILTER (WHERE x.same AND x.sign = 'failed' AND x.alike)::int AS failed
    FROM (SELECT f.sign,
                 f.service || '.' || f.operation = ANY (about.calls) AS same,
                 c.error_signature IS NULL OR f.error_signature = c.error_signature AS alike
            FROM cards f
           WHERE f.workspace_id = c.workspace_id
             AND (CASE WHEN f.session IS NULL THEN f.task ELSE f.session END) = given.session
             AND f.operation IS NOT NULL AND f.tier = 'episodic'
             AND f.status NOT IN ('rejected', 'quarantined', 'deleted')
             AND f.valid_from >= given.at) x`;

/** Sessions that a watched card was injected into since it is watched, each with its end and what was done in it. */
const SESSIONS = `COALESCE((
  SELECT jsonb_agg(jsonb_build_object('final', given.final, 'calls', d.calls, 'worked', d.worked, 'failed', d.failed))
    FROM (SELECT r.session, min(r.at) AS at,
                 max(CASE WHEN s.final_at >= r.at AND s.final_outcome IN ('worked', 'failed')
                          THEN s.final_outcome END) AS final
            FROM recall_cards rc
            JOIN recalls r ON r.workspace_id = rc.workspace_id AND r.id = rc.recall_id
            LEFT JOIN sessions s ON s.workspace_id = r.workspace_id AND s.id = r.session
           WHERE rc.workspace_id = c.workspace_id AND rc.card_id = c.id
             AND r.session IS NOT NULL AND r.at >= w.since
           GROUP BY r.session) given,
         LATERAL (${DONE}) d), '[]')`;

/** Of a fact the call that it is about, of a skill those of its steps; empty of what is about no call in particular. */
const CALLS = `
  SELECT CASE WHEN c.operation IS NOT NULL THEN ARRAY[c.service || '.' || c.operation]
              ELSE ARRAY(SELECT (s.call ->> 'service') || '.' || (s.call ->> 'operation')
                           FROM skill_versions v, jsonb_array_elements(v.document -> 'steps') AS s (call)
                          WHERE v.workspace_id = c.workspace_id AND v.card_id = c.id AND v.status = 'current'
                            AND s.call ->> 'service' IS NOT NULL AND s.call ->> 'operation' IS NOT NULL)
         END AS calls`;

/** `recall_cards_by_card` leads to the sessions, `cards_by_episode` to what was done in them. */
async function readWatched(tx: Tx, look: WatchLook, after: string): Promise<WatchRow[]> {
  return await tx.query<WatchRow>(
    `SELECT w.card_id, c.version, c.status, c.confidence, w.since, w.demotions,
            about.calls = '{}' AS is_general,
            (SELECT count(DISTINCT o.id)::int
               FROM edges e
               JOIN cards o ON o.workspace_id = e.workspace_id AND o.status = ANY ($2)
                           AND o.id = CASE WHEN e.from_card = c.id THEN e.to_card ELSE e.from_card END
              WHERE e.workspace_id = c.workspace_id AND e.type = 'conflicts' AND e.created_at > w.since
                AND (e.from_card = c.id OR e.to_card = c.id)) AS contradicted,
            ${SESSIONS} AS sessions
       FROM watches w
       JOIN cards c ON c.workspace_id = w.workspace_id AND c.id = w.card_id
      CROSS JOIN LATERAL (${CALLS}) about
      WHERE w.workspace_id = $1 AND w.card_id > $3 AND c.status IN ('pending', 'active')
        AND ($4::text IS NULL OR (c.scope_type = $4 AND c.scope_id = $5))
      ORDER BY w.card_id
      LIMIT ${BATCH}`,
    [tx.workspace, RECALLED_STATUSES, after, look.scope?.type ?? null, look.scope?.id ?? null],
  );
}

async function noteSeen(
  tx: Tx,
  row: WatchRow,
  seen: { turnedAgainst: number; borneOut: number },
  now: Date,
): Promise<void> {
  await tx.query(
    `UPDATE watches SET turned_against = $3, borne_out = $4, looked_at = $5
      WHERE workspace_id = $1 AND card_id = $2`,
    [tx.workspace, row.card_id, seen.turnedAgainst, seen.borneOut, now],
  );
}

/** @returns whether it was still as it was read */
async function demote(
  tx: Tx,
  row: WatchRow,
  verdict: 'unconfirm' | 'archive',
  { operationId, workflowId, dryRun, now }: WatchLook,
): Promise<boolean> {
  const change: NewRunChange = {
    change: verdict === 'archive' ? 'retired' : 'edited',
    card_id: row.card_id,
    version_before: row.version,
    reason: 'turned_against',
  };
  if (dryRun) {
    await noteChanges(tx, operationId, [change], now);
    return true;
  }
  const half = Number((row.confidence / 2).toFixed(CONFIDENCE_DECIMALS));
  const columns: ChangedColumns =
    verdict === 'archive'
      ? { status: 'archived', status_before: row.status }
      : { status: 'pending', confidence: half };
  const actor = { kind: 'system', id: REFLECTION };
  const { card_id: id, version: expected } = row;
  const version = await changeCard(tx, {
    id,
    expected,
    columns,
    action: 'demoted',
    actor,
    at: now,
  });
  if (version === null) return false;
  await tx.query(
    `UPDATE watches SET since = $3, demotions = demotions + 1, demoted_at = $3
      WHERE workspace_id = $1 AND card_id = $2`,
    [tx.workspace, id, now],
  );
  await writeAudit(tx, {
    at: now,
    actor,
    action: 'card.demoted',
    target: { type: 'card', id },
    changed: verdict === 'archive' ? ['status'] : ['status', 'confidence'],
    versions: [expected, version],
    hashes: { run: operationId },
    channel: 'workflow',
    workflowId,
  });
  await noteChanges(tx, operationId, [{ ...change, version_after: version }], now);
  return true;
}
