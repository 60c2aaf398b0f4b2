import type {
  Proposal,
  ProposalDecision,
  ProposalStatus,
  ProposalType,
} from '../contracts/proposal';
import type { Tx } from './database';
import { countCapped, type Slice } from './paging';

/** A proposal as it is kept: with all of its evidence, whoever may see which of it. */
export interface KeptProposal extends Omit<Proposal, 'summary' | 'decisions'> {
  summary: string;
  /** Of whoever asked for it, redacted. */
  asked_because: string | null;
}

/** Which proposals a reader may know of at all. */
export interface ProposalReader {
  /** Only those that this principal proposed; null for the people of the staff. */
  proposer: { kind: string; id: string } | null;
  /** And configuration fixes, whoever proposed them: for runtimes. */
  fixesToo: boolean;
}

export interface ProposalFilter {
  status: readonly ProposalStatus[] | null;
  type: readonly ProposalType[] | null;
  team: string | null;
  /** In its evidence. */
  card: string | null;
}

const SELECT = `SELECT p.id, p.type, p.status, p.version, p.title, p.summary, p.drafted_by, p.team_id AS team,
                       p.evidence, p.change, p.created_at, p.expires_at, p.closed_at, p.reminders, p.operation_id,
                       p.workflow_id, p.run_id, r.text AS asked_because,
                       jsonb_build_object('kind', p.proposed_by_kind, 'id', p.proposed_by) AS proposed_by
                  FROM proposals p
                  LEFT JOIN reasons r ON r.workspace_id = p.workspace_id AND r.id = p.change ->> 'reason_id'
                 WHERE p.workspace_id = $1
                   AND ($2::text IS NULL OR (p.proposed_by_kind = $2 AND p.proposed_by = $3)
                        OR ($4 AND p.type = 'config_fix'))`;

function valuesOf(tx: Tx, { proposer, fixesToo }: ProposalReader): unknown[] {
  return [tx.workspace, proposer?.kind ?? null, proposer?.id ?? null, fixesToo];
}

/** @returns null for one that is not there and for one that the reader may not know of */
export async function readProposal(
  tx: Tx,
  reader: ProposalReader,
  id: string,
): Promise<KeptProposal | null> {
  const [row] = await tx.query<KeptProposal>(`${SELECT} AND p.id = $5`, [
    ...valuesOf(tx, reader),
    id,
  ]);
  return row ?? null;
}

/** Newest first. `proposals_by_creation` is read as it lies: by time downwards, by id upwards. */
export async function listProposals(
  tx: Tx,
  reader: ProposalReader,
  filter: ProposalFilter,
  page: { after: readonly [string, string] | null; limit: number },
): Promise<Slice<KeptProposal>> {
  const matching = `${SELECT}
       AND ($5::text[] IS NULL OR p.status = ANY ($5))
       AND ($6::text[] IS NULL OR p.type = ANY ($6))
       AND ($7::text IS NULL OR p.team_id = $7)
       AND ($8::text[] IS NULL OR p.evidence @> $8)`;
  const { status, type, team, card } = filter;
  const values = [...valuesOf(tx, reader), status, type, team, card === null ? null : [card]];
  const rows = await tx.query<KeptProposal>(
    `${matching}
       AND ($9::timestamptz IS NULL OR p.created_at <= $9)
       AND ($9::timestamptz IS NULL OR p.created_at < $9 OR p.id > $10)
     ORDER BY p.created_at DESC, p.id
     LIMIT $11`,
    [...values, page.after?.[0] ?? null, page.after?.[1] ?? null, page.limit + 1],
  );
  return { rows, total: await countCapped(tx, matching, values) };
}

/** The decisions that counted, by proposal, the first one first; a refused one stands in the audit. */
export async function decisionsOf(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, ProposalDecision[]>> {
  const rows = await tx.query<ProposalDecision & { proposal_id: string }>(
    `SELECT d.proposal_id, d.by_person AS by, d.decision, d.reason_code, d.channel, d.version, d.at, r.text AS reason
       FROM proposal_decisions d
       LEFT JOIN reasons r ON r.workspace_id = d.workspace_id AND r.id = d.reason_id
      WHERE d.workspace_id = $1 AND d.proposal_id = ANY ($2) AND d.outcome = 'taken'
      ORDER BY d.at, d.id`,
    [tx.workspace, ids],
  );
  const decisions = new Map<string, ProposalDecision[]>();
  for (const { proposal_id, ...decision } of rows) {
    decisions.set(proposal_id, [...(decisions.get(proposal_id) ?? []), decision]);
  }
  return decisions;
}
