import { z } from 'zod';
import type { EventItem } from '../../contracts/event';
import type { Refusal } from '../../contracts/names';
import { depthOf } from '../../domain/clean-text';
import { MAX_EVENT_DEPTH } from '../../intake/prepare';
import { eventsAnswerSchema, shortPointer } from '../../schemas/event';
import { wholeNumber } from '../../schemas/whole-number';
import { isGoodKey } from '../../store/api-keys';
import { readOperations } from '../../store/operations';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { requireSameRequest } from '../idempotency';
import { badRequest, notAllowed, Problem } from '../problem';
import { waitUntil } from '../waiting';

/** Of one batch (contract, Events). */
const MAX_BATCH = 500;
const MAX_WAIT_MS = 30_000;
/** Of a runtime that starts the captures itself; should it die, the outbox does so this late. */
const MAX_START_AFTER_MS = 30_000;

/** How a refused single event answers (contract, Events). */
const STATUS_OF_REFUSAL: Readonly<Record<Refusal, number>> = {
  invalid: 400,
  too_large: 413,
  agent_conflict: 409,
  event_id_conflict: 409,
  pii_in_identifier: 422,
  secret_in_identifier: 422,
  stopped: 403,
  erased: 410,
};

export function eventRoutes(app: App, deps: ApiDependencies): void {
  app.post(
    '/v1/events',
    {
      schema: {
        summary: 'Report settled work: one event, or {events: […]} of at most 500',
        tags: ['events'],
        querystring: z.strictObject({
          wait_ms: wholeNumber(0, MAX_WAIT_MS).optional(),
          start_after_ms: wholeNumber(0, MAX_START_AFTER_MS)
            .optional()
            .describe('Leaves the start of the captures to the caller for this long'),
        }),
        response: { 202: eventsAnswerSchema },
      },
    },
    async (request, reply) => {
      mayReport(request.caller);
      const { single, events } = eventsIn(request.body);
      await requireSameRequest(request, deps, 202, { single, events: events.map(tellable) });
      await deps.limits?.requireEventRoom(deps.database, request.caller, events.map(idOf));
      const items = await deps.intake.record(
        {
          workspace: request.caller.context.workspace,
          principal: request.caller.context.principal,
          startAfterMs: request.query.start_after_ms ?? 0,
        },
        events,
      );
      deps.pokeOutbox();
      const [only] = items;
      if (single && only?.status === 'refused' && only.reason !== undefined) throw refusalOf(only);
      const wait = request.query.wait_ms ?? 0;
      const settled = wait > 0 ? await waitForCards(deps, request.caller, items, wait) : items;
      return reply.status(202).send({ items: settled });
    },
  );
}

/** As it was sent: whether it is an id, the intake says. */
function idOf(event: unknown): unknown {
  return typeof event === 'object' && event !== null && 'event_id' in event ? event.event_id : null;
}

/** A restricted agent's writes go through its parent; people report through a runtime's key. */
export function mayReport(caller: Caller): void {
  const { principal } = caller.context;
  if (caller.restricted)
    throw notAllowed('a restricted agent reads only; its parent, or a runtime, reports its work');
  if (principal.kind === 'person' && !principal.bootstrap) {
    throw notAllowed("settled work is reported with a runtime's or an agent's key");
  }
}

function eventsIn(body: unknown): { single: boolean; events: readonly unknown[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('send one event as a JSON object, or {"events": [ … ]}');
  }
  if (!('events' in body)) return { single: true, events: [body] };
  const { events, ...rest } = body as { events: unknown };
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw badRequest('unknown field beside events', shortPointer(`/${unknown}`));
  if (!Array.isArray(events)) throw badRequest('events is a list', '/events');
  if (events.length > MAX_BATCH) {
    throw badRequest(
      `a batch has at most ${MAX_BATCH} events; this one has ${events.length}`,
      '/events',
    );
  }
  return { single: false, events };
}

/** Too deep to be hashed is too deep to be taken: each such event is refused alike, and costs no other. */
function tellable(event: unknown): unknown {
  return depthOf(event, MAX_EVENT_DEPTH) > MAX_EVENT_DEPTH ? 'too deep' : event;
}

/** A single event answers by its status, and still carries its one item. */
function refusalOf(item: EventItem): Problem {
  const reason = item.reason;
  if (reason === undefined) throw new Error('a refused item has a reason');
  return new Problem(STATUS_OF_REFUSAL[reason.code], reason.code, reason.detail, {
    ...(reason.pointer === undefined ? {} : { pointer: reason.pointer }),
    items: [item],
  });
}

/**
 * Fills in what became of the items as far as it is known when the time is up. To a key that is revoked meanwhile
 * nothing more is told, at once: that they were taken it knew when it was good.
 */
async function waitForCards(
  deps: ApiDependencies,
  caller: Caller,
  items: readonly EventItem[],
  waitMs: number,
): Promise<EventItem[]> {
  const ids = items.flatMap((item) => item.operation_id ?? []);
  const operations = await waitUntil(
    () =>
      deps.database.inWorkspace(caller.context.workspace, async (tx) =>
        (await isGoodKey(tx, caller.keyId, deps.clock())) ? await readOperations(tx, ids) : [],
      ),
    (found) => found.every((one) => one.disposition !== 'pending'),
    waitMs,
  );
  const byId = new Map(operations.map((one) => [one.id, one]));
  return items.map((item) => {
    const operation = item.operation_id === undefined ? undefined : byId.get(item.operation_id);
    if (operation === undefined) return item;
    return {
      ...item,
      disposition: operation.disposition,
      ...(operation.card_id === null ? {} : { card_id: operation.card_id }),
    };
  });
}
