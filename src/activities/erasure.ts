import type { Clock } from '../contracts/clock';
import {
  type EraseInput,
  type EraseResult,
  type ErasureBatch,
  type ErasureBatchInput,
  type ErasureBegun,
  type ErasureRound,
  type ErasureSearched,
  NO_ERASURE_COUNTS,
} from '../contracts/erasure';
import { workspaceHasher } from '../intake/hashing';
import { tombstoneHash } from '../intake/tombstone-hash';
import type { Embedder } from '../models/embedder';
import { makesVectors } from '../models/no-embedder';
import type { Database, Tx } from '../store/database';
import {
  besideErasure,
  closeErasure,
  dropReason,
  finalCounts,
  keepPlaces,
  readToClose,
  statusOf,
} from '../store/erasure-ending';
import {
  beginErasureRun,
  beginRound,
  type ErasureRun,
  holdErasure,
  isAlone,
  isOpen,
  keepProgress,
  withPurged,
} from '../store/erasure-runs';
import { stageStep } from '../store/erasure-stages';
import type { ErasureWalk } from '../store/erasure-walk';
import { readErasure } from '../store/erasures-read';
import { tombstonesOf } from '../store/tombstones';
import type { ErasureVerifying } from './erasure-verifying';
import { executionOf } from './execution';
import { permanent } from './failure';
import { whileHeartbeating } from './heartbeat';

export interface ErasureDependencies {
  database: Database;
  clock: Clock;
  embedder: Embedder;
  secretKey: string;
  verifying: ErasureVerifying;
}

/** Each may be tried again: what is done is found done. */
export interface ErasureActivities {
  /** Its row runs from now on; of one that has ended it says so. */
  beginErasure(input: EraseInput): Promise<ErasureBegun>;
  /** Another walk begins at its beginning. */
  beginErasureRound(input: EraseInput): Promise<ErasureRound>;
  /** Goes on with a stage for some seconds, a bounded transaction at a time. */
  eraseBatch(input: ErasureBatchInput): Promise<ErasureBatch>;
  /** Looks for what is gone in every durable place, and keeps what was found where. */
  searchErased(input: EraseInput): Promise<ErasureSearched>;
  /** Signs the receipt; what stood in clear goes with it. */
  closeErasure(input: EraseInput): Promise<EraseResult>;
  /** The bytes of what stood in clear. */
  forgetErasure(input: EraseInput): Promise<void>;
}

/** Short enough that a worker which is told to stop has ended by its grace time. */
const SECONDS_A_BATCH = 5;

export function createErasureActivities(deps: ErasureDependencies): ErasureActivities {
  const { database, clock, verifying } = deps;

  const walkOf = (workspace: string, run: ErasureRun): ErasureWalk => {
    const hasher = workspaceHasher(deps.secretKey, workspace);
    return {
      erasureId: run.id,
      workflowId: run.workflow_id,
      now: clock(),
      at: new Date(run.requested_at),
      hash: (kind, id) => tombstoneHash(hasher, kind, id),
      makesVectors: makesVectors(deps.embedder),
    };
  };

  const step = (input: ErasureBatchInput): Promise<ErasureBatch> =>
    database.inWorkspace(input.workspace, async (tx) => {
      const run = await openErasure(tx, input);
      if (run === null) return { more: false, touched: 0 };
      const { touched, purged, next } = await stageStep(
        tx,
        run,
        walkOf(input.workspace, run),
        input.stage,
      );
      const position = {
        ...run.position,
        [input.stage]: next ?? { part: Number.MAX_SAFE_INTEGER, after: '' },
      };
      await keepProgress(tx, { id: run.id, position, counts: withPurged(run.counts, purged) });
      return { more: next !== null, touched };
    });

  return {
    beginErasure: ({ workspace, erasure_id }) =>
      database.inWorkspace(workspace, async (tx) => {
        const run = await holdErasure(tx, erasure_id);
        if (run === null) throw permanent('erasure_missing');
        if (!isOpen(run)) return { open: false, dry_run: run.dry_run };
        await beginErasureRun(tx, run, { runId: executionOf().runId, now: clock() });
        return { open: true, dry_run: run.dry_run };
      }),

    beginErasureRound: ({ workspace, erasure_id }) =>
      database.inWorkspace(workspace, async (tx) => ({
        alone: await isAlone(tx, erasure_id, clock()),
        round: await beginRound(tx, erasure_id),
      })),

    eraseBatch: (input) =>
      whileHeartbeating(async (signal) => {
        const until = performance.now() + SECONDS_A_BATCH * 1_000;
        const done: ErasureBatch = { more: true, touched: 0 };
        while (done.more && performance.now() < until) {
          signal.throwIfAborted();
          const { more, touched } = await step(input);
          done.more = more;
          done.touched += touched;
        }
        return done;
      }),

    searchErased: (input) =>
      whileHeartbeating(async (signal) => {
        const { workspace, erasure_id } = input;
        const run = await database.inWorkspace(workspace, async (tx) => {
          await dropReason(tx, erasure_id);
          return await openErasure(tx, input);
        });
        if (run === null) return { found: 0 };
        const requestedAt = new Date(run.requested_at);
        const places = await verifying.verify({ workspace, erasure_id, requestedAt }, () =>
          signal.throwIfAborted(),
        );
        await database.inWorkspace(workspace, (tx) => keepPlaces(tx, erasure_id, places));
        return { found: places.reduce((sum, { found }) => sum + found, 0) };
      }),

    closeErasure: (input) =>
      database.inWorkspace(input.workspace, async (tx) => {
        const run = await holdErasure(tx, input.erasure_id);
        if (run === null) throw permanent('erasure_missing');
        if (isOpen(run)) await close(tx, input.workspace, run);
        return await resultOf(tx, input.erasure_id);
      }),

    forgetErasure: () => whileHeartbeating(() => verifying.forget()),
  };

  async function close(tx: Tx, workspace: string, run: ErasureRun): Promise<void> {
    const { named, places, legal_basis: legalBasis, rounds } = await readToClose(tx, run.id);
    const now = clock();
    const counts = await finalCounts(tx, run);
    const status = statusOf(counts, places);
    const buried = await tombstonesOf(tx, run.id);
    const beside = await besideErasure(tx, run.id);
    const receipt = run.dry_run
      ? null
      : verifying.receipt({
          erasure: {
            ...{ id: run.id, workspace, requestedAt: new Date(run.requested_at) },
            ...{ selector: named, legalBasis, counts, status, beside },
          },
          tombstones: buried.map(({ kind, hash }) => ({ kind, hash: hash.toString('hex') })),
          places,
          verifiedAt: now,
        });
    const { workflowId } = executionOf();
    await closeErasure(tx, run, { status, counts, receipt, rounds, workflowId, now });
  }
}

/** @returns null where it has ended: another execution of its workflow came first */
async function openErasure(tx: Tx, { erasure_id }: EraseInput): Promise<ErasureRun | null> {
  const run = await holdErasure(tx, erasure_id);
  if (run === null) throw permanent('erasure_missing');
  return isOpen(run) ? run : null;
}

async function resultOf(tx: Tx, id: string): Promise<EraseResult> {
  const erasure = await readErasure(tx, id, null);
  if (erasure === null) throw permanent('erasure_missing');
  const { status, dry_run, counts } = erasure;
  const { rounds } = await readToClose(tx, id);
  return { erasure_id: id, status, dry_run, rounds, counts: { ...NO_ERASURE_COUNTS, ...counts } };
}
