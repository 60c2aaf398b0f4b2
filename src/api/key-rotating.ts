import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ApiKey } from '../contracts/principal';
import { durationMs } from '../domain/durations';
import type { rotateKeySchema } from '../schemas/principals';
import { endKeyAt, type HeldKey, holdKey, insertKey, readKey, revokeKey } from '../store/api-keys';
import { writeAudit } from '../store/audit';
import type { Tx } from '../store/database';
import { newId } from '../store/ids';
import type { ApiDependencies } from './app';
import { type Caller, hashKey } from './authentication';
import { writeOnce } from './idempotency';
import { requireOwnersEqual } from './key-rights';
import { newKey } from './new-key';
import { badRequest, notFound, Problem } from './problem';

type Rotation = NonNullable<z.output<typeof rotateKeySchema>>;

/**
 * Puts a new key in the place of one: for the same principal, under the same name. The old one is revoked at once,
 * or stays good for the grace, so that nothing has to stand still while the new one is handed out.
 * @returns the new key's record; the key itself is in the first answer alone
 * @throws Problem 404, 403, and 409 for a key that is not good any more or is set by the environment
 */
export async function rotateKey(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  given: Rotation | null | undefined,
): Promise<ApiKey & { key?: string }> {
  const asked = given ?? {};
  const graceMs = durationMs(asked.grace ?? 'PT0S');
  const key = newKey();
  const answer = await writeOnce<ApiKey & { key?: string }, { id: string }>(request, deps, {
    perform: async (tx) => {
      const now = deps.clock();
      const old = await requireRotatable(tx, request.caller, id, now);
      const made = await insertKey(tx, {
        id: newId('key', now),
        hash: hashKey(key),
        principal: old.principal,
        name: old.name,
        expiresAt: endOf(asked, old, now),
        requestsPerMinute:
          asked.requests_per_minute === undefined
            ? old.requests_per_minute
            : asked.requests_per_minute,
        replaces: id,
        now,
      });
      if (graceMs === 0) await revokeKey(tx, id, now);
      else await endKeyAt(tx, id, new Date(now.getTime() + graceMs));
      await noteRotation(tx, request.caller, { old: id, made: made.id, graceMs, now });
      return { status: 201, reference: { id: made.id }, body: { ...made, key } };
    },
    rebuild: (tx, reference) => readKey(tx, reference.id),
  });
  return answer.body as ApiKey & { key?: string };
}

async function requireRotatable(tx: Tx, caller: Caller, id: string, now: Date): Promise<HeldKey> {
  const old = await holdKey(tx, id, now);
  if (old === null) throw notFound('key');
  await requireOwnersEqual(tx, caller, old.principal);
  if (old.bootstrap) {
    throw new Problem(
      409,
      'set_elsewhere',
      'the owner key of the installation is set where it starts: give another CAIRN_BOOTSTRAP_KEY, or make a key for the owner and use that',
    );
  }
  if (!old.is_good) {
    throw new Problem(
      409,
      'key_ended',
      'this key is revoked or ran out; make a new one with POST /v1/keys',
    );
  }
  return old;
}

function endOf({ expires_at: wanted }: Rotation, old: HeldKey, now: Date): Date | null {
  if (wanted === null) return null;
  const end = wanted ?? old.expires_at;
  if (end === null) return null;
  const at = new Date(end);
  if (at <= now) throw badRequest('expires_at: is in the past', '/expires_at');
  return at;
}

async function noteRotation(
  tx: Tx,
  caller: Caller,
  { old, made, graceMs, now }: { old: string; made: string; graceMs: number; now: Date },
): Promise<void> {
  const actor = caller.context.principal;
  const common = { at: now, actor, channel: 'api' };
  await writeAudit(tx, {
    ...common,
    action: 'key.created',
    target: { type: 'key', id: made },
    changed: ['replaces'],
  });
  await writeAudit(tx, {
    ...common,
    action: graceMs === 0 ? 'key.revoked' : 'key.rotated',
    target: { type: 'key', id: old },
    changed: [graceMs === 0 ? 'revoked_at' : 'expires_at'],
  });
}
