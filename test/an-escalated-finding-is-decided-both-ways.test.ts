import type { Decision } from '../src/contracts/proposal';
import type { DecisionOutcome } from '../src/contracts/proposal-messages';
import { decideProposal } from '../src/store/proposal-deciding';
import { CaptureLane } from './support/capture-lane';
import { filed, sourcesOf } from './support/night';
import {
  auditOf,
  factsIn,
  payments,
  reflected,
  reflectionsIn,
  setPolicy,
} from './support/reflecting';

jest.setTimeout(180_000);

let lane: CaptureLane;
beforeAll(async () => {
  lane = await CaptureLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

const ASK = (candidate: 'fact' | 'skill' | 'link') => ({
  gate: {
    rules: [{ candidate, decision: 'escalate' as const }, { decision: 'reject' as const }],
  },
});

interface Waiting {
  id: string;
  type: string;
  status: string;
  summary: string;
  version: number;
  evidence: string[];
  change: Record<string, unknown>;
}

/** A workspace with a reviewer, in which a finding of this type waits. */
async function waiting(
  candidate: 'fact' | 'skill' | 'link',
  prepare: (workspace: string) => Promise<unknown>,
): Promise<{ workspace: string; proposal: Waiting }> {
  const workspace = await lane.workspace();
  await lane.rows(
    workspace,
    `INSERT INTO people (workspace_id, id, name, role, created_at) VALUES ($1, 'rita', 'rita', 'reviewer', now())`,
    [workspace],
  );
  await setPolicy(lane, workspace, ASK(candidate));
  await prepare(workspace);
  await reflected(lane, workspace);
  const [proposal] = await proposals(workspace);
  if (proposal === undefined) throw new Error('nothing waits');
  return { workspace, proposal };
}

const proposals = (workspace: string) =>
  lane.rows<Waiting>(
    workspace,
    'SELECT id, type, status, summary, version, evidence, change FROM proposals ORDER BY created_at, id',
  );

let decisions = 0;
async function decide(
  workspace: string,
  { id, version }: Waiting,
  decision: Decision,
): Promise<DecisionOutcome | null> {
  decisions += 1;
  return await lane.database.inWorkspace(workspace, (tx) =>
    decideProposal(tx, {
      id,
      decisionId: `decision-${decisions}`,
      request: { by: 'rita', decision, version },
      at: new Date(),
      workflowId: `proposal/${workspace}/${id}`,
    }),
  );
}

const ofPayments = (workspace: string) => filed(lane, workspace, payments('ada', [608, 420]));

describe('a fact that was escalated', () => {
  test('is written when a person approves it, with the cards as they are then', async () => {
    const { workspace, proposal } = await waiting('fact', ofPayments);
    expect(proposal.summary).toMatch(/It rests on 4 events of 1 agent; confidence 0\.\d\d\.$/);
    expect(await decide(workspace, proposal, 'approve')).toMatchObject({ outcome: 'taken' });
    const [fact] = await factsIn(lane, workspace);
    expect(fact).toMatchObject({ kind: 'knowledge', status: 'active', scope_id: 'ada' });
    expect(await sourcesOf(lane, workspace, fact?.id ?? '')).toEqual([...proposal.evidence].sort());
    expect(await reflectionsIn(lane, workspace)).toContainEqual(
      expect.objectContaining({ decision: 'approved', reason: 'person', card_id: fact?.id }),
    );
    expect((await proposals(workspace))[0]?.status).toBe('applied');
    expect(await lane.rows(workspace, 'SELECT card_id FROM watches')).toEqual([
      { card_id: fact?.id },
    ]);
    expect(await auditOf(lane, workspace, 'proposal.approved')).toHaveLength(1);
  });

  test('is remembered when a person rejects it: the same evidence asks nobody again, new evidence does', async () => {
    const { workspace, proposal } = await waiting('fact', ofPayments);
    expect(await decide(workspace, proposal, 'reject')).toMatchObject({ outcome: 'taken' });
    expect(await factsIn(lane, workspace)).toEqual([]);
    expect(await reflectionsIn(lane, workspace)).toContainEqual(
      expect.objectContaining({ decision: 'rejected', reason: 'person' }),
    );
    await lane.rows(workspace, 'DELETE FROM reflected_scopes');
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1 });
    expect(await proposals(workspace)).toHaveLength(1);

    await filed(lane, workspace, payments('ada', [512]));
    expect((await reflected(lane, workspace)).counts).toMatchObject({ escalated: 1 });
    expect((await proposals(workspace)).map(({ status }) => status)).toEqual(['rejected', 'open']);
  });

  test('is put to them again where a card was edited since, and then written', async () => {
    const { workspace, proposal } = await waiting('fact', ofPayments);
    await lane.rows(workspace, 'UPDATE cards SET version = version + 1 WHERE id = $1', [
      proposal.evidence[0],
    ]);
    expect(await decide(workspace, proposal, 'approve')).toMatchObject({
      outcome: 'refused',
      refusal: 'world_changed',
    });
    expect(await factsIn(lane, workspace)).toEqual([]);
    const [again] = await proposals(workspace);
    expect(again).toMatchObject({ status: 'open', version: 2 });
    expect(await decide(workspace, again as Waiting, 'approve')).toMatchObject({
      outcome: 'taken',
    });
    expect(await factsIn(lane, workspace)).toHaveLength(1);
  });

  const gone: [string, string][] = [
    ['is gone', "UPDATE cards SET status = 'deleted' WHERE id = $1"],
    ['has other readers', "UPDATE cards SET scope_type = 'team', scope_id = 'crew' WHERE id = $1"],
    ['was erased', 'UPDATE reflections SET draft = NULL WHERE $1::text IS NOT NULL'],
  ];
  test.each(gone)('lapses where one of its cards, or its words, %s', async (_name, statement) => {
    const { workspace, proposal } = await waiting('fact', ofPayments);
    await lane.rows(workspace, statement, [proposal.evidence[0]]);
    expect(await decide(workspace, proposal, 'approve')).toMatchObject({
      outcome: 'refused',
      refusal: 'world_changed',
    });
    expect((await proposals(workspace))[0]?.status).toBe('lapsed');
    expect(await factsIn(lane, workspace)).toEqual([]);
  });

  test('tells its words and cards to nobody who may not see all of them', async () => {
    const { proposal } = await waiting('fact', ofPayments);
    expect(proposal.type).toBe('fact');
    expect(Object.keys(proposal.change).sort()).toEqual(['card_versions', 'reflection_id']);
  });
});

