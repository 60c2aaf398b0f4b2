import { PassThrough, Readable } from 'node:stream';
import { runCairn } from '../../../src/cli/run';
import { CairnClient } from '../../../src/client/client';
import { CairnError } from '../../../src/client/error';
import { LIVE, type Status } from '../organisation';
import { WIDE } from './recalling';
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

/** Programs that speak to the API for somebody: the TypeScript client and the command. */

/** A list that says nothing of the status leaves out what was, and shows what is. */
export const BROWSED: readonly Status[] = [...LIVE, 'rejected', 'quarantined'];
const isBrowsed = ({ status }: SurfaceCard) => BROWSED.includes(status);

export function clientOf(door: Door, { key, agent, person }: Reader): CairnClient {
  return new CairnClient({ url: door.url, key }).with({
    ...(agent === null ? {} : { agent }),
    ...(person === null ? {} : { person, executionMode: 'interactive' }),
  });
}

/** What the client throws, as the status that it was told. */
async function asked(call: Promise<unknown>): Promise<Asked> {
  try {
    return { status: 200, text: JSON.stringify(await call) };
  } catch (error) {
    if (!(error instanceof CairnError)) throw error;
    return { status: error.status, text: JSON.stringify(error.problem) };
  }
}

function clientOn(
  name: string,
  routes: string[],
  call: (client: CairnClient, card: SurfaceCard) => Promise<unknown>,
  shows: Surface['shows'] = () => true,
): Surface {
  const one: NonNullable<Surface['one']> = (door, reader, card) =>
    asked(call(clientOf(door, reader), card));
  return askedForEach({
    name: `the client, ${name}`,
    routes,
    shows,
    one,
  });
}

const CLIENT: readonly Surface[] = [
  {
    name: 'the client, recall',
    routes: ['POST /v1/recall'],
    shows: isLive,
    read: async (door, reader) => {
      const answer = await clientOf(door, reader).recall(WIDE);
      return { ids: answer.cards.map(idOf), text: JSON.stringify(answer) };
    },
  },
  {
    name: 'the client, all cards',
    routes: ['GET /v1/cards'],
    shows: isBrowsed,
    read: async (door, reader) => {
      const cards: { id: string }[] = [];
      for await (const card of clientOf(door, reader).cards.iterate({ limit: 3 })) cards.push(card);
      return { ids: cards.map(idOf), text: JSON.stringify(cards) };
    },
    page: async (door, reader, _card, { limit, cursor }) => {
      const from = cursor === null ? {} : { cursor };
      const page = await clientOf(door, reader).cards.list({ limit, ...from });
      return { keys: page.items.map(idOf), total: page.total, next: page.next_cursor };
    },
    pagesCards: true,
  },
  {
    name: 'the client, notes',
    routes: ['GET /v1/notes'],
    shows: isNote,
    read: async (door, reader) => {
      const { items } = await clientOf(door, reader).notes.list({ limit: 500 });
      return { ids: items.map(({ card_id }) => card_id), text: JSON.stringify(items) };
    },
  },
  {
    name: 'the client, skills',
    routes: ['GET /v1/skills'],
    shows: isSkill,
    read: async (door, reader) => {
      const skills: { card_id: string }[] = [];
      for await (const one of clientOf(door, reader).skills.iterate({ limit: 7 })) skills.push(one);
      return { ids: skills.map(({ card_id }) => card_id), text: JSON.stringify(skills) };
    },
  },
  clientOn('one skill', ['GET /v1/skills/:name'], ({ skills }, { id }) => skills.get(id), isSkill),
  clientOn('one card', ['GET /v1/cards/:id'], ({ cards }, { id }) => cards.get(id)),
  clientOn('history', ['GET /v1/cards/:id/history'], ({ cards }, { id }) => cards.history(id)),
  clientOn('edges', ['GET /v1/cards/:id/edges'], ({ cards }, { id }) => cards.edges(id)),
  clientOn('lineage', ['GET /v1/cards/:id/lineage'], ({ cards }, { id }) => cards.lineage(id)),
  clientOn('readers', ['GET /v1/cards/:id/readers'], ({ cards }, { id }) => cards.readers(id)),
  clientOn('visible to', ['GET /v1/cards/:id/visible-to'], ({ cards }, { id }) =>
    cards.visibleTo(id),
  ),
  clientOn(
    'one note',
    ['GET /v1/notes/:key'],
    async ({ notes }, { key, id }) => {
      const note = await notes.get(key ?? id);
      if (note.card_id !== id) throw new CairnError(404, 'not_found', 'another one is nearer');
      return note;
    },
    isNote,
  ),
];

