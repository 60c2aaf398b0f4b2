/**
 * Consolidation of one scope: its episodes become notes of lessons, and near-duplicates one card.
 *
 * Id: `consolidate/<workspace>/<scope>/<day>`, a further one of the same day with its number; started by `fanOut`.
 * `pause` and `resume` may arrive at any time.
 * States: the scope is held, and planned once from its cards as they are; then part after part. Of a note: its words
 * are found, by a model or by the rules → it is filed and its sources retire, in one transaction. Where a source moved
 * meanwhile it is named and left, and the words are found again without it, three times at most. A merge is one step.
 * A model that is away for one note is asked for no other: they stay as they are until another night.
 * Ends: completed with its counts; `partial` where notes were left, a budget was spent, or the scope stayed busy.
 *
 * Three events to plan, three for each further 25 parts; nine a note by the rules (holding, words, filing, three each),
 * twelve by a model (holding anew), six a merge. It continues as new after 100 parts, about 1,250 events, or when the server suggests it.
 */
import {
  continueAsNew,
  isCancellation,
  log,
  setWorkflowOptions,
  workflowInfo,
} from '@temporalio/workflow';
import type { PartOutcome, PlanPart } from '../contracts/consolidation';
import type { PassCounts, UnitInput, UnitResult } from '../contracts/passes';
import { meaningOf } from '../domain/redistilling';
import { consolidating, wording } from './consolidation-activities';
import { failureTypeOf } from './failure-type';
import { asUnit, count, type Unit, type UnitRun } from './unit';
import { movesOn } from './versioning';

/** What it hands on to its next run. */
export interface ConsolidateRun extends UnitInput, UnitRun {
  /** The last part that was looked at. */
  after?: string;
  /** Why notes were left, so far. */
  left_for?: string;
  /** Parts until it continues as new; lowered by tests. */
  parts_a_run?: number;
}

const PARTS_A_RUN = 100;
/** Words found for one note: again where a source moved meanwhile. */
const ROUNDS = 3;

setWorkflowOptions(movesOn, consolidateScope);

export async function consolidateScope(input: ConsolidateRun): Promise<UnitResult> {
  const { parts_a_run: limit = PARTS_A_RUN } = input;
  return await asUnit(input, async (unit) => {
    const work = new Consolidating(input, unit);
    let after = input.after ?? '';
    for (let done = 0; ; ) {
      const batch = await consolidating.planScope({ unit: work.input, after });
      if (after === '') {
        count(unit.counts, 'read', batch.read);
        count(unit.counts, 'waiting', batch.waiting);
      }
      for (const part of batch.parts) {
        const spent = work.spentOn(part, batch.model === 'asked');
        if (spent !== null) return { status: 'partial', stopped_by: spent };
        await unit.step();
        if (part.kind === 'merge') await work.merge(part);
        else if (batch.model === 'none') await work.note(part, 'rules');
        else if (batch.model === 'away' || work.isAway) work.leave('model_unavailable');
        else await work.note(part, 'model');
        after = part.part;
        done += 1;
        if (done >= limit && part !== batch.parts.at(-1)) break;
      }
      const isLast = batch.next === null && after === (batch.parts.at(-1)?.part ?? after);
      if (isLast) break;
      if (done >= limit || workflowInfo().continueAsNewSuggested) {
        await continueAsNew<typeof consolidateScope>({
          ...input,
          after,
          done: unit.counts,
          paused: unit.control.isPaused(),
          ...(work.leftFor === null ? {} : { left_for: work.leftFor }),
        });
      }
    }
    return {
      status: work.leftFor === null ? 'completed' : 'partial',
      stopped_by: work.leftFor,
    };
  });
}

/** The parts of one scope, with what they came to. */
class Consolidating {
  readonly input: UnitInput;
  /** Why the first note that was left was left; null where none was. */
  leftFor: string | null;
  isAway = false;
  private readonly counts: PassCounts;

  constructor(
    run: ConsolidateRun,
    private readonly unit: Unit,
  ) {
    const { workspace, operation_id, parent_id, scope, day, dry_run, budget } = run;
    this.input = { workspace, operation_id, parent_id, scope, day, dry_run, budget };
    this.leftFor = run.left_for ?? null;
    this.counts = unit.counts;
  }

  /** @returns which budget this part would go beyond; null where it may be done */
  spentOn(part: PlanPart, asksModel: boolean): string | null {
    const { cards, calls, tokens } = this.input.budget ?? {};
    const { counts } = this;
    if (cards !== undefined && (counts.cards ?? 0) + part.sources > cards) return 'budget_cards';
    if (!asksModel || part.kind === 'merge') return null;
    if (calls !== undefined && (counts.calls ?? 0) >= calls) return 'budget_calls';
    if (tokens !== undefined && (counts.tokens ?? 0) >= tokens) return 'budget_tokens';
    return null;
  }

  async merge(part: PlanPart): Promise<void> {
    const outcome = await consolidating.commitPart({ unit: this.input, part: part.part });
    this.tally(part, outcome, 'merges');
  }

  async note(part: PlanPart, by: 'model' | 'rules'): Promise<void> {
    const step = { unit: this.input, part: part.part };
    for (let round = 1; round <= ROUNDS; round += 1) {
      if (by === 'rules') await consolidating.draftByRules(step);
      else if (!(await this.wordedByModel(step))) return;
      // A model may have taken longer than the scope was held for.
      else await this.unit.step();
      const outcome = await consolidating.commitPart(step);
      this.tally(part, outcome, 'notes');
      if (outcome.outcome !== 'moved') return;
    }
    this.leave('sources_moved');
  }

  /** A group that is left stays as it is: nothing of it retires. */
  leave(reason: string): void {
    count(this.counts, 'left');
    this.leftFor ??= reason;
  }

  private async wordedByModel(step: Parameters<typeof wording.draftByModel>[0]): Promise<boolean> {
    try {
      const { calls, tokens } = await wording.draftByModel(step);
      count(this.counts, 'calls', calls);
      count(this.counts, 'tokens', tokens);
      return true;
    } catch (error) {
      if (isCancellation(error)) throw error;
      const type = failureTypeOf(error);
      log.warn('the model gave no note in its tries', { step: type ?? 'timeout' });
      this.isAway = meaningOf(type) === 'away';
      this.leave(type ?? 'model_timeout');
      return false;
    }
  }

  private tally(part: PlanPart, outcome: PartOutcome, name: 'notes' | 'merges'): void {
    count(this.counts, 'skipped', outcome.skipped);
    if (outcome.outcome === 'moved') return;
    count(this.counts, 'cards', part.sources);
    count(this.counts, 'retired', outcome.retired);
    if (outcome.outcome === 'written' || outcome.outcome === 'drafted') count(this.counts, name);
    else count(this.counts, 'dropped');
  }
}
