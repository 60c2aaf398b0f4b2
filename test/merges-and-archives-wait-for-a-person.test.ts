import type { ArchiveChange, MergeChange } from '../src/contracts/proposal';
import { decideProposal } from '../src/store/proposal-deciding';
import { openProposalFor } from '../src/store/proposal-opening';
import { ProposalLane } from './support/proposal-lane';

jest.setTimeout(120_000);

let lane: ProposalLane;
beforeAll(async () => {
  lane = await ProposalLane.start('dev');
});
afterAll(async () => {
  await lane?.stop();
});

async function opened(
  workspace: string,
  type: 'merge' | 'archive',
  change: MergeChange | ArchiveChange,
): Promise<string> {
  const evidence = Object.keys(change.card_versions);
  const { id } = await lane.database.inWorkspace(workspace, (tx) =>
    openProposalFor(tx, {
      type,
      matter: `${type}:${evidence.join('/')}`,
      team: null,
      title: `A ${type}`,
      summary: 'A summary',
      draftedBy: 'rule',
      evidence,
      change,
      proposedBy: { kind: 'system', id: 'recalibration' },
      channel: 'workflow',
      now: new Date(),
    }),
  );
  return id;
}

let decisions = 0;
async function decide(workspace: string, id: string, decision: 'approve' | 'reject', version = 1) {
  decisions += 1;
  return await lane.database.inWorkspace(workspace, (tx) =>
    decideProposal(tx, {
      id,
      decisionId: `decision-${decisions}`,
      request: { by: 'reviewer', decision, version },
      at: new Date(),
      workflowId: `proposal/${workspace}/${id}`,
    }),
  );
}

const cardsOf = async (workspace: string) => {
  const rows = await lane.rows<{ id: string; status: string; superseded_by: string | null }>(
    workspace,
    'SELECT id, status, superseded_by FROM cards',
  );
  return new Map(rows.map(({ id, ...card }) => [id, card]));
};

const merge = (keep: string, ...others: string[]): MergeChange => ({
  keep,
  merge: others,
  card_versions: Object.fromEntries([keep, ...others].map((id) => [id, 1])),
});

describe('a merge', () => {
  async function three(): Promise<{ workspace: string; cards: [string, string, string] }> {
    const workspace = await lane.workspace();
    const cards: [string, string, string] = [
      await lane.card(workspace),
      await lane.card(workspace),
      await lane.card(workspace),
    ];
    return { workspace, cards };
  }

  test('that is approved leaves one in the place of the others, with what they proved', async () => {
    const { workspace, cards } = await three();
    const [keep, one, other] = cards;
    await lane.rows(
      workspace,
      'INSERT INTO card_usage (workspace_id, card_id, use_count, last_used_at) VALUES ($1, $2, 3, now())',
      [workspace, one],
    );
    const id = await opened(workspace, 'merge', merge(keep, one, other));
    expect(await decide(workspace, id, 'approve')).toMatchObject({ outcome: 'taken' });
    const after = await cardsOf(workspace);
    expect(after.get(keep)).toEqual({ status: 'active', superseded_by: null });
    for (const gone of [one, other]) {
      expect(after.get(gone)).toEqual({ status: 'superseded', superseded_by: keep });
    }
    const edges = await lane.rows<{ to_card: string }>(
      workspace,
      "SELECT to_card FROM edges WHERE from_card = $1 AND type = 'derived_from'",
      [keep],
    );
    expect(edges.map(({ to_card }) => to_card).sort()).toEqual([one, other].sort());
    expect(
      await lane.rows(workspace, 'SELECT use_count FROM card_usage WHERE card_id = $1', [keep]),
    ).toEqual([{ use_count: 3 }]);
    expect(await lane.audit(workspace, one)).toContain('card.superseded status');
  });

  test('that is rejected changes nothing', async () => {
    const { workspace, cards } = await three();
    const id = await opened(workspace, 'merge', merge(...cards));
    expect(await decide(workspace, id, 'reject')).toMatchObject({ outcome: 'taken' });
    for (const card of (await cardsOf(workspace)).values()) expect(card.status).toBe('active');
  });

  test('is asked for again where a card changed, and lapses where they have other readers by now', async () => {
    const { workspace, cards } = await three();
    const id = await opened(workspace, 'merge', merge(...cards));
    await lane.rows(workspace, 'UPDATE cards SET version = 2 WHERE id = $1', [cards[1]]);
    expect(await decide(workspace, id, 'approve')).toMatchObject({ refusal: 'world_changed' });
    expect(await lane.standing({ workspace, id })).toMatchObject({
      status: 'open',
      version: 2,
      change: { card_versions: { [cards[1]]: 2 } },
    });
    await lane.rows(
      workspace,
      `INSERT INTO card_grants (workspace_id, card_id, agent_id, grant_type, created_at)
       VALUES ($1, $2, 'scout', 'explicit', now())`,
      [workspace, cards[0]],
    );
    expect(await decide(workspace, id, 'approve', 2)).toMatchObject({ refusal: 'world_changed' });
    expect(await lane.standing({ workspace, id })).toMatchObject({ status: 'lapsed' });
    for (const card of (await cardsOf(workspace)).values()) expect(card.status).toBe('active');
  });
});

describe('an archive', () => {
  const archive = (...ids: string[]): ArchiveChange => ({
    card_ids: ids,
    card_versions: Object.fromEntries(ids.map((id) => [id, 1])),
  });

  test('that is approved takes those out of use that nobody changed or used since', async () => {
    const workspace = await lane.workspace();
    const [idle, edited, used] = [
      await lane.card(workspace),
      await lane.card(workspace),
      await lane.card(workspace),
    ];
    const id = await opened(workspace, 'archive', archive(idle, edited, used));
    await lane.rows(workspace, 'UPDATE cards SET version = 2 WHERE id = $1', [edited]);
    await lane.rows(
      workspace,
      `INSERT INTO card_usage (workspace_id, card_id, use_count, last_used_at)
       VALUES ($1, $2, 1, now() + interval '1 minute')`,
      [workspace, used],
    );
    expect(await decide(workspace, id, 'approve')).toMatchObject({ outcome: 'taken' });
    const after = await cardsOf(workspace);
    expect([idle, edited, used].map((card) => after.get(card)?.status)).toEqual([
      'archived',
      'active',
      'active',
    ]);
    const [row] = await lane.rows<{ status_before: string }>(
      workspace,
      'SELECT status_before FROM cards WHERE id = $1',
      [idle],
    );
    expect(row?.status_before).toBe('active');
    expect(await lane.audit(workspace, idle)).toContain('card.archived status');
  });

  test('that is rejected changes nothing, and one of which nothing is left lapses', async () => {
    const workspace = await lane.workspace();
    const card = await lane.card(workspace);
    const first = await opened(workspace, 'archive', archive(card));
    expect(await decide(workspace, first, 'reject')).toMatchObject({ outcome: 'taken' });
    const second = await opened(workspace, 'archive', archive(card));
    await lane.rows(workspace, "UPDATE cards SET status = 'deleted' WHERE id = $1", [card]);
    expect(await decide(workspace, second, 'approve')).toMatchObject({ refusal: 'world_changed' });
    expect(await lane.standing({ workspace, id: second })).toMatchObject({ status: 'lapsed' });
  });
});
