import type { z } from 'zod';
import { idParams, listQuery, pageSchema } from '../../schemas/listing';
import {
  madeWorkspaceSchema,
  newWorkspaceSchema,
  putWorkspaceSchema,
  workspaceSchema,
} from '../../schemas/principals';
import { insertKey } from '../../store/api-keys';
import { writeAudit } from '../../store/audit';
import type { Tx } from '../../store/database';
import { newId } from '../../store/ids';
import { putPerson } from '../../store/people';
import {
  changeWorkspace,
  findWorkspace,
  inOtherWorkspace,
  insertWorkspace,
  listWorkspaces,
  readWorkspace,
} from '../../store/workspaces';
import type { ApiDependencies, App } from '../app';
import { type Caller, hashKey } from '../authentication';
import { writeOnce } from '../idempotency';
import { directoryOf, kept, oneOf, pageById, putOnce } from '../listing';
import { newKey } from '../new-key';
import { notFound, Problem } from '../problem';

/** The person whose key a new workspace begins with. */
const OWNER = 'owner';

export function workspaceRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/workspace',
    {
      schema: {
        summary: "The workspace of the caller's key",
        tags: ['principals'],
        response: { 200: workspaceSchema },
      },
    },
    (request) => oneOf(deps, request, 'workspace', readWorkspace),
  );

  app.put(
    '/v1/workspace',
    {
      schema: {
        summary:
          'Rename the workspace or set its memory mode; off takes nothing in and shows no agent anything',
        tags: ['principals'],
        body: putWorkspaceSchema,
        response: { 200: workspaceSchema },
      },
    },
    async (request, reply) => {
      const { name, memory_mode } = request.body;
      const directory = directoryOf(deps, request);
      const change = {
        memory_mode,
        name: name === undefined ? undefined : directory.text(name),
      };
      const { body } = await putOnce(deps, request, {
        type: 'workspace',
        id: request.caller.context.workspace,
        put: (tx) => changeWorkspace(tx, change),
        read: readWorkspace,
      });
      return reply.status(200).send(body);
    },
  );

  app.get(
    '/v1/workspaces',
    {
      schema: {
        summary: 'All workspaces, for the owner of the installation',
        tags: ['principals'],
        querystring: listQuery({}),
        response: { 200: pageSchema(workspaceSchema) },
      },
    },
    (request) => pageById(request, (page) => listWorkspaces(deps.database, page)),
  );

  app.get(
    '/v1/workspaces/:id',
    {
      schema: {
        summary: 'One workspace, for the owner of the installation',
        tags: ['principals'],
        params: idParams,
        response: { 200: workspaceSchema },
      },
    },
    async (request) => {
      const found = await findWorkspace(deps.database, request.params.id);
      if (found === null) throw notFound('workspace');
      return found;
    },
  );

  app.post(
    '/v1/workspaces',
    {
      schema: {
        summary: 'Make a workspace; the key of its owner is shown this once',
        tags: ['principals'],
        body: newWorkspaceSchema,
        response: { 201: madeWorkspaceSchema },
      },
    },
    async (request, reply) => {
      const directory = directoryOf(deps, request);
      const id = kept(() => directory.plainId(request.body.id), '/id');
      const name = directory.text(request.body.name);
      const key = newKey();
      const answer = await writeOnce(request, deps, {
        perform: async (tx) => {
          const now = deps.clock();
          const made = { id, name, keyHash: hashKey(key), now };
          await inOtherWorkspace(tx, id, (other) => makeWorkspace(other, request.caller, made));
          await note(tx, request.caller, 'workspace.created', { type: 'workspace', id }, now);
          return { status: 201, reference: { id }, body: { id, owner_key: key } };
        },
        rebuild: async (_tx, reference) => reference,
      });
      return reply.status(201).send(answer.body as z.output<typeof madeWorkspaceSchema>);
    },
  );
}

/** The workspace, its owner and the owner's key, in the new workspace itself. */
async function makeWorkspace(
  tx: Tx,
  caller: Caller,
  made: { id: string; name: string; keyHash: Buffer; now: Date },
): Promise<void> {
  const { id, name, keyHash, now } = made;
  if (!(await insertWorkspace(tx, { name, now }))) {
    throw new Problem(409, 'already_exists', 'there is a workspace with this id; choose another');
  }
  await putPerson(tx, OWNER, { name: 'Owner', role: 'owner' }, now);
  const key = await insertKey(tx, {
    id: newId('key', now),
    hash: keyHash,
    principal: { kind: 'person', id: OWNER },
    name: 'first',
    expiresAt: null,
    now,
  });
  await note(tx, caller, 'workspace.created', { type: 'workspace', id }, now);
  await note(tx, caller, 'person.created', { type: 'person', id: OWNER }, now);
  await note(tx, caller, 'key.created', { type: 'key', id: key.id }, now);
}

/** In the new workspace the actor is the installation: its people are not known there. */
async function note(
  tx: Tx,
  caller: Caller,
  action: string,
  target: { type: string; id: string },
  at: Date,
): Promise<void> {
  const here = tx.workspace === caller.context.workspace;
  const actor = here ? caller.context.principal : { kind: 'system', id: 'installation' };
  await writeAudit(tx, { at, actor, action, target, channel: 'api' });
}
