import type { Card } from '../contracts/card';
import { logAccess } from '../store/access-log';
import { writeAudit } from '../store/audit';
import { type ChangedColumns, changeCard, keepReason } from '../store/card-edits';
import { readCard } from '../store/cards';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { surfaceOf } from './authentication';
import { readerOf } from './card-rights';
import { unlessKeyTaken } from './card-versions';
import { requireNotHeld } from './held';
import { type Asked, writeOnce } from './idempotency';
import { Problem } from './problem';

/** The changes of a card that are not edits of its words: judged, hidden, deleted, brought back. */

export interface StatusChange {
  id: string;
  /** The version that the change was decided on. */
  expected: number;
  columns: ChangedColumns;
  /** In the history; the audit says `card.<action>`. */
  action: string;
  /** Redacted. */
  reason: string | null;
}

/**
 * Sets what a judgement sets, with its version, reason and audit.
 * @throws Problem 409 where the card changed while it was judged, or a legal hold keeps it from being deleted.
 */
export async function setStatus(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  change: StatusChange,
): Promise<number> {
  const at = deps.clock();
  const actor = request.caller.context.principal;
  if (change.columns.status === 'deleted') {
    await requireNotHeld(tx, request.caller, 'card', [change.id]);
  }
  const version = await changeCard(tx, { ...change, actor, at });
  if (version === null) {
    throw new Problem(409, 'stale_version', 'the card changed at this very moment; try again');
  }
  await auditCard(tx, deps, request, {
    action: change.action,
    id: change.id,
    changed: Object.keys(change.columns).filter((column) => column !== 'status_before'),
    versions: [change.expected, version],
    reason: change.reason,
  });
  return version;
}

/** One content-free row about a card; a reason stands apart, where it can be erased. */
export async function auditCard(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  entry: {
    action: string;
    id: string;
    changed: readonly string[];
    versions?: readonly number[];
    hashes?: Record<string, string>;
    reason: string | null;
  },
): Promise<void> {
  const at = deps.clock();
  const reasonId = entry.reason === null ? null : newId('reason', at);
  if (reasonId !== null && entry.reason !== null) await keepReason(tx, reasonId, entry.reason, at);
  await writeAudit(tx, {
    at,
    actor: request.caller.context.principal,
    action: `card.${entry.action}`,
    target: { type: 'card', id: entry.id },
    changed: entry.changed,
    versions: entry.versions ?? [],
    hashes: entry.hashes ?? {},
    reasonId,
    channel: request.caller.channel,
  });
}

/**
 * Runs a change of one card once, and answers with the card as it then is; a repetition answers with
 * what it is by then.
 */
export async function changeOnce(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  change: (tx: Tx, reader: ReaderArguments) => Promise<Card>,
): Promise<Card | { id: string }> {
  const answer = await unlessKeyTaken(() =>
    writeOnce(request, deps, {
      perform: async (tx) => {
        const card = await change(tx, readerOf(request.caller, deps.clock));
        return { status: 200, reference: { id }, body: card };
      },
      rebuild: (tx) => shownCard(tx, deps, request, id),
    }),
  );
  return answer.body ?? { id };
}

/** The card as its reader sees it after a change, or null where they no longer do. */
export async function shownCard(
  tx: Tx,
  deps: ApiDependencies,
  request: Asked,
  id: string,
): Promise<Card | null> {
  const reader = readerOf(request.caller, deps.clock);
  const seen = await readCard(tx, reader, id);
  if (seen === null) return null;
  await logAccess(tx, request.caller.context, {
    surface: surfaceOf(request.caller, 'cards.get'),
    at: reader[5],
    cards: [{ id, vias: seen.vias }],
  });
  return seen.card;
}
