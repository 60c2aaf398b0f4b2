import type { AppendedMessages, ClosedConversation, Conversation } from '../contracts/conversation';
import type { Policy } from '../contracts/policy';
import { answersTo, CLEARED_ABOVE_TOKENS } from '../domain/conversation/appending';
import { questionTerms } from '../domain/conversation/asked';
import { type DetailRow, detailRows } from '../domain/conversation/detail-rows';
import { compactionDue } from '../domain/conversation/due';
import { messageTokens } from '../domain/conversation/message-tokens';
import { toolValue } from '../domain/conversation/tool-value';
import { clearedText } from '../domain/conversation/turns';
import { writeRoute } from '../domain/policy';
import { tokensOf } from '../models/token-count';
import { findAgents } from '../store/agents';
import { writeAudit } from '../store/audit';
import { askCompaction } from '../store/compactions';
import {
  backlogOf,
  countAppended,
  insertDetails,
  insertMessages,
  lastSaid,
  markUsed,
  type UnusedResult,
  unusedResults,
} from '../store/conversation-messages';
import { closeConversation, holdConversation, readConversation } from '../store/conversations';
import type { Tx } from '../store/database';
import { readSettings, type WorkspaceSettings } from '../store/settings';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { readerOf } from './card-rights';
import { type FitMessage, fitMessages } from './conversation-fitting';
import { type Asked, writeOnce } from './idempotency';
import { badRequest, notFound, Problem } from './problem';

/** @throws Problem 400 where nobody says whose conversation it is */
export function ownerOf({ context }: Caller): string {
  if (context.agent === null) {
    throw badRequest('name the agent whose conversation it is: add Cairn-Agent');
  }
  return context.agent;
}

/** @throws Problem 409 */
export function requireOpen({ status }: Pick<Conversation, 'status'>): void {
  if (status === 'archived') throw archived();
  if (status === 'closed') {
    throw new Problem(409, 'conversation_closed', 'this conversation is closed; start another one');
  }
}

export function archived(): Problem {
  return new Problem(
    409,
    'conversation_archived',
    'this conversation went with its project, which is closed; it can be read and no longer be used',
  );
}

/**
 * Adds messages to a conversation, in order and without gaps. Where memory is off nothing of them is kept.
 * @throws Problem 404, 409, 413, 422
 */
export async function appendMessages(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  given: Parameters<typeof fitMessages>[3],
): Promise<AppendedMessages> {
  const { workspace } = request.caller.context;
  const agent = ownerOf(request.caller);
  const settings = await deps.database.inWorkspace(workspace, readSettings, 'once');
  if (settings === null) throw new Error('the workspace of this key is gone');
  const redaction = deps.pseudonyms.redaction(workspace, settings);
  const messages = await fitMessages(deps, workspace, redaction, given);
  const { body } = await writeOnce(request, deps, {
    perform: async (tx) => {
      const appended = await append(tx, deps, { agent, id, settings, messages });
      return { status: 200, reference: { ...appended }, body: appended };
    },
    // All that it answers are numbers, codes and ids: the reference is the answer.
    rebuild: async (_tx, reference) => reference,
  });
  if (body === undefined) throw new Error('messages were added without an answer');
  deps.pokeOutbox();
  return body;
}

interface Appending {
  agent: string;
  id: string;
  settings: WorkspaceSettings;
  messages: readonly FitMessage[];
}

async function append(
  tx: Tx,
  deps: ApiDependencies,
  { agent, id, settings, messages }: Appending,
): Promise<{ [K in keyof AppendedMessages]: AppendedMessages[K] }> {
  const now = deps.clock();
  const held = await holdConversation(tx, agent, id);
  if (held === null) throw notFound('conversation');
  requireOpen(held);
  const none = { accepted: 0, first: null, last: null, operation_id: null };
  const refusal = await notTaken(tx, agent, settings);
  if (refusal !== null) return { conversation_id: id, ...refusal, ...none };

  const first = held.messages + 1;
  const numbered = messages.map((message, index) => ({ ...message, n: first + index }));
  const before = await lastSaid(tx, id);
  await insertMessages(tx, id, first, messages, now);
  const used = await usedResults(tx, id, first, numbered);
  await markUsed(tx, id, used);
  await insertDetails(tx, id, [
    ...numbered.flatMap((message, index) => detailsOf(message, index === 0 ? before : undefined)),
    ...used.flatMap(({ details }) => details),
  ]);
  const question = numbered.filter(({ role }) => role === 'user').at(-1);
  const added = {
    messages: messages.length,
    tokens: messages.reduce((sum, { tokens }) => sum + tokens, 0),
    asked: question ? { n: question.n, terms: questionTerms(question.content) } : null,
  };
  await countAppended(tx, id, added, now);
  return {
    conversation_id: id,
    disposition: 'kept',
    reason: null,
    accepted: messages.length,
    first,
    last: first + messages.length - 1,
    operation_id: await startIfDue(tx, { agent, id, policy: settings.policy }, now),
  };
}

