import type { z } from 'zod';
import { CANCEL_FOLLOW_UP, EXTEND, MEASURE_NOW } from '../../contracts/insight';
import { durationMs } from '../../domain/durations';
import { insightSchema } from '../../schemas/insight-answers';
import {
  cancelSchema,
  extendSchema,
  followUpAnswerSchema,
  measureSchema,
  outcomeSchema,
} from '../../schemas/insight-follow-up';
import { insightActionParams } from '../../schemas/insights';
import { idParams } from '../../schemas/listing';
import type { ActionRow } from '../../store/insight-follow-ups';
import type { ApiDependencies, App } from '../app';
import { orderFollowUp, reportOutcomeOnce } from '../insight-following';

/** What waits to be measured: now, later or never; and what somebody says that it came to. */
export function insightFollowUpRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/insights/:id/actions/:action_id/measure',
    {
      schema: {
        summary: 'Measure an action that was taken now, and not when its window is over',
        description:
          'By the latest numbers of its metrics since it was taken. One that could not be measured may be ' +
          'measured again; of one that was the outcome is answered. 409 `not_taken`, `already_ended`. 503 ' +
          '`follow_up_unheard`: it may have been done, and asking again is safe.',
        tags: ['insights'],
        params: insightActionParams,
        body: measureSchema,
        response: { 200: followUpAnswerSchema },
      },
    },
    (request) => orderFollowUp(deps, request, named(request.params), { order: MEASURE_NOW }),
  );

  app.post(
    '/v1/insights/:id/actions/:action_id/extend',
    {
      schema: {
        summary: 'Measure it later',
        description:
          '`until` is when; `window` counts from when it was taken. 409 `not_later` where it is measured later ' +
          'than that already.',
        tags: ['insights'],
        params: insightActionParams,
        body: extendSchema,
        response: { 200: followUpAnswerSchema },
      },
    },
    (request) =>
      orderFollowUp(deps, request, named(request.params), {
        order: EXTEND,
        until: (action) => untilOf(action, request.body),
      }),
  );

  app.post(
    '/v1/insights/:id/actions/:action_id/cancel',
    {
      schema: {
        summary: 'Do not measure it: it has no outcome',
        tags: ['insights'],
        params: insightActionParams,
        body: cancelSchema,
        response: { 200: followUpAnswerSchema },
      },
    },
    (request) =>
      orderFollowUp(deps, request, named(request.params), {
        order: CANCEL_FOLLOW_UP,
        reason: request.body?.reason,
      }),
  );

  app.post(
    '/v1/insights/:id/outcome',
    {
      schema: {
        summary: 'Say what an action came to, where no number tells',
        description:
          'One outcome an action: 409 `already_ended` for a second. One that was recommended only is taken with ' +
          'it. `size` is a relative change, −0.18 for 18 % less. An agent’s own word neither validates the ' +
          "insight's card nor makes it surer.",
        tags: ['insights'],
        params: idParams,
        body: outcomeSchema,
        response: { 200: insightSchema },
      },
    },
    (request) => reportOutcomeOnce(deps, request, request.params.id, request.body),
  );
}

const named = ({ id, action_id }: z.output<typeof insightActionParams>) => ({
  insightId: id,
  actionId: action_id,
});

function untilOf(action: ActionRow, { until, window }: z.output<typeof extendSchema>): Date {
  if (until !== undefined) return new Date(until);
  return new Date(Date.parse(action.taken_at ?? '') + durationMs(window ?? ''));
}
