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
import type { ApiDependencies, App } from '../app';
import { tagged } from '../card-versions';
import { notesPage, readNote } from '../note-reading';
import { deleteNote, writeNote } from '../note-writing';
import { scopeInQuery } from '../scope-in-query';

const changedNote = z.union([writtenNoteSchema, z.object({ id: z.string() })]);

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
    async ({ caller, query }) => {
      const scope = scopeInQuery(deps, caller, query);
      return await notesPage(deps, caller, scope, { cursor: query.cursor, limit: query.limit });
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
          'of its own, out of sight until a person releases it, with its `reason`; the note stays as it was.',
        tags: ['notes'],
        params: noteParams,
        body: noteSchema,
        response: { 200: changedNote, 201: changedNote },
      },
    },
    async (request, reply) => {
      const { value, scope } = request.body;
      const { made, note } = await writeNote(deps, request, {
        key: request.params.key,
        value,
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
