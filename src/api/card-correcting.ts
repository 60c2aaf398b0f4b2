import type { Card } from '../contracts/card';
import type { CardPatch } from '../schemas/card';
import type { ApiDependencies } from './app';
import { changeOnce } from './card-changing';
import type { WrittenCard } from './card-creating';
import { changeableCard, retire } from './card-deciding';
import { editCard, prepareEdit } from './card-patching';
import { readerOf } from './card-rights';
import { isStale, namedVersion, requireFresh } from './card-versions';
import { type Asked, writeOnce } from './idempotency';

/** Correcting and deleting a card, for the routes and for the tools. */

/**
 * Corrects a card, if it is still in the version that is expected of what stands there; a repetition may
 * answer with its id alone.
 * @throws Problem 404, 403, 409, 412, and what `expected` throws
 */
export async function correctCard(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  patch: CardPatch,
  expected: (now: Card) => number,
): Promise<WrittenCard | { id: string }> {
  const correction = await prepareEdit(deps, request, id, patch);
  const card = await changeOnce(deps, request, id, async (tx, reader) => {
    const now = await changeableCard(tx, request, reader, id);
    return await editCard(tx, deps, request.caller, id, expected(now), correction);
  });
  deps.pokeOutbox();
  return card;
}

/** More writers than this at one moment are no longer about one card. */
const TRIES = 10;

/** Corrects a card in whichever version it is: who names none writes on top of whoever was faster. */
export async function correctOnTop(
  deps: ApiDependencies,
  request: Asked,
  id: string,
  patch: CardPatch,
): Promise<WrittenCard | { id: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await correctCard(deps, request, id, patch, ({ version }) => version);
    } catch (error) {
      if (!isStale(error) || attempt >= TRIES) throw error;
    }
  }
}

/**
 * Deletes a card for every reader; people may restore it for a while.
 * @throws Problem 404, 403, and 412 where `If-Match` names another version
 */
export async function deleteCard(deps: ApiDependencies, request: Asked, id: string): Promise<void> {
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await changeableCard(tx, request, readerOf(request.caller, deps.clock), id);
      requireFresh(card, namedVersion(request.headers['if-match']));
      await retire(tx, deps, request, card, 'deleted', null);
      return { status: 204, reference: { id }, body: null };
    },
    rebuild: async () => null,
  });
}
