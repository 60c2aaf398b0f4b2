import type {
  ActionOutcome,
  ActionStatus,
  Insight,
  InsightOrigin,
  OutcomeResult,
  UnmeasuredCode,
} from '../../../../src/contracts/insight';

export const ORIGINS: Record<InsightOrigin, string> = {
  chat_pin: 'somebody kept an answer',
  user_explore: 'a person looked',
  automated_run: 'a program found it',
  manual_trigger: 'a person had a program look',
};

export const STATUSES: Record<ActionStatus, string> = {
  recommended: 'not taken yet',
  taken: 'taken, waits to be measured',
  measured: 'taken and measured',
  unmeasured: 'taken, could not be measured',
  cancelled: 'taken, not measured by wish',
};

export const UNMEASURED: Record<UnmeasuredCode, string> = {
  no_measurement: 'No number of its metrics came since it was taken.',
  no_baseline: 'The insight was saved without a metric.',
  no_goal: 'Nobody says whether more of the metric is better.',
  insight_gone: 'The insight is deleted, erased or withdrawn.',
  cancelled: 'Somebody cancelled measuring it.',
};

export const RESULTS: Record<OutcomeResult, string> = {
  improved: 'improved',
  unchanged: 'changed nothing',
  worse: 'made it worse',
};

/** `14.4 % less`; a change too small to be seen is said so. */
export function changeInWords(size: number): string {
  const percent = Math.abs(size) * 100;
  if (percent < 0.05) return 'no change';
  return `${percent.toFixed(1)} % ${size < 0 ? 'less' : 'more'}`;
}

export function numberInWords(value: number, unit: string | null): string {
  const figure = value.toLocaleString(undefined, { maximumFractionDigits: 2 });
  return unit === null ? figure : `${figure} ${unit}`;
}

/** `improved: labor 37.4 % → 32 %, 14.4 % less` */
export function outcomeInWords(outcome: ActionOutcome): string {
  const { result, size, metric, baseline, value, unit } = outcome;
  const moved =
    metric === null || baseline === null || value === null
      ? ''
      : `: ${metric} ${numberInWords(baseline, unit)} → ${numberInWords(value, unit)}`;
  const by = size === null ? '' : `, ${changeInWords(size)}`;
  return `${RESULTS[result]}${moved}${by}`;
}

const UNITS = ['weeks', 'days', 'hours', 'minutes', 'seconds'] as const;

/** `21 days`, of `P21D`. */
export function windowInWords(iso: string): string {
  const match =
    /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/.exec(iso);
  const parts = UNITS.flatMap((unit, at) => {
    const count = match?.[at + 1];
    if (count === undefined) return [];
    return [`${count} ${count === '1' ? unit.slice(0, -1) : unit}`];
  });
  return parts.join(' ') || iso;
}

export function nameOf({ title, finding }: Pick<Insight, 'title' | 'finding'>): string {
  return title ?? finding;
}

/** What its actions came to, most telling first: `1 improved, 2 not taken yet`. */
export function standing({ actions }: Pick<Insight, 'actions'>): string {
  if (actions.length === 0) return 'no action recommended';
  const counts = new Map<string, number>();
  const order = [...actions].sort((a, b) => weight(b.status) - weight(a.status));
  for (const { status, outcome } of order) {
    const word = outcome === null ? SHORT[status] : RESULTS[outcome.result];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

const SHORT: Record<ActionStatus, string> = {
  recommended: 'to take',
  taken: 'being watched',
  measured: 'measured',
  unmeasured: 'not measured',
  cancelled: 'cancelled',
};

function weight(status: ActionStatus): number {
  return ['recommended', 'cancelled', 'unmeasured', 'taken', 'measured'].indexOf(status);
}

/** A list of words in an address, with commas between. */
export function valuesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}
