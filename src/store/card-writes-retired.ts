import { writeAudit } from './audit';
import type { Tx } from './database';
import type { NewRunChange } from './run-changes';

/** Cards that retire in favour of another one, in the transaction that writes it. */
export interface Retiring {
  /** Each in the version that is held. */
  cards: readonly { id: string; version: number }[];
  /** What stands in their place. */
  by: string;
  /** The pass, as audit and history name it. */
  pass: string;
  workflowId: string;
  at: Date;
}

export interface RetiredCard {
  id: string;
  /** The version that it retired with. */
  version: number;
}

/**
 * Supersedes cards by compare-and-set. What they say goes on holding as long as it did: they were summed up, not
 * disproved.
 * @throws where one of them has moved on, whose row the caller holds
 */
export async function retireInFavour(tx: Tx, retiring: Retiring): Promise<RetiredCard[]> {
  const { cards, by, pass, workflowId, at } = retiring;
  if (cards.length === 0) return [];
  const retired = await tx.query<RetiredCard>(
    `WITH planned AS (
       SELECT p.id, p.version FROM jsonb_to_recordset($2::jsonb) AS p (id text, version int)
     ),
     retired AS (
       UPDATE cards c
          SET status_before = c.status, status = 'superseded', superseded_by = $3, version = c.version + 1,
              edited_at = $4
         FROM planned p
        WHERE c.workspace_id = $1 AND c.id = p.id AND c.version = p.version
          AND c.status IN ('pending', 'active', 'validated')
       RETURNING c.*
     )
     INSERT INTO card_versions (workspace_id, card_id, version, at, actor_kind, actor_id, action, snapshot)
     SELECT r.workspace_id, r.id, r.version, $4, 'system', $5, 'superseded', card_snapshot(to_jsonb(r))
       FROM retired r
     RETURNING card_id AS id, version`,
    [tx.workspace, JSON.stringify(cards), by, at, pass],
  );
  if (retired.length !== cards.length) throw new Error('a card whose row is held has moved on');
  for (const { id, version } of retired) {
    await writeAudit(tx, {
      at,
      actor: { kind: 'system', id: pass },
      action: 'card.superseded',
      target: { type: 'card', id },
      changed: ['status'],
      versions: [version - 1, version],
      channel: 'workflow',
      workflowId,
    });
  }
  return retired.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The lines of a run's diff that say so. */
export function retiredLines(
  retired: readonly RetiredCard[],
  by: string,
  reason: string,
): NewRunChange[] {
  return retired.map(({ id, version }) => ({
    change: 'retired',
    card_id: id,
    version_before: version - 1,
    version_after: version,
    related: [by],
    reason,
  }));
}
