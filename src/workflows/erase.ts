/**
 * Erase: what was named is gone, whatever was derived from it too, and a receipt proves it.
 *
 * Id: `erase/<workspace>/<erasure>`. Started by the outbox, together with its row and its tombstones, which refuse from
 * then on what comes late; started again by the sweep where it was terminated or lost, and then it goes on: what is
 * gone is found gone. Nothing may arrive, and nobody takes it back.
 * States: begun → walks, each from its beginning: find what is by, about or of what was named, follow it to what was
 * derived, judge what falls and what rests on something else too, write that again, purge; until one finds nothing and
 * all that began before the tombstones stood has ended → the directory and what else names it → searched in every
 * durable place; where that finds something, walked and searched once more → closed with its receipt → the bytes of
 * its own list. A dry run ends once it has judged, and changes nothing.
 * Ends: completed with its record, in counts; `held` where a legal hold keeps a part, `unverified` where the search
 * still finds something, which the receipt names by place.
 *
 * About 6 events a batch of some seconds, seven batches or more a walk, two walks or more. It continues as new when
 * the server suggests it.
 */
import {
  continueAsNew,
  setWorkflowOptions,
  sleep,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import { type EraseInput, type EraseResult, WALK_STAGES } from '../contracts/erasure';
import { deciding, erasing, searching } from './erase-activities';
import { movesOn } from './versioning';

/** What a run hands on to its next one. */
export interface EraseRun extends EraseInput {
  at?: Walk;
}

/** Where a walk stands between two batches. */
interface Walk {
  /** Index of the stage in hand. */
  stage: number;
  touched: number;
  alone: boolean;
  /** Walks since the last search, and searches. */
  walks: number;
  searches: number;
}

/** While an older transaction is open; none takes longer than a minute. */
const UNTIL_ALONE = '5s';
/** What comes late comes within the first; a walk that still finds something then finds its own traces. */
const MOST_WALKS = 30;
const MOST_SEARCHES = 2;
/** A dry run ends after it. */
const JUDGED = WALK_STAGES.indexOf('judge') + 1;

setWorkflowOptions(movesOn, erase);

export async function erase(input: EraseRun): Promise<EraseResult> {
  const { workspace, erasure_id, operation_id } = input;
  const key: EraseInput = { workspace, erasure_id, operation_id };
  const begun = input.at === undefined ? await deciding.beginErasure(key) : null;
  if (begun?.open === false) return ended(await deciding.closeErasure(key));
  let at = input.at ?? (await walk(key, { walks: 0, searches: 0 }));
  const isDry = begun?.dry_run === true;

  for (;;) {
    const stages = isDry ? WALK_STAGES.slice(0, JUDGED) : WALK_STAGES;
    const stage = stages[at.stage];
    if (stage !== undefined) {
      at = await further(key, at, stage);
    } else if (isDry) {
      return ended(await deciding.closeErasure(key));
    } else if (at.walks < MOST_WALKS && (at.touched > 0 || !at.alone)) {
      if (at.touched === 0) await sleep(UNTIL_ALONE);
      at = await walk(key, at);
    } else {
      const found = await searched(key);
      at = { ...at, searches: at.searches + 1 };
      if (found === 0 || at.searches >= MOST_SEARCHES) break;
      at = await walk(key, { ...at, walks: 0 });
    }
    if (!isDry && workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof erase>({ ...key, at });
    }
  }
  const result = ended(await deciding.closeErasure(key));
  await searching.forgetErasure(key);
  return result;
}

async function walk(key: EraseInput, at: Pick<Walk, 'walks' | 'searches'>): Promise<Walk> {
  const { alone } = await deciding.beginErasureRound(key);
  return { stage: 0, touched: 0, alone, walks: at.walks + 1, searches: at.searches };
}

async function further(
  key: EraseInput,
  at: Walk,
  stage: (typeof WALK_STAGES)[number],
): Promise<Walk> {
  const { more, touched } = await erasing.eraseBatch({ ...key, stage });
  return { ...at, touched: at.touched + touched, stage: at.stage + (more ? 0 : 1) };
}

/** What names it goes last, since it is found by that. @returns how much the search found */
async function searched(key: EraseInput): Promise<number> {
  for (;;) {
    const { more } = await erasing.eraseBatch({ ...key, stage: 'directory' });
    if (!more) break;
  }
  const { found } = await searching.searchErased(key);
  return found;
}

function ended(result: EraseResult): EraseResult {
  const { status, rounds, dry_run } = result;
  upsertMemo({ run_id: workflowInfo().runId, status, rounds, dry_run });
  return result;
}
