/**
 * Telephone numbers the library may judge in one text. Each costs about 25 µs, all other checks under
 * 3 µs, so 400 keep a text of nothing but candidates under about 10 ms; ordinary text has fewer than
 * ten. What is left over when the budget is gone is decided by shape alone, that is, redacted.
 */
const CALLS_PER_TEXT = 400;

export interface Budget {
  /** True if the check may run, and counts it. */
  spend(): boolean;
}

export function newBudget(calls: number = CALLS_PER_TEXT): Budget {
  let left = calls;
  return {
    spend: () => {
      if (left <= 0) return false;
      left -= 1;
      return true;
    },
  };
}
