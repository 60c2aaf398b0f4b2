import type { NamedForErasure, TombstoneKind } from '../contracts/erasure';
import { eraseWorkflowId } from '../contracts/workflow-ids';
import { writeAudit } from './audit';
import { keepReason } from './card-edits';
import type { Tx } from './database';
import { NAMED_BY_HOLD } from './erasure-held-names';
import { addItems, type ItemKind } from './erasure-items';
import { newId } from './ids';
import { bury, type HashedId } from './tombstones';

/** What is named: somebody or something, or one row. */
export interface ErasureRoot {
  kind: TombstoneKind;
  id: string;
  /** Until when what happened is erased; now where it is absent. */
  at?: Date;
}

export interface ErasureRequest {
  roots: readonly ErasureRoot[];
  dryRun: boolean;
  legalBasis: string | null;
  /** Redacted. */
  reason: string | null;
  by: { kind: string; id: string };
  channel: string;
  now: Date;
  /** Keyed, as in `src/intake/tombstone-hash.ts`. */
  hash(kind: TombstoneKind, id: string): Buffer;
}

const SELECTOR_OF: Readonly<Record<ErasureRoot['kind'], NamedForErasure>> = {
  subject: 'subject',
  person: 'person',
  agent: 'agent',
  source: 'source',
  project: 'project',
  event: 'event_ids',
  card: 'card_ids',
  conversation: 'conversation_ids',
};

/** Rows of one thing, and not all that is by or about it. */
const SINGLE: readonly ErasureRoot['kind'][] = ['event', 'card', 'conversation'];

/**
 * Accepts an erasure: its row, its tombstones and its start, in one transaction. From its commit on nothing of it is
 * taken in any more, and the keys of whom it names open nothing. A dry run buries nothing.
 */
export async function requestErasure(
  tx: Tx,
  request: ErasureRequest,
): Promise<{ erasure_id: string; operation_id: string }> {
  const { now, dryRun } = request;
  const roots = await withSubjects(tx, request.roots);
  const id = newId('ers', now);
  const operationId = newId('op', now);
  const workflowId = eraseWorkflowId(tx.workspace, id);
  const reasonId = request.reason === null ? null : newId('reason', now);
  if (request.reason !== null && reasonId !== null) {
    await keepReason(tx, reasonId, request.reason, now);
  }
  const named = roots.map((root) => ({ ...root, hash: request.hash(root.kind, root.id) }));
  await tx.query(
    `INSERT INTO runs (workspace_id, id, type, scope_type, scope_id, state, workflow_id, created_at, dry_run)
     VALUES ($1, $2, 'erasure', 'workspace', $1, 'pending', $3, $4, $5)`,
    [tx.workspace, operationId, workflowId, now, dryRun],
  );
  await tx.query(
    `INSERT INTO erasures (workspace_id, id, operation_id, workflow_id, status, dry_run, selector, named, legal_basis,
                           reason_id, requested_by_kind, requested_by, requested_at, accepted_by)
     VALUES ($1, $2, $3, $4, 'waiting', $5, $6, $7, $8, $9, $10, surrogate_of($1, $10, $11), $12, pg_current_xact_id())`,
    [
      tx.workspace,
      id,
      operationId,
      workflowId,
      dryRun,
      JSON.stringify(countsOf(roots)),
      JSON.stringify(named.map(({ kind, hash }) => ({ kind, hash: hash.toString('hex') }))),
      request.legalBasis,
      reasonId,
      request.by.kind,
      request.by.id,
      now,
    ],
  );
  await addItems(
    tx,
    id,
    roots.map(({ kind, id: root, at = now }) => ({
      ...{ kind: kind as ItemKind, id: root, state: 'root' },
      at: SINGLE.includes(kind) ? null : at,
    })),
  );
  if (!dryRun) {
    await buryRoots(tx, id, named, now);
    await endKeys(tx, id, now);
  }
  await startErasure(tx, { id, operationId, workflowId, now });
  await writeAudit(tx, {
    at: now,
    actor: request.by,
    action: dryRun ? 'erasure.dry_run' : 'erasure.requested',
    target: { type: 'erasure', id },
    changed: Object.keys(countsOf(roots)),
    reasonId,
    channel: request.channel,
  });
  return { erasure_id: id, operation_id: operationId };
}

