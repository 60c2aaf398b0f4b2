import fc from 'fast-check';
import type { Embedder } from '../src/models/embedder';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { cardIds, type RecallLane, type RecallReply, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

async function laneWithCards(embedder: Embedder | null): Promise<RecallLane> {
  const lane = await startRecallLane(embedder);
  const key = lane.runtimeKey;
  const as = { key, headers: { 'cairn-agent': 'scout' } };
  await writeCard(lane.api, { summary: 'The lighthouse keeper answers at night.' }, as);
  await writeCard(lane.api, { summary: '🗼🌊⚓' }, as);
  await writeCard(lane.api, { summary: 'المنارة تضيء في الليل' }, as);
  await writeCard(lane.api, { summary: '灯台は夜に光る。' }, as);
  await writeCard(lane.api, { summary: "'); DROP TABLE cards; --" }, as);
  return lane;
}

const ODD: [string, string][] = [
  ['nothing', ''],
  ['blanks', ' \t\n '],
  ['stop words', 'the of and to'],
  ['an emoji', '🗼'],
  ['emojis in sequence', '👩‍👩‍👧‍👦🏳️‍🌈'],
  ['SQL', "'; DROP TABLE cards; -- $1 %s \\"],
  ['a LIKE pattern', '%_%'],
  ['a tsquery', "!(a & b) | c:* <-> 'd"],
  ['JSON', '{"query": {"$ne": null}}'],
  ['a special token', '<|endoftext|> <|im_start|>system'],
  ['a NUL', 'light\u0000house'],
  ['only a NUL', '\u0000'],
  ['half a character', '\ud800 lighthouse'],
  ['the other half', 'lighthouse \udfff'],
  ['right to left', 'متى تضيء المنارة'],
  ['an override', '\u202eesuohthgil\u202c'],
  ['no spaces', '灯台はいつ光りますか'],
  ['combining marks', 'e\u0301'.repeat(200)],
  ['a path', '../../../../etc/passwd'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a template engine would evaluate
  ['a template', '${7*7} {{7*7}} <%= 7*7 %>'],
  ['a very long word', 'x'.repeat(20_000)],
  ['20,000 characters of words', 'lighthouse keeper at night '.repeat(741).slice(0, 20_000)],
  ['20,000 characters of no words', '!'.repeat(20_000)],
  ['many different words', Array.from({ length: 3000 }, (_, index) => `w${index}`).join(' ')],
];

describe.each([
  ['with an embedder', createHashedEmbedder() as Embedder | null, undefined],
  ['without one', null, ['dense']],
])('%s', (_name, embedder, degraded) => {
  let lane: RecallLane;
  beforeAll(async () => {
    lane = await laneWithCards(embedder);
  });
  afterAll(() => lane.close());

  it.each(ODD)('%s is answered', async (_what, query) => {
    const reply = await lane.recall({ query, explain: true });
    expect(reply.status).toBe(200);
    expectWellFormed(reply);
  });

  it('any text at all is answered', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      // Units of UTF-16 that need not pair up.
      fc
        .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
        .map((units) => String.fromCharCode(...units)),
    );
    await fc.assert(
      fc.asyncProperty(text, async (query) => {
        const reply = await lane.recall({ query });
        expect(reply.status).toBe(200);
        expectWellFormed(reply);
      }),
      { numRuns: 40 },
    );
  });

  it('finds by words, whatever the script', async () => {
    const summaries = async (query: string) => {
      const { body } = await lane.recall({ query, limit: 1 });
      return body.cards.map(({ summary }: { summary: string }) => summary);
    };
    expect(await summaries('who answers at the lighthouse')).toEqual([
      'The lighthouse keeper answers at night.',
    ]);
    expect(await summaries('متى تضيء المنارة')).toEqual(['المنارة تضيء في الليل']);
    expect(await summaries('灯台')).toEqual(['灯台は夜に光る。']);
  });

  it('finds a word with a NUL in it, or with half a character beside it', async () => {
    const reply = await lane.recall({ query: 'lighthouse\u0000 \ud800 keeper', limit: 1 });
    expect(reply.body.cards[0].summary).toContain('lighthouse keeper');
  });

  it('says which arm it did without', async () => {
    const reply = await lane.recall({ query: 'lighthouse' });
    expect(reply.body.degraded).toEqual(degraded);
    expect(cardIds(reply).length).toBeGreaterThan(0);
  });

  it('a query that is too long, missing or no text is refused with a reason', async () => {
    for (const body of [{ query: 'x'.repeat(20_001) }, {}, { query: 7 }, { query: null }]) {
      const reply = await lane.recall(body);
      expect(reply.status).toBe(400);
      expect(reply.body.detail).toEqual(expect.any(String));
    }
  });
});

describe('an embedder that fails or is late', () => {
  const real = createHashedEmbedder();
  const untilGivenUp: Embedder['embed'] = (_texts, signal) =>
    new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('given up')));
    });

  it.each<[string, Embedder['embed']]>([
    ['fails', () => Promise.reject(new Error('out of memory'))],
    ['never answers', untilGivenUp],
    ['answers nothing', () => Promise.resolve([])],
  ])('that %s costs the answer one arm', async (_name, embed) => {
    const lane = await laneWithCards({ ...real, embed });
    try {
      const reply = await lane.recall({ query: 'lighthouse keeper' });
      expect(reply.status).toBe(200);
      expect(reply.body.degraded).toEqual(['dense']);
      expect(reply.body.cards[0].summary).toContain('lighthouse');
    } finally {
      await lane.close();
    }
  });
});

function expectWellFormed({ body }: RecallReply): void {
  expect(typeof body.context).toBe('string');
  expect(body.context.isWellFormed?.() ?? true).toBe(true);
  for (const card of body.cards) {
    expect(Number.isFinite(card.score)).toBe(true);
    for (const value of Object.values(card.terms ?? {})) expect(Number.isFinite(value)).toBe(true);
  }
}
