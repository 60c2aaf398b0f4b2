import type { ModelActivities } from '../src/activities/model';
import type { CaptureEnding } from '../src/contracts/messages';
import { DISTILL_PROMPT_VERSION } from '../src/models/distill-prompt';
import type { Distiller } from '../src/models/distiller';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import {
  type Answer,
  cardAnswer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';

let lane: CaptureLane;
let provider: FakeProvider;
const embedder = createHashedEmbedder();
beforeAll(async () => {
  [lane, provider] = await Promise.all([CaptureLane.start(), startFakeProvider()]);
});
afterAll(async () => {
  await lane?.stop();
  await provider?.close();
});

interface Told {
  result: CaptureEnding;
  /** When each attempt began, on the server's own clock, in milliseconds. */
  attempts: number[];
  /** The failure type of each attempt that failed. */
  failures: string[];
  history: string;
  needsDistill: boolean;
  /** The row of the one card. */
  card: Record<string, unknown> | undefined;
}

/** One event through the real workflow, with what the model's side did on the way. */
async function captured(
  answers: Answer[],
  given: { distiller?: Distiller; name?: string } = {},
): Promise<Told> {
  provider.script(...answers);
  const distiller =
    given.distiller ??
    createOpenAiDistiller({
      apiKey: 'none',
      baseUrl: provider.baseUrl,
      model: 'small',
      clock: () => new Date(),
      callTimeoutMs: 400,
    });
  const attempts: number[] = [];
  const failures: string[] = [];
  const aroundModel = ({ distillByModel }: ModelActivities): ModelActivities => ({
    distillByModel: async (key) => {
      attempts.push(await lane.env.currentTimeMs());
      try {
        return await distillByModel(key);
      } catch (error) {
        failures.push((error as { type: string }).type);
        throw error;
      }
    },
  });
  const workspace = await lane.workspace();
  const event = failedCall({ error: 'ValueError: EVENT-TEXT not found in the channels list' });
  const [input] = await lane.record(workspace, [event]);
  if (input === undefined) throw new Error('nothing was recorded');
  return await lane.working({ embedder, distiller, aroundModel }, async () => {
    const handle = await lane.startCapture(input);
    const result = await handle.result();
    if (given.name !== undefined) await saveHistory(given.name, handle);
    const [capture] = await lane.rows<{ needs_distill: boolean }>(
      workspace,
      'SELECT needs_distill FROM captures',
    );
    const [card] = await lane.rows<Record<string, unknown>>(workspace, 'SELECT * FROM cards');
    const history = historyText(await handle.fetchHistory());
    const needsDistill = capture?.needs_distill ?? false;
    return { result, attempts, failures, history, needsDistill, card };
  });
}

describe('the tries of a model', () => {
  it('are one where it answers well', async () => {
    const { result, attempts, needsDistill, history } = await captured([SAYS.valid], {
      name: 'capture.by-model',
    });
    expect(result).toMatchObject({
      disposition: 'carded',
      distilled_by: 'model',
      kind: 'constraint',
      sign: 'failed',
      model: { outcome: 'answered', tries: 1 },
    });
    expect(attempts).toHaveLength(1);
    expect(needsDistill).toBe(false);
    expect(history).toContain(result.card_id);
    expect(history).not.toMatch(/EVENT-TEXT|channel External|Look the channel up/);
  });

  it('are one, of two calls, where its answer had to be repaired', async () => {
    const { result, attempts } = await captured([SAYS.wrongSchema, SAYS.valid]);
    expect(result.distilled_by).toBe('model');
    expect(attempts).toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
  });

  it.each([
    ['model_refused', refuses(400)],
    ['model_refused', refuses(422)],
    ['model_refused', { refusal: 'PROVIDER-TEXT: I will not' }],
    ['model_not_configured', refuses(401)],
    ['model_not_configured', refuses(404)],
  ] satisfies [string, Answer][])('are one where it fails by %s', async (type, answer) => {
    const { result, attempts, failures, history, needsDistill } = await captured([answer]);
    expect(failures).toEqual([type]);
    expect(attempts).toHaveLength(1);
    expect(provider.requests).toHaveLength(1);
    expect(result).toMatchObject({
      disposition: 'carded',
      distilled_by: 'fallback',
      model: { outcome: 'fell_back', tries: 1 },
    });
    expect(needsDistill).toBe(true);
    expect(history).toContain(type);
    expect(history).not.toMatch(/EVENT-TEXT|PROVIDER-TEXT/);
  });

  it('are one where no model is there', async () => {
    const workspace = await lane.workspace();
    const [input] = await lane.record(workspace, [failedCall()]);
    if (input === undefined) throw new Error('nothing was recorded');
    // The admitting process has a model; the one that takes the task has none.
    const gone: Distiller = {
      model: 'gone',
      promptVersion: 'none',
      distill: () => Promise.reject(new Error()),
    };
    let attempts = 0;
    const result = await lane.working(
      {
        embedder,
        distiller: gone,
        aroundModel: () => ({
          distillByModel: async (key) => {
            attempts += 1;
            return await lane.modelActivities(null).distillByModel(key);
          },
        }),
      },
      async () => (await lane.startCapture(input)).result(),
    );
    expect(attempts).toBe(1);
    expect(result.distilled_by).toBe('fallback');
  });

  it.each([
    ['model_unavailable', refuses(500), 5],
    ['model_unavailable', refuses(503), 5],
    ['model_unavailable', refuses(409), 5],
    ['model_timeout', refuses(408), 5],
    ['model_timeout', SAYS.hang, 5],
    ['model_rate_limited', refuses(429), 5],
    ['model_invalid_output', SAYS.empty, 10],
    ['model_invalid_output', { says: cardAnswer({ summary: 'PROVIDER-TEXT' }) }, 10],
  ] satisfies [string, Answer, number][])(
    'are five where it fails by %s, and then the stand-in writes the card',
    async (type, answer, calls) => {
      const { result, failures, history, needsDistill } = await captured([answer], {
        ...(type === 'model_unavailable' ? { name: 'capture.model-gave-up' } : {}),
      });
      expect(failures).toEqual([type, type, type, type, type]);
      expect(provider.requests).toHaveLength(calls);
      expect(result).toMatchObject({
        disposition: 'carded',
        distilled_by: 'fallback',
        model: { outcome: 'fell_back', tries: 5 },
      });
      expect(needsDistill).toBe(true);
      expect(history).not.toMatch(/EVENT-TEXT|PROVIDER-TEXT/);
    },
  );

  it('end with the first good answer', async () => {
    const { result, failures } = await captured([refuses(500), SAYS.hang, SAYS.valid]);
    expect(failures).toEqual(['model_unavailable', 'model_timeout']);
    expect(result.distilled_by).toBe('model');
    expect(result.model).toEqual({ outcome: 'answered', tries: 3 });
  });

  it('wait as long as a Retry-After says, no longer and no shorter', async () => {
    const { result, attempts } = await captured([
      refuses(429, { 'retry-after': '300' }),
      SAYS.valid,
    ]);
    expect(result.distilled_by).toBe('model');
    const [first = 0, second = 0] = attempts;
    expect(Math.floor((second - first) / 60_000)).toBe(5);
  });

  it('are recorded by what they left: the words of the model, the verdict of the rules', async () => {
    const answer = cardAnswer({
      importance: 8,
      keywords: ['users'],
      sign: 'worked',
      kind: 'knowledge',
    });
    const { result, card } = await captured([{ says: answer }]);
    expect(result).toMatchObject({ kind: 'constraint', sign: 'failed' });
    expect(card).toMatchObject({
      summary: (JSON.parse(answer) as { summary: string }).summary,
      importance: 8,
      keywords: ['users'],
      model: 'small',
      prompt_version: DISTILL_PROMPT_VERSION,
      distilled_by: 'model',
      error_family: 'not_found',
    });
  });
});
