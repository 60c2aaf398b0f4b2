import { createOpenAiReflector } from '../src/models/openai-reflector';
import { CARDS_SHOWN, KNOWN_SHOWN, type ReflectedCard } from '../src/models/reflector';
import { type FakeProvider, startFakeProvider } from './support/fake-provider';
import { FACT, LINK, reflectedCard, SKILL } from './support/model-ports';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const CARDS = [
  reflectedCard(),
  reflectedCard({ n: 2, sign: 'worked', kind: 'experience', operation: 'send_small' }),
  reflectedCard({ n: 3, service: null, operation: null }),
];
const NOTHING = { facts: [], links: [], skills: [] };

const reflected = async (
  answer: Record<string, unknown>,
  cards: ReflectedCard[] = CARDS,
  known: string[] = [],
) => {
  provider.script({ says: JSON.stringify({ ...NOTHING, ...answer }) });
  const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
  const reflector = createOpenAiReflector({ ...options, clock: () => new Date() });
  const { usage, ...found } = await reflector.reflect(
    { cards, known },
    new AbortController().signal,
  );
  return found;
};
const question = () => provider.requests[0]?.body.messages?.[1]?.content ?? '';

it('nothing found is an answer', async () => {
  expect(await reflected({})).toEqual(NOTHING);
  expect(provider.requests).toHaveLength(1);
});

describe('a fact', () => {
  it.each([
    ['one card shows', { ...FACT, sources: [1] }],
    ['one card shows, cited twice', { ...FACT, sources: [1, 1] }],
    ['a card that was not shown is needed for', { ...FACT, sources: [1, 9] }],
    ['is sure beyond all measure', { ...FACT, confidence: 85 }],
    ['nobody is sure of at all', { ...FACT, confidence: null }],
  ])('that %s is left out', async (_, fact) => {
    expect((await reflected({ facts: [fact, FACT] })).facts).toEqual([FACT]);
    await expect(reflected({ facts: [fact] })).rejects.toMatchObject({
      type: 'model_invalid_output',
    });
  });

  it('that fits outweighs links that do not', async () => {
    const found = await reflected({ facts: [FACT], links: [{ ...LINK, type: 'causes' }] });
    expect(found).toEqual({ ...NOTHING, facts: [FACT] });
    expect(provider.requests).toHaveLength(1);
  });
});

describe('a link', () => {
  it.each([
    ['from a card to itself', { ...LINK, to: 2 }],
    ['to a card that was not shown', { ...LINK, to: 9 }],
    ['of lineage, which is not a model’s to make', { ...LINK, type: 'supersedes' }],
    ['without a reason', { ...LINK, reason: '' }],
    ['without its beginning', { ...LINK, from: undefined }],
  ])('%s is left out', async (_, link) => {
    expect((await reflected({ links: [link, LINK] })).links).toEqual([LINK]);
  });

  it('is told once', async () => {
    expect((await reflected({ links: [LINK, { ...LINK, confidence: 0.9 }] })).links).toEqual([
      LINK,
    ]);
  });
});

it('a skill gets its calls from the cards that it cites', async () => {
  const { skills } = await reflected({ skills: [{ ...SKILL, sources: [2, 1] }] });
  expect(skills).toEqual([
    {
      ...SKILL,
      steps: [
        { text: SKILL.steps[0]?.text, service: 'mailer', operation: 'send_batch' },
        { text: SKILL.steps[1]?.text, service: 'mailer', operation: 'send_small' },
      ],
      sources: [1, 2],
    },
  ]);
});

it('cards and what is known are shown up to their bounds, and no further', async () => {
  const summary = 'It failed. '.repeat(200);
  const cards = Array.from({ length: CARDS_SHOWN + 1 }, (_, n) => reflectedCard({ n, summary }));
  const known = Array.from({ length: KNOWN_SHOWN + 1 }, (_, n) => `Known-${n}. ${summary}`);
  const { facts } = await reflected(
    { facts: [{ ...FACT, sources: [0, 1, CARDS_SHOWN] }] },
    cards,
    known,
  );
  expect(facts[0]?.sources).toEqual([0, 1]);
  expect(question()).toContain('[0] (constraint, failed, mailer.send_batch, 2 agents) It failed.');
  expect(question()).toContain(`Known-${KNOWN_SHOWN - 1}.`);
  expect(question()).not.toContain(`Known-${KNOWN_SHOWN}.`);
  expect(question().length).toBeLessThan(48_000);
});
