import type { AuditRow } from '../contracts/audit';
import type { JsonObject } from '../contracts/event';
import type { Tx } from './database';
import { countCapped } from './paging';

export interface AuditEntry {
  at: Date;
  actor: { kind: string; id: string };
  action: string;
  target: { type: string; id: string };
  changed?: readonly string[];
  versions?: readonly number[];
  hashes?: JsonObject;
  reasonId?: string | null;
  /** Through which door: api, workflow, cli, start. */
  channel: string;
  workflowId?: string | null;
}

/**
 * Whose ids can name a person, or are a hash of short words that anybody could guess: a log keeps a surrogate for them.
 */
const NAMED_TARGETS = ['person', 'agent', 'subject', 'project', 'service', 'runtime', 'action'];

/** Writes one content-free row, in the transaction of the change that it records. */
export async function writeAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (workspace_id, at, actor_kind, actor_id, action, target_type, target_id,
                            changed, versions, hashes, reason_id, channel, workflow_id)
     VALUES ($1, $2, $3, surrogate_of($1, $3, $4), $5, $6,
             CASE WHEN $6 = ANY ($14) THEN surrogate_of($1, $6, $7) ELSE $7 END,
             $8, $9, $10, $11, $12, $13)`,
    [
      tx.workspace,
      entry.at,
      entry.actor.kind,
      entry.actor.id,
      entry.action,
      entry.target.type,
      entry.target.id,
      entry.changed ?? [],
      entry.versions ?? [],
      JSON.stringify(entry.hashes ?? {}),
      entry.reasonId ?? null,
      entry.channel,
      entry.workflowId ?? null,
      NAMED_TARGETS,
    ],
  );
}

export interface AuditFilter {
  action: string | null;
  targetType: string | null;
  target: string | null;
  actor: string | null;
  since: Date | null;
  until: Date | null;
  /** Rows with a smaller `seq`; null starts at the newest. */
  before: number | null;
  limit: number;
}

const MATCHING = `
       FROM audit_log a
       LEFT JOIN surrogates actor  ON actor.workspace_id = a.workspace_id AND actor.id = a.actor_id
       LEFT JOIN surrogates target ON target.workspace_id = a.workspace_id AND target.id = a.target_id
      WHERE a.workspace_id = $1
        AND ($2::text IS NULL OR a.action = $2)
        AND ($3::text IS NULL OR a.target_type = $3)
        AND ($4::text IS NULL OR COALESCE(target.name, a.target_id) = $4)
        AND ($5::text IS NULL OR COALESCE(actor.name, a.actor_id) = $5)
        AND ($6::timestamptz IS NULL OR a.at >= $6)
        AND ($7::timestamptz IS NULL OR a.at < $7)`;

/** Newest first. A surrogate whose mapping is gone stays a surrogate. */
export async function listAudit(tx: Tx, filter: AuditFilter): Promise<AuditRow[]> {
  return await tx.query<AuditRow>(
    `SELECT a.seq, a.at, a.action, a.changed, a.versions, a.hashes, a.reason_id, a.channel, a.workflow_id,
            jsonb_build_object('kind', a.actor_kind, 'id', COALESCE(actor.name, a.actor_id)) AS actor,
            jsonb_build_object('type', a.target_type, 'id', COALESCE(target.name, a.target_id)) AS target
     ${MATCHING}
        AND ($8::bigint IS NULL OR a.seq < $8)
      ORDER BY a.seq DESC
      LIMIT $9`,
    [...matchingValues(tx, filter), filter.before, filter.limit],
  );
}

/** How many rows match, wherever a page starts; counted up to one more than the cap. */
export async function countAudit(tx: Tx, filter: AuditFilter): Promise<number> {
  return await countCapped(tx, `SELECT a.seq ${MATCHING}`, matchingValues(tx, filter));
}

function matchingValues(tx: Tx, filter: AuditFilter): unknown[] {
  return [
    tx.workspace,
    filter.action,
    filter.targetType,
    filter.target,
    filter.actor,
    filter.since,
    filter.until,
  ];
}
