import type { FastifyRequest } from 'fastify';
import { MAX_SUMMARY, type NewCardBody, newCardSchema } from '../../schemas/card';
import { firstIssue } from '../../schemas/event';
import type { AddMemory } from '../../schemas/memories';
import { logAccess } from '../../store/access-log';
import type { Tx } from '../../store/database';
import { readMemories } from '../../store/memories';
import { holdSentences, type Sentence, sameSentence } from '../../store/memory-sentences';
import type { ApiDependencies } from '../app';
import { askedId } from '../asking';
import { surfaceOf } from '../authentication';
import { createCard, type HandWritten, prepareCard, requireWritable } from '../card-creating';
import { readerOf } from '../card-rights';
import { afterKeyRaces } from '../card-versions';
import { writeOnce } from '../idempotency';
import { requireReader } from '../known-agent';
import { holdForParent, waitsForParent } from '../pending-writing';
import { badRequest } from '../problem';
import { actAsWriter, inRun } from './caller';
import { factsOf, isQuestion, partsOfLong, soleMessage, statementsIn } from './facts';
import { requireNoApp } from './refusals';
import { endOfDay, type Memory, momentOf, writtenMemory } from './shape';

/** What adding came to; `pending_write_ids` where a restricted agent's words wait for its parent. */
export interface Added {
  results: Memory[];
  pending_write_ids?: string[];
  pending_write_id?: string;
  message?: string;
  status?: 'PENDING';
}

/**
 * Adds what a client said, a card for each sentence: a `text`, a user's only statement, and with `infer: false` each
 * message, as it is; of more messages than one, and of one that is longer than a memory, the facts. One that is there already, of the same agent, about the same
 * subject and in the same session, is answered as it is: nothing is ever deleted for what is added.
 * @throws Problem as writing a card does
 */
export async function addMemories(
  deps: ApiDependencies,
  request: FastifyRequest,
  body: AddMemory,
): Promise<{ status: number; body: Added }> {
  requireNoApp(body);
  await actAsWriter(deps, request, body.agent_id);
  inRun(deps, request, body.run_id);
  const { drafts, isCut } = await draftsOf(deps, request, body);
  if (drafts.length === 0) return { status: 200, body: { results: [] } };
  if (waitsForParent(request.caller)) return await hold(deps, request, drafts);
  await requireReader(deps, request.caller);
  const written: HandWritten[] = [];
  for (const draft of drafts) written.push(await prepareCard(deps, request, draft));
  const answer = await afterKeyRaces(() =>
    writeOnce(request, deps, {
      perform: async (tx) => {
        const results = await writeAll(tx, deps, request, written);
        const cards = results.map(({ id }) => id);
        return { status: 200, reference: { cards }, body: { results } };
      },
      rebuild: async (tx, { cards }) => ({ results: await asTheyAre(tx, deps, request, cards) }),
    }),
  );
  deps.pokeOutbox();
  const { body: made } = answer;
  if (made === undefined || !('results' in made)) throw new Error('memories without an answer');
  const results = made.results.map((memory) => (isCut ? { ...memory, truncated: true } : memory));
  return { status: 200, body: { results } };
}

async function hold(
  deps: ApiDependencies,
  request: FastifyRequest,
  drafts: readonly NewCardBody[],
): Promise<{ status: number; body: Added }> {
  const writes = drafts.map((body) => ({ type: 'memory' as const, body }));
  const ids = await holdForParent(deps, request, writes);
  return {
    status: 202,
    body: {
      results: [],
      message: 'Waits until the parent of this restricted agent, or a person, accepts it.',
      status: 'PENDING',
      pending_write_ids: ids,
      ...(ids[0] === undefined ? {} : { pending_write_id: ids[0] }),
    },
  };
}

