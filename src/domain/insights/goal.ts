import type { MetricGoal } from '../../contracts/insight';

/** Words of a metric's name of which less is better. */
const DOWN = new Set(
  (
    'abandoned abandonment absence absences breakage cancellation cancellations chargeback chargebacks churn ' +
    'comp comps complaint complaints cost costs debt defect defects delay delays discount discounts downtime ' +
    'error errors expense expenses failure failures fee fees incident incidents labor labour late lateness ' +
    'latency loss losses overstaffing overtime penalties penalty refund refunds returns shrink shrinkage ' +
    'spend spoilage stockout stockouts theft turnover variance void voids wait waits waste wastage'
  ).split(' '),
);

/** Words of which more is better. */
const UP = new Set(
  (
    'attendance availability check checks conversion conversions covers customers efficiency guests income margin ' +
    'margins occupancy orders productivity profit profits profitability rating ratings retention revenue ' +
    'revenues sales satisfaction saving savings score throughput tips uptime utilization yield'
  ).split(' '),
);

/**
 * Whether more or less of a metric is better, read from its name where nobody says: `labor_percent`, `food waste`
 * and `refundRate` want to go down, `sales`, `gross-margin` and `average_check` up. A name with a word of the first
 * list goes down, whatever else it says (`sales_refunds`, `cost_of_sales`). Null where no word tells.
 */
export function goalByName(name: string): MetricGoal | null {
  const words = wordsOf(name);
  if (words.some((word) => DOWN.has(word))) return 'down';
  return words.some((word) => UP.has(word)) ? 'up' : null;
}

/** What is said of it, or else what its name says. */
export function goalOf(metric: { name: string; goal: MetricGoal | null }): MetricGoal | null {
  return metric.goal ?? goalByName(metric.name);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
}
