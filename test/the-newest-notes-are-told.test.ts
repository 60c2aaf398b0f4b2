import { rankAndPack } from '../src/domain/recall-pipeline';
import { candidate, daysAgo, rankInput } from './support/domain-cards';
import { cardIds, DAY, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { consolidateByHand } from './support/night';

jest.setTimeout(60_000);

describe('the newest notes of the passes', () => {
  const hints = { ...candidate().hints, service: null, operation: null };
  const note = (id: string, age: number, over: object = {}) =>
    candidate({
      id,
      kind: 'insight',
      sign: 'neutral',
      summary: `Lessons on ${id}.`,
      valid_from: daysAgo(age),
      hints,
      // Nothing of the query finds it.
      lexical: null,
      dense: null,
      ...over,
    });
  const found = Array.from({ length: 6 }, (_, at) =>
    candidate({
      id: `card-${at}`,
      valid_from: daysAgo(at),
      summary: `Booked flight ${at}. It worked.`,
    }),
  );
  const newest = [note('new-1', 1), note('new-2', 2)].map((card) => ({
    ...card,
    is_newest_note: true,
  }));
  const ask = (candidates: typeof found, more: object = {}) =>
    rankAndPack(rankInput({ intent: 'act', candidates, limit: 5, ...more }));

  test('come on top of what the query finds, and push nothing of it out', () => {
    const without = ask(found).cards.map(({ id }) => id);
    expect(ask([...found, ...newest]).cards.map(({ id }) => id)).toEqual([
      ...without,
      'new-1',
      'new-2',
    ]);
  });

  test('stay within a limit that the caller named, and leave a small one to what fits', () => {
    const told = (limit: number) =>
      ask([...found, ...newest], { limit, isLimitAsked: true }).cards.map(({ id }) => id);
    const without = ask(found).cards.map(({ id }) => id);
    expect(told(5)).toEqual([...without.slice(0, 3), 'new-1', 'new-2']);
    expect(told(2)).toEqual(without.slice(0, 2));
    expect(told(8)).toHaveLength(8);
  });

  test('stay out where the budget has no room', () => {
    const tokens = ask(found).tokens;
    const answer = ask([...found, ...newest], { budgetTokens: tokens });
    expect(answer.cards.map(({ id }) => id)).not.toContain('new-1');
    expect(answer.dropped).toContainEqual(
      expect.objectContaining({ id: 'new-1', reason: 'budget' }),
    );
  });

  test('leave room for one that fits; older ones compete by relevance, and three are the most', () => {
    const fits = ['old-1', 'old-2'].map((id, at) =>
      note(id, 10 + at, { lexical: 5 - at, dense: 0.9, lexical_context: 5 - at }),
    );
    const stranger = note('old-3', 12);
    const answer = ask([...found.slice(0, 2), ...newest, ...fits, stranger]);
    const lessons = answer.sections.find(({ name }) => name === 'lessons')?.cards;
    expect([...(lessons ?? [])].sort()).toEqual(['new-1', 'new-2', 'old-1']);
    expect(answer.dropped).toContainEqual(
      expect.objectContaining({ id: 'old-2', reason: 'older_lesson' }),
    );
    expect(answer.dropped).toContainEqual(
      expect.objectContaining({ id: 'old-3', reason: 'not_relevant' }),
    );
  });
});

describe('a recall after some nights', () => {
  let lane: RecallLane;
  beforeAll(async () => {
    lane = await startRecallLane();
  });
  afterAll(() => lane?.close());

  /** Three calls of a service on one day, and the night after. @returns the note */
  async function day(agent: string, service: string): Promise<string> {
    for (const item of ['one', 'two', 'three']) {
      lane.clock.advance(MINUTE);
      await lane.filing.card({
        agent,
        service,
        operation: 'polish',
        input: { item: `${service}-${item}` },
        output: { done: item },
      });
    }
    const scope = { type: 'agent', id: agent } as const;
    const [outcome] = await consolidateByHand(
      lane.api.database,
      'default',
      scope,
      lane.clock.now(),
    );
    lane.clock.advance(DAY);
    return outcome?.card_id ?? '';
  }

  test("tells the two newest of the reader's own, whatever it asks, and none of a stranger", async () => {
    await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
    const notes: string[] = [];
    for (const service of ['brass', 'copper', 'silver']) notes.push(await day('scout', service));
    const foreign = await day('stranger', 'gold');
    expect([...notes, foreign].every((id) => id.startsWith('card_'))).toBe(true);
    const topic = await lane.filing.card({
      service: 'calendar',
      operation: 'list',
      input: { weekday: 'tuesday' },
    });

    const unrelated = await lane.recall({ query: 'calendar weekday tuesday', intent: 'act' });
    expect(cardIds(unrelated)).toContain(topic);
    expect(cardIds(unrelated)).toEqual(expect.arrayContaining(notes.slice(1)));
    expect(cardIds(unrelated)).not.toContain(notes[0]);
    expect(cardIds(unrelated)).not.toContain(foreign);
    expect(unrelated.body.context).toContain('## Lessons');
    expect(JSON.stringify(unrelated.body)).not.toContain('is_newest_note');

    const about = await lane.recall({ query: 'polish brass', intent: 'act' });
    expect(cardIds(about)).toEqual(expect.arrayContaining(notes));
  });

  test('reads a note like any card: who wrote it, what it came of, and its story', async () => {
    const { body: listed } = await lane.api.call(
      'GET',
      '/v1/cards?kind=insight&writer=system/consolidation',
    );
    const [note] = listed.items;
    expect(note).toMatchObject({
      kind: 'insight',
      topic: 'gold.polish',
      provenance: { writer: { kind: 'system', id: 'consolidation' }, distilled_by: 'fallback' },
    });
    for (const part of ['', '/history', '/edges', '/lineage', '/readers', '/story']) {
      const answer = await lane.api.call('GET', `/v1/cards/${note.id}${part}`);
      expect([part, answer.status]).toEqual([part, 200]);
    }
  });
});

test('two notes of one service tell of different work: neither hides the other', () => {
  const hints = { ...candidate().hints, service: 'storage', operation: null };
  const notes = ['share_folder', 'rotate_backup'].map((operation, at) =>
    candidate({
      id: `note-${at}`,
      kind: 'insight',
      sign: 'neutral',
      summary: `Lessons on storage, 2026-03-0${at + 1}, from 5 episodes: - storage.${operation} worked all 5 times.`,
      valid_from: daysAgo(at),
      hints,
      vector: { near: new Set(['note-0', 'note-1']) },
    }),
  );
  const answer = rankAndPack(rankInput({ intent: 'act', candidates: notes, limit: 5 }));
  expect(answer.cards.map(({ id }) => id).sort()).toEqual(['note-0', 'note-1']);
});
