import type { CardScope } from '../contracts/card';
import type { Policy } from '../contracts/policy';
import type { ArchiveChange, CardVersions, MergeChange } from '../contracts/proposal';
import { durationMs } from '../domain/durations';
import { type DuplicateGroup, duplicateGroups } from '../domain/near-duplicates';
import { contradictionsToOpen, openContradictions } from './card-writes-contradicted';
import type { Tx } from './database';
import type { WrittenEdge } from './edge-writes';
import { alikePairs } from './filing-duplicates';
import { type FadingRule, fadingCards } from './filing-fading';
import { openProposalFor } from './proposal-opening';

/** What was asked of a person: the proposal, and the cards that it is about; in a dry run no proposal. */
export interface Asked {
  proposal: string | null;
  cards: string[];
}

/** A month's look at a workspace. */
export interface Look {
  policy: Policy;
  now: Date;
  /** `2026-11` */
  month: string;
  dryRun: boolean;
}

/** As many as one proposal names: a person has to be able to look through them. */
const MOST_ARCHIVED = 200;
const MOST_MERGED = 50;
const DAY_MS = 86_400_000;

export function fadingRule({ recalibration }: Policy): FadingRule {
  const unusedDays = Math.floor(durationMs(recalibration.archive_unused) / DAY_MS);
  return { unusedDays, below: recalibration.archive_below };
}

/** Asks once a month and scope whether what nobody uses may be archived. @returns null where nothing is asked */
export async function proposeArchive(
  tx: Tx,
  scope: CardScope,
  { policy, now, month, dryRun }: Look,
  most: number,
): Promise<Asked | null> {
  const matter = `archive:${scope.type}:${scope.id}:${month}`;
  if (await wasAsked(tx, matter)) return null;
  const rule = fadingRule(policy);
  const cards = await fadingCards(tx, scope, rule, { now, limit: Math.min(MOST_ARCHIVED, most) });
  if (cards.length === 0) return null;
  const ids = cards.map(({ id }) => id);
  if (dryRun) return { proposal: null, cards: ids };
  const change: ArchiveChange = { card_ids: ids, card_versions: versionsOf(cards) };
  const opened = await openProposalFor(tx, {
    ...BY_RULE,
    type: 'archive',
    matter,
    team: teamOf(scope),
    title: `Archive ${counted(ids.length)} of ${scope.type} ${scope.id} that nobody uses`,
    summary:
      `None was used for ${rule.unusedDays} days or more, and the confidence of each has fallen below ` +
      `${rule.below}. Archived cards leave every recall. Reject to keep them; they are not proposed again until ` +
      'they are used or changed.',
    evidence: ids,
    change,
    now,
  });
  return opened.isNew ? { proposal: opened.id, cards: ids } : null;
}

/** Asks for each group of near-duplicates of a scope whether they may be one. */
export async function proposeMerges(
  tx: Tx,
  scope: CardScope,
  { policy, now, dryRun }: Look,
  most: number,
): Promise<Asked[]> {
  const similarity = policy.recalibration.duplicate_similarity;
  const { cards, pairs } = await alikePairs(tx, scope, similarity, now);
  const asked: Asked[] = [];
  let left = most;
  for (const group of duplicateGroups(cards, pairs)) {
    const merge = group.merge.slice(0, Math.min(MOST_MERGED, left) - 1);
    if (merge.length === 0) break;
    const one = await proposeMerge(tx, scope, { ...group, merge }, { similarity, now, dryRun });
    if (one === null) continue;
    asked.push(one);
    left -= one.cards.length;
  }
  return asked;
}

async function proposeMerge(
  tx: Tx,
  scope: CardScope,
  { keep, merge }: DuplicateGroup,
  { similarity, now, dryRun }: { similarity: number; now: Date; dryRun: boolean },
): Promise<Asked | null> {
  const ids = [keep.id, ...merge.map(({ id }) => id)];
  if (dryRun) return { proposal: null, cards: ids };
  const change: MergeChange = {
    keep: keep.id,
    merge: ids.slice(1),
    card_versions: versionsOf([keep, ...merge]),
  };
  const opened = await openProposalFor(tx, {
    ...BY_RULE,
    type: 'merge',
    matter: `merge:${keep.id}`,
    team: teamOf(scope),
    title: `Merge ${counted(ids.length)} of ${scope.type} ${scope.id} that say nearly the same`,
    summary:
      `Each is alike the first of the evidence by ${similarity} or more, and the same readers see them. Approve to ` +
      'keep the first in the place of the others, or reject where they are to stay apart.',
    evidence: ids,
    change,
    now,
  });
  return opened.isNew ? { proposal: opened.id, cards: ids } : null;
}

/**
 * Asks again about the next conflicts between cards in use that no rule settles and nobody decided: what a person
 * decided is no conflict any more, and of one that waits nothing is written.
 * @param after the last edge that was looked at
 */
export async function askAgain(
  tx: Tx,
  { now, dryRun }: Look,
  { after, limit }: { after: string; limit: number },
): Promise<{ asked: Asked[]; next: string | null }> {
  const edges = await tx.query<WrittenEdge & { id: string }>(
    `SELECT id, type, from_card, to_card, confidence
       FROM edges
      WHERE workspace_id = $1 AND type = 'conflicts' AND id > $2
      ORDER BY id
      LIMIT $3`,
    [tx.workspace, after, limit],
  );
  const asked: Asked[] = dryRun
    ? (await contradictionsToOpen(tx, edges)).map((cards) => ({ proposal: null, cards }))
    : await openContradictions(tx, edges, now);
  return { asked, next: edges.length < limit ? null : (edges.at(-1)?.id ?? null) };
}

/** In whatever way it ended. */
async function wasAsked(tx: Tx, matter: string): Promise<boolean> {
  const { asked } = await tx.one<{ asked: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM proposals WHERE workspace_id = $1 AND matter = $2) AS asked',
    [tx.workspace, matter],
  );
  return asked;
}

const BY_RULE = {
  draftedBy: 'rule',
  proposedBy: { kind: 'system', id: 'recalibration' },
  channel: 'workflow',
} as const;

function versionsOf(cards: readonly { id: string; version: number }[]): CardVersions {
  return Object.fromEntries(cards.map(({ id, version }) => [id, version]));
}

function teamOf(scope: CardScope): string | null {
  return scope.type === 'team' ? scope.id : null;
}

function counted(cards: number): string {
  return cards === 1 ? '1 card' : `${cards} cards`;
}
