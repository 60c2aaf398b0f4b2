import { log } from '@temporalio/activity';
import type { Clock } from '../contracts/clock';
import type { SweepBatch, SweepCounts } from '../contracts/messages';
import { embedWorkflowId, redistillWorkflowId } from '../contracts/workflow-ids';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import { DETECTORS_VERSION } from '../redaction/detectors';
import { startSealing } from '../store/audit-seal-starts';
import { clearIdleBoards } from '../store/blackboard';
import { restartCompactions } from '../store/compactions-left-behind';
import { forgetEndedSessions } from '../store/console-sessions';
import { type Database, isUnavailable, type Tx } from '../store/database';
import { forgetOldDeliveries } from '../store/deliveries';
import { restartErasures } from '../store/erasure-requests';
import {
  forgetOldKeys,
  restartLeftBehind,
  startLateVectors,
  startRedistilling,
  workspacesAfter,
} from '../store/filing-left-behind';
import { startQuietReflections } from '../store/filing-quiet';
import { restartFollowUps } from '../store/follow-ups-left-behind';
import { forgetImports, restartImports } from '../store/imports-left-behind';
import { restartProposals } from '../store/proposals-left-behind';
import { startReembedding } from '../store/reembed-starts';
import { startDueRescan } from '../store/rescans';
import { whileHeartbeating } from './heartbeat';

export interface SweepDependencies {
  database: Database;
  clock: Clock;
  embedder: Pick<Embedder, 'id'>;
  /** A model is configured: without one no card waits for it. */
  hasModel: boolean;
}

export interface SweepActivities {
  /** Sweeps the next workspaces, a transaction each. Doing it again changes nothing. */
  sweepWorkspaces(input: { after: string }): Promise<SweepBatch>;
}

/** A workspace with nothing to do costs a dozen indexed reads and two for each scope, a few milliseconds. */
const BATCH = 100;

export const NOTHING_SWEPT: SweepCounts = {
  workspaces: 0,
  restarted: 0,
  embeds: 0,
  redistills: 0,
  reembeds: 0,
  seals: 0,
  proposals: 0,
  reflections: 0,
  compactions: 0,
  erasures: 0,
  rescans: 0,
  imports: 0,
  follow_ups: 0,
  forgotten: 0,
  failed: 0,
};

export function createSweepActivities(deps: SweepDependencies): SweepActivities {
  const { database, clock, embedder, hasModel } = deps;
  return {
    sweepWorkspaces: ({ after }) =>
      whileHeartbeating(async (signal) => {
        const ids = await database.acrossWorkspaces((tx) => workspacesAfter(tx, after, BATCH));
        const counts = { ...NOTHING_SWEPT };
        for (const id of ids) {
          signal.throwIfAborted();
          counts.workspaces += 1;
          try {
            await sweepOne(id, counts);
          } catch (error) {
            if (isUnavailable(error)) throw error;
            // The others are not to suffer for it.
            counts.failed += 1;
            log.error('a workspace could not be swept', { step: kindOf(error) });
          }
        }
        return { ...counts, next: ids.length < BATCH ? null : (ids.at(-1) ?? null) };
      }),
  };

  async function sweepOne(id: string, counts: SweepCounts): Promise<void> {
    await database.inWorkspace(id, async (tx) => {
      const now = clock();
      const restarted = await restartLeftBehind(tx, now);
      const embeds = await startLateVectors(tx, embedWorkflowId(id), now);
      const redistills = hasModel && (await startRedistilling(tx, redistillWorkflowId(id), now));
      const reembeds = makesVectors(embedder) && (await reembedding(tx, now));
      const seals = await startSealing(tx, now);
      const proposals = await restartProposals(tx, now);
      const reflections = await startQuietReflections(tx, now);
      const compactions = await restartCompactions(tx, now);
      const erasures = await restartErasures(tx, now);
      const rescans = await startDueRescan(tx, DETECTORS_VERSION, now);
      const imports = await restartImports(tx, now);
      const followUps = await restartFollowUps(tx, now);
      const forgotten =
        (await forgetOldKeys(tx, now)) +
        (await forgetOldDeliveries(tx, now)) +
        (await forgetEndedSessions(tx, now)) +
        (await clearIdleBoards(tx, now)) +
        (await forgetImports(tx, now));
      counts.restarted += restarted;
      counts.embeds += Number(embeds);
      counts.redistills += Number(redistills);
      counts.reembeds = (counts.reembeds ?? 0) + Number(reembeds);
      counts.seals = (counts.seals ?? 0) + Number(seals);
      counts.proposals = (counts.proposals ?? 0) + proposals;
      counts.reflections = (counts.reflections ?? 0) + reflections;
      counts.compactions = (counts.compactions ?? 0) + compactions;
      counts.erasures = (counts.erasures ?? 0) + erasures;
      counts.rescans = (counts.rescans ?? 0) + rescans;
      counts.imports = (counts.imports ?? 0) + imports;
      counts.follow_ups = (counts.follow_ups ?? 0) + followUps;
      counts.forgotten += forgotten;
    });
  }

  /** @returns whether vectors are to be another model's */
  async function reembedding(tx: Tx, now: Date): Promise<boolean> {
    const { state } = await startReembedding(tx, embedder.id, 'sweep', now);
    return state === 'shadowing' || state === 'clearing';
  }
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : 'unknown';
}
