import type { FailureReflector } from '../src/models/failure-reflector';
import type { SkillWriter } from '../src/models/skill-writer';
import { insertEdges } from '../src/store/edge-writes';
import { LANE_SECRET } from './support/capture-lane';
import { erasedIn } from './support/erasing';
import {
  BOOKING,
  LearningLane,
  type LearningModels,
  type PlannedTask,
} from './support/learning-lane';
import { dumped, rowsWith } from './support/others-rows';

jest.setTimeout(180_000);

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane?.stop());

const USAGE = { calls: 1, tokens_in: 1, tokens_out: 1, estimated: false };
const asModel = { model: 'small', promptVersion: 'test' };
const [LOOKED, PAID, ...REST] = BOOKING;

/** The second step is the one that is erased: it alone tells of a quokka. */
function planned(outcome: 'worked' | 'failed'): PlannedTask {
  if (LOOKED === undefined || PAID === undefined) throw new Error('a task has steps');
  const said = { ...PAID[1], error: 'ValueError: no quokka on board' };
  const calls = [LOOKED, [PAID[0], said] as const, ...(outcome === 'worked' ? REST : [])];
  return { task: 'a flight', calls, outcome };
}

/** What a model was told it tells on; asked again without it, it has not heard of it. */
const heardOf = (told: unknown) => (JSON.stringify(told).includes('quokka') ? 'quokka' : 'load');

const skillWriter = (reading: () => Promise<void>): SkillWriter => ({
  ...asModel,
  score: async () => ({ novelty: 9, usage: USAGE }),
  write: async (trace) => {
    await reading();
    const it = heardOf(trace);
    return {
      ...{ name: 'fly-without', description: `How to fly without a ${it}.`, purpose: 'Fly.' },
      ...{ preconditions: [`There is no ${it}.`], failure_handling: [], causes: [], usage: USAGE },
      steps: [{ text: `Leave the ${it}.`, service: 'booking', operation: 'book_reservation' }],
    };
  },
});

const failureReflector = (reading: () => Promise<void>): FailureReflector => ({
  ...asModel,
  reflect: async (task) => {
    await reading();
    return { reflection: `Leave the ${heardOf(task)} at home before you book.`, usage: USAGE };
  },
});

/**
 * Work of another task, which a step of this one quotes: it is erased, and the step is written again.
 * @returns its event
 */
async function quotedElsewhere(workspace: string, step: string): Promise<string> {
  const { calls } = await lane.file(workspace, { task: 'a zoo', calls: [['zoo.feed']] });
  const [{ event_id = '', card_id = '' } = {}] = calls;
  await lane.captures.database.inWorkspace(workspace, async (tx) => {
    await tx.query(
      `UPDATE cards SET summary = summary || ' Mind the quokka.' WHERE workspace_id = $1 AND id = $2`,
      [workspace, step],
    );
    const edge = { type: 'derived_from', from: step, to: card_id ?? '', confidence: 1 } as const;
    await insertEdges(tx, [{ ...edge, reason: 'a clause of it' }], new Date());
  });
  return event_id;
}

/** Learns from a task, one step of which is erased, or what a step quotes, from request to end where `models` say so. */
async function overtaken(
  outcome: 'worked' | 'failed',
  models: (erasure: () => Promise<void>) => LearningModels,
  erases: 'a step' | 'what a step quotes' = 'a step',
): Promise<void> {
  const workspace = await lane.workspace();
  const isStep = erases === 'a step';
  const task = planned(outcome);
  const plain = { ...task, calls: BOOKING.slice(0, task.calls.length) };
  const { calls, end } = await lane.file(workspace, isStep ? task : plain);
  const step = calls[1];
  const erased = isStep
    ? (step?.event_id ?? '')
    : await quotedElsewhere(workspace, step?.card_id ?? '');
  const { database } = lane.captures;
  let done = false;
  const erasure = async () => {
    if (done) return;
    done = true;
    const { status } = await erasedIn(
      { database, secretKey: LANE_SECRET, clock: () => new Date() },
      workspace,
      [{ kind: 'event', id: erased }],
    );
    expect(status).toBe('completed');
  };
  await lane.run(models(erasure));
  expect(done).toBe(true);
  const dump = await dumped((statement) => lane.rows(workspace, statement));
  expect(rowsWith(dump, ['quokka'])).toEqual([]);
  // What the others did is there, without what it quoted.
  const others = [...calls.filter((_, at) => !isStep || at !== 1), end].flatMap(
    ({ card_id: id }) => id ?? [],
  );
  const rows = await lane.rows<{ id: string }>(
    workspace,
    "SELECT id FROM cards WHERE id = ANY ($1) AND status = 'active'",
    [others],
  );
  expect(rows).toHaveLength(others.length);
}

test('of a task that worked, while its model words the skill', async () => {
  await overtaken('worked', (erasure) => ({ skillWriter: skillWriter(erasure) }));
});

test.each([true, false])(
  'of a task that worked, before the skill is filed; by a model: %p',
  async (byModel) => {
    await overtaken('worked', (erasure) => ({
      skillWriter: byModel ? skillWriter(async () => undefined) : null,
      around: (activities) => ({
        ...activities,
        fileSkill: async (input) => {
          await erasure();
          return await activities.fileSkill(input);
        },
      }),
    }));
  },
);

test('of a task that failed, while its model looks for the sentence', async () => {
  await overtaken('failed', (erasure) => ({ failureReflector: failureReflector(erasure) }));
});

test.each([true, false])(
  'of a task that failed, before the sentence is filed; by a model: %p',
  async (byModel) => {
    await overtaken('failed', (erasure) => ({
      failureReflector: byModel ? failureReflector(async () => undefined) : null,
      around: (activities) => ({
        ...activities,
        fileReflection: async (input) => {
          await erasure();
          return await activities.fileReflection(input);
        },
      }),
    }));
  },
);

test('of a task that worked, while its model words the skill, where a step is written again', async () => {
  await overtaken(
    'worked',
    (erasure) => ({ skillWriter: skillWriter(erasure) }),
    'what a step quotes',
  );
});

test('of a task that failed, while its model looks for the sentence, where a step is written again', async () => {
  await overtaken(
    'failed',
    (erasure) => ({ failureReflector: failureReflector(erasure) }),
    'what a step quotes',
  );
});

test('of a task that failed, before the sentence is filed, where a step is written again', async () => {
  await overtaken(
    'failed',
    (erasure) => ({
      failureReflector: failureReflector(async () => undefined),
      around: (activities) => ({
        ...activities,
        fileReflection: async (input) => {
          await erasure();
          return await activities.fileReflection(input);
        },
      }),
    }),
    'what a step quotes',
  );
});
