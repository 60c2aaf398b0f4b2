import { createHash } from 'node:crypto';
import type { MetricSnapshot } from '../contracts/insight';
import { normalizedAction } from '../domain/insights/action-text';
import { IMPORTANCE_OF_SEVERITY, insightSummary } from '../domain/insights/summary';
import { unitOf } from '../domain/insights/unit';
import { fitText } from '../intake/card-content';
import { redactionOf } from '../intake/redaction-of';
import type { NewCardBody } from '../schemas/card';
import type { NewInsightBody, PushedMetric } from '../schemas/insights';
import type { WorkspaceSettings } from '../store/settings';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { fitContent } from './card-content';
import { badRequest, Problem } from './problem';

/** An insight as it is written, redacted, with all that stands beside its card. */
export interface FitInsight
  extends Pick<
    NewInsightBody,
    'origin' | 'title' | 'finding' | 'domain' | 'severity' | 'window' | 'sources'
  > {
  metrics: FitMetric[];
  actions: { text: string; hash: string }[];
}

/** Without a value it is the latest that was pushed. */
export type FitMetric = Omit<MetricSnapshot, 'value'> & { value: number | null };

/** A clock that is a little ahead is no reason to refuse a number. */
const AHEAD_MS = 60_000;

/**
 * What a caller found, fit to be kept, and the card that says it. Of two actions that are one by their normalized
 * text the first is kept.
 * @throws Problem 422 where a name holds a secret or somebody's address, 400 for a number of the future
 */
export function fitInsight(
  deps: ApiDependencies,
  caller: Caller,
  settings: WorkspaceSettings,
  body: NewInsightBody,
): { insight: FitInsight; card: NewCardBody } {
  const redaction = redactionOf(deps.secretKey, caller.context.workspace, settings);
  const { origin, severity, window, sources, metrics, actions, ...others } = body;
  const { title: saidTitle, finding: saidFinding, domain, ...beside } = others;
  requireLabel(deps, caller, settings, domain, '/domain');
  const title = fitText(saidTitle, redaction);
  const finding = fitText(saidFinding, redaction);
  const hashed = actions.map(({ text: said }) => {
    const text = fitText(said, redaction);
    return { text, hash: actionHash(text) };
  });
  return {
    insight: {
      ...{ origin, severity, domain, title, finding, sources },
      ...(window === undefined ? {} : { window }),
      metrics: metrics.map((metric, at) =>
        fitMetric(deps, caller, settings, metric, `/metrics/${at}`),
      ),
      actions: hashed.filter(({ hash }, at) => hashed.findIndex((one) => one.hash === hash) === at),
    },
    card: {
      ...present(beside),
      summary: insightSummary(title, finding),
      kind: 'insight',
      sign: 'neutral',
      topic: domain,
      importance: IMPORTANCE_OF_SEVERITY[severity],
    },
  };
}

/** By which what came of an action, and that it is blocked, are known. */
export function actionHash(text: string): string {
  return createHash('sha256').update(normalizedAction(text), 'utf8').digest('hex');
}

/** A number fit to be kept; its time is now where none is given. @throws Problem as `fitInsight` does */
export function fitMetric(
  deps: ApiDependencies,
  caller: Caller,
  settings: WorkspaceSettings,
  metric: Omit<PushedMetric, 'value'> & { value?: number | undefined },
  pointer: string,
): FitMetric {
  const { name, value, at: said } = metric;
  const unit = typeof metric.unit === 'string' ? unitOf(metric.unit) : null;
  requireLabel(deps, caller, settings, name, `${pointer}/name`);
  if (unit !== null) requireLabel(deps, caller, settings, unit, `${pointer}/unit`);
  const now = deps.clock().getTime();
  const at = said === undefined ? now : Date.parse(said);
  if (at > now + AHEAD_MS) throw badRequest('at: lies in the future', `${pointer}/at`);
  // Only what is said is kept: what a name tells loses to whoever says it, now or later.
  const goal = metric.goal ?? null;
  return { name, value: value ?? null, unit, at: new Date(at).toISOString(), goal };
}

/** A name is a label: checked, and not redacted. */
function requireLabel(
  deps: ApiDependencies,
  caller: Caller,
  settings: WorkspaceSettings,
  label: string,
  pointer: string,
): void {
  try {
    fitContent(deps, caller, settings, { hints: { service: label } });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.status, error.code, error.detail, { pointer });
  }
}

/** What was left out is not there, and not undefined. */
function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