/** A person is the subject that they are linked to, too. */
async function withSubjects(tx: Tx, roots: readonly ErasureRoot[]): Promise<ErasureRoot[]> {
  const people = roots.filter(({ kind }) => kind === 'person').map(({ id }) => id);
  const linked = await tx.query<{ subject_id: string }>(
    `SELECT DISTINCT subject_id FROM people
      WHERE workspace_id = $1 AND id = ANY ($2) AND subject_id IS NOT NULL`,
    [tx.workspace, people],
  );
  const subjects = linked.map(({ subject_id: id }) => ({ kind: 'subject', id }) as const);
  const all = new Map<string, ErasureRoot>();
  for (const root of [...roots, ...subjects]) {
    const key = `${root.kind}:${root.id}`;
    if (!all.has(key)) all.set(key, root);
  }
  return [...all.values()];
}

async function buryRoots(
  tx: Tx,
  erasureId: string,
  roots: readonly (HashedId & Pick<ErasureRoot, 'at'>)[],
  now: Date,
): Promise<void> {
  const byTime = new Map<number, HashedId[]>();
  for (const { at = now, ...root } of roots) {
    byTime.set(at.getTime(), [...(byTime.get(at.getTime()) ?? []), root]);
  }
  for (const [at, ids] of byTime) await bury(tx, { erasureId, at: new Date(at) }, ids);
}

/** Of the people and agents that it names, but those whom a legal hold names. */
async function endKeys(tx: Tx, erasureId: string, now: Date): Promise<void> {
  await tx.query(
    `UPDATE api_keys k SET revoked_at = $3
       FROM erasure_items i
      WHERE i.workspace_id = $1 AND i.erasure_id = $2 AND i.kind IN ('person', 'agent') AND NOT ${NAMED_BY_HOLD}
        AND k.workspace_id = $1 AND k.principal_kind = i.kind AND k.principal_id = i.id
        AND k.created_at <= i.at AND k.revoked_at IS NULL`,
    [tx.workspace, erasureId, now],
  );
}

function countsOf(roots: readonly ErasureRoot[]): Partial<Record<NamedForErasure, number>> {
  const counts: Partial<Record<NamedForErasure, number>> = {};
  for (const { kind } of roots) {
    counts[SELECTOR_OF[kind]] = (counts[SELECTOR_OF[kind]] ?? 0) + 1;
  }
  return counts;
}

async function startErasure(
  tx: Tx,
  {
    id,
    operationId,
    workflowId,
    now,
  }: { id: string; operationId: string; workflowId: string; now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     VALUES ($1, 'start_erasure', $2, $3, $4, $4)`,
    [
      tx.workspace,
      workflowId,
      JSON.stringify({ workspace: tx.workspace, erasure_id: id, operation_id: operationId }),
      now,
    ],
  );
}

/** Whether nobody would be left who may govern the workspace. */
export async function isLastOwner(tx: Tx, person: string): Promise<boolean> {
  const { last } = await tx.one<{ last: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM people WHERE workspace_id = $1 AND id = $2 AND role = 'owner')
        AND NOT EXISTS (SELECT 1 FROM people WHERE workspace_id = $1 AND id <> $2 AND role = 'owner') AS last`,
    [tx.workspace, person],
  );
  return last;
}

/** An erasure begins within a second: one that has not ended for so long may have lost its workflow. */
const RESTARTED_AFTER_MS = 120_000;

/** Sends the start of those once more that have not ended; one that still runs is left as it is. @returns how many */
export async function restartErasures(tx: Tx, now: Date): Promise<number> {
  const rows = await tx.query(
    `INSERT INTO outbox (workspace_id, action, workflow_id, arguments, next_at, created_at)
     SELECT e.workspace_id, 'start_erasure', e.workflow_id,
            jsonb_build_object('workspace', e.workspace_id, 'erasure_id', e.id, 'operation_id', e.operation_id), $2, $2
       FROM erasures e
      WHERE e.workspace_id = $1 AND e.status IN ('waiting', 'running', 'verifying') AND e.requested_at < $3
        AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.workspace_id = $1 AND o.workflow_id = e.workflow_id)
     RETURNING id`,
    [tx.workspace, now, new Date(now.getTime() - RESTARTED_AFTER_MS)],
  );
  return rows.length;
}
