import type { CaptureResult } from '../src/contracts/messages';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import { createOpenAiDistiller } from '../src/models/openai-distiller';
import { CaptureLane } from './support/capture-lane';
import { failedCall } from './support/distilling';
import {
  type Answer,
  type FakeProvider,
  refuses,
  SAYS,
  startFakeProvider,
} from './support/fake-provider';

/** Of one capture, on the server's own clock: the model's share (15 min), and steps before and after it. */
const BOUND_MS = 16 * 60_000;
const EVENTS = 3;

jest.setTimeout(60_000);
jest.retryTimes(2, { logErrorsBeforeRetry: true });

let lane: CaptureLane;
let provider: FakeProvider;
let goneUrl: string;
beforeEach(async () => {
  const gone = await startFakeProvider();
  goneUrl = gone.baseUrl;
  [lane, provider] = await Promise.all([
    CaptureLane.start(),
    startFakeProvider(),
    // Nothing listens at its address any more.
    gone.close(),
  ]);
});
afterEach(async () => {
  await lane?.stop();
  await provider?.close();
});

/** What becomes of several events at once while the model behaves like this. */
async function captured(baseUrl: string) {
  const distiller = createOpenAiDistiller({
    apiKey: 'none',
    baseUrl,
    model: 'small',
    clock: () => new Date(),
    callTimeoutMs: 200,
  });
  const workspace = await lane.workspace();
  const events = Array.from({ length: EVENTS }, (_, at) =>
    failedCall({ event_id: `call-${at}`, error: `ValueError: channel ${at} not found` }),
  );
  const inputs = await lane.record(workspace, events);
  const began = await lane.env.currentTimeMs();
  return await lane.working({ embedder: createHashedEmbedder(), distiller }, async () => {
    const handles = await Promise.all(inputs.map((input) => lane.startCapture(input)));
    // One at a time: the clock that jumps counts who waits for a result, and three at once can bring it
    // below nobody; then it stands still for ever.
    const results: CaptureResult[] = [];
    for (const handle of handles) results.push(await handle.result());
    const took = (await lane.env.currentTimeMs()) - began;
    const rows = await lane.rows<{ needs_distill: boolean }>(
      workspace,
      'SELECT needs_distill FROM captures',
    );
    return { results, took, rows };
  });
}

describe('while the model', () => {
  it.each([
    ['is down', null],
    ['takes the request and never answers', SAYS.hang],
    ['has no quota for the next hour', refuses(429, { 'retry-after': '3600' })],
    ['has no balance left', refuses(402)],
    ['asks again and again for a minute more', refuses(429, { 'retry-after': '60' })],
  ] satisfies [string, Answer | null][])(
    '%s, the stand-in writes each card within the bound, to be redistilled',
    async (_name, answer) => {
      if (answer !== null) provider.script(answer);
      const { results, took, rows } = await captured(answer === null ? goneUrl : provider.baseUrl);
      expect(results.map((one) => [one.disposition, one.distilled_by])).toEqual(
        results.map(() => ['carded', 'fallback']),
      );
      expect(new Set(results.map((one) => one.card_id)).size).toBe(EVENTS);
      expect(took).toBeLessThan(BOUND_MS);
      expect(rows).toEqual(results.map(() => ({ needs_distill: true })));
    },
  );
});
