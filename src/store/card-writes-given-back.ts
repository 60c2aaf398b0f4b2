import { type CardStatus, type PrincipalKind, RECALLED_STATUSES } from '../contracts/names';
import { initialStatus } from '../domain/initial-status';
import type { ChangedColumns } from './card-edits';
import type { Tx } from './database';

/** Statuses of a card that says nothing in another one's place any more. */
const OUT_OF_USE: readonly CardStatus[] = ['archived', 'deleted', 'rejected'];
const STANDING: readonly CardStatus[] = [...RECALLED_STATUSES, 'quarantined'];
/** One note follows another so often at the most. */
const LONGEST_LINE = 50;

/**
 * Whether what a card told is still told: by the card, or by what took its place in turn.
 * @param statuses that count as telling it
 */
async function isTold(tx: Tx, card: string, statuses: readonly CardStatus[]): Promise<boolean> {
  const found = await tx.query(
    `WITH RECURSIVE line (status, next, n) AS (
       SELECT c.status, c.superseded_by, 1 FROM cards c WHERE c.workspace_id = $1 AND c.id = $2
       UNION ALL
       SELECT c.status, c.superseded_by, l.n + 1
         FROM line l
         JOIN cards c ON c.workspace_id = $1 AND c.id = l.next
        WHERE l.status = 'superseded' AND l.n < ${LONGEST_LINE}
     )
     SELECT 1 FROM line WHERE status = ANY ($3) LIMIT 1`,
    [tx.workspace, card, statuses],
  );
  return found.length > 0;
}

/**
 * What a card is to be that comes back with this status. One that was superseded is in use again where nothing is
 * left in its place: as it was before, under its key unless another card has that now. The caller writes it; that it
 * is superseded by nothing is written here.
 */
export async function standingAgain(
  tx: Tx,
  id: string,
  status: CardStatus,
): Promise<Pick<ChangedColumns, 'valid_to'> & { status: CardStatus }> {
  if (status !== 'superseded') return { status };
  const card = await tx.one<{
    by: string | null;
    key_taken: boolean;
    before: CardStatus | null;
    ended: boolean;
    valid_to: string | null;
    writer_kind: PrincipalKind | 'system';
  }>(
    `SELECT c.superseded_by AS by, c.writer_kind, b.snapshot ->> 'status' AS before,
            b.snapshot ->> 'valid_to' AS valid_to,
            b.version IS NOT NULL
              AND (s.snapshot ->> 'valid_to')::timestamptz IS NOT DISTINCT FROM c.valid_to AS ended,
            EXISTS (SELECT 1 FROM cards k
                     WHERE k.workspace_id = $1 AND k.scope_type = c.scope_type AND k.scope_id = c.scope_id
                       AND k.key = c.key AND COALESCE(k.subject, '') = COALESCE(c.subject, '')
                       AND k.status = ANY ($3) AND k.id <> c.id) AS key_taken
       FROM cards c
       LEFT JOIN LATERAL (SELECT v.version, v.snapshot FROM card_versions v
                           WHERE v.workspace_id = $1 AND v.card_id = c.id AND v.snapshot ->> 'status' = ANY ($3)
                           ORDER BY v.version DESC LIMIT 1) b ON true
       LEFT JOIN card_versions s ON s.workspace_id = $1 AND s.card_id = c.id AND s.version = b.version + 1
      WHERE c.workspace_id = $1 AND c.id = $2`,
    [tx.workspace, id, RECALLED_STATUSES],
  );
  if (card.by !== null && (card.key_taken || (await isTold(tx, card.by, STANDING)))) {
    return { status };
  }
  await tx.query('UPDATE cards SET superseded_by = NULL WHERE workspace_id = $1 AND id = $2', [
    tx.workspace,
    id,
  ]);
  const before =
    card.before ?? initialStatus(card.writer_kind === 'system' ? 'runtime' : card.writer_kind);
  // It held until its successor began; one that was given another end since keeps that.
  return card.ended ? { status: before, valid_to: card.valid_to } : { status: before };
}

/** A card that a run retired, as far as it decides whether it is still so. */
export interface RetiredStanding {
  version: number;
  status: CardStatus;
  status_before: CardStatus | null;
  superseded_by: string | null;
}

/**
 * Whether a card is still superseded by that one, whatever else became of it: also one that was deleted, held back or
 * archived since, and would be so again once it came back.
 */
export function isStillSuperseded(card: RetiredStanding, by: string | undefined): boolean {
  if (by === undefined || card.superseded_by !== by) return false;
  if (card.status === 'superseded') return true;
  const isOut = card.status === 'quarantined' || OUT_OF_USE.includes(card.status);
  return isOut && card.status_before === 'superseded';
}

/**
 * Takes a card out of the place behind another one, as it is otherwise: in use again with the status that it had; out
 * of use where it is that, and then with that status once it comes back. When that was stays as it is.
 * @param card its row is held
 * @returns its version from now on
 */
export async function giveBack(
  tx: Tx,
  id: string,
  card: Pick<RetiredStanding, 'version' | 'status'>,
  { before, action, actor, at }: GivingBack,
): Promise<number> {
  const isBack = card.status === 'superseded';
  const { version } = await tx.one<{ version: number }>(
    `WITH given AS (
       UPDATE cards c
          SET status = $4, status_before = $5, superseded_by = NULL, version = c.version + 1,
              edited_at = COALESCE($6, c.edited_at)
        WHERE c.workspace_id = $1 AND c.id = $2 AND c.version = $3
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT g.workspace_id, g.id, g.version, $7, $8, $9, $10, card_snapshot(to_jsonb(g)) FROM given g
     RETURNING version`,
    [
      tx.workspace,
      id,
      card.version,
      isBack ? before : card.status,
      isBack ? null : before,
      isBack ? at : null,
      at,
      actor.kind,
      actor.id,
      action,
    ],
  );
  return version;
}

export interface GivingBack {
  /** The status that it had while it was in use. */
  before: CardStatus;
  /** What the history calls it. */
  action: string;
  actor: { kind: string; id: string };
  at: Date;
}

/**
 * Whether a note that a run made stays in use though the run is undone, since it was changed after it: what it tells
 * would be told twice if its sources came back. Its row is held.
 */
export async function isNoteKept(tx: Tx, run: string, note: string | undefined): Promise<boolean> {
  if (note === undefined) return false;
  const [row] = await tx.query<{ moved: boolean }>(
    `SELECT c.version <> (SELECT max(n.version_after) FROM run_changes n
                           WHERE n.workspace_id = $1 AND n.run_id = $3 AND n.card_id = $2)
              AND v.action IS DISTINCT FROM 'undone' AS moved
       FROM cards c
       LEFT JOIN card_versions v ON v.workspace_id = $1 AND v.card_id = c.id AND v.version = c.version
      WHERE c.workspace_id = $1 AND c.id = $2
        AND EXISTS (SELECT 1 FROM run_changes n
                     WHERE n.workspace_id = $1 AND n.run_id = $3 AND n.card_id = $2 AND n.change = 'created')
        FOR NO KEY UPDATE OF c`,
    [tx.workspace, note, run],
  );
  return row?.moved === true && (await isTold(tx, note, RECALLED_STATUSES));
}