interface Ran {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: each command prints its own document
  body: any;
  text: string;
}

/** The command as a shell runs it, in this process. */
async function cairn(door: Door, { key }: Reader, args: string[]): Promise<Ran> {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => {
    const stream = new PassThrough();
    stream.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
    return stream;
  };
  const terminal = { out: into('out'), err: into('err'), input: Readable.from([]) };
  const environment = { CAIRN_URL: door.url, CAIRN_KEY: key };
  const code = await runCairn([...args, '--json'], terminal, environment);
  const text = said.out + said.err;
  return { code, body: said.out === '' ? null : JSON.parse(said.out), text };
}

async function ranWell(ran: Promise<Ran>): Promise<Ran> {
  const found = await ran;
  if (found.code !== 0) throw new Error(`cairn ended with ${found.code}: ${found.text}`);
  return found;
}

const named = (flag: string, value: string | null) => (value === null ? [] : [flag, value]);

async function showCard(door: Door, reader: Reader, { id }: SurfaceCard): Promise<Asked> {
  const { code, body, text } = await cairn(door, reader, [
    ...['cards', 'show', id],
    ...named('--as', reader.agent),
  ]);
  const isMissing = code === 1 && body?.error?.code === 'not_found';
  return { status: code === 0 ? 200 : isMissing ? 404 : 500, text };
}

const COMMAND: readonly Surface[] = [
  {
    name: 'cairn recall',
    routes: ['POST /v1/recall'],
    shows: isLive,
    read: async (door, reader) => {
      const { body, text } = await ranWell(
        cairn(door, reader, [
          ...['recall', WIDE.query, '--limit', '50', '--budget', '100000', '--explain'],
          ...named('--agent', reader.agent),
          ...named('--person', reader.person),
        ]),
      );
      return { ids: body.cards.map(idOf), text };
    },
  },
  {
    name: 'cairn cards',
    routes: ['GET /v1/cards'],
    // It looks through an agent's eyes, and acts for nobody.
    serves: ({ person }) => person === null,
    shows: isBrowsed,
    read: async (door, reader) => {
      const { body, text } = await ranWell(
        cairn(door, reader, ['cards', '--limit', '500', ...named('--as', reader.agent)]),
      );
      return { ids: body.items.map(idOf), text };
    },
    page: async (door, reader, _card, { limit, cursor }) => {
      const { body } = await ranWell(
        cairn(door, reader, [
          ...['cards', '--limit', String(limit)],
          ...named('--cursor', cursor),
          ...named('--as', reader.agent),
        ]),
      );
      return { keys: body.items.map(idOf), total: body.total, next: body.next_cursor };
    },
    pagesCards: true,
  },
  {
    name: 'cairn skills',
    routes: ['GET /v1/skills'],
    serves: ({ person }) => person === null,
    shows: isSkill,
    read: async (door, reader) => {
      const { body, text } = await ranWell(
        cairn(door, reader, ['skills', 'list', '--limit', '500', ...named('--as', reader.agent)]),
      );
      return { ids: body.items.map((one: { card_id: string }) => one.card_id), text };
    },
  },
  askedForEach({
    name: 'cairn cards show',
    routes: ['GET /v1/cards/:id', 'GET /v1/cards/:id/edges'],
    serves: ({ person }) => person === null,
    shows: () => true,
    one: showCard,
  }),
];

export const SPEAKING: readonly Surface[] = [...CLIENT, ...COMMAND];
