import type { CaptureResult } from '../../contracts/messages';

/** A line that was not taken. */
export interface LineProblem {
  line: number;
  event_id?: string;
  code: string;
  reason: string;
}

/** Of these, the first so many are kept for the summary. */
const KEPT_PROBLEMS = 100;

/** What an import did, as far as it is known. */
export class ImportCounts {
  /** Lines with something on them. */
  lines = 0;
  bytes = 0;
  accepted = 0;
  duplicates = 0;
  refused = 0;
  /** Events that came to rest, of those that this import brought or found waiting. */
  settled = 0;
  /** Events that are waited for, settled or not. */
  awaited = 0;
  /** Of those not settled here yet, how many have ended by all we know; for showing only. */
  probablySettled = 0;
  readonly refusedByCode: Record<string, number> = {};
  readonly problems: LineProblem[] = [];
  readonly dispositions: Record<string, number> = {};
  readonly cards: Record<string, Record<string, number>> = {};

  refuse(problem: LineProblem): void {
    this.refused += 1;
    increment(this.refusedByCode, problem.code);
    if (this.problems.length < KEPT_PROBLEMS) this.problems.push(problem);
  }

  guess(ended: number): void {
    this.probablySettled = ended;
  }

  settle(result: Pick<CaptureResult, 'disposition' | 'kind' | 'sign'>): void {
    this.settled += 1;
    this.probablySettled = Math.max(0, this.probablySettled - 1);
    increment(this.dispositions, result.disposition);
    if (result.kind === null || result.sign === null) return;
    const signs = this.cards[result.kind] ?? {};
    this.cards[result.kind] = signs;
    increment(signs, result.sign);
  }
}

function increment(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
