import type { KnownAction } from '../contracts/insight';
import { boostOf, evidenceOf, priorityOf } from '../domain/insights/boost';
import { evidenceOfActions } from '../store/action-evidence';
import { type ActionRow, blockAction, readAction, unblockAction } from '../store/actions';
import { writeAudit } from '../store/audit';
import { keepReason } from '../store/card-edits';
import { type Blocking, holdTelling, releaseTelling } from '../store/card-writes-blocked';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { fitRemark } from './card-content';
import { type Asked, writeOnce } from './idempotency';
import { notFound } from './problem';

/**
 * Takes an action out of every insight, from the next read on, and holds back the cards that tell of it as of one that
 * did no harm. Again, the later word stands.
 * @throws Problem 404 where no insight ever recommended it
 */
export async function blockOnce(
  deps: ApiDependencies,
  request: Asked,
  hash: string,
  said: string | undefined,
): Promise<KnownAction | { hash: string }> {
  const { caller } = request;
  const reason = await fitRemark(deps, caller, said);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const at = deps.clock();
      const reasonId = reason === null ? null : newId('reason', at);
      if (reasonId !== null && reason !== null) await keepReason(tx, reasonId, reason, at);
      const by = caller.context.principal;
      if (!(await blockAction(tx, { hash, by: by.id, reasonId, at }))) throw notFound('action');
      await auditBlock(tx, request, { action: 'action.blocked', hash, reasonId, at });
      await holdTelling(tx, blockingOf(request, hash, at));
      const body = await asBlocked(tx, hash, at);
      return { status: 200, reference: { hash }, body };
    },
    rebuild: async (tx) => await asBlocked(tx, hash, deps.clock()),
  });
  return answer.body ?? { hash };
}

/** Lets it be recommended, and what is known of it be read, again. @throws Problem 404 where there is no such action */
export async function unblockOnce(
  deps: ApiDependencies,
  request: Asked,
  hash: string,
): Promise<void> {
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const wasBlocked = await unblockAction(tx, hash);
      if (wasBlocked === null) throw notFound('action');
      const at = deps.clock();
      if (wasBlocked) {
        const row = { action: 'action.unblocked', hash, reasonId: null, at };
        await auditBlock(tx, request, row);
        await releaseTelling(tx, blockingOf(request, hash, at));
      }
      return { status: 204, reference: { hash }, body: undefined };
    },
    rebuild: async () => undefined,
  });
}

function blockingOf({ caller }: Asked, hash: string, at: Date): Blocking {
  return { hash, at, actor: caller.context.principal, channel: caller.channel };
}

/** What is known of these actions, as far as the reader sees the insights that tell of it. */
export async function knownActions(
  tx: Tx,
  reader: ReaderArguments,
  rows: readonly ActionRow[],
): Promise<KnownAction[]> {
  const past = await evidenceOfActions(
    tx,
    reader,
    rows.map(({ hash }) => hash),
  );
  return rows.map(({ hash, text, created_at, blocked }) => {
    const evidence = evidenceOf(past.get(hash) ?? []);
    const boost = boostOf(evidence);
    return { hash, text, boost, priority: priorityOf(boost), evidence, blocked, created_at };
  });
}

/** To a person who decides on it, and sees every card. */
async function asBlocked(tx: Tx, hash: string, now: Date): Promise<KnownAction | null> {
  const everything: ReaderArguments = [tx.workspace, null, null, true, null, now];
  const row = await readAction(tx, everything, hash);
  const [known] = row === null ? [] : await knownActions(tx, everything, [row]);
  return known ?? null;
}

async function auditBlock(
  tx: Tx,
  { caller }: Asked,
  row: { action: string; hash: string; reasonId: string | null; at: Date },
): Promise<void> {
  const { action, hash, reasonId, at } = row;
  const actor = caller.context.principal;
  const target = { type: 'action', id: hash };
  const changed = ['blocked'];
  await writeAudit(tx, { at, actor, action, target, changed, reasonId, channel: caller.channel });
}
