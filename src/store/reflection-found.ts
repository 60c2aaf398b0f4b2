import type { JsonObject } from '../contracts/event';
import type { Candidate } from '../domain/reflection/candidate';
import type { Tx } from './database';
import type { FoundBy } from './reflections';
import { keepDraft, readDraft } from './run-drafts';

/** What became of a candidate. */
export type JudgedAs = 'approved' | 'rejected' | 'escalated' | 'known' | 'moved' | 'gone';

/** What was found in one batch, on its way through the gate. */
export interface Found extends FoundBy {
  candidates: Candidate[];
  /** What became of each; a judgement that is tried again finds it here. */
  judged: JudgedAs[];
  /** What it cost; a call that is tried again after it was answered is not paid twice. */
  calls: number;
  tokens: number;
  /** A code, where the model's answer was of no use. */
  useless: string | null;
}

const partOf = (batch: number) => `found/${String(batch).padStart(4, '0')}`;

export async function keepFound(
  tx: Tx,
  operationId: string,
  batch: number,
  found: Found,
  now: Date,
): Promise<void> {
  const sources = [...new Set(found.candidates.flatMap((one) => one.sources))].sort();
  const draft = found as unknown as JsonObject;
  await keepDraft(tx, operationId, { part: partOf(batch), sources, draft }, now);
}

/** @returns null where nothing was found yet, or a card that it rests on was erased. */
export async function readFound(tx: Tx, operationId: string, batch: number): Promise<Found | null> {
  return await readDraft<Found>(tx, operationId, partOf(batch));
}

/** All of it is judged: what a dry run would write stays beside it, for whoever looks at that. */
export async function dropFound(tx: Tx, operationId: string): Promise<void> {
  await tx.query(
    `DELETE FROM run_drafts WHERE workspace_id = $1 AND run_id = $2 AND part LIKE 'found/%'`,
    [tx.workspace, operationId],
  );
}
