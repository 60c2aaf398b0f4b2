import { setTimeout as sleep } from 'node:timers/promises';
import { insertCard } from '../../src/store/card-writes';
import type { Database } from '../../src/store/database';
import { openProposalFor } from '../../src/store/proposal-opening';
import { plainCard } from '../../test/support/plain-card';

export const WORKSPACE = 'default';
export const REVIEWER = 'bench-reviewer';
const TEAM = 'bench-team';
const AGENT = 'scout';
/** A transaction. */
const BATCH = 100;

/** Cards of one agent in one team, and a person who may decide about them. @returns their ids */
export async function makeCards(database: Database, count: number): Promise<string[]> {
  await database.inWorkspace(WORKSPACE, (tx) =>
    tx.query(
      `WITH person AS (
         INSERT INTO people (workspace_id, id, name, role, created_at) VALUES ($1, $2, $2, 'reviewer', now())
       ),
       team AS (
         INSERT INTO teams (workspace_id, id, name, created_at) VALUES ($1, $3, $3, now())
       )
       INSERT INTO agents (workspace_id, id, team_id, registered_by, created_at) VALUES ($1, $4, $3, 'person', now())`,
      [WORKSPACE, REVIEWER, TEAM, AGENT],
    ),
  );
  const cards = Array.from({ length: count }, (_, n) =>
    plainCard(`Channel ${n} is where releases are told.`, new Date(), { team: TEAM }),
  );
  await inBatches(cards, (batch) =>
    database.inWorkspace(WORKSPACE, async (tx) => {
      for (const card of batch) await insertCard(tx, card, null, []);
    }),
  );
  return cards.map(({ id }) => id);
}

/** One promotion a card, as a request for it opens one; the server's own sender starts their workflows. */
export async function openProposals(
  database: Database,
  cards: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  await inBatches(cards, (batch) =>
    database.inWorkspace(WORKSPACE, async (tx) => {
      for (const card of batch) {
        const { id } = await openProposalFor(tx, {
          type: 'promotion',
          matter: `promotion:${card}`,
          team: TEAM,
          title: 'To be decided',
          summary: 'A card for the whole team',
          draftedBy: 'person',
          evidence: [card],
          change: {
            card_id: card,
            card_version: 1,
            from: { type: 'agent', id: AGENT },
            to: { type: 'team', id: TEAM },
          },
          proposedBy: { kind: 'agent', id: AGENT },
          channel: 'api',
          now: new Date(),
        });
        ids.push(id);
      }
    }),
  );
  return ids;
}

/** Until the workflow of each has begun and waits. */
export async function untilOpen(database: Database, count: number): Promise<void> {
  for (;;) {
    const { begun } = await database.inWorkspace(WORKSPACE, (tx) =>
      tx.one<{ begun: number }>(
        'SELECT count(*) AS begun FROM proposals WHERE workspace_id = $1 AND run_id IS NOT NULL',
        [WORKSPACE],
      ),
    );
    if (begun >= count) return;
    await sleep(50);
  }
}

async function inBatches<T>(
  items: readonly T[],
  work: (batch: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH) await work(items.slice(at, at + BATCH));
}
