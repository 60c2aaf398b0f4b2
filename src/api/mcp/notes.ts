import type { z } from 'zod';
import { ITEM_KEYS } from '../../contracts/item-keys';
import {
  noteInput,
  noteOutput,
  readNoteInput,
  readNotesInput,
  readNotesOutput,
} from '../../schemas/mcp';
import type { ApiDependencies } from '../app';
import type { Asked } from '../idempotency';
import { type Note, notesPage, readNote } from '../note-reading';
import { deleteNote, writeNote } from '../note-writing';
import { heldBack } from './held-back';
import { quoted } from './quoted';
import { whose } from './skills';
import { MEMORY_OFF } from './switched-off';
import { defineTool, type ToolAnswer } from './tool';
import { requireWriter } from './writer';

/** Notes of one answer: a model reads them all, and each has up to 2,000 characters. */
const NOTES_A_PAGE = 50;

export const note = defineTool({
  name: 'note',
  title: 'Read, write or delete a note',
  description:
    'A note is a short text under a key that stays current: write it again and the newest text counts. With a value it writes, with delete: true it deletes your own, with the key alone it reads the nearest one you may see.',
  rule: 'PUT /v1/notes/:key',
  reading: {
    rule: 'GET /v1/notes/:key',
    description: 'Reads the note under a key: the nearest one that you may see.',
    input: readNoteInput,
  },
  changes: 'overwrites',
  input: noteInput,
  output: noteOutput,
  ruleOf: (args) => {
    if (args.delete === true) return 'DELETE /v1/notes/:key';
    return args.value === undefined ? 'GET /v1/notes/:key' : 'PUT /v1/notes/:key';
  },
  run: async (deps, request, { key, value, delete: isDeleted }) => {
    if (isDeleted === true) return await deleted(deps, request, key);
    if (value !== undefined) return await written(deps, request, key, value);
    return await read(deps, request, key);
  },
});

type Answer = ToolAnswer<z.output<typeof noteOutput>>;

async function read(deps: ApiDependencies, { caller }: Asked, key: string): Promise<Answer> {
  const found = await readNote(deps, caller, key, null);
  return { text: lineOf(found), structured: { key, action: 'read', note: found } };
}

async function written(
  deps: ApiDependencies,
  request: Asked,
  key: string,
  value: string,
): Promise<Answer> {
  await requireWriter(deps, request.caller);
  const { made, note: kept } = await writeNote(deps, request, { key, value, scope: undefined });
  const shown = 'value' in kept ? kept : null;
  if (shown?.reason !== undefined) {
    return {
      text: `Kept as ${shown.card_id}, not as the note ${key}; ${heldBack(shown.reason)}`,
      structured: { key, action: 'written', note: shown },
    };
  }
  const version = shown === null ? '' : ` (version ${shown.version})`;
  return {
    text: `${made ? 'Wrote' : 'Updated'} the note ${key}${version}.`,
    structured: { key, action: 'written', note: shown },
  };
}

async function deleted(deps: ApiDependencies, request: Asked, key: string): Promise<Answer> {
  await requireWriter(deps, request.caller);
  await deleteNote(deps, request, key, null);
  return { text: `Deleted the note ${key}.`, structured: { key, action: 'deleted', note: null } };
}

export const readNotes = defineTool({
  name: 'read_notes',
  title: 'Read all notes',
  description: 'All notes that you may see, by key: your own, and what others share with you.',
  rule: 'GET /v1/notes',
  changes: 'nothing',
  input: readNotesInput,
  output: readNotesOutput,
  run: async (deps, { caller }, { cursor }) => {
    const page = await notesPage(
      deps,
      caller,
      { scope: null, metadata: null, except: ITEM_KEYS },
      { cursor, limit: NOTES_A_PAGE },
    );
    const { items, next_cursor, total } = page;
    const more =
      next_cursor === null
        ? []
        : [`There are ${total} notes in all; for the next ones give cursor: ${next_cursor}`];
    const none = caller.memoryOff ? MEMORY_OFF : 'There are no notes.';
    return {
      text: items.length === 0 ? none : [...items.map(lineOf), ...more].join('\n'),
      structured: { notes: items, next_cursor, total },
    };
  },
});

/** `deploy-window: «Only on weekdays before 16:00.» (version 2, of agent herald)` */
export function lineOf({ key, value, scope, version }: Note): string {
  return `${key}: ${quoted(value)} (version ${version}, of ${whose(scope)})`;
}
