import type { ErasureStage } from '../contracts/erasure';
import { eraseCards } from './card-writes-erased';
import { rewriteDerived } from './card-writes-erased-again';
import { followItems } from './card-writes-erased-followed';
import { type FoundPage, findBeside, findCards, findEvents } from './card-writes-erased-found';
import { judgeOpen, leaveHeld } from './card-writes-erased-judged';
import { eraseMentions } from './card-writes-erased-mentions';
import { eraseTasks, relabelTasks } from './card-writes-erased-tasks';
import type { Tx } from './database';
import { eraseEntries } from './erasure-blackboard';
import { eraseConversations, erasePendingWrites } from './erasure-conversations';
import { eraseNames, eraseSessions } from './erasure-directory';
import { eraseEvents } from './erasure-events';
import { leaveHeldNames } from './erasure-held-names';
import { eraseProposals } from './erasure-proposals';
import { AT_THE_BEGINNING, type ErasureRun, type StagePosition } from './erasure-runs';
import type { ErasureWalk, WalkBatch } from './erasure-walk';

/** What one transaction of a stage did, and where it goes on; null where the stage is over. */
export interface StageStep {
  touched: number;
  purged: Record<string, number>;
  next: StagePosition | null;
}

type Part = (tx: Tx, walk: ErasureWalk, position: StagePosition) => Promise<StageStep>;

/** One transaction of a stage: bounded, and done again it finds done what is done. */
export async function stageStep(
  tx: Tx,
  run: Pick<ErasureRun, 'position'>,
  walk: ErasureWalk,
  stage: ErasureStage,
): Promise<StageStep> {
  const position = run.position[stage] ?? AT_THE_BEGINNING;
  const parts = PARTS[stage];
  const part = parts[position.part];
  if (part === undefined) return { touched: 0, purged: {}, next: null };
  const step = await part(tx, walk, position);
  if (step.next !== null) return { ...step, next: { ...step.next, part: position.part } };
  const isLast = position.part + 1 >= parts.length;
  return { ...step, next: isLast ? null : { part: position.part + 1, after: '' } };
}

const paged =
  (find: (tx: Tx, erasureId: string, after: string) => Promise<FoundPage>): Part =>
  async (tx, { erasureId }, { after }) => {
    const { found, next } = await find(tx, erasureId, after);
    return { touched: found, purged: {}, next: next === null ? null : { part: 0, after: next } };
  };

const batched =
  (erase: (tx: Tx, walk: ErasureWalk) => Promise<WalkBatch>): Part =>
  async (tx, walk) => {
    const { more, ...done } = await erase(tx, walk);
    return { ...done, next: more ? AT_THE_BEGINNING : null };
  };

const PARTS: Readonly<Record<ErasureStage, readonly Part[]>> = {
  find: [paged(findEvents), paged(findCards), paged(findBeside)],
  follow: [
    async (tx, { erasureId }) => {
      const touched = await followItems(tx, erasureId);
      return { touched, purged: {}, next: touched === 0 ? null : AT_THE_BEGINNING };
    },
  ],
  judge: [
    async (tx, { erasureId }) => {
      await leaveHeld(tx, erasureId);
      await leaveHeldNames(tx, erasureId);
      return { touched: 0, purged: {}, next: null };
    },
    async (tx, { erasureId }, position) => ({
      ...(await judgeOpen(tx, erasureId, position)),
      purged: {},
    }),
  ],
  rederive: [batched(relabelTasks), batched(rewriteDerived)],
  // Events first: what is counted of them is said again while the card that said it is there.
  purge: [
    batched(eraseProposals),
    batched(eraseEvents),
    batched(eraseCards),
    batched(eraseConversations),
    batched(erasePendingWrites),
  ],
  directory: [
    batched(eraseEntries),
    batched(eraseSessions),
    batched(eraseTasks),
    batched(eraseNames),
    batched(eraseMentions),
  ],
};
