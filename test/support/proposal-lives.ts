import type { SettledEvent } from '../../src/contracts/event';
import { type ProposalResult, STATE_QUERY } from '../../src/contracts/proposal-messages';
import { WEBHOOK_EVENTS } from '../../src/contracts/webhook';
import { markFixApplied } from '../../src/store/config-fixes-applied';
import { type ProposalLane, until, type Waiting } from './proposal-lane';

/** Cards of as many calls, one after the other; by default they fail. */
export async function fileMany(
  lane: ProposalLane,
  workspace: string,
  count: number,
  fields: Partial<SettledEvent> = {},
): Promise<string[]> {
  const cards: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { card_id } = await lane.file(workspace, fields);
    if (!card_id) throw new Error('it left no card');
    cards.push(card_id);
  }
  return cards;
}

/** Marked as applied now, as the API does when the runtime says so. @returns when */
export async function applyFix(lane: ProposalLane, { workspace, id }: Waiting): Promise<string> {
  const at = await lane.now();
  const marked = await lane.database.inWorkspace(workspace, (tx) =>
    markFixApplied(tx, {
      id,
      configVersion: 'v7',
      note: null,
      at,
      actor: { kind: 'runtime', id: 'runtime' },
      channel: 'api',
    }),
  );
  if (marked !== 'applied') throw new Error(`nobody waits for it: ${marked}`);
  await lane.deliver();
  return at.toISOString();
}

/** What the step does after `from`, each a second after the one before. @returns the cards */
export async function stepSince(
  lane: ProposalLane,
  { workspace }: Waiting,
  from: string,
  outcomes: SettledEvent['outcome'][],
): Promise<string[]> {
  const cards: string[] = [];
  for (const [n, outcome] of outcomes.entries()) {
    const occurred_at = new Date(Date.parse(from) + (n + 1) * 1_000).toISOString();
    cards.push(...(await fileMany(lane, workspace, 1, { outcome, occurred_at })));
  }
  await lane.deliver();
  return cards;
}

export async function standsAs(lane: ProposalLane, waiting: Waiting, status: string) {
  await until(async () => (await lane.standing(waiting)).status === status);
}

/** Without waiting for the result: for whom somebody waits, the server jumps past every window. */
export async function endsAs(
  lane: ProposalLane,
  waiting: Waiting,
  status: string,
): Promise<ProposalResult> {
  await standsAs(lane, waiting, status);
  await until(async () => (await waiting.handle.describe()).status.name === 'COMPLETED');
  return await waiting.handle.query<ProposalResult, []>(STATE_QUERY);
}

/** As from now; timers on the way go off. */
export async function later(lane: ProposalLane, ms: number): Promise<void> {
  await lane.until((await lane.now()).getTime() + ms);
}

/** A workspace with a webhook that is told of all that proposals tell. */
export async function listening(lane: ProposalLane): Promise<string> {
  const workspace = await lane.workspace();
  const events = WEBHOOK_EVENTS.filter((event) => /^(proposal|config_fix)\./.test(event));
  await lane.rows(
    workspace,
    `INSERT INTO webhooks (workspace_id, id, sealed, has_secret, events, created_at, changed_at)
     VALUES ($1, 'hook', ''::bytea, false, $2, now(), now())`,
    [workspace, events],
  );
  return workspace;
}

/** What it was told, in order. */
export async function told(lane: ProposalLane, { workspace }: Waiting): Promise<string[]> {
  const rows = await lane.rows<{ type: string }>(
    workspace,
    'SELECT type FROM deliveries ORDER BY n',
  );
  return rows.map(({ type }) => type);
}

/** The proposal of a fix for a step that has failed three times. */
export async function fixFor(lane: ProposalLane, workspace: string): Promise<Waiting> {
  await fileMany(lane, workspace, 3);
  return await lane.proposed(workspace);
}
