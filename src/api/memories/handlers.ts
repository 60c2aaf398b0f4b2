import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { idParams } from '../../schemas/listing';
import * as schemas from '../../schemas/memories';
import type { ApiDependencies } from '../app';
import { badRequest } from '../problem';
import { addMemories } from './adding';
import { actAsOwner } from './caller';
import { deleteMemories, forgetMemory, updateMemories, updateMemory } from './changing';
import { deleteAllMemories } from './deleting-all';
import { giveFeedback } from './feedback';
import { entityPage, memoryPage, searchMemories } from './finding';
import { memoryHistory, readMemory } from './one';
import { notSupported } from './refusals';
import type { MEMORY_PATHS } from './rules';

/** A route of this plugin, whatever its paths are. */
export interface MemoryRoute {
  summary: string;
  description?: string;
  body?: z.ZodType;
  querystring?: z.ZodType;
  params?: z.ZodType;
  response?: Record<number, z.ZodType>;
  handler(request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/** Each body and query has passed the schema beside its handler. */
const bodyOf = <T>(request: FastifyRequest): T => request.body as T;
const queryOf = <T>(request: FastifyRequest): T => request.query as T;
const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id;

/** What each path of mem0's clients does. */
export function memoryHandlers(
  deps: ApiDependencies,
): Readonly<Record<keyof typeof MEMORY_PATHS, MemoryRoute>> {
  return {
    ping: {
      summary: 'Whether the key is good, as mem0’s clients ask it first',
      handler: async ({ caller }) => {
        const { workspace } = caller.context;
        return { status: 'ok', org_id: workspace, project_id: workspace, user_email: null };
      },
    },
    add: {
      summary: 'Remember what was said, in the shape of mem0',
      description:
        '`user_id` is the subject, `run_id` the session, `agent_id` the key’s own agent or one of a runtime. A ' +
        '`text`, a user’s only statement, and with `infer: false` every message is kept as it is after redaction; ' +
        'of more messages their facts are. The same sentence again is answered with `event: NONE`.',
      body: schemas.addMemorySchema,
      response: { 200: schemas.resultsSchema, 202: schemas.resultsSchema },
      handler: async (request, reply) => {
        const { status, body } = await addMemories(deps, request, bodyOf(request));
        return reply.status(status).send(body);
      },
    },
    search: {
      summary: 'Memories that fit a query, the best first: recall in the shape of mem0',
      body: schemas.searchMemoriesSchema,
      response: { 200: schemas.resultsSchema },
      handler: (request) => searchMemories(deps, request, bodyOf(request)),
    },
    list: {
      summary: 'Memories in numbered pages, the newest first',
      querystring: schemas.memoryListQuery,
      response: { 200: schemas.memoryPageSchema },
      handler: (request) => {
        const query = queryOf<z.output<typeof schemas.memoryListQuery>>(request);
        return memoryPage(deps, request, query, query);
      },
    },
    listByPost: {
      summary: 'The same with filters in the body',
      querystring: schemas.pageQuery,
      body: schemas.listMemoriesSchema,
      response: { 200: schemas.memoryPageSchema },
      handler: (request) => {
        const asked = bodyOf<schemas.ListMemories>(request) ?? {};
        return memoryPage(deps, request, asked, queryOf(request));
      },
    },
    deleteAll: {
      summary: 'Delete all memories of a user, an agent or a run that are the caller’s to delete',
      querystring: schemas.deleteAllQuery,
      response: { 200: schemas.saidSchema },
      handler: (request) => deleteAllMemories(deps, request, queryOf<schemas.DeleteAll>(request)),
    },
    one: {
      summary: 'One memory',
      params: idParams,
      response: { 200: schemas.memorySchema },
      handler: (request) => ofOne(request, (id) => readMemory(deps, request, id)),
    },
    history: {
      summary: 'What was added and changed, the first first',
      params: idParams,
      handler: (request) => ofOne(request, (id) => memoryHistory(deps, request, id)),
    },
    update: {
      summary:
        'Change a memory’s text, metadata, time or expiry; the version before stays in its history',
      params: idParams,
      body: schemas.updateMemorySchema,
      response: { 200: schemas.memorySchema },
      handler: (request) =>
        ofOne(request, (id) => updateMemory(deps, request, id, bodyOf(request))),
    },
    deleteOne: {
      summary: 'Delete a memory: gone for every reader, and restorable by people for a while',
      params: idParams,
      querystring: schemas.deleteOneQuery,
      response: { 200: schemas.saidSchema },
      handler: (request) => {
        const { delete_linked } = queryOf<z.output<typeof schemas.deleteOneQuery>>(request);
        if (delete_linked === 'true') {
          throw notSupported(
            'delete_linked: what a memory took the place of is history here, in no search and no list; delete it by its own id',
          );
        }
        return ofOne(request, (id) => forgetMemory(deps, request, id));
      },
    },
    updateBatch: {
      summary: 'Change the texts of several memories, all or none',
      body: schemas.batchUpdateSchema,
      handler: async (request) => {
        const body = bodyOf<schemas.BatchUpdate>(request);
        await actAsOwner(deps, request, body.memories[0]?.memory_id);
        return await updateMemories(deps, request, body);
      },
    },
    deleteBatch: {
      summary: 'Delete several memories, all or none',
      body: schemas.batchDeleteSchema,
      handler: async (request) => {
        const body = bodyOf<schemas.BatchDelete>(request);
        await actAsOwner(deps, request, body.memories[0]?.memory_id);
        return await deleteMemories(deps, request, body);
      },
    },
    entities: {
      summary: 'Users, agents and runs of which there are memories that the caller sees',
      querystring: schemas.pageQuery,
      handler: (request) => entityPage(deps, request, queryOf(request)),
    },
    deleteEntity: {
      summary: 'Delete all memories of a user, an agent or a run',
      querystring: schemas.anyQuery,
      handler: async (request) => {
        const { type, name } = request.params as { type: string; name: string };
        if (type === 'app') throw notSupported('there is no app_id here');
        if (type !== 'user' && type !== 'agent' && type !== 'run') {
          throw badRequest('an entity is a user, an agent or a run', '/type');
        }
        return await deleteAllMemories(deps, request, { [`${type}_id`]: name });
      },
    },
    feedback: {
      summary: 'Whether a memory held',
      body: schemas.feedbackSchema,
      handler: async (request) => {
        const body = bodyOf<schemas.MemoryFeedback>(request);
        await actAsOwner(deps, request, body.memory_id);
        return await giveFeedback(deps, request, body);
      },
    },
  };

  async function ofOne<T>(request: FastifyRequest, work: (id: string) => Promise<T>): Promise<T> {
    const id = idOf(request);
    await actAsOwner(deps, request, id);
    return await work(id);
  }
}
