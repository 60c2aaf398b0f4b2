import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import type { ArchiveChange, MergeChange } from '../contracts/proposal';
import { memberOf } from '../domain/consolidation/groups';
import { durationMs } from '../domain/durations';
import { movedSources } from '../domain/reflection/moved';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
import { holdSources, readSources } from './card-writes-episodes';
import { inheritFrom } from './card-writes-inherited';
import type { Tx } from './database';
import type { Approval, Effect } from './proposal-effects';
import { lapse } from './proposal-effects-reflected';
import { setProposal } from './proposal-row';

/**
 * Approved, one of several near-duplicates takes the place of the others: it comes of them and has what they proved
 * and answered. Where one of them changed meanwhile it is put to the person again; where they have no longer the
 * same member and readers, nothing is merged.
 */
export const MERGE_EFFECT: Effect = {
  approve: async (tx, row, approval) => {
    const { at, policy } = approval;
    const change = row.change as MergeChange;
    const ids = [change.keep, ...change.merge];
    await holdSources(tx, ids);
    const cards = await readSources(tx, ids, { now: at, tieMs: durationMs(policy.resolve.tie) });
    const read = Object.fromEntries(ids.map((id) => [id, change.card_versions[id] ?? 0]));
    if (movedSources(read, cards, at.getTime()).length > 0) {
      const card_versions = Object.fromEntries(ids.map((id) => [id, cards.get(id)?.version ?? 0]));
      if (movedSources(card_versions, cards, at.getTime()).length > 0)
        return await lapse(tx, row, approval);
      const version = row.version + 1;
      const again = await setProposal(tx, row, {
        status: row.status,
        version,
        change: { ...change, card_versions },
        at,
      });
      return { refusal: 'world_changed', row: again };
    }
    const all = ids.flatMap((id) => cards.get(id) ?? []);
    const [keep] = all;
    if (
      keep === undefined ||
      all.some((card) => memberOf(card) !== memberOf(keep) || card.sign !== keep.sign)
    ) {
      return await lapse(tx, row, approval);
    }
    await inheritFrom(tx, keep.id, change.merge, at);
    for (const card of all.slice(1)) {
      await retire(tx, card, { status: 'superseded', by: keep.id }, approval);
    }
    return { status: 'applied', fixId: null };
  },

  reject: async () => ({ status: 'rejected', fixId: null }),
};

/**
 * Approved, cards go into the archive, from which a person brings one back. One that was changed or used meanwhile is
 * not what was looked at, and stays; where none is left there is nothing to decide.
 */
export const ARCHIVE_EFFECT: Effect = {
  approve: async (tx, row, approval) => {
    const { card_ids, card_versions } = row.change as ArchiveChange;
    const cards = await tx.query<Standing>(
      `SELECT c.id, c.version, c.status
         FROM cards c
         LEFT JOIN card_usage u ON u.workspace_id = c.workspace_id AND u.card_id = c.id
        WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.status = ANY ($3)
          AND (u.last_used_at IS NULL OR u.last_used_at <= $4)
        ORDER BY c.id
          FOR UPDATE OF c`,
      [tx.workspace, card_ids, RECALLED_STATUSES, row.opened_at],
    );
    const unmoved = cards.filter(({ id, version }) => card_versions[id] === version);
    if (unmoved.length === 0) return await lapse(tx, row, approval);
    for (const card of unmoved) await retire(tx, card, { status: 'archived', by: null }, approval);
    return { status: 'applied', fixId: null };
  },

  reject: async () => ({ status: 'rejected', fixId: null }),
};

interface Standing {
  id: string;
  version: number;
  status: CardStatus;
}

/** The row is held. */
async function retire(
  tx: Tx,
  { id, version: expected, status: status_before }: Standing,
  to: { status: 'superseded' | 'archived'; by: string | null },
  { request, at, workflowId }: Approval,
): Promise<void> {
  const actor = { kind: 'person', id: request.by };
  const { status } = to;
  const columns = { status, status_before };
  if (to.by !== null) {
    await tx.query('UPDATE cards SET superseded_by = $3 WHERE workspace_id = $1 AND id = $2', [
      tx.workspace,
      id,
      to.by,
    ]);
  }
  const version = await changeCard(tx, { id, expected, columns, action: status, actor, at });
  if (version === null) throw new Error('a card whose row is held has moved on');
  await writeAudit(tx, {
    at,
    actor,
    action: `card.${status}`,
    target: { type: 'card', id },
    changed: ['status'],
    versions: [expected, version],
    channel: 'workflow',
    workflowId,
  });
}
