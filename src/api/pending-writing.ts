import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../contracts/event';
import type { PendingWriteType } from '../contracts/pending-write';
import type { NewCardBody } from '../schemas/card';
import { writeAudit } from '../store/audit';
import { newId } from '../store/ids';
import { insertPendingWrite, type NewPendingWrite } from '../store/pending-writes';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { type FitCard, fitCard, requireWritable } from './card-creating';
import { isPerson } from './card-rights';
import { type Asked, writeOnce } from './idempotency';
import type { FitInsight } from './insight-fitting';

/** One thing that a restricted agent posts. */
export interface HeldWrite {
  type: PendingWriteType;
  /** As for `POST /v1/cards`; of a note the key, the value as `summary` and `knowledge` as the kind. */
  body: NewCardBody;
  /** Of an insight: what stands beside its card, redacted. */
  insight?: FitInsight;
}

/** Whether what this caller writes waits for a parent: a person who names a restricted agent writes at once. */
export function waitsForParent(caller: Caller): boolean {
  return caller.restricted && !isPerson(caller);
}

/** Answers a route whose one write waits: 202 `{pending_write_id}`. */
export async function answerHeld(
  deps: ApiDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  write: HeldWrite,
): Promise<FastifyReply> {
  const [pending_write_id] = await holdForParent(deps, request, [write]);
  if (pending_write_id === undefined) throw new Error('a write was held without an id');
  return reply
    .header('location', `/v1/pending-writes/${pending_write_id}`)
    .status(202)
    .send({ pending_write_id });
}

/**
 * Keeps what a restricted agent posts until its parent or a person decides: redacted, once per
 * `Idempotency-Key`, and refused by the modes, stops and write rules that would refuse the card.
 *
 * @returns an id for each, in their order; the routes answer 202 with it
 * @throws Problem as writing a card does
 * @example
 * if (waitsForParent(request.caller)) {
 *   const [pending_write_id] = await holdForParent(deps, request, [{ type: 'card', body }]);
 *   return reply.status(202).send({ pending_write_id });
 * }
 */
export async function holdForParent(
  deps: ApiDependencies,
  request: Asked,
  writes: readonly HeldWrite[],
): Promise<string[]> {
  const { caller } = request;
  const fit: (FitCard & Omit<HeldWrite, 'body'>)[] = [];
  for (const { body, ...write } of writes) {
    fit.push({ ...write, ...(await fitCard(deps, caller, body)) });
  }
  const { body } = await writeOnce(request, deps, {
    perform: async (tx) => {
      const at = deps.clock();
      const ids: string[] = [];
      for (const one of fit) {
        await requireWritable(tx, caller, one);
        const held = heldOf(caller, one, at);
        await insertPendingWrite(tx, held);
        await writeAudit(tx, {
          at,
          actor: caller.context.principal,
          action: 'pending_write.posted',
          target: { type: 'pending_write', id: held.id },
          channel: caller.channel,
        });
        ids.push(held.id);
      }
      return { status: 202, reference: { ids }, body: { ids } };
    },
    rebuild: async (_tx, reference) => reference,
  });
  return [...(body?.ids ?? [])];
}

/** It is true from when it was said, however long it waits. */
function heldOf(
  { context }: Caller,
  { content, scope, type, insight }: FitCard & Omit<HeldWrite, 'body'>,
  at: Date,
): NewPendingWrite {
  const valid_from = content.valid_from ?? at.toISOString();
  const said = { ...content, valid_from, ...(insight === undefined ? {} : { insight }) };
  return {
    id: newId('pend', at),
    agent: scope.id,
    type,
    content: JSON.parse(JSON.stringify(said)) as JsonObject,
    session: context.session,
    at,
  };
}
