import type { SettledEvent } from '../src/contracts/event';
import { TASK_QUEUES } from '../src/contracts/task-queues';
import { redistillWorkflowId, reembedWorkflowId } from '../src/contracts/workflow-ids';
import { distill } from '../src/domain/distill/distill';
import type { Distiller } from '../src/models/distiller';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import type { Reflector } from '../src/models/reflector';
import type { WisdomWriter } from '../src/models/wisdom-writer';
import { insertCard } from '../src/store/card-writes';
import { idPart } from '../src/store/ids';
import { startReembedding } from '../src/store/reembed-starts';
import type { redistill } from '../src/workflows/redistill';
import type { reembed } from '../src/workflows/reembed';
import { CaptureLane, LANE_SECRET, type LaneModels } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { erasedIn } from './support/erasing';
import { batches, filed, startNight } from './support/night';
import { dumped, rowsWith } from './support/others-rows';
import { plainCard } from './support/plain-card';
import { payments, setPolicy, startReflection } from './support/reflecting';
import { createSwitchableEmbedder } from './support/switchable-embedder';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

/** Said of the events that are erased, and nowhere else. */
const WORDS = ['quokka', 'Quokka'];
const USAGE = { calls: 1, tokens_in: 1, tokens_out: 1, estimated: false };
const asModel = { model: 'small', promptVersion: 'test' };
const RULES: LaneModels = { embedder: createHashedEmbedder(), distiller: null };

/** A hall in which an erasure of some events is carried out once, from its request to its end, while a pass waits. */
class Overtaken {
  done = false;

  constructor(
    readonly workspace: string,
    private readonly ids: readonly string[],
    private readonly kind: 'event' | 'card' = 'event',
  ) {}

  readonly now = async (): Promise<void> => {
    if (this.done) return;
    this.done = true;
    const { database } = lane;
    const { status } = await erasedIn(
      { database, secretKey: LANE_SECRET, clock: () => new Date() },
      this.workspace,
      this.ids.map((id) => ({ kind: this.kind, id })),
    );
    expect(status).toBe('completed');
  };

  /** Nothing of it is back, wherever one looks, and no card of others has gone or changed. */
  async expectNothingBack(others: readonly string[]): Promise<void> {
    expect(this.done).toBe(true);
    const dump = await dumped((statement) => lane.rows(this.workspace, statement));
    expect(rowsWith(dump, WORDS)).toEqual([]);
    expect(await cardsIn(this.workspace, others)).toHaveLength(others.length);
  }
}

const cardsIn = (workspace: string, ids: readonly string[]) =>
  lane.rows<{ id: string }>(
    workspace,
    `SELECT id FROM cards WHERE id = ANY ($1) AND status IN ('pending', 'active', 'validated')`,
    [ids],
  );

/** Events of one kind of work, the one that is erased in the middle; the ids of the others' cards. */
async function stocked(events: readonly SettledEvent[], erased: readonly number[]) {
  const workspace = await lane.workspace();
  const said = events.map((event, at) =>
    erased.includes(at)
      ? { ...event, input: { ...(event.input as object), template: 'quokka' } }
      : event,
  );
  const ids = await filed(lane, workspace, said);
  const names = erased.map((at) => events[at]?.event_id ?? '');
  return {
    ...{ workspace, ids, others: ids.filter((_, at) => !erased.includes(at)) },
    erasure: new Overtaken(workspace, names),
  };
}

describe('a consolidation', () => {
  const night = () => stocked(batches('ada', [10, 20, 30, 40, 50]), [2]);

  test('that waits for its model', async () => {
    const { workspace, others, erasure } = await night();
    const wisdom: WisdomWriter = {
      ...asModel,
      write: async () => {
        await erasure.now();
        return {
          lessons: [{ text: 'Batches of up to 50 work for the quokka.', sources: [1, 2] }],
          usage: USAGE,
        };
      },
    };
    const { status } = await lane.working({ ...RULES, wisdom }, async () =>
      (await startNight(lane, workspace)).result(),
    );
    expect(status).toBe('completed');
    await erasure.expectNothingBack(others);
  });

  test('that is about to file', async () => {
    const { workspace, others, erasure } = await night();
    const aroundNight: LaneModels['aroundNight'] = (activities) => ({
      ...activities,
      commitPart: async (input) => {
        await erasure.now();
        return await activities.commitPart(input);
      },
    });
    await lane.working({ ...RULES, aroundNight }, async () =>
      (await startNight(lane, workspace)).result(),
    );
    await erasure.expectNothingBack(others);
  });
});

