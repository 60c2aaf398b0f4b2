import { type CardStatus, RECALLED_STATUSES } from '../contracts/names';
import type { ContradictionChange } from '../contracts/proposal';
import { durationMs } from '../domain/durations';
import { type ConflictCard, verdict } from '../domain/resolve';
import { writeAudit } from './audit';
import { changeCard } from './card-edits';
import type { Tx } from './database';
import type { WrittenEdge } from './edge-writes';
import type { Approval, Effect } from './proposal-effects';
import { type OpenedProposal, openProposalFor } from './proposal-opening';
import { type ProposalRow, setProposal } from './proposal-row';
import { policyOf } from './settings';

/** One side of a contradiction, as far as it decides it and names it. */
type Side = ConflictCard & {
  version: number;
  status: CardStatus;
  service: string | null;
  operation: string | null;
  key: string | null;
};

/** @param hold whether nobody may change them until the transaction ends */
async function sidesOf(tx: Tx, ids: readonly string[], hold: boolean): Promise<Map<string, Side>> {
  const rows = await tx.query<Side>(
    `SELECT c.id, c.sign, c.status, c.valid_from, c.trust, c.confidence, c.version, c.service, c.operation, c.key
       FROM cards c
      WHERE c.workspace_id = $1 AND c.id = ANY ($2) AND c.status = ANY ($3)
      ORDER BY c.id${hold ? ' FOR UPDATE' : ''}`,
    [tx.workspace, ids, RECALLED_STATUSES],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Asks a person about each new conflict that no rule settles (design §7), in the transaction that drew its
 * edge. A pair that a person has called none is not asked about again.
 * @returns the proposals that were opened; of a pair that waits already there is none
 */
export async function openContradictions(
  tx: Tx,
  edges: readonly WrittenEdge[],
  now: Date,
): Promise<{ proposal: string; cards: [string, string] }[]> {
  const opened: { proposal: string; cards: [string, string] }[] = [];
  for (const [winner, loser] of await unsettledConflicts(tx, edges)) {
    const { id, isNew } = await openContradiction(tx, winner, loser, now);
    if (isNew) opened.push({ proposal: id, cards: [winner.id, loser.id] });
  }
  return opened;
}

/** What `openContradictions` would ask about, and does not yet. */
export async function contradictionsToOpen(
  tx: Tx,
  edges: readonly WrittenEdge[],
): Promise<[string, string][]> {
  const pairs = await unsettledConflicts(tx, edges);
  const waiting = await tx.query<{ matter: string }>(
    `SELECT p.matter FROM proposals p
      WHERE p.workspace_id = $1 AND p.matter = ANY ($2) AND p.status IN ('open', 'reopened')`,
    [tx.workspace, pairs.map(matterOf)],
  );
  const open = new Map(pairs.map((pair) => [matterOf(pair), pair]));
  for (const { matter } of waiting) open.delete(matter);
  return [...open.values()].map(([winner, loser]) => [winner.id, loser.id]);
}

/** Of these conflicts, those between cards in use that no rule settles: who shows meanwhile, and the other. */
export async function unsettledConflicts(
  tx: Tx,
  edges: readonly Pick<WrittenEdge, 'type' | 'from_card' | 'to_card'>[],
): Promise<[Side, Side][]> {
  const conflicts = edges.filter((edge) => edge.type === 'conflicts');
  if (conflicts.length === 0) return [];
  const policy = await policyOf(tx);
  const tie = durationMs(policy.resolve.tie);
  const ends = new Set(conflicts.flatMap((edge) => [edge.from_card, edge.to_card]));
  const sides = await sidesOf(tx, [...ends], false);
  const open: [Side, Side][] = [];
  for (const { from_card, to_card } of conflicts) {
    const [one, other] = [sides.get(from_card), sides.get(to_card)];
    if (one === undefined || other === undefined) continue;
    const result = verdict(one, other, tie);
    if (result.open) open.push([sideOf(sides, result.winner), sideOf(sides, result.loser)]);
  }
  return open;
}

function matterOf([winner, loser]: readonly [Side, Side]): string {
  return `contradiction:${[winner.id, loser.id].sort().join('/')}`;
}

/**
 * Asks again where a card is in use again: a proposal that lapsed since one of its sides was out of use had
 * no answer. Of one that waits still nothing is written.
 */
export async function reopenContradictions(tx: Tx, card: string, now: Date): Promise<void> {
  const edges = await tx.query<WrittenEdge>(
    `SELECT id, type, from_card, to_card, confidence FROM edges
      WHERE workspace_id = $1 AND from_card = $2 AND type = 'conflicts'
     UNION ALL
     SELECT id, type, from_card, to_card, confidence FROM edges
      WHERE workspace_id = $1 AND to_card = $2 AND type = 'conflicts'`,
    [tx.workspace, card],
  );
  await openContradictions(tx, edges, now);
}

function sideOf(sides: ReadonlyMap<string, Side>, { id }: ConflictCard): Side {
  const side = sides.get(id);
  if (side === undefined) throw new Error('a verdict is about its two sides');
  return side;
}

async function openContradiction(
  tx: Tx,
  winner: Side,
  loser: Side,
  now: Date,
): Promise<OpenedProposal> {
  const change: ContradictionChange = {
    winner: winner.id,
    loser: loser.id,
    card_versions: [winner.version, loser.version],
  };
  return await openProposalFor(tx, {
    type: 'contradiction',
    matter: matterOf([winner, loser]),
    team: null,
    title: `Two cards contradict each other${subjectOf(winner)}`,
    summary:
      'No rule settles it: neither is newer by enough, proven, or surer. The first of the evidence shows ' +
      'meanwhile. Approve to keep it and reject the other, name the other as the winner, or reject where ' +
      'both may stand.',
    draftedBy: 'rule',
    evidence: [winner.id, loser.id],
    change,
    proposedBy: { kind: 'system', id: 'cairn' },
    channel: 'workflow',
    now,
  });
}

/** By labels, which hold no content. */
function subjectOf({ service, operation, key }: Side): string {
  if (service !== null && operation !== null) return ` about ${operation} of ${service}`;
  return key === null ? '' : ` about ${key}`;
}

/**
 * Approved, the losing side is rejected and the other one validated; rejected, they are no conflict, and
 * none will be drawn between them again.
 */
export const CONTRADICTION_EFFECT: Effect = {
  approve: async (tx, row, approval) => {
    const change = row.change as ContradictionChange;
    const [first, second] = change.card_versions;
    const sides = await sidesOf(tx, [change.winner, change.loser], true);
    const [one, other] = [sides.get(change.winner), sides.get(change.loser)];
    if (one === undefined || other === undefined) {
      const { at } = approval;
      return {
        refusal: 'world_changed',
        row: await setProposal(tx, row, { status: 'lapsed', at }),
      };
    }
    if (one.version !== first || other.version !== second) {
      return { refusal: 'world_changed', row: await lookAgain(tx, row, one, other, approval) };
    }
    const takesOther = approval.winner === other.id;
    const [winner, loser] = takesOther ? [other, one] : [one, other];
    const status_before = loser.status;
    await judge(tx, loser, { status: 'rejected', status_before }, 'rejected', approval);
    const validated_at = approval.at.toISOString();
    await judge(tx, winner, { status: 'validated', validated_at }, 'validated', approval);
    return { status: 'applied', fixId: null };
  },

  reject: async (tx, row, { at }) => {
    const { winner, loser } = row.change as ContradictionChange;
    const [one, other] = [winner, loser].sort();
    await tx.query(
      `WITH gone AS (
         DELETE FROM edges
          WHERE workspace_id = $1 AND type = 'conflicts'
            AND ((from_card = $2 AND to_card = $3) OR (from_card = $3 AND to_card = $2))
       )
       INSERT INTO dismissed_conflicts (workspace_id, one_card, other_card, proposal_id, at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT DO NOTHING`,
      [tx.workspace, one, other, row.id, at],
    );
    return { status: 'rejected', fixId: null };
  },
};

async function judge(
  tx: Tx,
  card: Side,
  columns: Parameters<typeof changeCard>[1]['columns'],
  action: 'rejected' | 'validated',
  { request, at, workflowId }: Approval,
): Promise<void> {
  const actor = { kind: 'person', id: request.by };
  const change = { id: card.id, expected: card.version, columns, action, actor, at };
  const version = await changeCard(tx, change);
  if (version === null) throw new Error('a card whose row is held has moved on');
  await writeAudit(tx, {
    at,
    actor,
    action: `card.${action}`,
    target: { type: 'card', id: card.id },
    changed: ['status'],
    versions: [card.version, version],
    channel: 'workflow',
    workflowId,
  });
}

/** One side changed meanwhile: a rule settles it now, or the next version is of the sides as they are. */
async function lookAgain(
  tx: Tx,
  row: ProposalRow,
  one: Side,
  other: Side,
  { at, policy }: Approval,
): Promise<ProposalRow> {
  const result = verdict(one, other, durationMs(policy.resolve.tie));
  if (!result.open) return await setProposal(tx, row, { status: 'lapsed', at });
  const [winner, loser] = result.winner.id === one.id ? [one, other] : [other, one];
  const change: ContradictionChange = {
    winner: winner.id,
    loser: loser.id,
    card_versions: [winner.version, loser.version],
  };
  const evidence = [winner.id, loser.id];
  const version = row.version + 1;
  return await setProposal(tx, row, { status: row.status, version, change, evidence, at });
}
