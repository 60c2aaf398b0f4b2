import type { Timeline } from '../contracts/timeline';
import { DAY_MS, HOUR_MS } from '../domain/durations';
import { stepsOf } from '../domain/timeline/steps';
import type { ApiDependencies, TemporalPlace } from './app';
import { notFound, Problem } from './problem';

/**
 * A workflow of this workspace as a person reads it.
 * @param runId null: the run that goes on, or was the last
 * @throws Problem 404 for one of another workspace, one that never was and one that Temporal keeps no longer; 503
 * while Temporal is away
 */
export async function timelineOf(
  { timelines, temporal, clock }: ApiDependencies,
  workspace: string,
  workflowId: string,
  runId: string | null,
): Promise<Timeline> {
  // Of every id but that of the sweep, which is everybody's, the second part is the workspace.
  const [, owner, ...rest] = workflowId.split('/');
  if (owner !== workspace || rest.length === 0) throw notFound('workflow');
  const looked = (await timelines?.look(workflowId, runId)) ?? { outcome: 'away' };
  if (looked.outcome === 'away') throw away();
  if (looked.outcome === 'gone') throw gone(looked.kept_ms, clock());
  const { read, pending, ...run } = looked.run;
  const { closed_at } = run;
  return {
    workflow_id: workflowId,
    ...run,
    steps: stepsOf({ events: read, pending, closed_at }, run.type),
    ui: pageOf(temporal, workflowId, run.run_id),
  };
}

function gone(keptMs: number | null, now: Date): Problem {
  const what = 'Temporal has no history of this workflow';
  if (keptMs === null) return new Problem(404, 'not_found', what);
  const since = new Date(now.getTime() - keptMs).toISOString();
  return new Problem(
    404,
    'not_found',
    `${what}: it keeps one for ${lengthOf(keptMs)} after its end, so of what ended since ${since}`,
    { kept_since: since },
  );
}

function lengthOf(ms: number): string {
  const [count, unit] = ms % DAY_MS === 0 ? [ms / DAY_MS, 'day'] : [ms / HOUR_MS, 'hour'];
  return `${Math.round(count)} ${unit}${Math.round(count) === 1 ? '' : 's'}`;
}

function away(): Problem {
  return new Problem(
    503,
    'unavailable',
    'Temporal, which keeps the histories, cannot be reached right now; ask again',
    {},
    { 'retry-after': '5' },
  );
}

/** Temporal's own page of this run. */
function pageOf(place: TemporalPlace | undefined, workflowId: string, runId: string) {
  if (place === undefined || place.ui === null) return null;
  const [namespace, workflow] = [place.namespace, workflowId].map(encodeURIComponent);
  return `${place.ui.replace(/\/$/, '')}/namespaces/${namespace}/workflows/${workflow}/${runId}/history`;
}
