import { durationMs } from '../domain/durations';
import { readersOf } from '../domain/learning/same-readers';
import { readSources } from './card-writes-episodes';
import { fileLearned } from './card-writes-learned';
import type { Tx } from './database';
import { keepLearned, type LearnedDraft, readLearned } from './learned-drafts';
import type { LearnedFiling } from './learned-world';
import type { Approval, Effect, NotApplied } from './proposal-effects';
import { REFLECTED_EFFECT } from './proposal-effects-reflected';
import { type ProposalRow, setProposal } from './proposal-row';
import { dropDrafts } from './run-drafts';

/** Of a skill that a task taught: its words stand with the run, where they can be erased. */
interface LearnedChange {
  run_id: string;
  nearest: LearnedFiling['nearest'];
  card_versions: Record<string, number>;
}

/** A skill waits for a person from two sides: what a task taught, and what a reflection found. */
export const SKILL_EFFECT: Effect = {
  approve: async (tx, row, approval) =>
    isLearned(row)
      ? await approveLearned(tx, row, approval)
      : await REFLECTED_EFFECT.approve(tx, row, approval),
  reject: async (tx, row, step) => {
    if (!isLearned(row)) return await REFLECTED_EFFECT.reject(tx, row, step);
    await dropDrafts(tx, changeOf(row).run_id);
    return { status: 'rejected', fixId: null };
  },
};

function isLearned({ change }: ProposalRow): boolean {
  return 'run_id' in change;
}

function changeOf({ change }: ProposalRow): LearnedChange {
  return change as unknown as LearnedChange;
}

/**
 * As if the gate had approved it: by the same compare-and-set. Where a card that it was learned from has another
 * version, it is put to people again with that; where one is gone, or the skill that it belonged to, it lapses.
 */
async function approveLearned(tx: Tx, row: ProposalRow, approval: Approval) {
  const { run_id: operationId, nearest } = changeOf(row);
  const filed = await fileLearned(tx, {
    operationId,
    nearest,
    workflowId: approval.workflowId,
    runId: null,
    now: approval.at,
    // Whoever has no embedder finds nothing to embed.
    makesVectors: true,
    approved: true,
  });
  if (filed.learned !== 'moved') {
    await dropDrafts(tx, operationId);
    return { status: 'applied' as const, fixId: null };
  }
  return await again(tx, row, approval, filed.reason);
}

async function again(
  tx: Tx,
  row: ProposalRow,
  { at, policy }: Approval,
  reason: string | null,
): Promise<NotApplied> {
  const change = changeOf(row);
  const draft = await readLearned(tx, change.run_id);
  const now =
    draft === null || reason !== 'sources_moved'
      ? null
      : await versionsNow(tx, draft, at, durationMs(policy.resolve.tie));
  if (draft === null || now === null) {
    return { refusal: 'world_changed', row: await setProposal(tx, row, { status: 'lapsed', at }) };
  }
  const sources = draft.sources.map((source) => ({ ...source, version: now[source.id] ?? 0 }));
  await keepLearned(tx, change.run_id, { ...draft, sources }, at);
  const shown = { ...change, card_versions: now };
  const version = row.version + 1;
  const next = {
    status: row.status,
    version,
    change: shown as unknown as ProposalRow['change'],
    at,
  };
  return { refusal: 'world_changed', row: await setProposal(tx, row, next) };
}

/** Null where one of them is gone, out of use or has other readers. */
async function versionsNow(
  tx: Tx,
  { sources }: LearnedDraft,
  now: Date,
  tieMs: number,
): Promise<Record<string, number> | null> {
  const cards = await readSources(
    tx,
    sources.map(({ id }) => id),
    { now, tieMs },
  );
  const versions: Record<string, number> = {};
  for (const { id, readers } of sources) {
    const card = cards.get(id);
    if (card === undefined || !IN_USE.includes(card.status) || readersOf(card) !== readers)
      return null;
    versions[id] = card.version;
  }
  return versions;
}

const IN_USE = ['pending', 'active', 'validated'];
