import { McpSession, type ToolResult } from '../mcp';
import { isPlainNote, PLAIN } from './house-items';
import { WIDE } from './recalling';
import { isSkill } from './skilled';
import {
  type Asked,
  askedForEach,
  type Door,
  headersOf,
  isLive,
  isNote,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** Opened by each reader once and used from then on: what is taken back is taken from an open session. */
const sessions = new Map<string, Promise<McpSession>>();

/** The session of a reader, which stays open. */
export async function sessionOf(door: Door, reader: Reader): Promise<McpSession> {
  const name = JSON.stringify([door.url, reader]);
  const open = sessions.get(name) ?? McpSession.http(door, reader.key, headersOf(reader));
  sessions.set(name, open);
  return await open;
}

async function call(
  door: Door,
  reader: Reader,
  tool: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  return await (await sessionOf(door, reader)).call(tool, args);
}

async function good(answer: Promise<ToolResult>): Promise<ToolResult> {
  const found = await answer;
  if (found.isError) throw new Error(`the tool answered: ${found.text}`);
  return found;
}

const textOf = ({ text, structured }: ToolResult) => `${text}\n${JSON.stringify(structured)}`;
const { query, limit } = WIDE;

/** Asked for one card after the other, since it packs by a budget that no argument changes. */
const memorySearch: Surface = {
  name: 'memory_search',
  routes: ['POST /mcp'],
  shows: isNote,
  read: async (door, reader, cards) => {
    const keyed = cards.filter(({ key }) => key !== null);
    const found = await Promise.all(
      keyed.map(async ({ key }) => {
        const args = { query, limit, filters: { key } };
        return await good(call(door, reader, 'memory_search', args));
      }),
    );
    const ids = found.flatMap(({ structured }) => structured.cards as { id: string }[]);
    return { ids: ids.map(({ id }) => id), text: found.map(textOf).join('\n') };
  },
};

const searchMemories: Surface = {
  name: 'search_memories',
  routes: ['POST /mcp'],
  shows: isLive,
  read: async (door, reader) => {
    const found = await good(call(door, reader, 'search_memories', { query, limit }));
    const results = found.structured.results as { id: string }[];
    return { ids: results.map(({ id }) => id), text: textOf(found) };
  },
};

const readNotes: Surface = {
  name: 'read_notes',
  routes: ['POST /mcp'],
  shows: isPlainNote,
  about: { key: `${PLAIN}lent-by-tool` },
  read: async (door, reader) => {
    const ids: string[] = [];
    const texts: string[] = [];
    let cursor: string | null = null;
    do {
      const from: object = cursor === null ? {} : { cursor };
      const found = await good(call(door, reader, 'read_notes', { ...from }));
      const notes = found.structured.notes as { card_id: string }[];
      ids.push(...notes.map(({ card_id }) => card_id));
      texts.push(textOf(found));
      cursor = found.structured.next_cursor;
    } while (cursor !== null);
    return { ids, text: texts.join('\n') };
  },
};

/** As the status that it would have over HTTP. @param isIt whether what was found is what was asked for */
async function asked(
  answer: Promise<ToolResult>,
  isIt: (found: ToolResult) => boolean = () => true,
): Promise<Asked> {
  const found = await answer;
  const missing = found.isError ? / \[404 /.test(found.text) : !isIt(found);
  if (found.isError && !missing) throw new Error(`the tool answered: ${found.text}`);
  return { status: missing ? 404 : 200, text: textOf(found) };
}

/** Of several under a key another may be nearer; a card that is no note has no key to ask by. */
const readNote = (door: Door, reader: Reader, { id, key }: SurfaceCard): Promise<Asked> =>
  asked(
    call(door, reader, 'note', { key: key ?? id }),
    ({ structured }) => structured.note.card_id === id,
  );

const note = askedForEach({
  name: 'note',
  routes: ['POST /mcp'],
  shows: isNote,
  one: readNote,
});

const discoverSkills: Surface = {
  name: 'discover_skills',
  routes: ['POST /mcp'],
  shows: isLive,
  read: async (door, reader) => {
    const found = await good(call(door, reader, 'discover_skills', { query, limit }));
    const skills = found.structured.skills as { card_id: string }[];
    return { ids: skills.map(({ card_id }) => card_id), text: textOf(found) };
  },
};

/** A skill has the name of its card here. */
const loadOne = (door: Door, reader: Reader, { id }: SurfaceCard): Promise<Asked> =>
  asked(call(door, reader, 'load_skill', { name: id }));

const loadSkill = askedForEach({
  name: 'load_skill',
  routes: ['POST /mcp'],
  shows: isSkill,
  one: loadOne,
});

/** An argument that no tool has is refused as the field of a body is. */
const refusing = (surface: Surface, args: Record<string, unknown>): Surface => ({
  ...surface,
  unknown: async (door, reader) => {
    const unknown = [{ colour: 'red' }, { scope: 'workspace' }, { agent: 'writer' }];
    const answers = await Promise.all(
      unknown.map((more) => call(door, reader, surface.name, { ...args, ...more })),
    );
    return answers.map(({ isError, text }) => (isError && / \[400 /.test(text) ? 400 : 200));
  },
});

export const MCP: readonly Surface[] = [
  refusing(memorySearch, { query }),
  refusing(searchMemories, { query }),
  refusing(readNotes, {}),
  refusing(note, { key: 'note-of-the-writer' }),
  refusing(discoverSkills, { query }),
  refusing(loadSkill, { name: 'note-of-the-writer' }),
];
