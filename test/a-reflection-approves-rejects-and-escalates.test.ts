import { CaptureLane } from './support/capture-lane';
import { saveHistory } from './support/histories';
import { changesOf, filed, sourcesOf } from './support/night';
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

const facts = (decision: 'approve' | 'reject' | 'escalate') => ({
  gate: { rules: [{ candidate: 'fact' as const, decision }] },
});

describe('what cards agree on', () => {
  test('becomes a fact in their scope where the gate approves it, with its lineage, its record and a watch', async () => {
    const workspace = await lane.workspace();
    const cards = await filed(lane, workspace, payments('ada', [608, 420, 300]));
    const result = await reflected(lane, workspace);
    expect(result).toMatchObject({ status: 'completed', counts: { facts: 1, cards: 6 } });

    const [fact, ...others] = await factsIn(lane, workspace);
    expect(others).toEqual([]);
    expect(fact).toMatchObject({
      kind: 'knowledge',
      status: 'active',
      scope_type: 'agent',
      scope_id: 'ada',
      visibility: 'private',
      distilled_by: 'fallback',
    });
    expect(fact?.summary).toMatch(
      /^booking\.book failed 3 of 6 times .*payment amount was changed/,
    );
    expect(await sourcesOf(lane, workspace, fact?.id ?? '')).toEqual([...cards].sort());

    const [kept] = await reflectionsIn(lane, workspace);
    expect(kept).toMatchObject({
      type: 'fact',
      decision: 'approved',
      reason: 'evidence',
      evidence: 6,
      card_id: fact?.id,
      text: fact?.summary,
    });
    expect(await auditOf(lane, workspace, 'reflection.')).toEqual([
      'reflection.approved fact evidence',
    ]);
    expect(await changesOf(lane, workspace)).toEqual([
      expect.objectContaining({
        change: 'created',
        card_id: fact?.id,
        version_after: 1,
        reason: 'evidence',
      }),
    ]);
    expect(await lane.rows(workspace, 'SELECT card_id FROM watches')).toEqual([
      { card_id: fact?.id },
    ]);
  });

  test('is kept with its reason where the gate rejects it, and is not found again for the same evidence', async () => {
    const workspace = await lane.workspace();
    await setPolicy(lane, workspace, facts('reject'));
    await filed(lane, workspace, payments('ada', [608, 420]));
    const first = await reflected(lane, workspace);
    expect(first.counts).toMatchObject({ rejected: 1 });
    expect(await factsIn(lane, workspace)).toEqual([]);
    expect(await reflectionsIn(lane, workspace)).toEqual([
      expect.objectContaining({ decision: 'rejected', rule: 0, reason: 'rule', card_id: null }),
    ]);
    expect(await auditOf(lane, workspace, 'reflection.')).toEqual([
      'reflection.rejected fact rule',
    ]);
    expect(await changesOf(lane, workspace)).toEqual([
      expect.objectContaining({ change: 'rejected', card_id: null, reason: 'rule' }),
    ]);

    // What brings the same cards to mind once more is no new evidence.
    await setPolicy(lane, workspace, facts('approve'));
    await filed(lane, workspace, [
      { ...payments('ada', [90])[1], event_id: 'another', input: { room: 'other' } } as never,
    ]);
    const again = await reflected(lane, workspace);
    expect(again.counts).toMatchObject({ known: 1 });
    expect(await factsIn(lane, workspace)).toEqual([]);

    // Another call that failed and then worked is.
    await filed(lane, workspace, payments('ada', [512]));
    const third = await reflected(lane, workspace);
    expect(third.counts).toMatchObject({ facts: 1 });
    expect(await factsIn(lane, workspace)).toHaveLength(1);
  });

  test('waits for a person where no rule decides, with its evidence, and once', async () => {
    const workspace = await lane.workspace();
    await setPolicy(lane, workspace, { gate: { rules: [] } });
    const cards = await filed(lane, workspace, payments('ada', [608, 420, 300]));
    const result = await reflected(lane, workspace);
    expect(result.counts).toMatchObject({ escalated: 1 });
    const proposals = await lane.rows<Record<string, unknown>>(
      workspace,
      'SELECT * FROM proposals',
    );
    expect(proposals).toHaveLength(1);
    const [proposal] = proposals;
    expect(proposal).toMatchObject({
      type: 'fact',
      status: 'open',
      proposed_by_kind: 'system',
      proposed_by: 'reflection',
      title: 'A fact to remember about booking.book',
      drafted_by: 'rule',
    });
    expect(proposal).toMatchObject({ evidence: expect.arrayContaining(cards) });
    const [kept] = await reflectionsIn(lane, workspace);
    expect(kept).toMatchObject({
      decision: 'escalated',
      reason: 'no_rule',
      rule: null,
      proposal_id: proposal?.id,
      decided_at: null,
    });
    expect(await changesOf(lane, workspace)).toEqual([
      expect.objectContaining({ change: 'proposed', related: [proposal?.id], reason: 'no_rule' }),
    ]);
    expect(await factsIn(lane, workspace)).toEqual([]);

    await filed(lane, workspace, payments('ada', [512]));
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1 });
    expect(await lane.rows(workspace, 'SELECT id FROM proposals')).toHaveLength(1);
  });

  test('is not written twice, whatever else is filed, and costs nothing where nothing is new', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, payments('ada', [608, 420, 300]));
    await reflected(lane, workspace);
    const unit = await lane.rows<{ workflow_id: string }>(
      workspace,
      'SELECT workflow_id FROM runs WHERE parent_id IS NOT NULL',
    );
    await saveHistory(
      'reflectScope.approved',
      lane.env.client.workflow.getHandle(unit[0]?.workflow_id ?? ''),
    );
    await filed(lane, workspace, payments('ada', [512, 256]));
    expect((await reflected(lane, workspace)).counts).toMatchObject({ known: 1 });
    expect(await factsIn(lane, workspace)).toHaveLength(1);
    const idle = await reflected(lane, workspace);
    expect(idle).toMatchObject({ status: 'completed' });
    expect(idle.counts.cards).toBeUndefined();
  });

  test('is only said by a dry run', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, payments('ada', [608, 420, 300]));
    const result = await reflected(lane, workspace, { dry_run: true });
    expect(result.counts).toMatchObject({ facts: 1 });
    expect(await factsIn(lane, workspace)).toEqual([]);
    expect(await reflectionsIn(lane, workspace)).toEqual([]);
    expect(await lane.rows(workspace, 'SELECT * FROM reflected_scopes')).toEqual([]);
    expect(await changesOf(lane, workspace)).toEqual([
      expect.objectContaining({ change: 'created', card_id: null, version_after: null }),
    ]);
    const drafts = await lane.rows<{ part: string; draft: { text: string; decision: string } }>(
      workspace,
      'SELECT part, draft FROM run_drafts',
    );
    expect(drafts).toEqual([
      { part: 'fact/1.1', draft: expect.objectContaining({ type: 'fact', decision: 'approve' }) },
    ]);
    expect((await reflected(lane, workspace)).counts).toMatchObject({ facts: 1 });
  });
});