test('a link that was escalated is drawn when a person approves it', async () => {
  const { workspace, proposal } = await waiting('link', async (id) => {
    await filed(lane, id, payments('ada', [608]));
    await lane.rows(id, 'DELETE FROM edges');
  });
  expect(proposal.change).toMatchObject({ edge_type: 'satisfies' });
  expect(await decide(workspace, proposal, 'approve')).toMatchObject({ outcome: 'taken' });
  const { from, to } = proposal.change;
  const edges = await lane.rows(workspace, 'SELECT type, from_card, to_card FROM edges');
  expect(edges).toEqual([{ type: 'satisfies', from_card: from, to_card: to }]);
});

test('a skill that was escalated is kept, with its card and its tests, when a person approves it', async () => {
  const { workspace, proposal } = await waiting('skill', async (id) => {
    for (const task of ['t1', 't2']) {
      const calls = ['find_order', 'check_payment', 'refund'].map((operation, at) => ({
        ...(payments('ada', [100 + at])[1] as object),
        event_id: `${task}-${operation}`,
        task,
        session: task,
        task_type: 'refund',
        service: 'shop',
        operation,
        input: { order: task },
        occurred_at: `2026-03-0${task === 't1' ? 2 : 3}T08:0${at}:00Z`,
      }));
      await filed(lane, id, calls as never);
    }
  });
  expect(await decide(workspace, proposal, 'approve')).toMatchObject({ outcome: 'taken' });
  const [card] = await factsIn(lane, workspace);
  expect(card).toMatchObject({ kind: 'skill_lesson', status: 'active', scope_id: 'ada' });
  const skills = await lane.rows(workspace, 'SELECT name, status, current_version FROM skills');
  expect(skills).toEqual([{ name: 'refund', status: 'current', current_version: 1 }]);
});
