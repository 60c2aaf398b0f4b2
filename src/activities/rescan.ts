import type { Clock } from '../contracts/clock';
import type {
  RescanAt,
  RescanBatch,
  RescanBatchInput,
  RescanFindings,
  RescanInput,
  RescanPlace,
  RescanProgress,
  RescanResult,
} from '../contracts/rescan';
import { foundIn, leftOf, nextAt } from '../domain/rescan';
import { unhurried } from '../intake/intake';
import { redactionOf } from '../intake/redaction-of';
import { hasSecretIdentifier, repairOf } from '../intake/rescan';
import { addCounts, type RedactionCounts, type RedactionOptions } from '../redaction/scanner';
import type { Database } from '../store/database';
import { type RowToRepair, repairRows } from '../store/rescan-repairing';
import { keyAfter, nextRows, type RescanRow } from '../store/rescan-rows';
import {
  beginRescanRun,
  cancelRescanRun,
  endRescanRun,
  holdRescan,
  noteRescan,
  readRescan,
} from '../store/rescans';
import { readSettings } from '../store/settings';
import { executionOf } from './execution';
import { whileHeartbeating } from './heartbeat';

export interface RescanDependencies {
  database: Database;
  clock: Clock;
  secretKey: string;
}

export interface RescanActivities {
  /** Opens its run. @returns where it goes on: at the beginning, or where a workflow that was lost had come to */
  beginRescan(input: RescanInput): Promise<RescanBatch>;
  /** Looks at the rows of one batch, or repairs them, in one transaction; done again it changes and counts nothing. */
  rescanBatch(input: RescanBatchInput): Promise<RescanBatch>;
  endRescan(input: RescanInput): Promise<RescanResult>;
  /** Says in its run that somebody ended it. */
  cancelRescan(input: RescanInput): Promise<void>;
}

/** What the scanner said of a batch. */
interface Looked {
  next: string | null;
  repairs: RowToRepair[];
  counts: RedactionCounts;
  identifiers: number;
}

export function createRescanActivities(deps: RescanDependencies): RescanActivities {
  const { database, clock, secretKey } = deps;
  return {
    beginRescan: (input) =>
      database.inWorkspace(input.workspace, async (tx) => {
        const progress = await holdRescan(tx, input);
        const isOpen = await beginRescanRun(tx, input, executionOf().runId, clock());
        return { at: isOpen ? (progress?.at ?? null) : null };
      }),

    rescanBatch: (input) => whileHeartbeating(() => batch(input)),

    endRescan: (input) =>
      database.inWorkspace(input.workspace, async (tx) => {
        const progress = await holdRescan(tx, input);
        if (progress === null) throw new Error('a rescan has a row from its beginning on');
        const result = resultOf(progress);
        const isClean = progress.at === null && !progress.dry_run && result.left === 0;
        await endRescanRun(tx, input, { result, places: progress.found, isClean }, clock());
        return result;
      }),

    cancelRescan: (input) =>
      database.inWorkspace(input.workspace, (tx) => cancelRescanRun(tx, input, clock())),
  };

  async function batch(input: RescanBatchInput): Promise<RescanBatch> {
    const { workspace, at } = input;
    const redaction = await optionsOf(workspace);
    const begun = await database.inWorkspace(workspace, async (tx) => {
      const known = await readRescan(tx, input);
      if (known === null || !isSame(known.at, at)) return { at: known?.at ?? null, rows: null };
      return { at, rows: await nextRows(tx, at.place, known.after) };
    });
    // A try that committed and was not heard of.
    const { rows } = begun;
    if (rows === null) return { at: begun.at };
    // Outside of any transaction: a batch of long texts takes the scanner a while.
    const looked = await look(at.place, rows, redaction);
    const { workflowId } = executionOf();
    return await database.inWorkspace(workspace, async (tx) => {
      const progress = await holdRescan(tx, input);
      if (progress === null) return { at: null };
      if (!isSame(progress.at, at)) return { at: progress.at };
      if (at.step === 'repair') {
        const done = await repairRows(tx, at.place, looked.repairs, {
          operationId: input.operation_id,
          workflowId,
          now: clock(),
          repairer: (place, row, known) => repairOf(place, row, redaction, known),
        });
        progress.repaired += done.rows;
        progress.cards += done.cards;
        progress.skipped += done.skipped;
      } else {
        noteLook(progress, at, looked);
      }
      progress.at = nextAt(progress, looked.next !== null);
      progress.after = looked.next ?? '';
      progress.rounds = progress.at?.round ?? progress.rounds;
      // The next look counts anew what is left.
      if (at.step === 'repair' && progress.at?.step === 'look') progress.dirty = {};
      await noteRescan(tx, input, progress, countsOf(progress));
      return { at: progress.at };
    });
  }

  async function optionsOf(workspace: string): Promise<RedactionOptions> {
    const settings = await database.inWorkspace(workspace, readSettings);
    if (settings === null) throw new Error('the workspace of this rescan is gone');
    return redactionOf(secretKey, workspace, settings);
  }
}

async function look(
  place: RescanPlace,
  rows: readonly RescanRow[],
  redaction: RedactionOptions,
): Promise<Looked> {
  const looked: Looked = { next: keyAfter(place, rows), repairs: [], counts: {}, identifiers: 0 };
  await unhurried(rows, (row) => {
    if (hasSecretIdentifier(row, redaction)) looked.identifiers += 1;
    const repair = repairOf(place, row, redaction);
    if (repair === null) return;
    looked.repairs.push({ row, repair });
    addCounts(looked.counts, repair.counts);
  });
  return looked;
}

function noteLook(progress: RescanProgress, { round, place }: RescanAt, looked: Looked): void {
  const { dirty, found } = progress;
  if (looked.repairs.length > 0) dirty[place] = (dirty[place] ?? 0) + looked.repairs.length;
  if (round > 1) return;
  progress.identifiers += looked.identifiers;
  if (looked.repairs.length === 0) return;
  const types: RescanFindings[RescanPlace] = found[place] ?? {};
  addCounts(types, looked.counts);
  found[place] = types;
}

function isSame(one: RescanAt | null, other: RescanAt): boolean {
  return (
    one !== null &&
    one.round === other.round &&
    one.step === other.step &&
    one.place === other.place &&
    one.batch === other.batch
  );
}

function countsOf(progress: RescanProgress): Record<string, number> {
  const { repaired, cards, skipped, identifiers, found } = progress;
  return { found: foundIn(found), repaired, cards, skipped, identifiers };
}

function resultOf(progress: RescanProgress): RescanResult {
  const { dry_run, rounds, repaired, cards, skipped, identifiers, found } = progress;
  const left = leftOf(progress);
  const isLeft = left > 0 && !dry_run;
  return {
    status: isLeft ? 'partial' : 'completed',
    stopped_by: isLeft ? 'still_found' : null,
    dry_run,
    rounds,
    found: foundIn(found),
    repaired,
    cards,
    skipped,
    identifiers,
    left,
  };
}
