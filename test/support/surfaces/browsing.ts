import { STATUSES } from '../organisation';
import {
  type Asked,
  askedForEach,
  type Door,
  encoded,
  get,
  good,
  idOf,
  isLive,
  pageAt,
  type Reader,
  readEach,
  type Surface,
  type SurfaceCard,
} from './surface';

/** What is deleted is listed for people who restore it; a test of its own says for whom. */
const KEPT = STATUSES.filter((status) => status !== 'deleted')
  .map((status) => `status=${status}`)
  .join('&');

const everything = () => true;

const cardsList: Surface = {
  name: 'the list of cards',
  routes: ['GET /v1/cards'],
  shows: everything,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, `/v1/cards?limit=500&${KEPT}`));
    return { ids: body.items.map(idOf), text };
  },
  page: (door, reader, _card, at) => pageAt(door, reader, `/v1/cards?${KEPT}`, at, idOf),
  pagesCards: true,
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?scope=workspace', '?limit=501', '?cursor=nonsense'];
    const answers = await Promise.all(paths.map((path) => get(door, reader, `/v1/cards${path}`)));
    return answers.map(({ status }) => status);
  },
};

/** A route that is asked about one card: `what` follows the card's own path. */
function ofOneCard(
  name: string,
  what: string,
  more: Pick<Surface, 'page' | 'serves'> = {},
): Surface {
  const path = ({ id }: SurfaceCard) => `/v1/cards/${encoded(id)}${what}`;
  const one = (door: Door, reader: Reader, card: SurfaceCard): Promise<Asked> =>
    get(door, reader, path(card));
  return askedForEach({
    name,
    routes: [`GET /v1/cards/:id${what}`],
    shows: everything,
    one,
    unknown: async (door, reader, card) => [
      (await get(door, reader, `${path(card)}?colour=red`)).status,
    ],
    ...more,
  });
}

function pagesOf<Item>(what: string, keyOf: (item: Item) => string): Pick<Surface, 'page'> {
  return {
    page: (door, reader, card, at) =>
      pageAt(door, reader, `/v1/cards/${encoded(card.id)}${what}`, at, keyOf),
  };
}

const graph: Surface = {
  name: 'the graph around nothing',
  routes: ['GET /v1/graph'],
  shows: isLive,
  read: async (door, reader) => {
    const { body, text } = await good(get(door, reader, '/v1/graph'));
    return { ids: body.nodes.map(idOf), text };
  },
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?depth=3', '?kinds=rumour', '?edge_types=rumour'];
    const answers = await Promise.all(paths.map((path) => get(door, reader, `/v1/graph${path}`)));
    return answers.map(({ status }) => status);
  },
};

const graphAround: Surface = {
  name: 'the graph around one card',
  routes: ['GET /v1/graph'],
  shows: everything,
  one: (door, reader, { id }) => get(door, reader, `/v1/graph?depth=2&center=${encoded(id)}`),
  read: (door, reader, cards) =>
    readEach(cards, ({ id }) => get(door, reader, `/v1/graph?depth=2&center=${encoded(id)}`)),
};

/** Shows no card, and counts those that the list shows: another number is a card that nobody shows this reader. */
const cardFacets: Surface = {
  name: 'the facets of cards',
  routes: ['GET /v1/cards/facets'],
  shows: everything,
  read: async (door, reader, cards) => {
    const { body, text } = await good(get(door, reader, `/v1/cards/facets?${KEPT}`));
    const { ids } = await cardsList.read(door, reader, cards);
    return { ids: body.total === ids.length ? ids : [`counted: ${body.total}`], text };
  },
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?scope=workspace', '?limit=5', '?status=gone'];
    const answers = await Promise.all(
      paths.map((path) => get(door, reader, `/v1/cards/facets${path}`)),
    );
    return answers.map(({ status }) => status);
  },
};

export const BROWSING: readonly Surface[] = [
  cardsList,
  cardFacets,
  ofOneCard('one card', ''),
  ofOneCard('the history of a card', '/history', {
    ...pagesOf('/history', (item: { version: number }) => String(item.version)),
  }),
  ofOneCard('the edges of a card', '/edges', pagesOf('/edges', idOf)),
  ofOneCard('the lineage of a card', '/lineage'),
  ofOneCard('the readers of a card', '/readers', {
    ...pagesOf('/readers', (item) => JSON.stringify(item)),
  }),
  ofOneCard('the story of a card', '/story'),
  ofOneCard('whom a card is visible to', '/visible-to'),
  ofOneCard('the grants of a card', '/grants', {
    ...pagesOf('/grants', (item: { agent: string | null; group: string | null }) =>
      String([item.agent, item.group]),
    ),
  }),
  graph,
  graphAround,
];
