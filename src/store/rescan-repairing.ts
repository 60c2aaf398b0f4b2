import type { RescanPlace } from '../contracts/rescan';
import { writeAudit } from './audit';
import { BY_RESCAN, madeFrom, redactCard } from './card-writes-redacted';
import type { Tx } from './database';
import {
  changeRow,
  type KnownSecrets,
  type Repairer,
  type RescanRow,
  type RowRepair,
  rowsWhere,
  sameRow,
} from './rescan-rows';
import { forgetWords, holdStatistics } from './rollup';
import { noteChanges } from './run-changes';

/** A row, and what is to be changed of it. */
export interface RowToRepair {
  row: RescanRow;
  repair: RowRepair;
}

/** Who repairs, and how rows that were made from a repaired one are looked at. */
export interface Repairing {
  operationId: string;
  workflowId: string;
  now: Date;
  repairer: Repairer;
}

/** Rows that were changed, of which so many are cards, and rows that had moved on. */
export interface Repaired {
  rows: number;
  cards: number;
  skipped: number;
}

/**
 * Repairs rows of one place in the caller's transaction, and with an event, a card or a message what was made from it:
 * a value that has passed on may stand there with nothing around it that tells what it is.
 */
export async function repairRows(
  tx: Tx,
  place: RescanPlace,
  rows: readonly RowToRepair[],
  repairing: Repairing,
): Promise<Repaired> {
  const done: Repaired = { rows: 0, cards: 0, skipped: 0 };
  if (rows.length === 0) return done;
  await tx.query("SELECT set_config('cairn.redacting', 'on', true)");
  // Before any card: whoever counts holds the counts first.
  await holdStatistics(tx);
  const changed: Changed = new Map();
  for (const read of rows) {
    const repaired = await repairOne(tx, place, read, repairing, changed, done);
    if (repaired === null) continue;
    await repairMade(tx, place, repaired.row, repaired.repair, repairing, changed, done);
  }
  for (const [where, { n, columns }] of changed) {
    await writeAudit(tx, {
      at: repairing.now,
      actor: { kind: 'system', id: BY_RESCAN },
      action: 'rescan.repaired',
      target: { type: 'workspace', id: tx.workspace },
      changed: [...columns].sort().map((column) => `${where}.${column}`),
      hashes: { rows: n },
      channel: 'workflow',
      workflowId: repairing.workflowId,
    });
  }
  return done;
}

/** One that has moved on, by an edit or by a row before it in the batch, is looked at once more as it is now. */
async function repairOne(
  tx: Tx,
  place: RescanPlace,
  read: RowToRepair,
  repairing: Repairing,
  changed: Changed,
  done: Repaired,
): Promise<RowToRepair | null> {
  if (await repairRow(tx, place, read.row, read.repair, repairing, changed, done)) return read;
  const [row] = await rowsWhere(tx, place, sameRow(place, read.row));
  const repair = row === undefined ? null : repairing.repairer(place, row);
  if (row === undefined || repair === null) return null;
  if (await repairRow(tx, place, row, repair, repairing, changed, done)) return { row, repair };
  done.skipped += 1;
  return null;
}

/** What the audit says of rows that are no cards: how many, and which columns. */
type Changed = Map<RescanPlace, { n: number; columns: Set<string> }>;

/** @returns false where the row had moved on */
async function repairRow(
  tx: Tx,
  place: RescanPlace,
  row: RescanRow,
  repair: RowRepair,
  repairing: Repairing,
  changed: Changed,
  done: Repaired,
): Promise<boolean> {
  const columns = Object.keys(repair.changes);
  if (place === 'cards') {
    const version = await redactCard(tx, row, repair.changes, repairing.now);
    if (version === null) return false;
    await noteCard(tx, row, version, columns, repairing);
    done.cards += 1;
  } else {
    if (!(await changeRow(tx, place, row, repair.changes))) return false;
    if (place === 'card_versions') await forgetWords(tx, [...repair.vanished]);
    const noted = changed.get(place) ?? { n: 0, columns: new Set() };
    changed.set(place, { n: noted.n + 1, columns: new Set([...noted.columns, ...columns]) });
  }
  done.rows += 1;
  return true;
}

