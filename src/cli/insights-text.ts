import type { Insight, InsightAction, MetricSnapshot, Urgency } from '../contracts/insight';
import type { Page } from '../contracts/run';
import { counted } from './inbox-text';
import { oneLine, printable, table, thousands, wrapped } from './terminal';

const TITLE = 60;
const NONE = '–';

export function insightsText(page: Page<Insight>): string {
  if (page.items.length === 0) return 'No insights.';
  const rows = page.items.map((one) => [
    one.id,
    String(one.urgency.score),
    one.severity,
    printable(one.domain),
    one.origin,
    String(one.actions.length),
    one.created_at,
    oneLine(one.title ?? one.finding, TITLE),
  ]);
  const head = ['id', 'urgency', 'severity', 'domain', 'origin', 'actions', 'saved', 'title'];
  return `${table([head, ...rows])}\n\n${counted(page)}`;
}

/** One, whole: what was found, why it is urgent, where its metrics stood, and what is recommended now. */
export function insightText(insight: Insight, width: number): string {
  const { scope, owner, removed } = insight;
  const fields = [
    ['  card', insight.card_id],
    ['  origin', `${insight.origin}, ${insight.created_at}`],
    ['  scope', `${scope.type} ${printable(scope.id)}`],
    ['  owner', `${owner.kind} ${printable(owner.id)}`],
    ['  severity', `${insight.severity}, ${printable(insight.domain)}`],
    ['  urgency', urgencyText(insight.urgency)],
    ['  window', insight.window],
    ...(insight.operation_id === null ? [] : [['  follow-up', insight.operation_id]]),
  ];
  return [
    `${insight.id}  ${printable(insight.title ?? '')}`.trimEnd(),
    '',
    wrapped(printable(insight.finding), width, '  '),
    '',
    table(fields),
    ...(insight.baseline.length === 0 ? [] : ['', 'baseline', metricRows(insight.baseline)]),
    ...insight.actions.flatMap((action) => ['', actionText(action, width)]),
    ...(removed === 0 ? [] : ['', `${removed} more, which a person has blocked.`]),
  ].join('\n');
}

function urgencyText({ score, basis, ...terms }: Urgency): string {
  const { severity, dollars, velocity, time_sensitivity } = terms;
  const money = basis.dollars === null ? '' : ` (${printable(basis.dollars.quote)})`;
  const pace = basis.velocity === null ? '' : ` (${printable(basis.velocity.metric)})`;
  return (
    `${score} = severity ${severity} + dollars ${dollars}${money} + velocity ${velocity}${pace} + ` +
    `time ${time_sensitivity}`
  );
}

/** What is recommended, why, and what became of it. */
export function actionText(action: InsightAction, width: number): string {
  const { text, priority, boost, rationale, caution, status, outcome } = action;
  const state = [
    status,
    ...(action.taken_at === null ? [] : [`taken ${action.taken_at}`]),
    ...(status === 'taken' && action.measure_at !== null ? [`measured ${action.measure_at}`] : []),
    ...(action.ended_code === null ? [] : [action.ended_code]),
    ...(outcome === null ? [] : [`${outcome.result}${changeText(outcome.size)}`]),
  ].join(', ');
  return [
    `${action.id}  ${priority}, boost ${boost.toFixed(2)}: ${state}`,
    wrapped(printable(text), width, '  '),
    wrapped(printable(rationale), width, '  '),
    ...(caution === undefined ? [] : [wrapped(`Caution: ${printable(caution)}`, width, '  ')]),
    `  hash ${action.hash}`,
  ].join('\n');
}

/** ` (−18.0 %)`; nothing where the change is not known. */
export function changeText(size: number | null): string {
  return size === null ? '' : ` (${size > 0 ? '+' : ''}${(size * 100).toFixed(1)} %)`;
}

export function metricsText(page: Page<MetricSnapshot>): string {
  if (page.items.length === 0) return 'No numbers.';
  return `${metricRows(page.items)}\n\n${counted(page)}`;
}

function metricRows(metrics: readonly MetricSnapshot[]): string {
  const rows = metrics.map(({ name, value, unit, at, goal }) => [
    `  ${printable(name)}`,
    `${thousands(value)}${unit === null ? '' : ` ${printable(unit)}`}`,
    goal ?? NONE,
    at,
  ]);
  return table([['  metric', 'value', 'goal', 'at'], ...rows]);
}
