import type { CompactionResult } from '../src/contracts/conversation';
import { createOpenAiFactExtractor } from '../src/models/openai-fact-extractor';
import { createOpenAiSummaryWriter } from '../src/models/openai-summary-writer';
import { CompactionLane, type CompactionModels, chatter } from './support/compaction-lane';
import {
  type Answer,
  type FakeProvider,
  refuses,
  startFakeProvider,
} from './support/fake-provider';
import { saveHistory } from './support/histories';
import { historyText } from './support/history-text';

jest.setTimeout(180_000);

let lane: CompactionLane;
let provider: FakeProvider;
beforeAll(async () => {
  [lane, provider] = await Promise.all([CompactionLane.start(), startFakeProvider()]);
  await lane.policy({
    conversations: { ceiling_tokens: 600, summary_tokens: 500, keep_recent: 4 },
  });
});
afterAll(async () => {
  await lane?.stop();
  await provider?.close();
});

const usage = { prompt_tokens: 900, completion_tokens: 100 };
const SUMMARY = {
  decisions: ['The depot stays at the harbour.'],
  details: ['2026-03-02 user: Order 7001 went out.'],
  open_items: [],
  story: ['Orders went to the depot.'],
};
const FACTS = {
  facts: [
    { text: "Ann's favourite colour is green", source: 1 },
    { text: "Ann's shoe size is 48", source: 1 },
    { text: 'Ann lives in Rome', source: 2 },
  ],
};
/** Each question by its own answer. */
const answering = (summary: Answer, facts: Answer) =>
  provider.answering(({ body }) =>
    (body.messages?.[0]?.content ?? '').includes('decisions:') ? summary : facts,
  );
const says = (value: object): Answer => ({ says: JSON.stringify(value), usage });

function models(more: Partial<CompactionModels> = {}): CompactionModels {
  const options = {
    ...{ apiKey: 'none', baseUrl: provider.baseUrl, model: 'large' },
    clock: () => new Date(),
    callTimeoutMs: 400,
  };
  return {
    summaryWriter: createOpenAiSummaryWriter(options),
    factExtractor: createOpenAiFactExtractor(options),
    ...more,
  };
}

/** One conversation through its compaction. */
async function compacted(
  id: string,
  { name, more }: { name?: string; more?: Partial<CompactionModels> } = {},
): Promise<{ result: CompactionResult; history: string }> {
  const talk = await lane.talk(id);
  await lane.tell(talk, [
    { role: 'user', content: 'My favourite colour is green, and we agreed on gate 17.' },
    ...chatter(40, 2),
  ]);
  return await lane.working(models(more), async () => {
    const [handle] = [...(await lane.send()).values()];
    if (handle === undefined) throw new Error('nothing was started');
    const result = await handle.result();
    if (name !== undefined) await saveHistory(name, handle);
    return { result, history: historyText(await handle.fetchHistory()) };
  });
}

describe('a compaction with a model', () => {
  test('is the model’s, with what it left out put back, and nothing of it in the history', async () => {
    answering(says(SUMMARY), says({ facts: [{ text: 'The user has shoe size 48.', source: 40 }] }));
    const { result, history } = await compacted('by-model', { name: 'compact.by-model' });
    expect(result).toMatchObject({ written_by: 'model', calls: 2, spent_tokens: 2_000 });
    expect(result.missing).toBeGreaterThan(10);
    expect(result.put_back).toBeGreaterThan(3);
    const { summary, summary_by } = await lane.conversation('by-model');
    expect(summary_by).toBe('model');
    expect(summary).toContain('The depot stays at the harbour.');
    expect(summary).toContain('we agreed on gate 17');
    expect(history).toContain('by-model');
    for (const text of ['harbour', 'gate 17', 'parcel', 'green'])
      expect(history).not.toContain(text);
    expect(provider.requests[0]?.body.messages?.[1]?.content).toContain('MUST NOT BE LOST');
    const { through } = result;
    expect(through).toBe(37);
    expect(await lane.rows('SELECT n FROM compaction_drafts')).toEqual([]);
  });

  test('files only the facts that stand in what the user said', async () => {
    answering(says(SUMMARY), says(FACTS));
    const talk = await lane.talk('grounded');
    await lane.tell(talk, [
      { role: 'user', content: 'My favourite colour is green.', name: 'Ann' },
      ...chatter(9, 2).map(
        (one) => ({ ...one, role: one.role === 'user' ? 'assistant' : 'user' }) as const,
      ),
    ]);
    const [result] = await lane.drain(models());
    expect(result?.facts).toEqual({ found: 1, filed: 1, known: 0 });
    expect(await lane.facts('subject-of-grounded')).toMatchObject([
      {
        summary: "Ann's favourite colour is green (said on 2026-03-02).",
        ...{ distilled_by: 'model', model: 'large', prompt_version: 'facts-1' },
      },
    ]);
  });

  test('repairs an answer that does not fit once', async () => {
    provider.script({ says: 'no JSON at all', usage }, says(SUMMARY), says({ facts: [] }));
    const { result } = await compacted('repaired');
    expect(result).toMatchObject({ written_by: 'model', calls: 3 });
  });

  test.each([
    [
      'answers nothing that fits',
      { says: '{"summary": "a text"}', usage } as Answer,
      'compact.model-gave-up',
    ],
    ['has no quota left', refuses(429, { 'retry-after': '7' }), undefined],
    ['refuses the key', refuses(401), undefined],
    ['never answers', { hangs: 'in the body' } as Answer, undefined],
  ])('goes by the rules where the model %s', async (what, answer, name) => {
    answering(answer, answer);
    const { result } = await compacted(`rules-${what.replaceAll(' ', '-')}`, {
      ...(name === undefined ? {} : { name }),
    });
    expect(result).toMatchObject({ written_by: 'fallback', through: 37, facts: { filed: 0 } });
    const { summary, compacting } = await lane.conversation(result.conversation_id);
    expect(summary).toContain('we agreed on gate 17');
    expect(compacting).toBeNull();
  });

  test('that is cancelled says so, changes nothing, and may be followed by another', async () => {
    const talk = await lane.talk('cancelled');
    await lane.tell(talk, chatter(40));
    answering({ hangs: 'in the body' }, { hangs: 'in the body' });
    let asks: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asks = resolve;
    });
    const aroundModel: CompactionModels['aroundModel'] = (activities) => ({
      ...activities,
      writeSummary: async (round) => {
        asks();
        return await activities.writeSummary(round);
      },
    });
    await lane.working(models({ aroundModel }), async () => {
      const [handle] = [...(await lane.send()).values()];
      if (handle === undefined) throw new Error('nothing was started');
      await isAsked;
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
      await saveHistory('compact.cancelled', handle);
    });
    const before = await lane.conversation('cancelled');
    expect(before).toMatchObject({ summary: null, summarized_through: 0, compacting: null });
    const runs = await lane.rows<{ state: string }>(
      "SELECT state FROM runs WHERE workflow_id = 'compact/default/cancelled/1'",
    );
    expect(runs).toEqual([{ state: 'cancelled' }]);
    answering(says(SUMMARY), says({ facts: [] }));
    await talk.say(['user', 'Go on.']);
    expect(await lane.drain(models())).toMatchObject([{ n: 2, written_by: 'model' }]);
  });
});
