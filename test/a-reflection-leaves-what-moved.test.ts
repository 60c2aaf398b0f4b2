import { CaptureLane, type LaneModels } from './support/capture-lane';
import { changesOf, filed } from './support/night';
import { factsIn, payments, reflected, reflectionsIn, setPolicy } from './support/reflecting';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

/** Something happens once the cards were read and before what was found is judged. */
const meanwhile = (happens: () => Promise<unknown>): Partial<LaneModels> => ({
  aroundReflection: (activities) => ({
    ...activities,
    judgeFound: async (step) => {
      await happens();
      return await activities.judgeFound(step);
    },
  }),
});

async function stocked(): Promise<{ workspace: string; cards: string[] }> {
  const workspace = await lane.workspace();
  return { workspace, cards: await filed(lane, workspace, payments('ada', [608, 420, 300])) };
}

const skipped = async (workspace: string) =>
  (await changesOf(lane, workspace)).map(({ change, card_id, reason }) => [
    change,
    card_id,
    reason,
  ]);

describe('a card that is no longer what was read', () => {
  const ways: [string, string, string][] = [
    ['was edited', 'version = version + 1', 'changed'],
    ['was stopped', "status = 'quarantined', status_before = 'active'", 'not_in_use'],
    ['was deleted', "status = 'deleted'", 'not_in_use'],
    ['ran out', "expires_at = now() - interval '1 minute'", 'expired'],
    ['was moved to the team', "scope_type = 'team', scope_id = 'crew'", 'shares_changed'],
  ];
  test.each(ways)(
    'since it %s leaves what rests on it, and is named',
    async (_name, set, reason) => {
      const { workspace, cards } = await stocked();
      const result = await reflected(
        lane,
        workspace,
        {},
        meanwhile(() => lane.rows(workspace, `UPDATE cards SET ${set} WHERE id = $1`, [cards[2]])),
      );
      expect(result.counts).toMatchObject({ moved: 1 });
      expect(result.counts.facts).toBeUndefined();
      expect(await factsIn(lane, workspace)).toEqual([]);
      expect(await reflectionsIn(lane, workspace)).toEqual([]);
      expect(await skipped(workspace)).toContainEqual(['skipped', expect.any(String), reason]);
    },
  );

  test('is not the matter of a finding that was erased with its draft', async () => {
    const { workspace } = await stocked();
    const result = await reflected(
      lane,
      workspace,
      {},
      meanwhile(() => lane.rows(workspace, 'DELETE FROM run_drafts')),
    );
    expect(result).toMatchObject({ status: 'completed' });
    expect(await factsIn(lane, workspace)).toEqual([]);
  });
});

test('a share that is taken away meanwhile is not given on', async () => {
  const { workspace, cards } = await stocked();
  await lane.rows(
    workspace,
    `INSERT INTO agents (workspace_id, id, registered_by, created_at)
     SELECT $1, a, 'person', now() FROM unnest(ARRAY['bob', 'cid']) a`,
    [workspace],
  );
  await lane.rows(
    workspace,
    `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, created_at)
     SELECT $1, c, a, 'explicit', now() FROM unnest($2::text[]) c, unnest(ARRAY['bob', 'cid']) a`,
    [workspace, cards],
  );
  await reflected(
    lane,
    workspace,
    {},
    meanwhile(() => lane.rows(workspace, "DELETE FROM card_grants WHERE agent_id = 'bob'")),
  );
  const [fact] = await factsIn(lane, workspace);
  const grants = await lane.rows<{ agent_id: string }>(
    workspace,
    'SELECT agent_id FROM card_grants WHERE card_id = $1',
    [fact?.id],
  );
  expect(grants).toEqual([{ agent_id: 'cid' }]);
});

test('a judgement that is tried again after its commit does nothing twice', async () => {
  const { workspace } = await stocked();
  await setPolicy(lane, workspace, { gate: { rules: [{ decision: 'approve' }] } });
  const result = await reflected(
    lane,
    workspace,
    {},
    {
      aroundReflection: (activities) => ({
        ...activities,
        judgeFound: async (step) => {
          await activities.judgeFound(step);
          return await activities.judgeFound(step);
        },
      }),
    },
  );
  const made = await lane.rows(workspace, 'SELECT id FROM reflections');
  const { facts = 0, links = 0, skills = 0 } = result.counts;
  expect(facts).toBe(1);
  expect(made).toHaveLength(facts + links + skills);
  expect(await factsIn(lane, workspace)).toHaveLength(1);
});
