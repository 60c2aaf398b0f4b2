/**
 * Compact: a conversation has passed its ceiling, has been going on for a while, or was closed. Its older messages
 * become a summary that is steered and checked, and what they tell of their subject becomes cards.
 *
 * Id: `compact/<workspace>/<conversation>/<n>`, one for each time that it was asked for; never two of one conversation
 * at once: the next is asked for when one has ended. Started by the outbox. Nothing may arrive.
 * States: begun → in rounds: a model leaves its draft, or the rules write; checked, put back, committed on the version
 * of the summary that it was written on → facts drafted and filed → ended. What a model misses the rules do. Messages
 * that arrive meanwhile are not touched, and whoever reads the conversation never waits for any of it.
 * Ends: completed, with its record; failed or cancelled, after which another may begin. One that is lost is started
 * again by the sweep.
 *
 * About 12 events, 6 for each further round of some hundred messages, and 6 more a round with a model. Rounds are
 * bounded, so that it never continues as new: what is left is asked for as the next one.
 */
import {
  ActivityFailure,
  CancellationScope,
  isCancellation,
  log,
  setWorkflowOptions,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { CompactionBegun, SummaryCommitted } from '../contracts/compaction';
import type { CompactionInput, CompactionResult } from '../contracts/conversation';
import type { RunEnd } from '../contracts/passes';
import { asking, compacting } from './compact-activities';
import { failureTypeOf } from './failure-type';
import { movesOn } from './versioning';

/** 4,800 messages, some 500 events. */
const MOST_ROUNDS = 40;

setWorkflowOptions(movesOn, compact);

export async function compact(input: CompactionInput): Promise<CompactionResult> {
  const { workspace, conversation_id, operation_id, n } = input;
  const key: CompactionInput = { workspace, conversation_id, operation_id, n };
  try {
    const begun = await compacting.beginCompaction(key);
    const record = new CompactionRecord(key, begun);
    if (begun.tells) await summarise(key, begun, record);
    if (begun.facts) {
      if (begun.asks_model) await record.asked('facts', () => asking.extractFacts(key));
      record.result.facts = await compacting.fileFacts(key);
    }
    const { result } = record;
    await compacting.endCompaction({ ...key, result });
    upsertMemo({ run_id: workflowInfo().runId, through: result.through, facts: result.facts });
    return result;
  } catch (error) {
    await CancellationScope.nonCancellable(() =>
      compacting.dropCompaction({ ...key, end: endOf(error) }),
    );
    throw error;
  }
}

function endOf(error: unknown): RunEnd['end'] {
  if (isCancellation(error)) return { state: 'cancelled', counts: {} };
  return { state: 'failed', error: failureTypeOf(error) ?? 'internal_error', counts: {} };
}

/** Round by round, until nothing older is left than what stays as it was said. */
async function summarise(
  key: CompactionInput,
  begun: CompactionBegun,
  record: CompactionRecord,
): Promise<void> {
  let { version } = begun;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    const at = { ...key, version };
    if (begun.asks_model) await record.asked('summary', () => asking.writeSummary(at));
    const committed = await compacting.commitSummary(at);
    record.tells(committed);
    if (!committed.more) return;
    version = committed.version;
  }
}

/** What is known of one compaction, and what it cost. */
class CompactionRecord {
  readonly result: CompactionResult;
  private isModelAway = false;

  constructor({ conversation_id, n }: CompactionInput, { through, tokens }: CompactionBegun) {
    this.result = {
      ...{ conversation_id, n, from: through, through },
      ...{ tokens_before: tokens, tokens_after: tokens, written_by: null },
      ...{ items: 0, missing: 0, put_back: 0 },
      facts: { found: 0, filed: 0, known: 0 },
      ...{ calls: 0, spent_tokens: 0 },
    };
  }

  /** Asks the model; where it gives nothing in its tries the rules have the word, for the rest of this one too. */
  async asked(what: string, ask: () => Promise<{ calls: number; tokens: number }>): Promise<void> {
    if (this.isModelAway) return;
    try {
      const { calls, tokens } = await ask();
      this.result.calls += calls;
      this.result.spent_tokens += tokens;
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      this.isModelAway = true;
      log.warn('the model gave no answer in its tries; the rules stand in', { what });
    }
  }

  tells({ state, ...round }: SummaryCommitted): void {
    const { result } = this;
    if (state !== 'nothing') result.through = Math.max(result.through, round.through);
    if (state !== 'committed') {
      result.written_by ??= round.written_by;
      return;
    }
    // A summary that the rules had to write in part is theirs.
    const isByRules = round.written_by === 'fallback' || result.written_by === 'fallback';
    result.written_by = isByRules ? 'fallback' : 'model';
    result.items += round.items;
    result.missing += round.missing;
    result.put_back += round.put_back;
    result.tokens_after = round.tokens_after;
  }
}