async function noteCard(
  tx: Tx,
  row: RescanRow,
  version: number,
  changed: readonly string[],
  { operationId, workflowId, now }: Repairing,
): Promise<void> {
  const id = row.key.id ?? '';
  await writeAudit(tx, {
    at: now,
    actor: { kind: 'system', id: BY_RESCAN },
    action: 'card.redacted',
    target: { type: 'card', id },
    changed,
    versions: [version - 1, version],
    channel: 'workflow',
    workflowId,
  });
  const versions = { version_before: version - 1, version_after: version };
  const change = { change: 'edited', card_id: id, reason: 'redacted', ...versions } as const;
  await noteChanges(tx, operationId, [change], now);
}

/** Where what was made from these cards ($2) and events ($3) stands. */
const MADE_FROM: readonly [RescanPlace, string][] = [
  ['cards', 't.id = ANY ($2) AND $3::text[] IS NOT NULL'],
  ['card_versions', 't.card_id = ANY ($2) AND $3::text[] IS NOT NULL'],
  ['capture_drafts', 't.event_id = ANY ($3) AND $2::text[] IS NOT NULL'],
  ['edges', '(t.from_card = ANY ($2) OR t.to_card = ANY ($2)) AND $3::text[] IS NOT NULL'],
  ['proposals', 't.evidence && $2::text[] AND $3::text[] IS NOT NULL'],
  ['skill_versions', '(t.card_id = ANY ($2) OR t.cards && $2::text[] OR t.events && $3::text[])'],
  [
    'skill_tests',
    '(t.card_id = ANY ($2) OR t.source_card = ANY ($2) OR t.source_event = ANY ($3))',
  ],
  ['insights', 't.card_id = ANY ($2) AND $3::text[] IS NOT NULL'],
  [
    'insight_actions',
    `t.insight_id IN (SELECT i.id FROM insights i WHERE i.workspace_id = $1 AND i.card_id = ANY ($2))
       AND $3::text[] IS NOT NULL`,
  ],
  ['reflections', '(t.sources && $2::text[] OR t.card_id = ANY ($2)) AND $3::text[] IS NOT NULL'],
  ['run_drafts', 't.sources && $2::text[] AND $3::text[] IS NOT NULL'],
];

/** Where what was made from this conversation ($2) stands. */
const OF_CONVERSATION: readonly [RescanPlace, string][] = [
  ['messages', 't.conversation_id = $2'],
  ['conversation_details', 't.conversation_id = $2'],
  ['conversations', 't.id = $2'],
  ['compaction_drafts', 't.conversation_id = $2'],
];

async function repairMade(
  tx: Tx,
  place: RescanPlace,
  row: RescanRow,
  known: KnownSecrets,
  repairing: Repairing,
  changed: Changed,
  done: Repaired,
): Promise<void> {
  if (known.literals.size === 0 && known.vanished.size === 0) return;
  const repairAll = async (one: RescanPlace, condition: string, values: readonly unknown[]) => {
    for (const made of await rowsWhere(tx, one, { condition, values })) {
      const repair = repairing.repairer(one, made, known);
      if (repair !== null) await repairRow(tx, one, made, repair, repairing, changed, done);
    }
  };
  if (place === 'events' || place === 'cards') {
    const events = place === 'events' ? [row.key.event_id ?? ''] : [];
    const own = place === 'cards' ? [row.key.id ?? ''] : [];
    const cards = await madeFrom(tx, { cards: own, events });
    for (const [one, condition] of MADE_FROM) await repairAll(one, condition, [cards, events]);
  } else if (place === 'messages') {
    const conversation = [row.key.conversation_id];
    for (const [one, condition] of OF_CONVERSATION) await repairAll(one, condition, conversation);
  }
}
