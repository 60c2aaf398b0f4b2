import type { DecisionOutcome } from '../src/contracts/proposal-messages';
import { decideProposal } from '../src/store/proposal-deciding';
import { BOOKING, LearningLane } from './support/learning-lane';

let lane: LearningLane;
beforeAll(async () => {
  lane = await LearningLane.start();
});
afterAll(() => lane.stop());

const ESCALATING = { gate: { rules: [] } };

async function proposed() {
  const ws = await lane.workspace(ESCALATING);
  await lane.rows(
    ws,
    "INSERT INTO people (workspace_id, id, name, role, created_at) VALUES ($1, 'rita', 'Rita', 'reviewer', now())",
    [ws],
  );
  const taught = await lane.teach(ws, { task: 'a flight', calls: BOOKING });
  return { ws, ...taught, id: taught.result.proposal_id ?? '' };
}

let decisions = 0;
async function decided(
  ws: string,
  id: string,
  decision: 'approve' | 'reject',
  version = 1,
): Promise<DecisionOutcome | null> {
  decisions += 1;
  const request = { decision, by: 'rita', version };
  const step = {
    id,
    decisionId: `decision-${decisions}`,
    request,
    at: new Date(),
    workflowId: 'w',
  };
  return await lane.captures.database.inWorkspace(ws, (tx) => decideProposal(tx, step));
}

describe('a learned skill that the gate leaves to a person', () => {
  test('waits, and is nobody’s until then', async () => {
    const { ws, id, result } = await proposed();
    expect(result).toMatchObject({ learned: 'proposed', reason: 'no_rule', skill_card: null });
    expect(await lane.skills(ws)).toEqual([]);
    const [proposal] = await lane.rows(
      ws,
      'SELECT type, status, title, proposed_by_kind, proposed_by FROM proposals WHERE id = $1',
      [id],
    );
    expect(proposal).toEqual({
      type: 'skill',
      status: 'open',
      title: 'A skill learned from a task',
      proposed_by_kind: 'system',
      proposed_by: 'learning',
    });
    expect(await lane.rows(ws, 'SELECT change, related[1] AS proposal FROM run_changes')).toEqual([
      { change: 'proposed', proposal: id },
    ]);
  });

  test('approved is in use with its tests, and its words are kept in one place', async () => {
    const { ws, id } = await proposed();
    expect(await decided(ws, id, 'approve')).toMatchObject({ outcome: 'taken', status: 'applied' });
    expect(await lane.skills(ws)).toMatchObject([
      { name: 'book-reservation-and-send-receipt', current_version: 1, test_result: { failed: 0 } },
    ]);
    expect(await lane.rows(ws, 'SELECT 1 FROM run_drafts')).toEqual([]);
  });

  test('rejected leaves nothing but the decision', async () => {
    const { ws, id } = await proposed();
    expect(await decided(ws, id, 'reject')).toMatchObject({ outcome: 'taken', status: 'rejected' });
    expect(await lane.skills(ws)).toEqual([]);
    expect(await lane.rows(ws, 'SELECT 1 FROM run_drafts')).toEqual([]);
  });

  test('whose card was edited meanwhile is put to them again, and one whose card is gone lapses', async () => {
    const { ws, id, calls } = await proposed();
    await lane.rows(ws, 'UPDATE cards SET version = version + 1 WHERE id = $1', [
      calls[0]?.card_id,
    ]);
    expect(await decided(ws, id, 'approve')).toMatchObject({
      outcome: 'refused',
      refusal: 'world_changed',
      version: 2,
    });
    expect(await lane.skills(ws)).toEqual([]);
    expect(await decided(ws, id, 'approve', 2)).toMatchObject({ outcome: 'taken' });
    expect(await lane.skills(ws)).toHaveLength(1);

    const other = await proposed();
    await lane.rows(other.ws, "UPDATE cards SET status = 'quarantined' WHERE id = $1", [
      other.calls[0]?.card_id,
    ]);
    expect(await decided(other.ws, other.id, 'approve')).toMatchObject({
      refusal: 'world_changed',
      status: 'lapsed',
    });
    expect(await lane.skills(other.ws)).toEqual([]);
  });

  test('by a rule of the gate is rejected, with the reason in its record and in the audit', async () => {
    const ws = await lane.workspace({
      gate: { rules: [{ candidate: 'skill', max_evidence: 9, decision: 'reject' }] },
    });
    const { result } = await lane.teach(ws, { task: 'a flight', calls: BOOKING });
    expect(result).toMatchObject({ learned: 'rejected', reason: 'evidence', skill_card: null });
    expect(await lane.skills(ws)).toEqual([]);
    expect(
      await lane.rows(ws, "SELECT changed FROM audit_log WHERE action = 'learning.rejected'"),
    ).toEqual([{ changed: ['evidence'] }]);
  });
});