/** One after the other, so that a sentence that comes twice in one call is known the second time. */
async function writeAll(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  written: readonly HandWritten[],
): Promise<Memory[]> {
  const sentenceOf = ({ content, scope }: HandWritten): Sentence => ({
    scope,
    subject: content.subject ?? null,
    session: caller.context.session,
    text: content.summary,
  });
  await holdSentences(tx, written.map(sentenceOf));
  const results: Memory[] = [];
  for (const one of written) {
    await requireWritable(tx, caller, one);
    const known = await sameSentence(tx, sentenceOf(one), deps.clock());
    if (known !== null) results.push(writtenMemory(known.card, known.changedAt, 'NONE'));
    else {
      const card = await createCard(tx, deps, caller, one, true);
      results.push(writtenMemory(card, card.recorded_at, 'ADD'));
    }
  }
  return results;
}

/** What a repetition is answered with: those that are still in sight. */
async function asTheyAre(
  tx: Tx,
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  ids: readonly string[],
): Promise<Memory[]> {
  const reader = readerOf(caller, deps.clock);
  const found = await readMemories(tx, reader, ids);
  const seen = ids.flatMap((id) => found.get(id) ?? []);
  await logAccess(tx, caller.context, {
    surface: surfaceOf(caller, 'memories.get'),
    at: reader[5],
    cards: seen.map(({ card, vias }) => ({ id: card.id, vias })),
  });
  return seen.map(({ card, changedAt }) => writtenMemory(card, changedAt, 'NONE'));
}

/**
 * The cards that it would be, checked as `POST /v1/cards` checks them, and whether there is only the beginning of it.
 * @throws Problem 400
 */
async function draftsOf(
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  body: AddMemory,
): Promise<{ drafts: NewCardBody[]; isCut: boolean }> {
  const { user_id, metadata, timestamp, expiration_date } = body;
  const subject = user_id === null ? null : askedId(deps, caller, user_id, '/user_id');
  const said = timestamp == null ? undefined : momentOf(timestamp);
  if (!newCardSchema.shape.valid_from.safeParse(said).success) {
    throw badRequest('timestamp: must be Unix seconds or an RFC 3339 time', '/timestamp');
  }
  const common = {
    kind: 'knowledge',
    ...(subject === null ? {} : { subject }),
    ...(metadata == null ? {} : { metadata }),
    ...(said === undefined ? {} : { valid_from: said }),
    ...(expiration_date == null ? {} : { expires_at: endOfDay(expiration_date) }),
  };
  const draft = (text: string) => checked({ ...common, summary: text });
  const whole = (texts: readonly string[]) => ({ drafts: texts.map(draft), isCut: false });
  if (typeof body.text === 'string') return whole([body.text]);
  const { messages } = body;
  if (messages === undefined) throw badRequest('give messages or text: there is nothing to add');
  if (body.infer === false) return whole(statementsIn(messages).map(({ content }) => content));
  const about = { said: said ?? deps.clock().toISOString(), subject };
  const sole = soleMessage(messages);
  if (sole !== null && [...sole.content].length > MAX_SUMMARY) {
    const { texts, isCut } = await partsOfLong(deps, caller, sole, about);
    return { drafts: texts.map(draft), isCut };
  }
  if (sole !== null && !isQuestion(sole)) return whole([sole.content]);
  return whole(await factsOf(deps, caller, messages, about));
}

const FIELDS: Readonly<Record<string, string>> = {
  subject: 'user_id',
  expires_at: 'expiration_date',
};

/** Named as the caller named it. */
function checked(card: Record<string, unknown>): NewCardBody {
  const parsed = newCardSchema.safeParse(card);
  if (parsed.success) return parsed.data;
  const { pointer, detail } = firstIssue(parsed.error);
  const [, field = '', ...rest] = pointer.split('/');
  if (field === 'summary') {
    throw badRequest(
      `a memory ${detail}: one of up to ${MAX_SUMMARY} characters each`,
      '/messages',
    );
  }
  const named = FIELDS[field] ?? field;
  throw badRequest(`${named}: ${detail}`, `/${[named, ...rest].join('/')}`);
}
