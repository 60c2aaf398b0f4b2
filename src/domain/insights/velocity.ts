import type { MetricGoal, MetricSnapshot, VelocityBasis } from '../../contracts/insight';
import { DAY_MS, WEEK_MS } from '../durations';
import { relativeChange } from './change';
import { goalOf } from './goal';

/** How far back velocity looks. */
export const VELOCITY_DAYS = 28;

/**
 * How fast things get worse: of the metrics with two numbers within the last four weeks, the one whose relative change
 * a week, from the first to the last of them, is the worst. Downwards is worse where more is better, upwards where less
 * is; where nobody says, any change is. A span shorter than a week counts as one, so that an hour is not taken for a
 * trend. What stood at 0 has risen (or fallen) by all of it. Negative where all get better; null where there is no
 * such pair. A goal is that of `own`, the insight's numbers, or else the last one said, or else what the name says. Only numbers of the unit of the last one are compared; those after `now` are not looked at.
 */
export function velocityOf(
  snapshots: readonly MetricSnapshot[],
  now: Date,
  own: readonly MetricSnapshot[] = [],
): VelocityBasis | null {
  const until = now.getTime();
  const usable = snapshots
    .map((one) => ({ ...one, time: Date.parse(one.at) }))
    .filter(({ time, value }) => Number.isFinite(value) && time <= until)
    .filter(({ time }) => time > until - VELOCITY_DAYS * DAY_MS)
    .sort((a, b) => a.time - b.time || a.value - b.value);
  const names = [...new Set(usable.map(({ name }) => name))].sort();
  let worst: VelocityBasis | null = null;
  for (const name of names) {
    const said = own.find((one) => one.name === name && one.goal !== null)?.goal ?? null;
    const basis = worsening(
      usable.filter((one) => one.name === name),
      said,
    );
    if (basis === null) continue;
    if (worst === null || basis.weekly_change > worst.weekly_change) worst = basis;
  }
  return worst;
}

function worsening(
  series: readonly (MetricSnapshot & { time: number })[],
  said: MetricGoal | null,
): VelocityBasis | null {
  const last = series.at(-1);
  const first = series.find(({ unit }) => unit === (last?.unit ?? null));
  if (first === undefined || last === undefined || first.time === last.time) return null;
  const weeks = Math.max(1, (last.time - first.time) / WEEK_MS);
  const change = relativeChange(first.value, last.value) ?? Math.sign(last.value);
  const weekly = change / weeks;
  const pushed = series.findLast((one) => one.goal !== null)?.goal ?? null;
  const goal = goalOf({ name: last.name, goal: said ?? pushed });
  const worse = goal === null ? Math.abs(weekly) : goal === 'down' ? weekly : -weekly;
  return {
    metric: last.name,
    weekly_change: worse + 0,
    from: { value: first.value, at: first.at },
    to: { value: last.value, at: last.at },
  };
}
