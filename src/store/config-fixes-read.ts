import type { ConfigFix, ConfigFixStatus } from '../contracts/proposal';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

export interface ConfigFixFilter {
  status: readonly ConfigFixStatus[] | null;
  team: string | null;
  workflow: string | null;
  step: string | null;
}

// The words are those of the proposal, which a person has read and approved.
const SELECT = `SELECT f.id, f.proposal_id, f.version, f.status, f.team_id AS team, p.change ->> 'fix' AS fix,
                       jsonb_build_object('workflow', f.workflow, 'step', f.step) AS step,
                       f.approved_at, f.applied_at, f.config_version, f.note, f.closed_at,
                       (SELECT jsonb_build_object('worked', count(*) FILTER (WHERE o.worked),
                                                  'failed', count(*) FILTER (WHERE NOT o.worked))
                          FROM fix_observations o
                         WHERE o.workspace_id = $1 AND o.fix_id = f.id) AS observed
                  FROM config_fixes f
                  JOIN proposals p ON p.workspace_id = $1 AND p.id = f.proposal_id
                 WHERE f.workspace_id = $1`;

/** @param id of the fix, or of its proposal, whose newest fix is meant */
export async function readConfigFix(tx: Tx, id: string): Promise<ConfigFix | null> {
  const [row] = await tx.query<ConfigFix>(
    `${SELECT} AND (f.id = $2 OR f.proposal_id = $2) ORDER BY f.version DESC LIMIT 1`,
    [tx.workspace, id],
  );
  return row ?? null;
}

/** The last approved first. */
export async function listConfigFixes(
  tx: Tx,
  filter: ConfigFixFilter,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<Slice<ConfigFix>> {
  const matching = `${SELECT}
       AND ($2::text[] IS NULL OR f.status = ANY ($2))
       AND ($3::text IS NULL OR f.team_id = $3)
       AND ($4::text IS NULL OR f.workflow = $4)
       AND ($5::text IS NULL OR f.step = $5)`;
  const values = [tx.workspace, filter.status, filter.team, filter.workflow, filter.step];
  const rows = await tx.query<ConfigFix>(
    `${matching}
       AND ($6::timestamptz IS NULL OR f.approved_at < $6 OR (f.approved_at = $6 AND f.id > $7))
     ORDER BY f.approved_at DESC, f.id
     LIMIT $8`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}
