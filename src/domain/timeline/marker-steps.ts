import type { TimelineStep } from '../../contracts/timeline';
import { failureOf } from './failure-words';
import { type HistoryEvent, type HistoryTime, timeOf, valueIn } from './history';
import { idsIn } from './step-ids';
import { ACTIVITY_NAMES, nameIn, PATCHED } from './step-names';

/** The names of the SDK's own markers. */
const LOCAL_ACTIVITY = 'core_local_activity';
const PATCH = 'core_patch';
const PATCH_ID = /^[\w.-]{1,100}$/;

type MarkerStep = Pick<TimelineStep, 'at' | 'kind' | 'name'> & Partial<TimelineStep>;

/**
 * A local activity leaves one event, when its task ends, with its times by the worker's clock.
 * @param at of the event
 */
export function markerStep(event: HistoryEvent, at: string): MarkerStep | null {
  const marker = event.markerRecordedEventAttributes;
  if (marker?.markerName === PATCH) {
    const { id } = recordIn(marker.details?.['patch-data']);
    const detail = typeof id === 'string' && PATCH_ID.test(id) ? id : null;
    return { at, kind: 'patched', name: PATCHED, detail };
  }
  if (marker?.markerName !== LOCAL_ACTIVITY) return null;
  const data = recordIn(marker.details?.data);
  const failure = failureOf(marker.failure);
  return {
    at: until(at, data.original_schedule_time),
    ended_at: until(at, data.complete_time),
    kind: 'local_activity',
    name: nameIn(ACTIVITY_NAMES, text(data.activity_type)),
    status: failure === null ? 'done' : failure.code === 'cancelled' ? 'cancelled' : 'failed',
    attempts: typeof data.attempt === 'number' ? data.attempt : 1,
    failure,
    detail: idsIn([valueIn(marker.details?.result)]).join(', ') || null,
  };
}

function recordIn(payloads: Parameters<typeof valueIn>[0]): Record<string, unknown> {
  const value = valueIn(payloads);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A worker whose clock is ahead of Temporal's does not put a step behind what came of it. */
function until(latest: string, time: unknown): string {
  const said = typeof time === 'object' ? timeOf(time as HistoryTime | null) : null;
  return said === null || said > latest ? latest : said;
}
