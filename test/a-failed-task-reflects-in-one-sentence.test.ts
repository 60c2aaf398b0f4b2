import fc from 'fast-check';
import { distill } from '../src/domain/distill/distill';
import { sentences } from '../src/domain/distill/plain-text';
import {
  oneSentence,
  REFLECTION_LIMIT,
  withReflection,
} from '../src/domain/learning/reflection-of-failure';
import { changeCard } from '../src/store/card-edits';
import { readRewriting } from '../src/store/filing-redistilled';
import { failedCall } from './support/distilling';
import { saveHistory } from './support/histories';
import { type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const FAILING: readonly Call[] = [
  ['slack.get_channels'],
  [
    'slack.add_user_to_channel',
    {
      outcome: 'failed',
      input: { user: 'Charlie', channel: 'External' },
      error: 'ValueError: Channel External not found in the channels list',
    },
  ],
];
const FAILED = {
  task: 'add charlie',
  calls: FAILING,
  outcome: 'failed',
  end: {
    kind: 'delegation',
    text: 'Add Charlie to the channel starting with External.',
    output: 'Charlie has been added to the channel.',
  },
} as const;
const SENTENCE =
  'Next time, look the name up before using it; slack.add_user_to_channel failed: the channel was not found in the channels list.';

describe('a task that failed', () => {
  test('has on the card of its last event one sentence on what to do differently', async () => {
    const ws = await lane.workspace();
    const { result, end, handle } = await lane.teach(ws, FAILED);
    await saveHistory('learn.reflected', handle);

    expect(result).toMatchObject({
      learned: 'trivial',
      reflected: 'reflected',
      reflected_by: 'fallback',
    });
    const card = await lane.card(ws, end.card_id);
    expect(sentences(card.summary).at(-1)).toBe(SENTENCE);
    expect(card.summary.split('Next time').length).toBe(2);
    // Advice by rule that stood there gave way to it.
    expect(card.summary).not.toContain('Check the result against the task');
  });

  test('is told by the very call that ended it, where that failed', async () => {
    const ws = await lane.workspace();
    const [[, fields] = []] = FAILING.slice(1);
    const call = {
      kind: 'service_call',
      service: 'slack',
      operation: 'add_user_to_channel',
    } as const;
    const { end } = await lane.teach(ws, {
      ...{ task: 'add charlie', calls: FAILING.slice(0, 1), outcome: 'failed' },
      end: { ...call, ...fields, final: true },
    });
    expect(sentences((await lane.card(ws, end.card_id)).summary).at(-1)).toBe(SENTENCE);
  });

  test('keeps its card and that card its history; there is no second card for the event', async () => {
    const ws = await lane.workspace();
    const { end } = await lane.teach(ws, FAILED);
    const versions = await lane.rows(
      ws,
      'SELECT version, action, actor_kind, actor_id FROM card_versions WHERE card_id = $1 ORDER BY version',
      [end.card_id],
    );
    expect(versions).toMatchObject([
      { version: 1, action: 'created' },
      { version: 2, action: 'reflected', actor_kind: 'system', actor_id: 'learning' },
    ]);
    const [{ cards } = { cards: 0 }] = await lane.rows<{ cards: number }>(
      ws,
      'SELECT count(*)::int AS cards FROM cards c WHERE c.event_id = $1',
      [end.event_id],
    );
    expect(cards).toBe(1);
    expect(
      await lane.rows(
        ws,
        'SELECT change, card_id, version_before, version_after, reason FROM run_changes',
      ),
    ).toEqual([
      {
        change: 'edited',
        card_id: end.card_id,
        version_before: 1,
        version_after: 2,
        reason: 'reflected',
      },
    ]);
    // Raw traces are stored nowhere: what a run worked on goes with its end.
    expect(await lane.rows(ws, 'SELECT 1 FROM run_drafts')).toEqual([]);
  });

  test('shows in a recall as a warning, with its sentence and its age in words', async () => {
    const api = await lane.api();
    try {
      const key = await api.keyFor({ kind: 'runtime', id: 'harness' });
      const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000 - 600_000).toISOString();
      await lane.teach('default', { ...FAILED, at: twoDaysAgo });
      const { body } = await api.call('POST', '/v1/recall', {
        key,
        headers: { 'cairn-agent': 'scout' },
        body: {
          query: 'add Charlie to the channel starting with External',
          intent: 'act',
          limit: 10,
        },
      });
      const line = body.context.split('\n').find((one: string) => one.includes('Next time'));
      expect(line).toMatch(
        /^- ⚠️ «.* Next time, look the name up before using it; .*» \(runtime, 2 days ago/,
      );
    } finally {
      await api.close();
    }
  });

  test('without a step that failed says no more than its card does', async () => {
    const ws = await lane.workspace();
    const { result, end } = await lane.teach(ws, { ...FAILED, calls: FAILING.slice(0, 1) });
    expect(result).toMatchObject({ reflected: 'nothing_to_add', reflected_by: null });
    expect((await lane.card(ws, end.card_id)).version).toBe(1);
  });

  test('is left as a person has worded it before its task is looked at', async () => {
    const ws = await lane.workspace();
    const { end } = await lane.file(ws, FAILED);
    await lane.captures.database.inWorkspace(ws, (tx) =>
      changeCard(tx, {
        id: end.card_id ?? '',
        expected: 1,
        columns: { summary: 'In my words.' },
        action: 'edited',
        actor: { kind: 'person', id: 'owner' },
        at: new Date(),
      }),
    );
    const { record } = await lane.run();
    expect(record.last).not.toMatchObject({ reflected: 'reflected' });
    expect(await lane.card(ws, end.card_id)).toMatchObject({ summary: 'In my words.', version: 2 });
  });

  test('is left as a person has worded it meanwhile', async () => {
    const ws = await lane.workspace();
    const { end } = await lane.file(ws, FAILED);
    const fileReflection = async () => {
      await lane.rows(ws, "UPDATE cards SET summary = 'In my words.', version = 2 WHERE id = $1", [
        end.card_id,
      ]);
    };
    const { record } = await lane.run({
      around: (real) => ({
        ...real,
        fileReflection: async (input) => {
          await fileReflection();
          return await real.fileReflection(input);
        },
      }),
    });
    expect(record.last).toMatchObject({ reflected: 'card_moved' });
    expect(await lane.card(ws, end.card_id)).toMatchObject({ summary: 'In my words.', version: 2 });
  });
});

describe('a card whose words a model finds later', () => {
  test('keeps what its task taught as its last sentence', async () => {
    const ws = await lane.workspace();
    const { end } = await lane.teach(ws, FAILED);
    const draft = {
      ...distill(failedCall(), []),
      ...{ summary: 'Charlie was to join a channel. It failed.', distilled_by: 'model' },
    };
    const rewriting = await lane.captures.database.inWorkspace(ws, async (tx) => {
      await tx.query('UPDATE captures SET needs_distill = true WHERE event_id = $1', [
        end.event_id,
      ]);
      await tx.query(
        'INSERT INTO capture_drafts (workspace_id, event_id, draft, created_at) VALUES ($1, $2, $3, now())',
        [ws, end.event_id, JSON.stringify(draft)],
      );
      const card = { event_id: end.event_id, card_id: end.card_id ?? '', version: 2 };
      return await readRewriting(tx, card);
    });
    expect(rewriting?.draft.summary).toBe(`${draft.summary} ${SENTENCE}`);
  });
});

describe('the sentence', () => {
  test('is the last one of the text, however long that is, and said again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 2_500 }), (summary) => {
        const once = withReflection(summary, SENTENCE);
        expect(once.endsWith(SENTENCE)).toBe(true);
        expect(once.length).toBeLessThanOrEqual(2_000);
        expect(withReflection(once, SENTENCE)).toBe(once);
      }),
    );
  });

  test('is one, ended and bounded, whatever a model says', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 600 }), (said) => {
        const sentence = oneSentence(said);
        expect(sentence.length).toBeLessThanOrEqual(REFLECTION_LIMIT);
        expect(sentence).not.toMatch(/[\n\r]/);
      }),
    );
    expect(oneSentence('Look it up first. And then do more.\nMuch more.')).toBe(
      'Look it up first.',
    );
  });
});