describe('a reflection', () => {
  const facts = (reading: () => Promise<void>): Reflector => ({
    ...asModel,
    reflect: async () => {
      await reading();
      const fact = { text: 'booking.book wants the whole price, says the quokka.', topic: null };
      return {
        facts: [{ ...fact, sources: [1, 2, 3], confidence: 0.9 }],
        links: [],
        skills: [],
        usage: USAGE,
      };
    },
  });
  const stock = () => stocked(payments('ada', [608, 420, 300]), [2, 3]);

  test('that waits for its model', async () => {
    const { workspace, others, erasure } = await stock();
    await lane.working({ ...RULES, reflector: facts(erasure.now) }, async () =>
      (await startReflection(lane, workspace)).result(),
    );
    await erasure.expectNothingBack(others);
  });

  test('that was told what is known, which goes while it waits for its model', async () => {
    const workspace = await lane.workspace();
    const ids = await filed(lane, workspace, payments('ada', [608, 420, 300]));
    const fact = plainCard('booking is run by a quokka.', new Date('2026-03-02T07:00:00Z'), {
      ...{ agent: 'ada', scope: { type: 'agent', id: 'ada' } },
    });
    await lane.database.inWorkspace(workspace, (tx) => insertCard(tx, fact, null, []));
    const erasure = new Overtaken(workspace, [fact.id], 'card');
    const told: string[] = [];
    const reflector = facts(erasure.now);
    await lane.working(
      {
        ...RULES,
        reflector: {
          ...reflector,
          reflect: async (input, signal) => {
            told.push(...input.known);
            return await reflector.reflect(input, signal);
          },
        },
      },
      async () => (await startReflection(lane, workspace)).result(),
    );
    expect(told).toContain('booking is run by a quokka.');
    await erasure.expectNothingBack(ids);
  });

  test.each([null, facts(async () => undefined)])(
    'that is about to judge what %p found',
    async (reflector) => {
      const { workspace, others, erasure } = await stock();
      await setPolicy(lane, workspace, {});
      const aroundReflection: LaneModels['aroundReflection'] = (activities) => ({
        ...activities,
        judgeFound: async (step) => {
          await erasure.now();
          return await activities.judgeFound(step);
        },
      });
      await lane.working({ ...RULES, reflector, aroundReflection }, async () =>
        (await startReflection(lane, workspace)).result(),
      );
      await erasure.expectNothingBack(others);
    },
  );
});

const quokka = failedCall({
  event_id: 'call-1',
  error: 'ValueError: Quokka not found',
  input: { channel: 'quokka' },
});
const other = failedCall({
  event_id: 'call-2',
  error: 'ValueError: heron not found',
  input: { channel: 'heron' },
});

/** Words of an event, and an erasure while they are looked for. */
const wording = (reading: (event: SettledEvent) => Promise<void>): Distiller => ({
  ...asModel,
  distill: async (event, own) => {
    await reading(event);
    const draft = distill(event, own);
    return {
      ...draft,
      summary: `By a model: ${draft.summary}`,
      distilled_by: 'model',
      ...{ model: 'small', prompt_version: 'test' },
    };
  },
});

test('a capture that waits for its model', async () => {
  const workspace = await lane.workspace();
  const [late, kept] = await lane.record(workspace, [quokka, other]);
  if (late === undefined || kept === undefined) throw new Error('nothing was recorded');
  const erasure = new Overtaken(workspace, ['call-1']);
  const distiller = wording(async ({ event_id }) => {
    if (event_id === 'call-1') await erasure.now();
  });
  const [lost, carded] = await lane.working({ ...RULES, distiller }, async () => [
    await (await lane.startCapture(late)).result(),
    await (await lane.startCapture(kept)).result(),
  ]);
  expect(lost).toMatchObject({ disposition: 'erased', card_id: null });
  await erasure.expectNothingBack([carded?.card_id ?? '']);
});

test('a capture that comes to file after it', async () => {
  const workspace = await lane.workspace();
  const [late] = await lane.record(workspace, [quokka]);
  if (late === undefined) throw new Error('nothing was recorded');
  const erasure = new Overtaken(workspace, ['call-1']);
  await erasure.now();
  const lost = await lane.working(RULES, async () => (await lane.startCapture(late)).result());
  expect(lost).toMatchObject({ disposition: 'erased', card_id: null });
  await erasure.expectNothingBack([]);
});

test('a redistillation that waits for its model', async () => {
  const workspace = await lane.workspace();
  const ids = await filed(lane, workspace, [quokka, other]);
  await lane.rows(workspace, 'UPDATE captures SET needs_distill = true');
  const erasure = new Overtaken(workspace, ['call-1']);
  const distiller = wording(erasure.now);
  const result = await lane.working({ ...RULES, distiller }, async () => {
    const handle = await lane.env.client.workflow.start<typeof redistill>('redistill', {
      workflowId: redistillWorkflowId(workspace),
      taskQueue: TASK_QUEUES.workflows,
      args: [{ workspace }],
    });
    return await handle.result();
  });
  expect(result).toMatchObject({ rewritten: 1 });
  await erasure.expectNothingBack(ids.slice(1));
});

test('a re-embedding that waits for its vectors', async () => {
  const workspace = await lane.workspace();
  const ids = await filed(lane, workspace, [quokka, other]);
  const embedder = createSwitchableEmbedder('another-model');
  const erasure = new Overtaken(workspace, ['call-1']);
  embedder.meanwhile = erasure.now;
  await lane.database.inWorkspace(workspace, (tx) =>
    startReembedding(tx, embedder.id, 'start', new Date()),
  );
  await lane.working({ ...RULES, embedder }, async () => {
    const handle = await lane.env.client.workflow.start<typeof reembed>('reembed', {
      workflowId: reembedWorkflowId(workspace, idPart(embedder.id)),
      taskQueue: TASK_QUEUES.workflows,
      args: [{ workspace, model: embedder.id }],
    });
    return await handle.result();
  });
  await erasure.expectNothingBack(ids.slice(1));
  const vectors = await lane.rows<{ card_id: string }>(
    workspace,
    "SELECT card_id FROM card_embeddings WHERE model = 'another-model'",
  );
  expect(vectors.map(({ card_id }) => card_id)).toEqual(ids.slice(1));
});
