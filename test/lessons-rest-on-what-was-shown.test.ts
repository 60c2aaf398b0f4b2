import fc from 'fast-check';
import { createOpenAiWisdomWriter } from '../src/models/openai-wisdom-writer';
import { EPISODES_SHOWN, type LessonEpisode } from '../src/models/wisdom-writer';
import { parseModelLessons } from '../src/schemas/model-lessons';
import { type FakeProvider, startFakeProvider } from './support/fake-provider';
import { episode, LESSON } from './support/model-ports';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider.close());

const written = async (lessons: unknown[], episodes: LessonEpisode[] = [episode()]) => {
  provider.script({ says: JSON.stringify({ lessons }) });
  const options = { apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' };
  const writer = createOpenAiWisdomWriter({ ...options, clock: () => new Date() });
  const group = { scope: 'team desk', topic: 'mail', episodes };
  return (await writer.write(group, new AbortController().signal)).lessons;
};
const question = () => provider.requests[0]?.body.messages?.[1]?.content ?? '';

const EPISODES = [
  episode({ n: 4 }),
  episode({ n: 7, sign: 'worked', resolved: false, times: 1, age_days: 0, summary: 'It worked.' }),
  episode({ n: 9, resolved: true, summary: 'It failed, and then it worked.' }),
];

describe('a lesson', () => {
  it('cites records by the numbers that they were shown by, each once and in order', async () => {
    const lesson = { ...LESSON, sources: [9, 4, 9, 5, -1, 4.5, '7', null] };
    expect(await written([lesson], EPISODES)).toEqual([{ ...LESSON, sources: [4, 7, 9] }]);
  });

  it.each([
    ['cites nothing', { ...LESSON, sources: [] }],
    ['cites what was not shown', { ...LESSON, sources: [2, 3] }],
    ['lacks its sources', { text: LESSON.text }],
    ['lacks its words', { sources: [1] }],
    ['says nothing', { ...LESSON, text: ' - Be good. ' }],
    ['is a record', { ...LESSON, text: '{"users": [{"id": 7}], "ok": true, "limit": 100}' }],
    ['is no object', 'Send at most 100 addresses a batch.'],
  ])('that %s is left out, and alone it is no answer', async (_, lesson) => {
    expect(await written([lesson, LESSON])).toEqual([LESSON]);
    await expect(written([lesson])).rejects.toMatchObject({ type: 'model_invalid_output' });
    expect(provider.requests).toHaveLength(2);
  });

  it('loses its bullet, its mark-up and what is beyond 240 characters', async () => {
    const [marked, long] = await written([
      { ...LESSON, text: '- **Send** at most [100](https://mail.example/limit) addresses.' },
      { ...LESSON, text: `Send at most 100 addresses ${'and count them '.repeat(40)}` },
    ]);
    expect(marked?.text).toBe('Send at most 100 addresses.');
    expect(long?.text).toMatch(/^Send at most 100 addresses and .*…$/);
  });

  it('is one of eight at most', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      ...LESSON,
      text: `${LESSON.text} (${at})`,
    }));
    const lessons = await written(many);
    expect(lessons).toHaveLength(8);
    expect(lessons[0]?.text).toContain('(0)');
  });

  it('keeps to its bounds whatever a model says', () => {
    const item = fc.record({ text: fc.anything(), sources: fc.anything() });
    const near = fc.record({
      text: fc.string({ unit: 'binary', minLength: 10, maxLength: 600 }),
      sources: fc.array(fc.integer({ min: -2, max: 12 })),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(near, item, fc.anything())), (lessons) => {
        const shown = new Set([1, 2, 3, 4]);
        const found = parseModelLessons({ lessons }, shown);
        if ('problem' in found) return;
        expect(found.value.lessons.length).toBeGreaterThan(0);
        expect(found.value.lessons.length).toBeLessThanOrEqual(8);
        for (const { text, sources } of found.value.lessons) {
          expect(text.length).toBeLessThanOrEqual(240);
          expect(text).not.toMatch(/[\p{Cs}\p{Cc}]/u);
          expect(sources.length).toBeGreaterThan(0);
          expect(sources.every((source) => shown.has(source))).toBe(true);
        }
      }),
    );
  });
});

describe('a record', () => {
  it('is shown with its sign, its age, how often it was seen and whether it is open', async () => {
    await written([{ ...LESSON, sources: [4] }], EPISODES);
    expect(question()).toContain('[4] (failed, open, 3 days ago, seen 4 times) Called mailer');
    expect(question()).toContain('[7] (worked, 0 days ago) It worked.');
    expect(question()).toContain('[9] (failed, resolved later, 3 days ago, seen 4 times)');
    expect(question()).toContain('Topic: mail');
  });

  it('beyond those that are shown is not cited, and a question has its bound', async () => {
    const summary = 'It failed. '.repeat(200);
    const many = Array.from({ length: EPISODES_SHOWN + 1 }, (_, at) => episode({ n: at, summary }));
    const [lesson] = await written([{ ...LESSON, sources: [0, EPISODES_SHOWN] }], many);
    expect(lesson?.sources).toEqual([0]);
    expect(question().length).toBeLessThan(32_000);
  });
});