describe('by the default rules', () => {
  const TO_TEAM = "UPDATE cards SET scope_type = 'team', scope_id = 'crew'";

  test('a fact for a whole team waits for a person', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, payments('ada', [608, 420, 300]));
    await lane.rows(workspace, TO_TEAM);
    expect((await reflected(lane, workspace)).counts).toMatchObject({ escalated: 1 });
    expect(await reflectionsIn(lane, workspace)).toMatchObject([{ reason: 'scope' }]);
    const [proposal] = await lane.rows(workspace, 'SELECT team_id FROM proposals');
    expect(proposal).toEqual({ team_id: 'crew' });
  });

  test('one about a subject is kept from the team, and is the agent’s own else', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, payments('ada', [608, 420, 300], { subject: 'guest-1' }));
    await reflected(lane, workspace);
    expect(await factsIn(lane, workspace)).toMatchObject([{ subject: 'guest-1', scope_id: 'ada' }]);

    const shared = await lane.workspace();
    await filed(lane, shared, payments('ada', [608, 420, 300], { subject: 'guest-1' }));
    await lane.rows(shared, TO_TEAM);
    await reflected(lane, shared);
    expect(await factsIn(lane, shared)).toEqual([]);
    expect(await reflectionsIn(lane, shared)).toMatchObject([
      { decision: 'rejected', reason: 'sensitive' },
    ]);
  });

  test('one that rests on one end of an open contradiction waits for a person', async () => {
    const workspace = await lane.workspace();
    const [short, whole] = await filed(lane, workspace, payments('ada', [608, 420, 300]));
    await lane.rows(
      workspace,
      `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
       VALUES ($1, 'edge-open', 'conflicts', $2, $3, 0.9, 'another outcome', now())`,
      [workspace, whole, short],
    );
    await reflected(lane, workspace);
    expect(await factsIn(lane, workspace)).toEqual([]);
    expect(await reflectionsIn(lane, workspace)).toMatchObject([
      { decision: 'escalated', reason: 'open_conflict' },
    ]);
  });

  test('nothing is made of what is about somebody whose memory is off, or of an agent’s that is off', async () => {
    const workspace = await lane.workspace();
    await filed(lane, workspace, payments('ada', [608, 420], { subject: 'guest-1' }));
    await filed(lane, workspace, payments('bob', [608, 420]));
    await lane.rows(
      workspace,
      `INSERT INTO subjects (workspace_id, id, memory, created_at) VALUES ($1, 'guest-1', 'off', now())
       ON CONFLICT (workspace_id, id) DO UPDATE SET memory = 'off'`,
      [workspace],
    );
    await lane.rows(workspace, "UPDATE agents SET memory_mode = 'off' WHERE id = 'bob'");
    const result = await reflected(lane, workspace);
    expect(result.counts.cards).toBeUndefined();
    expect(await factsIn(lane, workspace)).toEqual([]);
  });
});
