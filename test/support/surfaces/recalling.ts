import { COMMON_WORD } from '../organisation-plant';
import { type Door, good, headersOf, isLive, type Reader, type Surface } from './surface';

/** Wide enough that nothing is left out for want of room. */
export const WIDE = { query: COMMON_WORD, limit: 50, budget_tokens: 100_000 };

const ask = (door: Door, { key, ...named }: Reader, body: object) =>
  door.call('POST', '/v1/recall', { key, headers: headersOf({ key, ...named }), body });

/** The cards of the answer, each in its section too. */
const recalledCards: Surface = {
  name: 'recall, its cards',
  routes: ['POST /v1/recall'],
  shows: isLive,
  read: async (door, reader) => {
    const { body, text } = await good(ask(door, reader, WIDE));
    const ids = body.cards.map(({ id }: { id: string }) => id);
    const inSections = body.sections.flatMap(({ cards }: { cards: string[] }) => cards);
    if (String([...ids].sort()) !== String(inSections.sort())) {
      throw new Error('the sections name other cards than the answer has');
    }
    return { ids, text };
  },
  unknown: async (door, reader) => {
    const bodies = [
      { ...WIDE, colour: 'red' },
      { ...WIDE, scope: 'workspace' },
      { ...WIDE, filters: { agent: 'writer' } },
    ];
    const answers = await Promise.all(bodies.map((body) => ask(door, reader, body)));
    return answers.map(({ status }) => status);
  },
};

/** What goes into a prompt. */
const recalledContext: Surface = {
  name: 'recall, its context',
  routes: ['POST /v1/recall'],
  shows: isLive,
  read: async (door, reader, cards) => {
    const { body, text } = await good(ask(door, reader, { ...WIDE, explain: true }));
    const shown = cards.filter(({ summary }) => body.context.includes(summary));
    return { ids: shown.map(({ id }) => id), text };
  },
};

export const RECALLING: readonly Surface[] = [recalledCards, recalledContext];
