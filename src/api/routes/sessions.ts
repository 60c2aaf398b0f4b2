import { z } from 'zod';
import { pageSchema } from '../../schemas/listing';
import {
  entriesQuery,
  entryAnswerSchema,
  entryParams,
  entrySchema,
  sessionParams,
  sessionSchema,
} from '../../schemas/session';
import type { ApiDependencies, App } from '../app';
import { listBlackboard, readBlackboard } from '../blackboard';
import { putEntry, removeEntry } from '../blackboard-writing';
import { tagged } from '../card-versions';
import { closeSession, readSession } from '../session-access';

/** Room for a value whose every character is written as an escape; what is over 64 KiB says so itself. */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Sessions and their blackboards: working memory that an agent shares with its sub-agents for one task. */
export function sessionRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/sessions/:session',
    {
      schema: {
        summary: 'A session: whose it is, whether it has ended, how full its blackboard is',
        tags: ['sessions'],
        params: sessionParams,
        response: { 200: sessionSchema },
      },
    },
    ({ caller, params }) => readSession(deps, caller, params.session),
  );

  app.post(
    '/v1/sessions/:session/end',
    {
      schema: {
        summary: 'End a session; its blackboard is gone',
        description:
          'By its root agent, an agent above that, a runtime for them, or a person. A final event of one of ' +
          'these agents ends it too.',
        tags: ['sessions'],
        params: sessionParams,
        body: z.strictObject({}).nullish(),
        response: { 200: sessionSchema },
      },
    },
    (request) => closeSession(deps, request, request.params.session),
  );

  app.get(
    '/v1/sessions/:session/blackboard',
    {
      schema: {
        summary: 'What stands on the blackboard, by key',
        tags: ['sessions'],
        params: sessionParams,
        querystring: entriesQuery,
        response: { 200: pageSchema(entryAnswerSchema) },
      },
    },
    ({ caller, params, query }) => listBlackboard(deps, caller, params.session, query),
  );

  app.get(
    '/v1/sessions/:session/blackboard/:key',
    {
      schema: {
        summary: 'One value of the blackboard, with its version as ETag',
        tags: ['sessions'],
        params: entryParams,
        response: { 200: entryAnswerSchema },
      },
    },
    async ({ caller, params }, reply) => {
      const entry = await readBlackboard(deps, caller, params);
      return tagged(reply, entry).send(entry);
    },
  );

  app.put(
    '/v1/sessions/:session/blackboard/:key',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        summary: 'Write a value; the first one of an agent opens the session',
        description:
          'With If-Match only over the version that was read, with `If-None-Match: *` only where nothing ' +
          'stands yet. At most 64 KiB of JSON a value, 1,000 keys and 1 MiB a session.',
        tags: ['sessions'],
        params: entryParams,
        body: entrySchema,
        response: { 200: entryAnswerSchema, 201: entryAnswerSchema },
      },
    },
    async (request, reply) => {
      const { made, entry } = await putEntry(deps, request, request.params, request.body.value);
      return tagged(reply, entry)
        .status(made ? 201 : 200)
        .send(entry);
    },
  );

  app.delete(
    '/v1/sessions/:session/blackboard/:key',
    {
      schema: {
        summary: 'Delete a value of the blackboard',
        tags: ['sessions'],
        params: entryParams,
      },
    },
    async (request, reply) => {
      await removeEntry(deps, request, request.params);
      return reply.status(204).send();
    },
  );
}
