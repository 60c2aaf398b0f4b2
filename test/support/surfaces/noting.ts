import {
  type Asked,
  askedForEach,
  type Door,
  encoded,
  get,
  good,
  isNote,
  pageAt,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

const cardOf = ({ card_id }: { card_id: string }) => card_id;

const notesList: Surface = {
  name: 'the list of notes',
  routes: ['GET /v1/notes'],
  shows: isNote,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, '/v1/notes?limit=500'));
    return { ids: body.items.map(cardOf), text };
  },
  page: (door, reader, _card, at) => pageAt(door, reader, '/v1/notes', at, cardOf),
  pagesCards: true,
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?scope_type=team', '?limit=0'];
    const answers = await Promise.all(paths.map((path) => get(door, reader, `/v1/notes${path}`)));
    return answers.map(({ status }) => status);
  },
};

/** Of several under a key another may be nearer; a card that is no note has no key to ask by. */
async function oneByKey(door: Door, reader: Reader, { key, id }: SurfaceCard): Promise<Asked> {
  const { status, body, text } = await get(door, reader, `/v1/notes/${encoded(key ?? id)}`);
  return { status: status === 200 && body.card_id !== id ? 404 : status, text };
}

const oneNote = askedForEach({
  name: 'one note',
  routes: ['GET /v1/notes/:key'],
  shows: isNote,
  one: oneByKey,
  unknown: async (door, reader, { key }) => [
    (await get(door, reader, `/v1/notes/${encoded(key ?? '')}?colour=red`)).status,
  ],
});

export const NOTING: readonly Surface[] = [notesList, oneNote];
