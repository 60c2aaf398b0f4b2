import type { FastifyRequest } from 'fastify';
import { cardPatchSchema } from '../../schemas/card';
import { firstIssue } from '../../schemas/event';
import type { BatchDelete, BatchUpdate, UpdateMemory } from '../../schemas/memories';
import type { Tx } from '../../store/database';
import { readMemories } from '../../store/memories';
import type { ApiDependencies } from '../app';
import { correctOnTop, deleteCard } from '../card-correcting';
import type { WrittenCard } from '../card-creating';
import { changeableCard, retire } from '../card-deciding';
import { type Correction, editCard, prepareEdit } from '../card-patching';
import { readerOf } from '../card-rights';
import { isStale } from '../card-versions';
import { writeOnce } from '../idempotency';
import { badRequest } from '../problem';
import { readMemory } from './one';
import { endOfDay, type Memory, momentOf, writtenMemory } from './shape';

/** More writers than this at one moment are no longer about one memory. */
const TRIES = 10;

/** A memory's id and the fields of its card that change. */
interface Edit {
  id: string;
  patch: ReturnType<typeof cardPatchSchema.parse>;
}

/** mem0's clients name no version: what stands there at this moment is changed, also after a race. */
export async function updateMemory(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
  body: UpdateMemory,
): Promise<Memory & { message: string }> {
  const card = await correctOnTop(deps, request, id, patchOf(body));
  const memory =
    'summary' in card
      ? await asChanged(deps, request, card)
      : await readMemory(deps, request, card.id);
  return { message: 'Memory updated successfully!', ...memory };
}

/** One that is held back from now on is out of its agent's sight, and changed just now. */
async function asChanged(
  deps: ApiDependencies,
  { caller }: FastifyRequest,
  card: WrittenCard,
): Promise<Memory> {
  const reader = readerOf(caller, deps.clock);
  const found = await deps.database.inWorkspace(reader[0], (tx) =>
    readMemories(tx, reader, [card.id]),
  );
  const changedAt = found.get(card.id)?.changedAt ?? reader[5].toISOString();
  return writtenMemory(card, changedAt, 'UPDATE');
}

/** All of them or none. */
export async function updateMemories(
  deps: ApiDependencies,
  request: FastifyRequest,
  { memories }: BatchUpdate,
): Promise<{ message: string; results: Memory[] }> {
  const edits = memories.map(({ memory_id, text }) => ({
    id: memory_id,
    patch: patchOf({ text }),
  }));
  const results = await editAll(deps, request, edits);
  return { message: `Successfully updated ${results.length} memories`, results };
}

async function editAll(
  deps: ApiDependencies,
  request: FastifyRequest,
  edits: readonly Edit[],
): Promise<Memory[]> {
  const answer = await afterRaces(async () => {
    const prepared: { id: string; correction: Correction | null }[] = [];
    for (const { id, patch } of edits) {
      prepared.push({ id, correction: await prepareEdit(deps, request, id, patch) });
    }
    return await writeOnce(request, deps, {
      perform: async (tx) => {
        const edited: WrittenCard[] = [];
        for (const { id, correction } of prepared) {
          edited.push(await editCard(tx, deps, request.caller, id, null, correction));
        }
        const cards = edited.map(({ id }) => id);
        return { status: 200, reference: { cards }, body: edited };
      },
      rebuild: async () => null,
    });
  });
  deps.pokeOutbox();
  const { body } = answer;
  const results: Memory[] = [];
  if (Array.isArray(body)) {
    for (const card of body) results.push(await asChanged(deps, request, card));
  } else {
    for (const { id } of edits) results.push(await readMemory(deps, request, id));
  }
  return results;
}

export async function forgetMemory(
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
): Promise<{ message: string }> {
  await afterRaces(() => deleteCard(deps, request, id));
  return { message: 'Memory deleted successfully!' };
}

/** All of them or none. */
export async function deleteMemories(
  deps: ApiDependencies,
  request: FastifyRequest,
  { memories }: BatchDelete,
): Promise<{ message: string }> {
  const ids = [...new Set(memories.map(({ memory_id }) => memory_id))];
  await afterRaces(() =>
    writeOnce(request, deps, {
      perform: async (tx) => {
        for (const id of ids) await deleteOne(tx, deps, request, id);
        return { status: 200, reference: { cards: ids }, body: null };
      },
      rebuild: async () => null,
    }),
  );
  return { message: `Successfully deleted ${ids.length} memories` };
}

/** @throws Problem 404, or 403 where it is another's. */
export async function deleteOne(
  tx: Tx,
  deps: ApiDependencies,
  request: FastifyRequest,
  id: string,
): Promise<void> {
  const card = await changeableCard(tx, request, readerOf(request.caller, deps.clock), id);
  await retire(tx, deps, request, card, 'deleted', null);
}

export async function afterRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isStale(error) || attempt >= TRIES) throw error;
    }
  }
}

function patchOf({ text, memory, metadata, timestamp, expiration_date }: Partial<UpdateMemory>) {
  const summary = text ?? memory;
  const parsed = cardPatchSchema.safeParse({
    ...(summary == null ? {} : { summary }),
    ...(metadata === undefined ? {} : { metadata: metadata ?? {} }),
    ...(timestamp == null ? {} : { valid_from: momentOf(timestamp) }),
    ...(expiration_date === undefined
      ? {}
      : { expires_at: expiration_date === null ? null : endOfDay(expiration_date) }),
  });
  if (parsed.success) return parsed.data;
  const { pointer, detail } = firstIssue(parsed.error);
  const named = pointer
    .replace('/summary', '/text')
    .replace('/valid_from', '/timestamp')
    .replace('/expires_at', '/expiration_date');
  if (named !== '') throw badRequest(`${named.slice(1)}: ${detail}`, named);
  throw badRequest('give text, metadata, timestamp or expiration_date: there is nothing to change');
}
