import type { CardStatus } from '../contracts/names';
import { type CardStop, MOST_STOPPED, type StopAction, type StoppedCard } from '../contracts/stop';
import { makesVectors } from '../models/no-embedder';
import type { StopBody } from '../schemas/stop';
import { logAccess } from '../store/access-log';
import { writeAudit } from '../store/audit';
import { changeCard, keepReason } from '../store/card-edits';
import { recordsOf, recountStopped } from '../store/card-writes-recounted';
import {
  type Descendant,
  holdDescendants,
  proposalsOn,
  readDescendants,
  readInjections,
  TooManyDescendants,
} from '../store/card-writes-stopped';
import { lapseUnfounded, type Stopping } from '../store/card-writes-unfounded';
import { unmake } from '../store/card-writes-unmade';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import { announce } from '../store/webhooks';
import type { ApiDependencies } from './app';
import { fitRemark } from './card-content';
import { requireNotHeld } from './held';
import { type Asked, writeOnce } from './idempotency';
import { badRequest, notFound, Problem } from './problem';

/** Taking a card away together with all that came of it, in one transaction. */

const STATUS_OF: Readonly<Record<StopAction, CardStatus>> = {
  quarantine: 'quarantined',
  delete: 'deleted',
};

/** Statuses that each action leaves as they are: it is taken away already, or further. */
const LEFT: Readonly<Record<StopAction, readonly CardStatus[]>> = {
  quarantine: ['quarantined', 'deleted'],
  delete: ['deleted'],
};

/**
 * Stops a card, or says what would be stopped.
 * @throws Problem 404, 400 for a person who looks through an agent's eyes, 409 where too much came of it
 */
export async function stopCard(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  body: StopBody,
): Promise<CardStop> {
  if (request.caller.context.agent !== null) {
    throw badRequest(
      'a stop reaches all that came of a card, whoever sees it: leave Cairn-Agent out',
    );
  }
  const { context } = request.caller;
  if (body.dry_run) {
    return await deps.database.inWorkspace(context.workspace, async (tx) => {
      const cards = await found(readDescendants(tx, id, boundsOf(body)));
      // It shows what came of what; a stop itself stands in the audit, card by card.
      await logAccess(tx, context, {
        surface: 'cards.stop',
        at: deps.clock(),
        cards: cards.map((card) => ({ id: card.id, vias: ['person'] })),
      });
      return await answerOf(tx, body, cards);
    });
  }
  const reason = await fitRemark(deps, request.caller, body.reason);
  const answer = await writeOnce(request, deps, {
    perform: async (tx) => {
      const cards = await found(holdDescendants(tx, id, boundsOf(body)));
      await takeAway(tx, deps, request, cards, body.action, reason);
      const recounted = await settleStopped(tx, deps, request, cards);
      const done = { ...(await answerOf(tx, body, cards)), recounted };
      return { status: 200, reference: { id }, body: done };
    },
    rebuild: async (tx) =>
      await answerOf(tx, body, await found(readDescendants(tx, id, boundsOf(body)))),
  });
  deps.pokeOutbox();
  return answer.body as CardStop;
}

const boundsOf = ({ derived }: StopBody) => ({ derived, most: MOST_STOPPED });

async function found(search: Promise<Descendant[]>): Promise<Descendant[]> {
  try {
    const cards = await search;
    if (cards.length === 0) throw notFound('card');
    return cards;
  } catch (error) {
    if (!(error instanceof TooManyDescendants)) throw error;
    throw new Problem(
      409,
      'too_many_cards',
      `more than ${MOST_STOPPED} cards came of this one; nothing was changed: stop what came of it in parts`,
    );
  }
}

async function takeAway(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: Pick<Asked, 'caller'>,
  cards: readonly Descendant[],
  action: StopAction,
  reason: string | null,
): Promise<void> {
  const at = deps.clock();
  const actor = caller.context.principal;
  const [root] = cards;
  const status = STATUS_OF[action];
  const changed = cards.filter((card) => !LEFT[action].includes(card.status));
  if (root === undefined || changed.length === 0) return;
  if (action === 'delete') {
    const ids = changed.map(({ id }) => id);
    await requireNotHeld(tx, caller, 'card', ids);
  }
  const reasonId = reason === null ? null : newId('reason', at);
  if (reasonId !== null && reason !== null) await keepReason(tx, reasonId, reason, at);
  for (const card of changed) {
    const { id, version: expected } = card;
    // Of one that was quarantined, the status before that stays the one that a release gives back.
    const before = card.status === 'quarantined' ? {} : { status_before: card.status };
    const columns = { status, ...before };
    const version = await changeCard(tx, { id, expected, columns, action: status, actor, at });
    if (version === null) throw new Error('a card whose row is held has moved on');
    await writeAudit(tx, {
      at,
      actor,
      action: `card.${status}`,
      target: { type: 'card', id },
      changed: ['status'],
      versions: [expected, version],
      hashes: id === root.id ? {} : { stopped_with: root.id },
      reasonId,
      channel: caller.channel,
    });
    // One stop is one piece of news, and the audit has the rest.
    if (id === root.id && status === 'quarantined') {
      await announce(tx, { type: 'card.quarantined', at, data: { card_id: id } });
    }
  }
}

/** What was counted or proposed by these cards; those that were out of use already are stopped too. */
async function settleStopped(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: Pick<Asked, 'caller'>,
  cards: readonly Descendant[],
): Promise<number> {
  const [root] = cards;
  if (root === undefined) return 0;
  const stopping: Stopping = {
    cards: cards.map(({ id }) => id),
    root: root.id,
    actor: caller.context.principal,
    channel: caller.channel,
    at: deps.clock(),
  };
  await lapseUnfounded(tx, stopping);
  await unmake(tx, stopping);
  const embedder = deps.embedder();
  // One that is being loaded still will make them.
  const late = embedder === null || makesVectors(embedder);
  return await recountStopped(tx, stopping, late);
}

async function answerOf(tx: Tx, body: StopBody, cards: readonly Descendant[]): Promise<CardStop> {
  const ids = cards.map(({ id }) => id);
  const stopped = cards.map((card): StoppedCard => {
    const changed = !LEFT[body.action].includes(card.status);
    return {
      id: card.id,
      kind: card.kind,
      was: card.status,
      status: changed ? STATUS_OF[body.action] : card.status,
      changed,
      relation: card.relation,
      from: card.from,
      generation: card.generation,
      changed_at: card.edited_at,
    };
  });
  const changed = stopped.filter((card) => card.changed).length;
  return {
    action: body.action,
    dry_run: body.dry_run,
    cards: stopped,
    counts: { cards: stopped.length, changed, unchanged: stopped.length - changed },
    recounted: (await recordsOf(tx, ids)).length,
    injected: await readInjections(tx, ids),
    proposals: await proposalsOn(tx, ids),
  };
}
