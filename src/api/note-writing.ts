import type { Card, CardScope } from '../contracts/card';
import type { JsonObject } from '../contracts/event';
import type { NewCardBody } from '../schemas/card';
import type { VisibleCard } from '../store/cards';
import type { Tx } from '../store/database';
import { findNotes } from '../store/notes';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import type { Caller } from './authentication';
import { setStatus } from './card-changing';
import { createCard, draftCard, type HandWritten, prepareCard } from './card-creating';
import { unmakeOf } from './card-deciding';
import { type Correction, prepareEdit, writeEdit } from './card-patching';
import { isOwn, isPerson, readerOf, requireCard, requireChange } from './card-rights';
import { afterKeyRaces, isStale } from './card-versions';
import { type Asked, writeOnce } from './idempotency';
import { logNotes, noteOf, type WrittenNote, writtenNoteOf } from './note-reading';
import { notFound, Problem } from './problem';

/** What is written under a key; the scope is the agent's own unless a person names another. */
export interface NoteText {
  key: string;
  value: string;
  /** Left out, the note keeps what it has. */
  metadata?: JsonObject | undefined;
  scope: CardScope | undefined;
}

/** The card that a note is. */
export function cardOfNote({ key, value, metadata, scope }: NoteText): NewCardBody {
  return {
    summary: value,
    key,
    kind: 'knowledge',
    ...(metadata === undefined ? {} : { metadata }),
    ...(scope === undefined ? {} : { scope }),
  };
}

/** Writes a note, or the next version of the same card. A repetition may answer with the id alone. */
export async function writeNote(
  deps: ApiDependencies,
  request: Asked,
  text: NoteText,
): Promise<{ made: boolean; note: WrittenNote | { id: string } }> {
  const { caller } = request;
  const { key } = text;
  const written = await prepareCard(deps, request, cardOfNote(text));
  const fitKey = written.content.key ?? key;
  const write = async () => {
    const correction = await prepareOver(deps, caller, fitKey, written);
    return await writeOnce(request, deps, {
      perform: (tx) => putNote(tx, deps, caller, { key: fitKey, written, correction }),
      rebuild: async (tx, { id }) => {
        const reader = readerOf(caller, deps.clock);
        const notes = await findNotes(tx, reader, { key: fitKey, scope: written.scope });
        const found = notes.find(({ card }) => card.id === id);
        if (found === undefined) return null;
        await logNotes(tx, caller, reader, [found.card]);
        return noteOf(found.card);
      },
    });
  };
  const answer = await afterKeyRaces(write);
  deps.pokeOutbox();
  if (answer.body === undefined) throw new Error('a note was written without an answer');
  return { made: answer.status === 201, note: answer.body };
}

/**
 * Deletes a note: the agent's own, or the one of the scope that is named.
 * @throws Problem 404, 403, or 409 where several scopes have one.
 */
export async function deleteNote(
  deps: ApiDependencies,
  request: Asked,
  key: string,
  scope: CardScope | null,
): Promise<void> {
  await writeOnce(request, deps, {
    perform: async (tx) => {
      const card = await noteToDelete(tx, deps, request.caller, key, scope);
      await setStatus(tx, deps, request, {
        id: card.id,
        expected: card.version,
        columns: { status: 'deleted', status_before: card.status },
        action: 'deleted',
        reason: null,
      });
      await unmakeOf(tx, deps, request.caller, card.id);
      return { status: 204, reference: { id: card.id }, body: null };
    },
    rebuild: async () => null,
  });
}

/** The edit of the note that stands under the key, with its vector; null where none does. */
export async function prepareOver(
  deps: ApiDependencies,
  caller: Caller,
  key: string,
  written: HandWritten,
): Promise<Correction | null> {
  const before = await deps.database.inWorkspace(caller.context.workspace, (tx) =>
    currentNote(tx, readerOf(caller, deps.clock), key, written.scope),
  );
  if (before === null) return null;
  return await prepareEdit(deps, { caller }, before.card.id, patchOf(written));
}

/**
 * The first write makes the card, 201; each later one is a version of it, 200. Words that the policy holds
 * back take no note's place: they are a card of their own, 201, and the note stays as it was.
 */
export async function putNote(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  note: { key: string; written: HandWritten; correction: Correction | null },
) {
  const { key, written, correction } = note;
  const reader = readerOf(caller, deps.clock);
  const current = await currentNote(tx, reader, key, written.scope);
  if (current !== null) requireChange(caller, current.card);
  const words = current === null ? written : inPlaceOf(current.card, written);
  const { card: draft } = await draftCard(tx, deps, caller, words);
  if (current === null || draft.status === 'quarantined') {
    const card = await createCard(tx, deps, caller, words, false);
    return { status: 201, reference: { id: card.id }, body: writtenNoteOf(card) };
  }
  await writeOver(tx, deps, caller, current, {
    patch: patchOf(written),
    embedded: correction?.embedded ?? null,
  });
  const after = await currentNote(tx, reader, key, written.scope);
  if (after === null) throw new Error('a note vanished in the transaction that wrote it');
  await logNotes(tx, caller, reader, [after.card]);
  return { status: 200, reference: { id: after.card.id }, body: noteOf(after.card) };
}

/** The policy judges them as it judges the note's next version, which keeps what the note is about. */
function inPlaceOf({ hints }: Card, written: HandWritten): HandWritten {
  const { service, operation } = hints;
  return { ...written, content: { ...written.content, hints: { service, operation } } };
}

function patchOf({ content: { summary, metadata } }: HandWritten): Correction['patch'] {
  return metadata === undefined ? { summary } : { summary, metadata };
}

/** Who writes a note names no version, so that a race is no conflict: the later one writes on top. */
async function writeOver(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  current: VisibleCard,
  correction: Correction,
): Promise<void> {
  const reader = readerOf(caller, deps.clock);
  let note = current;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await writeEdit(tx, deps, caller, note, correction);
      return;
    } catch (error) {
      if (!isStale(error) || attempt >= WRITE_TRIES) throw error;
      note = await requireCard(tx, reader, note.card.id);
    }
  }
}

/** More writers than this at one moment are no longer about one note. */
const WRITE_TRIES = 10;

async function currentNote(
  tx: Tx,
  reader: ReaderArguments,
  key: string,
  scope: CardScope,
): Promise<VisibleCard | null> {
  const notes = await findNotes(tx, reader, { key, scope });
  return notes.find(({ card }) => card.subject === null) ?? null;
}

async function noteToDelete(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  key: string,
  scope: CardScope | null,
): Promise<Card> {
  const found = await findNotes(tx, readerOf(caller, deps.clock), { key, scope });
  const own = found.filter(({ card }) => scope !== null || isPerson(caller) || isOwn(caller, card));
  const [first, second] = own;
  if (first === undefined) throw notFound('note');
  if (second !== undefined && first.card.scope.id !== second.card.scope.id) {
    throw new Problem(
      409,
      'several_notes',
      'several scopes have a note under this key; name one: scope_type and scope_id',
    );
  }
  requireChange(caller, first.card);
  return first.card;
}
