import { z } from 'zod';
import type { Conversation } from '../../contracts/conversation';
import {
  appendedSchema,
  appendSchema,
  closedSchema,
  contextQuery,
  contextSchema,
  conversationListQuery,
  conversationParams,
  conversationSchema,
  messageListQuery,
  messageParams,
  putConversationSchema,
  storedMessageSchema,
} from '../../schemas/conversation';
import { pageSchema } from '../../schemas/listing';
import { listConversations, putConversation, readConversation } from '../../store/conversations';
import type { Tx } from '../../store/database';
import { projectIsClosed } from '../../store/projects';
import type { ApiDependencies, App } from '../app';
import { askedId } from '../asking';
import type { Caller } from '../authentication';
import { readerOf } from '../card-rights';
import { conversationContext } from '../conversation-context';
import { messagesPage, oneMessage } from '../conversation-reading';
import { appendMessages, closeOne, ownerOf, requireOpen } from '../conversation-writing';
import { requireNotErased } from '../erased';
import { requireReader } from '../known-agent';
import { limitsOf } from '../limits/limits';
import { checkedId, keptField, oneOf, pageById, putOnce } from '../listing';
import { notFound, Problem } from '../problem';
import { NOT_MODIFIED } from '../recall';

/** Conversations: messages as rows, a summary of the older ones, facts about whom they are with. */
export function conversationRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/conversations',
    {
      schema: {
        summary: 'Conversations, by id: of an agent its own, people see all',
        tags: ['conversations'],
        querystring: conversationListQuery,
        response: { 200: pageSchema(conversationSchema) },
      },
    },
    (request) => {
      const { caller, query } = request;
      const reader = readerOf(caller, deps.clock);
      const { status = null, project = null } = query;
      const subject =
        query.subject === undefined ? null : askedId(deps, caller, query.subject, '/subject');
      return pageById(request, (page) =>
        deps.database.inWorkspace(reader[0], (tx) =>
          listConversations(tx, reader, { status, subject, project }, page),
        ),
      );
    },
  );

  app.put(
    '/v1/conversations/:id',
    {
      schema: {
        summary: 'Start a conversation of the calling agent, or say what it is about',
        description: 'Whom it is about can be changed until its first message.',
        tags: ['conversations'],
        params: conversationParams,
        body: putConversationSchema,
        response: { 200: conversationSchema, 201: conversationSchema },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const given = request.body ?? {};
      await requireReader(deps, caller);
      const agent = ownerOf(caller);
      const { workspace } = caller.context;
      const label = (value: string) => deps.pseudonyms.label(workspace, value);
      const id = checkedId(request.params.id, label);
      const project = keptField(given.project, label, '/project');
      const known = (value: string) => deps.pseudonyms.of(workspace, value);
      const subject = keptField(given.subject, known, '/subject');
      const { status, body } = await putOnce<Conversation>(deps, request, {
        type: 'conversation',
        id,
        put: async (tx, now) => {
          if (project != null && (await projectIsClosed(tx, project))) throw projectClosed();
          await requireNotErased(tx, deps, workspace, { kind: 'conversation', id });
          await requireConversationRoom(tx, deps, caller, id);
          const put = await putConversation(
            tx,
            { agent, id },
            { subject, project },
            now,
            mayChange,
          );
          if (put === null) throw notFound('conversation');
          return put;
        },
        read: (tx) => readConversation(tx, readerOf(caller, deps.clock), id),
      });
      return reply.status(status).send(body);
    },
  );

  app.get(
    '/v1/conversations/:id',
    {
      schema: {
        summary: 'One conversation: its counts and where it stands',
        tags: ['conversations'],
        params: conversationParams,
        querystring: z.strictObject({}),
        response: { 200: conversationSchema },
      },
    },
    (request) => {
      const reader = readerOf(request.caller, deps.clock);
      return oneOf(deps, request, 'conversation', (tx) =>
        readConversation(tx, reader, request.params.id),
      );
    },
  );

  app.post(
    '/v1/conversations/:id/messages',
    {
      schema: {
        summary: 'Add 1 to 500 messages, in order',
        description:
          'They are redacted as events are. Where memory is off, or a rule of the policy calls the chats of this ' +
          'agent sensitive, nothing of them is kept, and `disposition` says so. `operation_id` is of the compaction ' +
          'that they gave reason to.',
        tags: ['conversations'],
        params: conversationParams,
        querystring: z.strictObject({}),
        body: appendSchema,
        response: { 200: appendedSchema },
      },
    },
    async (request) => {
      await requireReader(deps, request.caller);
      return await appendMessages(deps, request, request.params.id, request.body.messages);
    },
  );

  app.get(
    '/v1/conversations/:id/messages',
    {
      schema: {
        summary: 'Its messages as they were sent, redacted, oldest first',
        tags: ['conversations'],
        params: conversationParams,
        querystring: messageListQuery,
        response: { 200: pageSchema(storedMessageSchema) },
      },
    },
    ({ caller, params, query }) => messagesPage(deps, caller, params.id, query),
  );

  app.get(
    '/v1/conversations/:id/messages/:n',
    {
      schema: {
        summary: 'One message; of a tool the raw result, while it is kept',
        description:
          "A tool's long result is kept for `retention.event_payload`; then `content` is null, `cleared` true, and " +
          '`extracted` what was taken of it, or how it began where nobody answered from it.',
        tags: ['conversations'],
        params: messageParams,
        querystring: z.strictObject({}),
        response: { 200: storedMessageSchema },
      },
    },
    ({ caller, params }) => oneMessage(deps, caller, params.id, params.n),
  );

  app.get(
    '/v1/conversations/:id/context',
    {
      schema: {
        summary: 'The list of messages to send to a model, within a budget of tokens',
        description:
          'Instructions first, then summary and facts, the turns that the summary does not cover, and before the ' +
          "user's last message what older details it may ask about. It calls no model and waits for none. With " +
          '`if_context_version`, or `If-None-Match`, it answers 304 where nothing has changed.',
        tags: ['conversations'],
        params: conversationParams,
        querystring: contextQuery,
        response: { 200: contextSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      await requireReader(deps, request.caller);
      const { budget_tokens, if_context_version } = request.query;
      const answer = await conversationContext(deps, request.caller, {
        id: request.params.id,
        budgetTokens: budget_tokens,
        known: [
          ...(if_context_version === undefined ? [] : [if_context_version]),
          ...tagsIn(request.headers['if-none-match']),
        ],
      });
      if (answer === NOT_MODIFIED) return reply.status(304).send();
      return reply.header('etag', `"${answer.context_version}"`).send(answer);
    },
  );

  app.post(
    '/v1/conversations/:id/close',
    {
      schema: {
        summary: 'Close a conversation: summed up a last time, and readable from then on',
        tags: ['conversations'],
        params: conversationParams,
        querystring: z.strictObject({}),
        response: { 200: z.union([closedSchema, z.object({ id: z.string() })]) },
      },
    },
    (request) => closeOne(deps, request, request.params.id),
  );
}

/** One that is there already takes no room. @throws Problem 403 where there is none for another one */
async function requireConversationRoom(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  id: string,
): Promise<void> {
  const limits = limitsOf(caller);
  if (limits.open_conversations === null) return;
  if ((await readConversation(tx, readerOf(caller, deps.clock), id)) !== null) return;
  await deps.limits?.quotas.requireRoom(tx, 'open_conversations', limits);
}

/** @throws Problem 409 for what stays as it was */
function mayChange(before: Conversation, changed: readonly string[]): void {
  requireOpen(before);
  if (changed.includes('subject') && before.messages > 0) {
    throw new Problem(
      409,
      'subject_fixed',
      'a conversation that has messages stays about whom it is; start another one',
    );
  }
}

function projectClosed(): Problem {
  return new Problem(409, 'project_closed', 'this project is closed; name another one, or none');
}

/** The tags of `If-None-Match`, weak ones too. */
function tagsIn(header: string | undefined): string[] {
  return [...(header ?? '').matchAll(/"([^"]{1,200})"/g)].flatMap(([, tag]) => tag ?? []);
}
