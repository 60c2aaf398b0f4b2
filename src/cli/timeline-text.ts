import type { Timeline, TimelineStep } from '../contracts/timeline';
import { printable, table, thousands } from './terminal';

const NONE = '–';
const MARKS: Readonly<Record<TimelineStep['status'], string>> = {
  done: '✓',
  waiting: '…',
  failed: '✗',
  timed_out: '✗',
  cancelled: '–',
};

/** A run, and its steps one a line: since when, for how long, what, and what came of it. */
export function timelineText(timeline: Timeline): string {
  const { steps, runs } = timeline;
  const head: [string, string][] = [
    ['workflow', timeline.workflow_id],
    ['run', timeline.run_id],
    ['status', timeline.status],
    [
      'began',
      `${timeline.started_at}${timeline.closed_at === null ? '' : `, ended ${timeline.closed_at}`}`,
    ],
    ['history', `${thousands(timeline.events)} events`],
    ['in Temporal', timeline.ui ?? NONE],
  ];
  const parts = [table(head.map((row) => row.map(printable))), table(steps.map(rowOf))];
  if (timeline.truncated) parts.push('Its history goes on: only the beginning is shown.');
  const others = runs.filter(({ run_id }) => run_id !== timeline.run_id);
  if (others.length > 0) {
    const rows = others.map((run) => [`  ${run.run_id}`, run.status, run.started_at]);
    parts.push(`Other runs of it:\n${table(rows)}`);
  }
  return parts.join('\n\n');
}

function rowOf(step: TimelineStep): string[] {
  const { status, attempts, failure, detail } = step;
  const said = [
    status === 'done' || status === 'failed' ? '' : status.replace('_', ' '),
    attempts === 1 ? '' : `${attempts} tries`,
    failure === null ? '' : `${failure.code}: ${failure.message}`,
    detail ?? '',
  ];
  return [
    `${MARKS[status]} ${step.at}`,
    lengthOf(step),
    printable(step.name),
    printable(said.filter((part) => part !== '').join('; ')),
  ];
}

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** In its largest unit; what happened at once has none. */
function lengthOf({ at, ended_at }: TimelineStep): string {
  if (ended_at === null || ended_at === at) return '';
  const ms = Date.parse(ended_at) - Date.parse(at);
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1, 'ms'];
  const count = ms / size;
  return `${count < 10 && size > 1 ? count.toFixed(1) : Math.round(count)} ${unit}`;
}
