import { bothSlashes, MEMORY_PATHS, UNSUPPORTED_PATHS } from '../../../src/api/memories/rules';
import type { Answer } from '../api';
import type { Change } from './changing';
import { WIDE } from './recalling';
import {
  type Asked,
  askedForEach,
  type Door,
  encoded,
  get,
  good,
  headersOf,
  idOf,
  isLive,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** Cards in the shape of mem0's memories, by the paths that its client calls. */

const routesOf = (...names: (keyof typeof MEMORY_PATHS)[]): string[] =>
  names.flatMap((name) => MEMORY_PATHS[name].flatMap(bothSlashes));

const post = (door: Door, reader: Reader, path: string, body: object): Promise<Answer> =>
  door.call('POST', path, { key: reader.key, headers: headersOf(reader), body });

const search: Surface = {
  name: 'the search of mem0',
  routes: routesOf('search'),
  shows: isLive,
  read: async (door, reader) => {
    const body = { query: WIDE.query, top_k: 100 };
    const answer = await good(post(door, reader, '/v3/memories/search/', body));
    return { ids: answer.body.results.map(idOf), text: answer.text };
  },
  unknown: async (door, reader) => {
    const bodies = [{ colour: 'red' }, { AND: [{ colour: 'red' }] }, { user_id: { near: 'ann' } }];
    const answers = await Promise.all(
      bodies.map((filters) => post(door, reader, '/v3/memories/search/', { query: 'x', filters })),
    );
    return answers.map(({ status }) => status);
  },
};

/** What the search finds by a filter that no recall has a word for. */
const filteredSearch: Surface = {
  name: 'the search of mem0 with alternatives',
  routes: routesOf('search'),
  shows: isLive,
  read: async (door, reader) => {
    const filters = { OR: [{ user_id: '*' }, { user_id: null }] };
    const body = { query: WIDE.query, top_k: 100, filters };
    const answer = await good(post(door, reader, '/v1/memories/search', body));
    return { ids: answer.body.results.map(idOf), text: answer.text };
  },
};

const list: Surface = {
  name: 'the list of mem0',
  routes: routesOf('list', 'listByPost'),
  shows: isLive,
  read: async (door, reader) => {
    const answer = await good(post(door, reader, '/v3/memories/?page_size=500', {}));
    return { ids: answer.body.results.map(idOf), text: answer.text };
  },
  page: async (door, reader, _card, { limit, cursor }) => {
    const path = `/v1/memories?page=${cursor ?? 1}&page_size=${limit}`;
    const { body } = await good(get(door, reader, path));
    const next = body.next === null ? null : new URL(body.next, door.url).searchParams.get('page');
    return { keys: body.results.map(idOf), total: body.count, next };
  },
  pagesCards: true,
  unknown: async (door, reader) => {
    const answers = [
      await get(door, reader, '/v1/memories/?page_size=501'),
      await post(door, reader, '/v3/memories/', { filters: { colour: 'red' } }),
    ];
    return answers.map(({ status }) => status);
  },
};

function ofOne(name: string, routes: string[], what: string): Surface {
  const one = (door: Door, reader: Reader, { id }: SurfaceCard): Promise<Asked> =>
    get(door, reader, `/v1/memories/${encoded(id)}/${what}`);
  return askedForEach({
    name,
    routes,
    shows: () => true,
    one,
  });
}

export const REMEMBERING: readonly Surface[] = [
  search,
  filteredSearch,
  list,
  ofOne('one memory of mem0', routesOf('one'), ''),
  ofOne('the history of a memory of mem0', routesOf('history'), 'history/'),
];

function changes(name: keyof typeof MEMORY_PATHS, body?: (id: string) => object): Change[] {
  return routesOf(name).map((route) => {
    const [method = '', path = ''] = route.split(' ');
    return {
      route,
      call: ({ id }) => ({
        method: method as 'PUT',
        path: path.replace(':id', encoded(id)),
        ...(body === undefined ? {} : { body: body(id) }),
      }),
    };
  });
}

const text = 'Changed by a stranger.';

export const MEMORY_CHANGES: readonly Change[] = [
  ...changes('update', () => ({ text })),
  ...changes('deleteOne'),
  ...changes('updateBatch', (memory_id) => ({ memories: [{ memory_id, text }] })),
  ...changes('deleteBatch', (memory_id) => ({ memories: [{ memory_id }] })),
  ...changes('feedback', (memory_id) => ({ memory_id, feedback: 'VERY_NEGATIVE' })),
];

/** They make memories, or delete what a list of the caller's own shows. */
export const MEMORY_WRITES: readonly string[] = routesOf('add', 'deleteAll', 'deleteEntity');

const of = (routes: readonly string[], what: string) =>
  Object.fromEntries(routes.map((route) => [route, what]));

export const MEMORY_ROUTES_WITHOUT_CARDS: Readonly<Record<string, string>> = {
  ...of(routesOf('ping'), 'the workspace of the key'),
  ...of(
    routesOf('entities'),
    'counts of the memories that the reader sees; held by a test of their own',
  ),
  ...of(Object.keys(UNSUPPORTED_PATHS).flatMap(bothSlashes), 'nothing: it says what there is'),
};
