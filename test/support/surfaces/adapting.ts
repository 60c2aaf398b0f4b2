import {
  type CairnMiddlewareOptions,
  cairnMiddleware,
} from '../../../src/adapters/ai-sdk/middleware';
import { MEMORY } from '../../../src/adapters/langgraph/memory-view';
import { CairnStore } from '../../../src/adapters/langgraph/store';
import { heard, modelSaying } from '../ai-models';
import { HOUSE_NAMESPACE, isItem } from './house-items';
import { WIDE } from './recalling';
import { BROWSED, clientOf } from './speaking';
import {
  type Asked,
  askedForEach,
  type Door,
  isLive,
  type Reader,
  type Surface,
  type SurfaceCard,
} from './surface';

/** Frameworks that read Cairn as their own memory: LangGraph's store, the AI SDK's middleware. */

const storeOf = (door: Door, reader: Reader) => new CairnStore({ client: clientOf(door, reader) });
const nameOf = ({ key }: SurfaceCard) => key?.split('/').at(-1) ?? 'none';

async function itemsShown(
  door: Door,
  reader: Reader,
  cards: readonly SurfaceCard[],
  options: { query?: string },
): Promise<{ ids: string[]; text: string }> {
  const found = await storeOf(door, reader).search([HOUSE_NAMESPACE], { ...options, limit: 1_000 });
  const said = new Set(found.map(({ value }) => value.summary));
  const ids = cards.filter(({ summary }) => said.has(summary)).map(({ id }) => id);
  return { ids, text: JSON.stringify(found) };
}

async function oneItem(door: Door, reader: Reader, card: SurfaceCard): Promise<Asked> {
  const found = await storeOf(door, reader).get([HOUSE_NAMESPACE], nameOf(card));
  // What took the place of another has its key.
  if (found?.value.summary !== card.summary) return { status: 404, text: '' };
  return { status: 200, text: JSON.stringify(found) };
}

async function oneCard(door: Door, reader: Reader, { id }: SurfaceCard): Promise<Asked> {
  const found = await storeOf(door, reader).get([MEMORY], id);
  return found === null ? { status: 404, text: '' } : { status: 200, text: JSON.stringify(found) };
}

const LANGGRAPH: readonly Surface[] = [
  {
    name: "LangGraph's store, all items",
    routes: ['GET /v1/notes'],
    shows: isItem,
    read: (door, reader, cards) => itemsShown(door, reader, cards, {}),
  },
  {
    name: "LangGraph's store, items by a query",
    routes: ['POST /v1/recall', 'GET /v1/notes'],
    shows: isItem,
    read: (door, reader, cards) => itemsShown(door, reader, cards, { query: WIDE.query }),
  },
  askedForEach({
    name: "LangGraph's store, one item",
    routes: ['GET /v1/notes/:key'],
    shows: isItem,
    one: oneItem,
  }),
  {
    name: "LangGraph's store, all cards",
    routes: ['GET /v1/cards'],
    shows: ({ status }) => BROWSED.includes(status),
    read: async (door, reader) => {
      const found = await storeOf(door, reader).search([MEMORY], { limit: 1_000 });
      return { ids: found.map(({ key }) => key), text: JSON.stringify(found) };
    },
  },
  {
    name: "LangGraph's store, cards by a query",
    routes: ['POST /v1/recall'],
    shows: isLive,
    read: async (door, reader) => {
      const found = await storeOf(door, reader).search([MEMORY], { query: WIDE.query, limit: 50 });
      return { ids: found.map(({ key }) => key), text: JSON.stringify(found) };
    },
  },
  askedForEach({
    name: "LangGraph's store, one card",
    routes: ['GET /v1/cards/:id'],
    shows: () => true,
    one: oneCard,
  }),
];

/** Who has an agent's own key, or looks on as a person, names none with the calls. */
function nameless(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.delete('cairn-agent');
  return fetch(url, { ...init, headers });
}

function middlewareOf(door: Door, { key, agent, person }: Reader) {
  const options: CairnMiddlewareOptions = {
    ...{ url: door.url, key, agent: agent ?? 'nobody', capture: false },
    ...(agent === null ? { fetch: nameless } : {}),
    ...(person === null ? {} : { person, executionMode: 'interactive' }),
    recall: { limit: WIDE.limit, budget_tokens: WIDE.budget_tokens, deadlineMs: 60_000 },
    onError: (error) => {
      throw error;
    },
  };
  return cairnMiddleware(options);
}

const AI_SDK: Surface = {
  name: 'a model of the AI SDK, its prompt',
  routes: ['POST /v1/recall'],
  shows: isLive,
  read: async (door, reader, cards) => {
    const params = {
      prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: WIDE.query }] }],
    };
    const model = modelSaying(() => 'Done.');
    const { transformParams } = middlewareOf(door, reader);
    const asked = await transformParams?.({ type: 'generate', params, model });
    const text = heard(asked).join('\n');
    return { ids: cards.filter(({ summary }) => text.includes(summary)).map(({ id }) => id), text };
  },
};

export const ADAPTING: readonly Surface[] = [...LANGGRAPH, AI_SDK];
