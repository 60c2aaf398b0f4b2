import { z } from 'zod';
import type { Card, CardScope } from '../contracts/card';
import type { Page } from '../contracts/run';
import { labelSchema } from '../schemas/event';
import type { noteAnswerSchema, writtenNoteSchema } from '../schemas/notes';
import { logAccess } from '../store/access-log';
import { waysAmong } from '../store/cards';
import type { Tx } from '../store/database';
import { findNotes, listNotes, type NoteCard, type NotesAsked } from '../store/notes';
import type { ReaderArguments } from '../store/visible-cards';
import type { ApiDependencies } from './app';
import { type Caller, surfaceOf } from './authentication';
import type { WrittenCard } from './card-creating';
import { readerOf } from './card-rights';
import { pageOf, positionIn } from './paging';
import { notFound } from './problem';

/** A note as it is shown: a knowledge card under a key. */
export type Note = z.output<typeof noteAnswerSchema>;

/** As its writer is shown it. */
export type WrittenNote = z.output<typeof writtenNoteSchema>;

const BY_KEY = z.tuple([labelSchema, labelSchema]);

/** A page of the notes that the caller may see, by key. */
export async function notesPage(
  deps: ApiDependencies,
  caller: Caller,
  asked: NotesAsked,
  page: { cursor: string | undefined; limit: number },
): Promise<Page<Note>> {
  const reader = readerOf(caller, deps.clock);
  const after = positionIn(page.cursor, BY_KEY);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const found = await listNotes(tx, reader, asked, { after, limit: page.limit + 1 });
    const answer = pageOf(
      found.notes,
      page.limit,
      (card) => [card.key ?? '', card.id],
      found.total,
    );
    await logNotes(tx, caller, reader, answer.items);
    return { ...answer, items: answer.items.map(noteOf) };
  });
}

/**
 * One note; of several under a key the nearest, unless a scope is named.
 * @throws Problem 404
 */
export async function readNote(
  deps: ApiDependencies,
  caller: Caller,
  key: string,
  scope: CardScope | null,
): Promise<Note> {
  const reader = readerOf(caller, deps.clock);
  return await deps.database.inWorkspace(reader[0], async (tx) => {
    const [nearest] = await findNotes(tx, reader, { key, scope });
    if (nearest === undefined) throw notFound('note');
    await logNotes(tx, caller, reader, [nearest.card]);
    return noteOf(nearest.card);
  });
}

/** No log, no answer: it commits with the read. */
export async function logNotes(
  tx: Tx,
  caller: Caller,
  reader: ReaderArguments,
  cards: readonly Card[],
): Promise<void> {
  const ways = await waysAmong(
    tx,
    reader,
    cards.map((card) => card.id),
  );
  await logAccess(tx, caller.context, {
    surface: surfaceOf(caller, 'notes'),
    at: reader[5],
    cards: [...ways].map(([id, vias]) => ({ id, vias })),
  });
}

export function writtenNoteOf(card: WrittenCard): WrittenNote {
  return { ...noteOf(card), ...(card.reason === undefined ? {} : { reason: card.reason }) };
}

/** One that was just made has not been written again. */
export function noteOf(card: Card | NoteCard): Note {
  return {
    key: card.key ?? '',
    value: card.summary,
    card_id: card.id,
    scope: card.scope,
    subject: card.subject,
    status: card.status,
    version: card.version,
    valid_from: card.valid_from,
    recorded_at: card.recorded_at,
    updated_at: 'edited_at' in card ? card.edited_at : card.recorded_at,
    metadata: card.metadata,
  };
}
