import type { SettledEvent } from '../src/contracts/event';
import { distill } from '../src/domain/distill/distill';
import type { Distiller } from '../src/models/distiller';
import { createHashedEmbedder } from '../src/models/hashed-embedder';
import type { WisdomWriter } from '../src/models/wisdom-writer';
import { insertEdges } from '../src/store/edge-writes';
import { CaptureLane, LANE_SECRET, type LaneModels } from './support/capture-lane';
import { failedCall } from './support/distilling';
import { erasedIn } from './support/erasing';
import { batches, filed, startNight } from './support/night';
import { dumped, rowsWith } from './support/others-rows';
import { createSwitchableEmbedder } from './support/switchable-embedder';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(() => lane?.stop());

const RULES: LaneModels = { embedder: createHashedEmbedder(), distiller: null };
const asModel = { model: 'small', promptVersion: 'test' };
const USAGE = { calls: 1, tokens_in: 1, tokens_out: 1, estimated: false };

const HERON = failedCall({
  event_id: 'call-1',
  error: 'ValueError: heron not found',
  input: { channel: 'heron' },
});
const QUOKKA = failedCall({
  event_id: 'call-2',
  operation: 'get_animals',
  error: 'ValueError: no animals',
  input: { channel: 'others' },
});
/** The same work done at last: its card tells what was learned from the warning. */
const DONE: SettledEvent = {
  ...failedCall({ event_id: 'call-3', outcome: 'worked', occurred_at: '2026-03-02T09:24:15Z' }),
  output: { users: 3 },
};

/** Has a card say what another one says, which is to be erased: it stays, and is written again. */
async function quoting(workspace: string, card: string, erased: string): Promise<void> {
  await lane.rows(
    workspace,
    `UPDATE cards SET summary = summary || ' Beware of the quokka.' WHERE id = $1`,
    [card],
  );
  await lane.database.inWorkspace(workspace, (tx) =>
    insertEdges(
      tx,
      [{ type: 'derived_from', from: card, to: erased, confidence: 1, reason: 'a clause of it' }],
      new Date(),
    ),
  );
}

/** An erasure of one event, from its request to its end, once. */
function erasureOf(workspace: string, event: string) {
  const erasure = {
    done: false,
    now: async (): Promise<void> => {
      if (erasure.done) return;
      erasure.done = true;
      const { database } = lane;
      const { status, counts } = await erasedIn(
        { database, secretKey: LANE_SECRET, clock: () => new Date() },
        workspace,
        [{ kind: 'event', id: event }],
      );
      expect({ status, rederived: counts.rederived }).toEqual({
        status: 'completed',
        rederived: 1,
      });
    },
  };
  return erasure;
}

async function expectNothingBack(workspace: string): Promise<void> {
  const dump = await dumped((statement) => lane.rows(workspace, statement));
  expect(rowsWith(dump, ['quokka'])).toEqual([]);
}

/** Tells what the warning told. */
const quotingDistiller = (reading: () => Promise<void>): Distiller => ({
  ...asModel,
  distill: async (event, own) => {
    await reading();
    return {
      ...distill(event, own),
      ...{ summary: `It worked now. Before: ${own[0]?.summary}`, distilled_by: 'model' },
      ...{
        derived_from: own.map(({ card_id }) => card_id),
        model: 'small',
        prompt_version: 'test',
      },
    };
  },
});

describe('a card that quotes a warning', () => {
  const warned = async () => {
    const workspace = await lane.workspace();
    const [warning = '', erased = ''] = await filed(lane, workspace, [HERON, QUOKKA]);
    await quoting(workspace, warning, erased);
    const [capture] = await lane.record(workspace, [DONE]);
    if (capture === undefined) throw new Error('nothing was recorded');
    return { workspace, warning, capture, erasure: erasureOf(workspace, 'call-2') };
  };

  test('while its model words it', async () => {
    const { workspace, capture, erasure } = await warned();
    const distiller = quotingDistiller(erasure.now);
    const { card_id } = await lane.working({ ...RULES, distiller }, async () =>
      (await lane.startCapture(capture)).result(),
    );
    expect(erasure.done).toBe(true);
    expect(card_id).not.toBeNull();
    await expectNothingBack(workspace);
  });

  test('before it is filed', async () => {
    const { workspace, capture, erasure } = await warned();
    const embedder = createSwitchableEmbedder();
    embedder.meanwhile = erasure.now;
    const distiller = quotingDistiller(async () => undefined);
    const { card_id } = await lane.working({ embedder, distiller }, async () =>
      (await lane.startCapture(capture)).result(),
    );
    expect(erasure.done).toBe(true);
    expect(card_id).not.toBeNull();
    await expectNothingBack(workspace);
  });

  test('that nothing happens to is told in its words', async () => {
    const { workspace, capture, warning } = await warned();
    const distiller = quotingDistiller(async () => undefined);
    const { card_id } = await lane.working({ ...RULES, distiller }, async () =>
      (await lane.startCapture(capture)).result(),
    );
    const rows = await lane.rows<{ summary: string; to_card: string }>(
      workspace,
      `SELECT c.summary, e.to_card FROM cards c JOIN edges e ON e.from_card = c.id AND e.type = 'derived_from' WHERE c.id = $1`,
      [card_id],
    );
    expect(rows).toEqual([{ summary: expect.stringContaining('quokka'), to_card: warning }]);
  });
});

test('a note of the night, while its model words it', async () => {
  const workspace = await lane.workspace();
  const [first = ''] = await filed(lane, workspace, batches('ada', [10, 20, 30, 40, 50]));
  const [erased = ''] = await filed(lane, workspace, [QUOKKA]);
  await quoting(workspace, first, erased);
  const erasure = erasureOf(workspace, 'call-2');
  const wisdom: WisdomWriter = {
    ...asModel,
    write: async ({ episodes }) => {
      const told = JSON.stringify(episodes).includes('quokka') ? 'quokka' : 'batch';
      await erasure.now();
      return {
        lessons: [{ text: `Beware of the ${told} of up to 50.`, sources: [1, 2] }],
        usage: USAGE,
      };
    },
  };
  await lane.working({ ...RULES, wisdom }, async () =>
    (await startNight(lane, workspace)).result(),
  );
  expect(erasure.done).toBe(true);
  await expectNothingBack(workspace);
});
