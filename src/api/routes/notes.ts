import { z } from 'zod';
import { pageSchema } from '../../schemas/listing';
import {
  noteAnswerSchema,
  noteListQuery,
  noteParams,
  noteQuery,
  noteSchema,
  writtenNoteSchema,
} from '../../schemas/notes';
import { heldWriteSchema } from '../../schemas/pending-write';
import type { ApiDependencies, App } from '../app';
import { askedMetadata } from '../asking';
import { tagged } from '../card-versions';
import { notesPage, readNote } from '../note-reading';
import { cardOfNote, deleteNote, writeNote } from '../note-writing';
import { answerHeld, waitsForParent } from '../pending-writing';
import { scopeInQuery } from '../scope-in-query';

const changedNote = z.union([writtenNoteSchema, z.object({ id: z.string() })]);

/** Notes: keyed knowledge that stays one card, version after version. */
export function noteRoutes(app: App, deps: ApiDependencies): void {
  app.get(
    '/v1/notes',
    {
      schema: {
        summary: 'Notes that the caller may see, by key',
        description:
          '`metadata` is a JSON object: it keeps the notes whose own metadata contain it.',
        tags: ['notes'],
        querystring: noteListQuery,
        response: { 200: pageSchema(noteAnswerSchema) },
      },
    },
    async ({ caller, query }) => {
      const asked = {
        scope: scopeInQuery(deps, caller, query),
        metadata: await askedMetadata(deps, caller, query.metadata),
      };
      return await notesPage(deps, caller, asked, { cursor: query.cursor, limit: query.limit });
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
    async ({ caller, params, query }, reply) => {
      const note = await readNote(deps, caller, params.key, scopeInQuery(deps, caller, query));
      return tagged(reply, note).send(note);
    },
  );

  app.put(
    '/v1/notes/:key',
    {
      schema: {
        summary: 'Write a note; again makes a new version of the same card',
        description:
          "Where the policy quarantines what reads like an instruction, an agent's such text becomes a card " +
          'of its own, out of sight until a person releases it, with its `reason`; the note stays as it was. A ' +
          "restricted agent's waits for its parent: 202 with `pending_write_id`.",
        tags: ['notes'],
        params: noteParams,
        body: noteSchema,
        response: { 200: changedNote, 201: changedNote, 202: heldWriteSchema },
      },
    },
    async (request, reply) => {
      const { value, metadata, scope } = request.body;
      if (waitsForParent(request.caller)) {
        const body = cardOfNote({ key: request.params.key, value, metadata, scope });
        return await answerHeld(deps, request, reply, { type: 'note', body });
      }
      const { made, note } = await writeNote(deps, request, {
        key: request.params.key,
        value,
        metadata,
        scope,
      });
      return tagged(reply, note)
        .status(made ? 201 : 200)
        .send(note);
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
      const scope = scopeInQuery(deps, request.caller, request.query);
      await deleteNote(deps, request, request.params.key, scope);
      return reply.status(204).send();
    },
  );
}
