import { z } from 'zod';
import type { Card, CardScope } from '../../contracts/card';
import { labelSchema } from '../../schemas/event';
import { pageSchema } from '../../schemas/listing';
import {
  noteAnswerSchema,
  noteListQuery,
  noteParams,
  noteQuery,
  noteSchema,
} from '../../schemas/notes';
import { logAccess } from '../../store/access-log';
import { type VisibleCard, waysAmong } from '../../store/cards';
import type { Tx } from '../../store/database';
import { findNotes, listNotes } from '../../store/notes';
import type { ReaderArguments } from '../../store/visible-cards';
import type { ApiDependencies, App } from '../app';
import type { Caller } from '../authentication';
import { setStatus } from '../card-changing';
import { createCard, type HandWritten, prepareCard, requireWritable } from '../card-creating';
import { type Correction, prepareEdit, writeEdit } from '../card-patching';
import { isOwn, isPerson, readerOf, requireCard, requireChange } from '../card-rights';
import { afterKeyRaces, isStale, tagged } from '../card-versions';
import { writeOnce } from '../idempotency';
import { pageOf, positionIn } from '../paging';
import { badRequest, notFound, Problem } from '../problem';

const BY_KEY = z.tuple([labelSchema, labelSchema]);

/** A note as its routes show it: a knowledge card under a key. */
type Note = z.output<typeof noteAnswerSchema>;

const changedNote = z.union([noteAnswerSchema, z.object({ id: z.string() })]);

/** Notes: keyed knowledge that stays one card, version after version. */
export function noteRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/notes',
    {
      schema: {
        summary: 'Notes that the caller may see, by key',
        tags: ['notes'],
        querystring: noteListQuery,
        response: { 200: pageSchema(noteAnswerSchema) },
      },
    },
    async (request) => {
      const { caller, query } = request;
      const reader = readerOf(caller, deps.clock);
      const after = positionIn(query.cursor, BY_KEY);
      const scope = scopeInQuery(deps, caller, query);
      return await deps.database.inWorkspace(reader[0], async (tx) => {
        const page = { after, limit: query.limit + 1 };
        const found = await listNotes(tx, reader, scope, page);
        const cards = found.notes;
        const answer = pageOf(cards, query.limit, (card) => [card.key ?? '', card.id], found.total);
        await logNotes(tx, caller, reader, answer.items);
        return { ...answer, items: answer.items.map(noteOf) };
      });
    },
  );

  app.get(
    '/v1/notes/:key',
    {
      schema: {
        summary: 'One note; of several under a key the nearest, unless a scope is named',
        description: "The agent's own comes first, then its team's, then the workspace's.",
        tags: ['notes'],
        params: noteParams,
        querystring: noteQuery,
        response: { 200: noteAnswerSchema },
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const reader = readerOf(caller, deps.clock);
      const scope = scopeInQuery(deps, caller, request.query);
      const note = await deps.database.inWorkspace(reader[0], async (tx) => {
        const [nearest] = await findNotes(tx, reader, { key: params.key, scope });
        if (nearest === undefined) throw notFound('note');
        await logNotes(tx, caller, reader, [nearest.card]);
        return noteOf(nearest.card);
      });
      return tagged(reply, note).send(note);
    },
  );

  app.put(
    '/v1/notes/:key',
    {
      schema: {
        summary: 'Write a note; again makes a new version of the same card',
        tags: ['notes'],
        params: noteParams,
        body: noteSchema,
        response: { 200: changedNote, 201: changedNote },
      },
    },
    async (request, reply) => {
      const { caller } = request;
      const { key } = request.params;
      const { value, scope: named } = request.body;
      const written = await prepareCard(deps, request, {
        summary: value,
        key,
        kind: 'knowledge',
        ...(named === undefined ? {} : { scope: named }),
      });
      const fitKey = written.content.key ?? key;
      const write = async () => {
        const before = await deps.database.inWorkspace(caller.context.workspace, (tx) =>
          currentNote(tx, readerOf(caller, deps.clock), fitKey, written.scope),
        );
        const correction =
          before === null
            ? null
            : await prepareEdit(deps, request, before.card.id, { summary: value });
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
      const status = answer.status === 201 ? 201 : 200;
      return tagged(reply, answer.body).status(status).send(answer.body);
    },
  );

  app.delete(
    '/v1/notes/:key',
    {
      schema: {
        summary: "Delete a note: the agent's own, or the one of the scope that is named",
        tags: ['notes'],
        params: noteParams,
        querystring: noteQuery,
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const scope = scopeInQuery(deps, caller, request.query);
      await writeOnce(request, deps, {
        perform: async (tx) => {
          const card = await noteToDelete(tx, deps, caller, params.key, scope);
          await setStatus(tx, deps, request, {
            id: card.id,
            expected: card.version,
            columns: { status: 'deleted', status_before: card.status },
            action: 'deleted',
            reason: null,
          });
          return { status: 204, reference: { id: card.id }, body: null };
        },
        rebuild: async () => null,
      });
      return reply.status(204).send();
    },
  );
}

/** The first write makes the card, 201; each later one is a version of it, 200. */
async function putNote(
  tx: Tx,
  deps: ApiDependencies,
  caller: Caller,
  note: { key: string; written: HandWritten; correction: Correction | null },
) {
  const { key, written, correction } = note;
  const reader = readerOf(caller, deps.clock);
  const current = await currentNote(tx, reader, key, written.scope);
  if (current === null) {
    const card = await createCard(tx, deps, caller, written, false);
    return { status: 201, reference: { id: card.id }, body: noteOf(card) };
  }
  requireChange(caller, current.card);
  await requireWritable(tx, written);
  await writeOver(tx, deps, caller, current, {
    patch: { summary: written.content.summary },
    embedded: correction?.embedded ?? null,
  });
  const after = await currentNote(tx, reader, key, written.scope);
  if (after === null) throw new Error('a note vanished in the transaction that wrote it');
  await logNotes(tx, caller, reader, [after.card]);
  return { status: 200, reference: { id: after.card.id }, body: noteOf(after.card) };
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
      return await writeEdit(tx, deps, caller, note, correction);
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

/** @throws Problem 400 where half a scope is named. */
function scopeInQuery(
  deps: ApiDependencies,
  caller: Caller,
  query: { scope_type?: CardScope['type'] | undefined; scope_id?: string | undefined },
): CardScope | null {
  const { workspace } = caller.context;
  const { scope_type: type, scope_id: id } = query;
  if (type === undefined && id === undefined) return null;
  if (type === 'workspace') return { type, id: workspace };
  if (type === undefined || id === undefined) {
    throw badRequest('scope_type and scope_id name a scope together');
  }
  return { type, id: type === 'agent' ? deps.pseudonyms.of(workspace, id) : id };
}

async function logNotes(
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
    surface: 'notes',
    at: reader[5],
    cards: [...ways].map(([id, vias]) => ({ id, vias })),
  });
}

function noteOf(card: Card): Note {
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
  };
}
