import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import { writeAudit } from './audit';
import { type CardChange, changeCard } from './card-edits';
import { returnToIndex } from './card-writes-evicted';
import { standingAgain } from './card-writes-given-back';
import { holdMade } from './card-writes-made';
import { unmake } from './card-writes-unmade';
import type { Tx } from './database';
import { linkReleased, statusOnRelease } from './filing-released';
import { announce } from './webhooks';

/** In a card's history, of one that is held back since the action that it tells of is blocked. */
const BLOCKED = 'blocked';
/** What in a history decides whether a card is held back, and why. */
const HOLDINGS = [BLOCKED, 'quarantined', 'released', 'deleted', 'restored'];

/** A block of an action, or its end. */
export interface Blocking {
  hash: string;
  /** A person. */
  actor: { kind: string; id: string };
  channel: string;
  at: Date;
}

interface Telling {
  id: string;
  version: number;
}

/**
 * Holds back the cards that tell of a blocked action as of one that did no harm: nobody is to read in a prompt that it
 * worked. What warns of it stays. What passes made of them is unmade, as with any card that is held back.
 */
export async function holdTelling(tx: Tx, blocking: Blocking): Promise<void> {
  const { hash, actor, channel, at } = blocking;
  const told = await tx.query<{ id: string }>(
    `SELECT o.card_id AS id FROM action_outcomes o
      WHERE o.workspace_id = $1 AND o.hash = $2 AND o.result <> 'worse' AND o.card_id IS NOT NULL`,
    [tx.workspace, hash],
  );
  const ids = told.map(({ id }) => id);
  await holdMade(tx, ids);
  const telling = await tx.query<Telling & { status: CardStatus }>(
    `SELECT c.id, c.version, c.status FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.status NOT IN ('quarantined', 'rejected', 'deleted')
      ORDER BY c.id FOR NO KEY UPDATE`,
    [tx.workspace, ids],
  );
  for (const { id, version: expected, status } of telling) {
    const columns = { status: 'quarantined', status_before: status } as const;
    await setCard(tx, blocking, { id, expected, columns, action: BLOCKED });
    await unmake(tx, { cards: [id], root: id, actor, channel, at });
    await announce(tx, { type: 'card.quarantined', at, data: { card_id: id } });
  }
}

/** Gives back what a block has held: what a person has decided on since stays, and so does what rests on nothing any more. */
export async function releaseTelling(tx: Tx, blocking: Blocking): Promise<void> {
  const { hash, at } = blocking;
  const held = await tx.query<Telling>(
    `SELECT c.id, c.version
       FROM action_outcomes o
       JOIN insights i ON i.workspace_id = o.workspace_id AND i.id = o.insight_id
       JOIN cards s ON s.workspace_id = o.workspace_id AND s.id = i.card_id AND s.status = ANY ($3)
       JOIN cards c ON c.workspace_id = o.workspace_id AND c.id = o.card_id AND c.status = 'quarantined'
      WHERE o.workspace_id = $1 AND o.hash = $2
        AND $4 = (SELECT v.action FROM card_versions v
                   WHERE v.workspace_id = $1 AND v.card_id = c.id AND v.action = ANY ($5)
                   ORDER BY v.version DESC LIMIT 1)
      ORDER BY c.id FOR NO KEY UPDATE OF c`,
    [tx.workspace, hash, RECALLED_STATUSES, BLOCKED, HOLDINGS],
  );
  for (const { id, version: expected } of held) {
    const columns = await standingAgain(tx, id, await statusOnRelease(tx, id));
    const version = await setCard(tx, blocking, { id, expected, columns, action: 'released' });
    if (!RECALLED_STATUSES.some((one) => one === columns.status)) continue;
    await returnToIndex(tx, { id, version, at });
    await linkReleased(tx, id, at);
  }
}

async function setCard(
  tx: Tx,
  { actor, channel, at }: Blocking,
  change: Omit<CardChange, 'actor' | 'at'>,
): Promise<number> {
  const { id, expected, columns, action } = change;
  const version = await changeCard(tx, { ...change, actor, at });
  if (version === null) throw new Error('a card whose row is held has moved on');
  await writeAudit(tx, {
    at,
    actor,
    action: action === BLOCKED ? 'card.quarantined' : `card.${action}`,
    target: { type: 'card', id },
    changed: Object.keys(columns).filter((column) => column !== 'status_before'),
    versions: [expected, version],
    channel,
  });
  return version;
}
