import type { z } from 'zod';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import {
  apiKeySchema,
  madeKeySchema,
  newKeySchema,
  rotateKeySchema,
} from '../../schemas/principals';
import { registerAgent } from '../../store/agents';
import { insertKey, listKeys, readKey, revokeKey } from '../../store/api-keys';
import { writeAudit } from '../../store/audit';
import type { Tx } from '../../store/database';
import { newId } from '../../store/ids';
import { readPerson } from '../../store/people';
import type { ApiDependencies, App } from '../app';
import { type Caller, hashKey } from '../authentication';
import { writeOnce } from '../idempotency';
import { requireOwnersEqual } from '../key-rights';
import { rotateKey } from '../key-rotating';
import { directoryOf, kept, pageById } from '../listing';
import { newKey } from '../new-key';
import { badRequest, notFound, Problem } from '../problem';

type KeyPrincipal = z.output<typeof newKeySchema>['principal'];

export function keyRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/keys',
    {
      schema: {
        summary: 'Keys without their secret, newest first, revoked ones included',
        tags: ['keys'],
        querystring: listQuery({}),
        response: { 200: pageSchema(apiKeySchema) },
      },
    },
    (request) =>
      pageById(request, (page) =>
        deps.database.inWorkspace(request.caller.context.workspace, (tx) => listKeys(tx, page)),
      ),
  );

  app.post(
    '/v1/keys',
    {
      schema: {
        summary: 'Make a key for a person, an agent or a runtime; it is shown this once',
        tags: ['keys'],
        body: newKeySchema,
        response: { 201: madeKeySchema },
      },
    },
    async (request, reply) => {
      const { body, caller } = request;
      const directory = directoryOf(deps, request);
      const { kind } = body.principal;
      const check = (value: string) =>
        kind === 'runtime' ? directory.plainId(value) : directory.namedId(value);
      const principal = { kind, id: kept(() => check(body.principal.id), '/principal/id') };
      const expiresAt = body.expires_at === undefined ? null : new Date(body.expires_at);
      if (expiresAt !== null && expiresAt <= deps.clock()) {
        throw badRequest('expires_at: is in the past', '/expires_at');
      }
      const key = newKey();
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const now = deps.clock();
          await requirePrincipal(tx, caller, principal, now);
          const made = await insertKey(tx, {
            id: newId('key', now),
            hash: hashKey(key),
            principal,
            name: body.name === undefined ? null : directory.text(body.name),
            expiresAt,
            requestsPerMinute: body.requests_per_minute ?? null,
            now,
          });
          await writeAudit(tx, {
            at: now,
            actor: caller.context.principal,
            action: 'key.created',
            target: { type: 'key', id: made.id },
            changed: Object.keys(body),
            channel: 'api',
          });
          return { status: 201, reference: { id: made.id }, body: { ...made, key } };
        },
        rebuild: (tx, { id }) => readKey(tx, id),
      });
      return reply.status(201).send(answer.body as z.output<typeof madeKeySchema>);
    },
  );

  app.post(
    '/v1/keys/:id/rotate',
    {
      schema: {
        summary: 'Put a new key in the place of one; it is shown this once',
        description:
          'For the same principal, under the same name. The old key is revoked at once, or is good for as long as `grace` says.',
        tags: ['keys'],
        params: idParams,
        body: rotateKeySchema,
        response: { 201: madeKeySchema },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      return reply.status(201).send(await rotateKey(deps, request, params.id, body));
    },
  );

  app.delete(
    '/v1/keys/:id',
    {
      schema: { summary: 'Revoke a key, at once', tags: ['keys'], params: idParams },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { caller } = request;
      if (id === caller.keyId) {
        throw new Problem(409, 'own_key', 'this is the key you use; revoke it with another one');
      }
      await writeOnce(request, deps, {
        perform: async (tx) => {
          const now = deps.clock();
          const key = await readKey(tx, id);
          if (key === null) throw notFound('key');
          await requireOwnersEqual(tx, caller, key.principal);
          if (await revokeKey(tx, id, now)) {
            await writeAudit(tx, {
              at: now,
              actor: caller.context.principal,
              action: 'key.revoked',
              target: { type: 'key', id },
              changed: ['revoked_at'],
              channel: 'api',
            });
          }
          return { status: 204, reference: { id }, body: undefined };
        },
        rebuild: async () => undefined,
      });
      return reply.status(204).send();
    },
  );
}

/** A person has to be known before a key can stand for them; an agent becomes known by its key. */
async function requirePrincipal(
  tx: Tx,
  caller: Caller,
  { kind, id }: KeyPrincipal,
  now: Date,
): Promise<void> {
  const actor = caller.context.principal;
  switch (kind) {
    case 'person': {
      const person = await readPerson(tx, id);
      if (person === null) {
        throw badRequest(
          'principal: names a person this workspace does not know; PUT /v1/people first',
          '/principal/id',
        );
      }
      return await requireOwnersEqual(tx, caller, { kind, id });
    }
    case 'agent': {
      const made = await registerAgent(tx, {
        id,
        team: null,
        parent: null,
        registeredBy: 'person',
        now,
      });
      if (made === null) return;
      return await writeAudit(tx, {
        at: now,
        actor,
        action: 'agent.registered',
        target: { type: 'agent', id },
        channel: 'api',
      });
    }
    case 'runtime':
      return;
    default:
      kind satisfies never;
  }
}
