import type { PassCounts } from '../contracts/passes';
import type { Tx } from './database';
import { type NewRunChange, noteChanges } from './run-changes';

/** Why a line stands in the diff of a retention or a recalibration, and what it is counted as. */
const COUNTED_AS = {
  expired: 'archived',
  index: 'evicted',
  purge_deleted: 'purged',
  purge_expired: 'purged',
  purge_forgotten: 'forgotten',
  quotes: 'proposals_emptied',
  payloads: 'payloads_dropped',
  archive: 'archive_proposals',
  duplicates: 'merge_proposals',
  contradiction: 'contradictions',
} as const;
export type UpkeepReason = keyof typeof COUNTED_AS;

type UpkeepChange = NewRunChange & { reason: UpkeepReason };

/** Lines that stand for as many things as they name. */
const COUNTED_BY_NAMES: readonly UpkeepReason[] = ['quotes', 'payloads'];

/** The same as `noteChanges`; a dry run that looks at the same card twice, after a try that was not heard of, notes it once. */
export async function noteUpkeep(
  tx: Tx,
  run: { operationId: string; dryRun: boolean; now: Date },
  changes: readonly UpkeepChange[],
): Promise<void> {
  const { operationId, dryRun, now } = run;
  const noted = dryRun ? await notedIn(tx, operationId) : new Set<string>();
  const fresh = changes.filter((change) => !noted.has(keyOf(change)));
  await noteChanges(tx, operationId, fresh, now);
}

async function notedIn(tx: Tx, operationId: string): Promise<Set<string>> {
  const rows = await tx.query<UpkeepChange & { related: string[] }>(
    'SELECT reason, card_id, related FROM run_changes WHERE workspace_id = $1 AND run_id = $2',
    [tx.workspace, operationId],
  );
  return new Set(rows.map(keyOf));
}

function keyOf({ reason, card_id = null, related = [] }: UpkeepChange): string {
  return JSON.stringify([reason, card_id, ...related]);
}

/** What the run did so far, by its own diff: a try that committed and was not heard of is counted once. */
export async function upkeepCounts(tx: Tx, operationId: string): Promise<PassCounts> {
  const rows = await tx.query<{ reason: UpkeepReason; n: number; cards: number }>(
    `SELECT reason, sum(CASE WHEN reason = ANY ($3) THEN cardinality(related) ELSE 1 END)::int AS n,
            sum((SELECT count(*) FROM unnest(related) AS named WHERE named LIKE 'card\\_%'))::int AS cards
       FROM run_changes
      WHERE workspace_id = $1 AND run_id = $2 AND reason = ANY ($4)
      GROUP BY reason
      ORDER BY reason`,
    [tx.workspace, operationId, COUNTED_BY_NAMES, Object.keys(COUNTED_AS)],
  );
  const counts: PassCounts = {};
  const add = (name: string, by: number) => {
    counts[name] = (counts[name] ?? 0) + by;
  };
  for (const { reason, n, cards } of rows) {
    add(COUNTED_AS[reason], n);
    if (reason === 'archive' || reason === 'duplicates') add('cards_proposed', cards);
  }
  return counts;
}