/** As with an event: memory that is off, and a rule that calls the agent's chats sensitive, keep nothing. */
async function notTaken(
  tx: Tx,
  agent: string,
  { memoryMode, policy }: WorkspaceSettings,
): Promise<Pick<AppendedMessages, 'disposition' | 'reason'> | null> {
  if (memoryMode === 'off') return { disposition: 'mode_off', reason: 'workspace_off' };
  const known = (await findAgents(tx, [agent])).get(agent);
  if (known?.memory_mode === 'off') return { disposition: 'mode_off', reason: 'agent_off' };
  const route = writeRoute(policy, { agent, kind: 'chat' });
  return route === 'sensitive' ? { disposition: 'sensitive', reason: 'write_rule' } : null;
}

type Numbered = FitMessage & { n: number };

/** @param before what was said before the first of a batch; undefined for the others, which know it */
function detailsOf(message: Numbered, before: string | null | undefined): DetailRow[] {
  const { n, role, tokens, details } = message;
  if (role === 'tool' && tokens <= CLEARED_ABOVE_TOKENS) return detailRows(message, null);
  if (role === 'system' || role === 'tool') return [];
  if (before != null) return detailRows(message, before);
  return details.map((detail) => ({ ...detail, n }));
}

/** Results of tools that are answered from in this batch, earlier ones too, and what was taken of each. */
async function usedResults(
  tx: Tx,
  id: string,
  first: number,
  batch: readonly Numbered[],
): Promise<{ n: number; extracted: string; tokens: number; details: DetailRow[] }[]> {
  if (!batch.some(({ role }) => role === 'assistant')) return [];
  const here = batch.filter(({ role, tokens }) => role === 'tool' && tokens > CLEARED_ABOVE_TOKENS);
  const results: UnusedResult[] = [
    ...(await unusedResults(tx, id, first, CLEARED_ABOVE_TOKENS)),
    ...here,
  ];
  return results.flatMap((result) => {
    const { n, content, name, at } = result;
    const answers = answersTo(result, batch);
    if (answers.length === 0) return [];
    const extracted = toolValue(content, answers);
    const shown = clearedText(id, n, extracted, { isDropped: false });
    const tokens = messageTokens({ content: shown, name }, tokensOf);
    const details = detailRows({ n, role: 'tool', name, content: extracted, at }, null);
    return [{ n, extracted, tokens, details }];
  });
}

async function startIfDue(
  tx: Tx,
  { agent, id, policy }: { agent: string; id: string; policy: Policy },
  now: Date,
): Promise<string | null> {
  const { ceiling_tokens: ceiling, keep_recent: keepRecent, facts } = policy.conversations;
  const mayBeFacts = facts && writeRoute(policy, { agent, kind: 'chat' }) === 'durable';
  const backlog = await backlogOf(tx, id, { keepRecent, facts: mayBeFacts });
  if (compactionDue(backlog, ceiling) === null) return null;
  return (await askCompaction(tx, { conversationId: id, now }))?.operation_id ?? null;
}

/**
 * Closes a conversation, which asks for its last compaction; it stays readable. Closed before, it is as it was.
 * @throws Problem 404, or 409 where it is archived
 */
export async function closeOne(
  deps: ApiDependencies,
  request: Asked,
  id: string,
): Promise<ClosedConversation | { id: string }> {
  const { caller } = request;
  const reader = readerOf(caller, deps.clock);
  const { body } = await writeOnce(request, deps, {
    perform: async (tx) => {
      const operation = await closing(tx, caller, reader, id);
      const closed = await readConversation(tx, reader, id);
      if (closed === null) throw notFound('conversation');
      const answer = { ...closed, operation_id: operation };
      return { status: 200, reference: { id, operation_id: operation }, body: answer };
    },
    rebuild: async (tx, { operation_id }) => {
      const found = await readConversation(tx, reader, id);
      return found === null ? null : { ...found, operation_id };
    },
  });
  if (body === undefined) throw new Error('a conversation was closed without an answer');
  deps.pokeOutbox();
  return body as ClosedConversation | { id: string };
}

async function closing(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  id: string,
): Promise<string | null> {
  const now = reader[5];
  const seen = await readConversation(tx, reader, id);
  const held = seen === null ? null : await holdConversation(tx, seen.agent, id);
  if (held === null) throw notFound('conversation');
  if (held.status === 'archived') throw archived();
  if (!(await closeConversation(tx, id, now))) return null;
  await writeAudit(tx, {
    at: now,
    actor: caller.context.principal,
    action: 'conversation.closed',
    target: { type: 'conversation', id },
    changed: ['status'],
    channel: caller.channel,
  });
  if (held.messages === 0) return null;
  return (await askCompaction(tx, { conversationId: id, now }))?.operation_id ?? null;
}
