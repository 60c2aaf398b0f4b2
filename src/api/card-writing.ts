import type { NewCardBody } from '../schemas/card';
import { logAccess } from '../store/access-log';
import { readCard } from '../store/cards';
import type { ApiDependencies } from './app';
import { surfaceOf } from './authentication';
import { createCard, prepareCard, type WrittenCard } from './card-creating';
import { readerOf } from './card-rights';
import { afterKeyRaces } from './card-versions';
import { type Asked, writeOnce } from './idempotency';

/**
 * Writes a card by hand, once per `Idempotency-Key`; one with a `key` supersedes what stands under it.
 * A repetition whose card is out of sight by then answers with its id alone.
 * @throws Problem by rights, redaction, modes and policy
 */
export async function writeCardOnce(
  deps: ApiDependencies,
  request: Asked,
  body: NewCardBody,
): Promise<WrittenCard | { id: string }> {
  const { caller } = request;
  const written = await prepareCard(deps, request, body);
  const answer = await afterKeyRaces(() =>
    writeOnce(request, deps, {
      perform: async (tx) => {
        const card = await createCard(tx, deps, caller, written, true);
        return { status: 201, reference: { id: card.id }, body: card };
      },
      rebuild: async (tx, { id }) => {
        const reader = readerOf(caller, deps.clock);
        const seen = await readCard(tx, reader, id);
        if (seen === null) return null;
        await logAccess(tx, caller.context, {
          surface: surfaceOf(caller, 'cards.get'),
          at: reader[5],
          cards: [{ id, vias: seen.vias }],
        });
        return seen.card;
      },
    }),
  );
  deps.pokeOutbox();
  if (answer.body === undefined) throw new Error('a card was written without an answer');
  return answer.body;
}
