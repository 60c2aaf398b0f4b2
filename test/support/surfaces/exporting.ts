import { type Door, get, good, type Reader, type Surface } from './surface';

/**
 * An export is for owners and operators, who may look with an agent's eyes, and for members, who get what is about
 * themselves. So whoever is no member has theirs read by the owner.
 */
const reading = (door: Door, reader: Reader, query: string) => {
  const who = reader.isMember === true ? reader : reader.asOwner;
  if (who === undefined) throw new Error('nobody may export as this reader');
  return get(door, who, `/v1/export${query}`);
};

interface Line {
  type: string;
  row: { id: string; from_card: string; to_card: string };
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const exported: Surface = {
  name: 'the export',
  routes: ['GET /v1/export'],
  // The owner of one workspace is no runtime, and acts for nobody.
  serves: ({ person }) => person === null,
  shows: () => true,
  read: async (door, reader) => {
    const answer = await reading(door, reader, '');
    // Of a member about whom nobody has said who they are.
    if (answer.status === 403 && reader.isMember === true) return { ids: [], text: answer.text };
    const { text } = await good(Promise.resolve(answer));
    const lines = linesOf(text);
    const cards = lines.filter(({ type }) => type === 'card').map(({ row }) => row.id);
    const ends = lines
      .filter(({ type }) => type === 'edge')
      .flatMap(({ row }) => [row.from_card, row.to_card]);
    const loose = ends.filter((id) => !cards.includes(id));
    if (loose.length > 0) throw new Error(`edges lead to ${loose.join(', ')}, which are not there`);
    return { ids: cards, text };
  },
  unknown: async (door, reader) => {
    const paths = ['?colour=red', '?subject=%20'];
    const answers = await Promise.all(paths.map((path) => reading(door, reader, path)));
    return answers.map(({ status }) => status);
  },
};

export const EXPORTING: readonly Surface[] = [exported];
