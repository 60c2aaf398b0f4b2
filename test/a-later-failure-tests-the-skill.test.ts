import { type Call, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const ORDER: readonly Call[] = [
  ['orders.get_order'],
  ['orders.change_order'],
  ['orders.confirm_order'],
];
const FAILING: readonly Call[] = [
  ['orders.get_order'],
  [
    'orders.change_order',
    { outcome: 'failed', error: 'ValueError: order is not open any more, cannot be changed' },
  ],
];
const LATER = '2026-03-03T08:00:00Z';

async function learned() {
  const ws = await lane.workspace();
  const { result } = await lane.teach(ws, { task: 'one', calls: ORDER });
  return { ws, card: result.skill_card };
}

async function injected(ws: string, card: string | null, session: string): Promise<void> {
  await lane.rows(
    ws,
    `WITH recall AS (
       INSERT INTO recalls (workspace_id, id, at, agent_id, session, execution_mode, intent, profile, context_version)
       VALUES ($1, $3, '2026-03-03T07:00:00Z', 'scout', $2, 'headless', 'act', 'fleet', '')
     )
     INSERT INTO recall_cards (workspace_id, recall_id, card_id, position, section, score, via)
     VALUES ($1, $3, $4, 0, 'worked', 1, '{own}')`,
    [ws, session, `recall_${session}`, card],
  );
}

describe('a call of a skill that fails later', () => {
  test('is a test of the skill where that was in the prompt: its next version has to answer it', async () => {
    const { ws, card } = await learned();
    await injected(ws, card, 'desk');
    const planned = { task: 'two', session: 'desk', calls: FAILING, at: LATER } as const;
    const { result, calls } = await lane.teach(ws, { ...planned, outcome: 'failed' });
    expect(result).toMatchObject({ failure_cases: 1, reflected: 'reflected' });
    const tests = await lane.rows(
      ws,
      "SELECT card_id, source_event, source_card FROM skill_tests WHERE kind = 'failure'",
    );
    expect(tests).toEqual([
      { card_id: card, source_event: calls[1]?.event_id, source_card: calls[1]?.card_id },
    ]);
  });

  test('is none where it was not', async () => {
    const { ws } = await learned();
    const planned = { task: 'two', session: 'desk', calls: FAILING, at: LATER } as const;
    const { result } = await lane.teach(ws, { ...planned, outcome: 'failed' });
    expect(result.failure_cases).toBe(0);
    expect(await lane.rows(ws, "SELECT 1 FROM skill_tests WHERE kind = 'failure'")).toEqual([]);
  });
});
