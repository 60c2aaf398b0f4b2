import type { CallResult } from './agent';
import type { RuleKind } from './rules';
import type { Broken } from './service';

export interface Measures {
  seed: number;
  arm: string;
  tasks: number;
  /** Tasks of which every call worked within its tries. */
  tasksWorked: number;
  plannedCalls: number;
  /** Planned calls that worked at the first try. */
  firstTryWorked: number;
  /** Tries, each an event. */
  calls: number;
  failures: number;
  /** Failures by a hidden rule, and by chance. */
  ruleFailures: number;
  flakyFailures: number;
  /**
   * Failures that the fleet had been shown: an earlier task's failure by the same version of the rule
   * told the whole of it, or was one of the very same choice.
   */
  repeatedMistakes: number;
  /** Planned calls to an operation with a rule of which something was shown; those with a repeated mistake. */
  opportunities: number;
  repeatedCalls: number;
  repeatedByKind: Record<RuleKind, number>;
  /** Tokens of memory read, and dimensions on which what was read contradicted itself. */
  promptTokens: number;
  contradictionsShown: number;
  /** Shares of 1; a share of nothing is 0. */
  repeatedMistakeRate: number;
  taskSuccess: number;
  firstTrySuccess: number;
}

/** Counts a run; `known` holds what tasks before the present one have shown: versions, and single choices. */
export function tally(seed: number, arm: string) {
  const known = new Set<string>();
  /** Versions of which anything was shown. */
  const seen = new Set<string>();
  const counts = {
    tasks: 0,
    tasksWorked: 0,
    plannedCalls: 0,
    firstTryWorked: 0,
    calls: 0,
    failures: 0,
    ruleFailures: 0,
    flakyFailures: 0,
    repeatedMistakes: 0,
    opportunities: 0,
    repeatedCalls: 0,
    promptTokens: 0,
    contradictionsShown: 0,
  };
  const repeatedByKind: Record<RuleKind, number> = {
    required_field: 0,
    format: 0,
    rate_limit: 0,
    maintenance_window: 0,
    opaque: 0,
  };
  return {
    /** `present` are the ids of the versions that held for the call's operation on its day. */
    call(result: CallResult, present: readonly string[]): void {
      const { attempts } = result;
      const failed = attempts.filter(({ outcome }) => outcome === 'failed');
      const broken = failed.flatMap((one) => (one.broken === null ? [] : [one.broken]));
      const repeated = broken.filter((one) => known.has(one.version.id) || known.has(single(one)));
      counts.plannedCalls += 1;
      counts.firstTryWorked += attempts[0]?.outcome === 'worked' ? 1 : 0;
      counts.calls += attempts.length;
      counts.failures += failed.length;
      counts.ruleFailures += broken.length;
      counts.flakyFailures += failed.length - broken.length;
      counts.repeatedMistakes += repeated.length;
      counts.opportunities += present.some((id) => seen.has(id)) ? 1 : 0;
      counts.repeatedCalls += repeated.length > 0 ? 1 : 0;
      counts.promptTokens += result.tokens;
      counts.contradictionsShown += result.contradictions;
      for (const { version } of repeated) repeatedByKind[version.demand.kind] += 1;
    },
    /** What a task has shown counts as known from the next task on. */
    taskEnded(results: readonly CallResult[], worked: boolean): void {
      counts.tasks += 1;
      counts.tasksWorked += worked ? 1 : 0;
      for (const { attempts } of results) {
        for (const { broken } of attempts) {
          if (broken === null) continue;
          seen.add(broken.version.id);
          known.add(broken.tellsAll ? broken.version.id : single(broken));
        }
      }
    },
    done(): Measures {
      return {
        seed,
        arm,
        ...counts,
        repeatedByKind,
        repeatedMistakeRate: share(counts.repeatedCalls, counts.opportunities),
        taskSuccess: share(counts.tasksWorked, counts.tasks),
        firstTrySuccess: share(counts.firstTryWorked, counts.plannedCalls),
      };
    },
  };
}

function single({ version, choice }: Broken): string {
  return `${version.id}=${choice}`;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
