import type { MetricSnapshot, MoneyBasis, Severity, Urgency } from '../../contracts/insight';
import type { Policy } from '../../contracts/policy';
import { dollarsOf, moneyIn, moneyOfMetric } from './money';
import { velocityOf } from './velocity';

/** The most of each term (design §7); together 100. */
export const MOST_URGENCY = { severity: 30, dollars: 35, velocity: 20, time_sensitivity: 15 };

const SEVERITY_POINTS: Readonly<Record<Severity, number>> = {
  low: 8,
  medium: 15,
  high: 23,
  critical: 30,
};

/** Dollars at which the term is full, and those that count as one step of its logarithm. */
const FULL_DOLLARS = 100_000;
const DOLLAR_STEP = 100;
/** Relative change a week at which the term is full. */
const FULL_VELOCITY = 0.25;

export interface UrgencyInput {
  severity: Severity;
  /** Its text alone is searched for amounts. */
  finding: string;
  domain: string;
  /** What the insight brings, each with its number. */
  metrics: readonly MetricSnapshot[];
  /** Pushed numbers of the same metrics, of the last four weeks at least. */
  series: readonly MetricSnapshot[];
  policy: Pick<Policy['insights'], 'time_sensitivity' | 'rates'>;
  now: Date;
}

/**
 * Financial Urgency Score, 0–100: the sum of its four terms, each with one decimal, and what each rests on. Never
 * NaN: what is no number counts for nothing. docs/insights.md has the formulas.
 */
export function urgencyOf(input: UrgencyInput): Urgency {
  const money = largest(input);
  const velocity = velocityOf([...input.metrics, ...input.series], input.now, input.metrics);
  const terms = {
    severity: SEVERITY_POINTS[input.severity],
    dollars: dollarPoints(money?.dollars ?? 0),
    velocity: velocityPoints(velocity?.weekly_change ?? 0),
    time_sensitivity: timePoints(input.domain, input.policy.time_sensitivity),
  };
  return {
    score: scoreOf(terms),
    ...terms,
    basis: { dollars: money, velocity, domain: input.domain },
  };
}

/** 0–100, one decimal. */
export function scoreOf(terms: Readonly<Record<keyof typeof MOST_URGENCY, number>>): number {
  return oneDecimal(terms.severity + terms.dollars + terms.velocity + terms.time_sensitivity);
}

/** 0–35: logarithmic, so that the first thousand says more than the ninth; full at 100,000. */
export function dollarPoints(dollars: number): number {
  const d = positive(dollars);
  const share = Math.log10(1 + d / DOLLAR_STEP) / Math.log10(1 + FULL_DOLLARS / DOLLAR_STEP);
  return oneDecimal(MOST_URGENCY.dollars * Math.min(1, share));
}

/** 0–20: linear in the relative change a week that is for the worse; full at a quarter. */
export function velocityPoints(weeklyChange: number): number {
  return oneDecimal(MOST_URGENCY.velocity * Math.min(1, positive(weeklyChange) / FULL_VELOCITY));
}

/** 0–15: what the policy says of the domain, in its own spelling or in lower case, or else of `other`. */
export function timePoints(domain: string, table: Readonly<Record<string, number>>): number {
  const known = [domain, domain.toLowerCase(), 'other'].find((name) => Object.hasOwn(table, name));
  const points = known === undefined ? 0 : (table[known] ?? 0);
  return oneDecimal(Math.min(MOST_URGENCY.time_sensitivity, positive(points)));
}

/** The largest amount in dollars; of equal ones the text's, and the first. */
function largest({ finding, metrics, policy }: UrgencyInput): MoneyBasis | null {
  const found = [
    ...moneyIn(finding, policy.rates).map((money) => ({ ...money, source: 'finding' as const })),
    ...metrics.flatMap((metric) => {
      const money = moneyOfMetric(metric, policy.rates);
      return money === null ? [] : [{ ...money, source: 'metric' as const }];
    }),
  ];
  let most: MoneyBasis | null = null;
  for (const { quote, amount, currency, per, source } of found) {
    const dollars = dollarsOf({ amount, currency, per }, policy.rates);
    if (dollars === null || dollars <= (most?.dollars ?? -1)) continue;
    most = { quote, amount, currency, per, dollars, source };
  }
  return most;
}

function positive(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(0, value) + 0;
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
