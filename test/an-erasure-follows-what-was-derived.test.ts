import fc from 'fast-check';
import { insertCard } from '../src/store/card-writes';
import { insertEdges } from '../src/store/edge-writes';
import { erased } from './support/erasing';
import { type RecallLane, startRecallLane } from './support/filing';
import { plainCard } from './support/plain-card';
import { rowsOf } from './support/upkeep';

jest.setTimeout(300_000);

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
});
afterAll(() => lane.close());

/** A card of a lineage. `derived` has no event of its own; `quoting` has one, and quotes others. */
interface Member {
  type: 'spoken' | 'named' | 'derived' | 'quoting';
  writer: string;
  /** Of the cards before it; for a derived one at least one. */
  sources: number[];
}

const WRITERS = ['consolidation', 'reflection', 'another pass'];

const lineage = fc
  .array(
    fc.record({
      type: fc.constantFrom<Member['type']>('spoken', 'named', 'derived', 'derived', 'quoting'),
      writer: fc.constantFrom(...WRITERS),
      picks: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 14 },
  )
  .chain((members) =>
    fc.record({
      members: fc.constant(
        members.map(({ type, writer, picks }, at): Member => {
          const rests = at > 0 && (type === 'derived' || type === 'quoting');
          const sources = rests ? [...new Set(picks.map((pick) => pick % at))] : [];
          return { type: rests || type === 'named' ? type : 'spoken', writer, sources };
        }),
      ),
      // A derived card may come to rest on a later one too, and that on it.
      back: fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 2 }),
    }),
  )
  .map(({ members, back }) => {
    const made = members.map((member) => ({ ...member, sources: [...member.sources] }));
    for (const [one, other] of back) {
      const [from, to] = [one % made.length, other % made.length];
      const earlier = made[Math.min(from, to)];
      if (from !== to && earlier?.type === 'derived') earlier.sources.push(Math.max(from, to));
    }
    return made.map((member) => ({ ...member, sources: [...new Set(member.sources)] }));
  });

/** What stays: what has an event of its own that does, or rests on something that stays. */
function standing(members: readonly Member[]): boolean[] {
  const stands = members.map(({ type }) => type === 'spoken' || type === 'quoting');
  for (let changed = true; changed; ) {
    changed = false;
    members.forEach(({ type, sources }, at) => {
      if (stands[at] || type !== 'derived' || !sources.some((source) => stands[source])) return;
      stands[at] = true;
      changed = true;
    });
  }
  return stands;
}

const derived = (...sources: number[]): Member => ({
  type: 'derived',
  writer: 'consolidation',
  sources,
});
const SPOKEN: Member = { type: 'spoken', writer: 'runtime', sources: [] };
const NAMED: Member = { ...SPOKEN, type: 'named' };
/** What stands waits for what waits for it. */
const CIRCLE: Member[] = [
  SPOKEN,
  derived(0, 6),
  NAMED,
  derived(2),
  derived(3, 2, 1),
  derived(2, 4),
  derived(4, 5),
];

let runs = 0;

/** Writes the cards; each says a word of its own, and a derived one those of all that it rests on too. */
async function planted(
  members: readonly Member[],
): Promise<{ ids: string[]; words: string[]; subject: string }> {
  runs += 1;
  const run = runs;
  const subject = `guest-${run}`;
  const words = members.map((_, at) => `wordof${run}x${at}x`);
  const said = members.map((_, at) =>
    [...reachable(members, at)].map((one) => words[one]).join(' '),
  );
  const now = lane.clock.now();
  const cards = members.map(({ type, writer }, at) =>
    plainCard(`It was about ${said[at]}.`, now, {
      ...(type === 'named' ? { subject } : {}),
      ...(type === 'derived'
        ? { kind: 'insight', writer: { kind: 'system', id: writer }, agent: null }
        : { eventId: `evt-${run}-${at}`, kind: 'experience', sign: 'worked' }),
    }),
  );
  await lane.api.database.inWorkspace('default', async (tx) => {
    for (const card of cards) await insertCard(tx, card, null, []);
    const edges = members.flatMap(({ sources }, at) =>
      sources.map((source) => ({
        ...({
          type: 'derived_from',
          confidence: 1,
          reason: 'one of the cards that show it',
        } as const),
        ...{ from: cards[at]?.id ?? '', to: cards[source]?.id ?? '' },
      })),
    );
    await insertEdges(tx, edges, now);
  });
  return { ids: cards.map(({ id }) => id), words, subject };
}

function reachable(members: readonly Member[], start: number): Set<number> {
  const found = new Set([start]);
  for (const at of found) for (const source of members[at]?.sources ?? []) found.add(source);
  return found;
}

it('keeps what rests on something else too, and nothing that rests on it alone', async () => {
  await fc.assert(
    fc.asyncProperty(lineage, async (members) => {
      const { ids, words, subject } = await planted(members);
      lane.clock.advance(1_000);
      const { counts, status } = await erased(lane, { subject });
      const stands = standing(members);
      const left = await rowsOf<{ id: string }>(
        lane,
        'SELECT id FROM cards WHERE id = ANY ($1) ORDER BY id',
        [ids],
      );
      const expected = ids.filter((_, at) => stands[at]);
      expect(left.map(({ id }) => id)).toEqual([...expected].sort());
      expect(counts.purged['cards'] ?? 0).toBe(ids.length - expected.length);
      expect(status).toBe('completed');

      // What is left says nothing of what went, in no version, and is found by none of its words.
      const gone = words.filter((_, at) => members[at]?.type === 'named' || !stands[at]);
      const texts = await rowsOf<{ text: string }>(
        lane,
        `SELECT c::text AS text FROM cards c UNION ALL SELECT v::text FROM card_versions v
         UNION ALL SELECT t.term FROM card_terms t UNION ALL SELECT s.term FROM term_statistics s
         UNION ALL SELECT e.name FROM entities e UNION ALL SELECT e.reason FROM edges e`,
      );
      const all = texts.map(({ text }) => text).join('\n');
      expect(gone.filter((word) => all.includes(word))).toEqual([]);
      // What nothing of it went into is as it was.
      const whole = ids.filter((_, at) =>
        [...reachable(members, at)].every((one) => members[one]?.type !== 'named'),
      );
      const versions = await rowsOf<{ id: string }>(
        lane,
        'SELECT id FROM cards WHERE id = ANY ($1) AND version = 1',
        [whole],
      );
      expect(versions).toHaveLength(whole.length);
    }),
    { numRuns: 25, endOnFailure: true, examples: [[CIRCLE]] },
  );
});
