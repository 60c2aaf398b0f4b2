import { isPlainNote, PLAIN } from './house-items';
import { sessionOf } from './mcp';
import { isSkill } from './skilled';
import {
  type Asked,
  askedForEach,
  type Door,
  idOf,
  isLive,
  isNote,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** What an MCP client reads beside the tools: resources and prompts, in the session that stays open. */

interface Resource {
  uri: string;
}

async function listed(door: Door, reader: Reader): Promise<{ items: Resource[]; text: string }> {
  const { client } = await sessionOf(door, reader);
  const items: Resource[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    items.push(...page.resources);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return { items, text: JSON.stringify(items) };
}

const uriOf = (shelf: string, name: string) => `cairn://${shelf}/${encodeURIComponent(name)}`;

/** As statuses of HTTP: a resource that is not there, and what was asked wrongly. */
const STATUSES: Readonly<Record<number, number>> = { [-32002]: 404, [-32602]: 400 };

async function asked(work: Promise<unknown>): Promise<Asked> {
  try {
    return { status: 200, text: JSON.stringify(await work) };
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    const status = STATUSES[code];
    if (status === undefined) throw error;
    return { status, text: message };
  }
}

async function readResource(door: Door, reader: Reader, uri: string): Promise<Asked> {
  const { client } = await sessionOf(door, reader);
  return await asked(client.readResource({ uri }));
}

const refusedCursors: NonNullable<Surface['unknown']> = async (door, reader) => {
  const { client } = await sessionOf(door, reader);
  const cursors = ['nonsense', Buffer.from('["cards","x"]').toString('base64url')];
  const answers = await Promise.all(
    cursors.map((cursor) => asked(client.listResources({ cursor }))),
  );
  return answers.map(({ status }) => status);
};

/** One shelf of the list of resources; `nameOf` gives null for a card that has no place on it. */
const shelfListed = (
  shelf: 'skills' | 'notes',
  shows: Surface['shows'],
  nameOf: (card: SurfaceCard) => string | null,
): Surface => ({
  name: `the list of resources, its ${shelf}`,
  routes: ['POST /mcp'],
  shows,
  read: async (door, reader, cards) => {
    const { items, text } = await listed(door, reader);
    const uris = new Set(items.map(({ uri }) => uri));
    const isThere = (card: SurfaceCard) => {
      const name = nameOf(card);
      return name !== null && uris.has(uriOf(shelf, name));
    };
    return { ids: cards.filter(isThere).map(idOf), text };
  },
  unknown: refusedCursors,
});

/** A skill has the name of its card here. */
const skillsListed = shelfListed('skills', isLive, idOf);
const notesListed: Surface = {
  ...shelfListed('notes', isPlainNote, (card) => (isLive(card) ? card.key : null)),
  about: { key: `${PLAIN}lent-on-a-shelf` },
};

const oneSkill = (door: Door, reader: Reader, { id }: SurfaceCard) =>
  readResource(door, reader, uriOf('skills', id));

const skillRead = askedForEach({
  name: 'a skill as a resource',
  routes: ['POST /mcp'],
  shows: isSkill,
  one: oneSkill,
});

/** Of several under a key another may be nearer; a card that is no note has no key to ask by. */
async function oneNote(door: Door, reader: Reader, { id, key, summary }: SurfaceCard) {
  const { status, text } = await readResource(door, reader, uriOf('notes', key ?? id));
  return { status: status === 200 && !text.includes(summary) ? 404 : status, text };
}

const noteRead = askedForEach({
  name: 'a note as a resource',
  routes: ['POST /mcp'],
  shows: isNote,
  one: oneNote,
});

/** It gives about five cards to a task: each is asked for by its own words. */
const taskStarted: Surface = {
  name: 'the prompt at the start of a task',
  routes: ['POST /mcp'],
  shows: isNote,
  isPartial: true,
  read: async (door, reader, cards) => {
    const { client } = await sessionOf(door, reader);
    const keyed = cards.filter(({ key }) => key !== null);
    const texts = await Promise.all(
      keyed.map(async ({ summary }) =>
        JSON.stringify(
          await client.getPrompt({ name: 'start_task', arguments: { task: `«${summary}»` } }),
        ).replace(`«${summary}»`, ''),
      ),
    );
    const text = texts.join('\n');
    const isNamed = (id: string) => new RegExp(`${id}(?![\\w-])`).test(text);
    return { ids: keyed.flatMap(({ id }) => (isNamed(id) ? [id] : [])), text };
  },
  unknown: async (door, reader) => {
    const { client } = await sessionOf(door, reader);
    const more = [{ colour: 'red' }, { scope: 'workspace' }, { agent: 'writer' }];
    const answers = await Promise.all(
      more.map((one) =>
        asked(client.getPrompt({ name: 'start_task', arguments: { task: 'x', ...one } })),
      ),
    );
    return answers.map(({ status }) => status);
  },
};

export const MCP_BESIDE_TOOLS: readonly Surface[] = [
  skillsListed,
  notesListed,
  skillRead,
  noteRead,
  taskStarted,
];
