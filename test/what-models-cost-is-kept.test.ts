import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import type { ModelUse } from '../src/store/model-usage';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import {
  type Answer,
  cardAnswer,
  type FakeProvider,
  refuses,
  startFakeProvider,
} from './support/fake-provider';

jest.setTimeout(120_000);

let lane: CaptureLane;
let provider: FakeProvider;
beforeAll(async () => {
  [lane, provider] = await Promise.all([CaptureLane.start(), startFakeProvider()]);
}, 120_000);
afterAll(async () => {
  await lane?.stop();
  await provider?.close();
});

const usage = (prompt_tokens: number, completion_tokens: number) => ({
  prompt_tokens,
  completion_tokens,
});

/** What the workspace of one capture was charged for, in all. */
async function spentOn(...answers: Answer[]): Promise<ModelUse[]> {
  provider.script(...answers);
  const distiller = createOpenAiDistiller({
    ...{ apiKey: 'none', baseUrl: provider.baseUrl, model: 'small' },
    clock: () => new Date(),
  });
  const workspace = await lane.workspace();
  const [input] = await lane.record(workspace, [failedCall({})]);
  if (input === undefined) throw new Error('nothing was recorded');
  return await lane.working({ embedder: createHashedEmbedder(), distiller }, async () => {
    await (await lane.startCapture(input)).result();
    return await lane.rows(
      workspace,
      `SELECT activity, model, sum(calls)::int AS calls, sum(input_tokens)::int AS "inputTokens",
              sum(output_tokens)::int AS "outputTokens"
         FROM model_usage GROUP BY activity, model`,
    );
  });
}

it('each answered call counts, of every try, with what the endpoint counted', async () => {
  const spent = await spentOn(
    { says: 'No.', usage: usage(800, 2) },
    refuses(429, { 'retry-after': '1' }),
    { says: 'No.', usage: usage(810, 3) },
    { says: cardAnswer(), usage: usage(900, 70) },
  );
  expect(spent).toEqual([
    {
      activity: 'distillByModel',
      model: 'small',
      calls: 3,
      inputTokens: 2_510,
      outputTokens: 75,
    },
  ]);
});

it('an answer of no use is paid for too, and no answer is not', async () => {
  const [useless] = await spentOn({ says: 'No.', usage: usage(100, 1) });
  expect(useless?.calls).toBeGreaterThanOrEqual(2);
  expect(useless?.inputTokens).toBe(100 * (useless?.calls ?? 0));
  expect(await spentOn(refuses(401))).toEqual([]);
});
