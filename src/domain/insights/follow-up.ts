import {
  type ActionStatus,
  CANCEL_FOLLOW_UP,
  EXTEND,
  type FollowUpRefusal,
  type FollowUpRequest,
  MEASURE_NOW,
} from '../../contracts/insight';
import type { FollowUpOrder } from '../../contracts/insight-messages';
import { isPrincipalId } from '../proposal';

/** As much of an action as says what may be asked of its follow-up. */
export interface Followed {
  status: ActionStatus;
  /** RFC 3339; null before it is taken. */
  measure_at: string | null;
}

/**
 * Why this changes nothing, as far as the action itself says; null where it may be done. What has been done already
 * is no reason: asked again, an Update answers with what there is.
 *
 * | | recommended | taken | measured | unmeasured | cancelled |
 * |---|---|---|---|---|---|
 * | measure_now | not_taken | measured | its outcome | measured again | already_ended |
 * | extend | not_taken | moved, or not_later | already_ended | already_ended | already_ended |
 * | cancel | not_taken | cancelled | already_ended | already_ended | as it is |
 */
export function followUpRefusal(
  order: FollowUpOrder,
  { status, measure_at }: Followed,
  request: Pick<FollowUpRequest, 'until'>,
): FollowUpRefusal | null {
  if (status === 'recommended') return 'not_taken';
  switch (order) {
    case MEASURE_NOW:
      return status === 'cancelled' ? 'already_ended' : null;
    case EXTEND:
      if (status !== 'taken') return 'already_ended';
      return Date.parse(request.until ?? '') < Date.parse(measure_at ?? '') ? 'not_later' : null;
    case CANCEL_FOLLOW_UP:
      return status === 'taken' || status === 'cancelled' ? null : 'already_ended';
    default:
      return order satisfies never;
  }
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,199}$/;
const SEAL = /^[a-z2-7]{26}$/;
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/i;
/** A time that Postgres and a timer can hold. */
const LATEST = Date.parse('2200-01-01T00:00:00Z');

/**
 * The fields of a request and nothing else of what came; null where it is none. Whoever writes to the workflow by hand
 * may write anything, and it goes no further.
 */
export function followUpIn(order: FollowUpOrder, said: unknown): FollowUpRequest | null {
  if (typeof said !== 'object' || said === null) return null;
  const { action_id, by, until, reason_id, seal } = said as Partial<FollowUpRequest>;
  if (typeof action_id !== 'string' || !ID.test(action_id)) return null;
  if (typeof by !== 'object' || by === null || !isPrincipalId(by.id)) return null;
  const { kind, id } = by;
  if (kind !== 'person' && kind !== 'agent' && kind !== 'runtime') return null;
  const sealed = typeof seal === 'string' && SEAL.test(seal) ? { seal } : {};
  const request: FollowUpRequest = { action_id, by: { kind, id }, ...sealed };
  if (order === EXTEND) {
    if (typeof until !== 'string' || !isTime(until)) return null;
    return { ...request, until: new Date(until).toISOString() };
  }
  if (order !== CANCEL_FOLLOW_UP || reason_id === undefined) return request;
  return typeof reason_id === 'string' && ID.test(reason_id) ? { ...request, reason_id } : null;
}

function isTime(text: string): boolean {
  const at = ZONED.test(text) ? Date.parse(text) : Number.NaN;
  return at > 0 && at < LATEST;
}
