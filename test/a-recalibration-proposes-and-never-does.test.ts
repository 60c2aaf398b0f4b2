import { decideProposal } from '../src/store/proposal-deciding';
import { DAY, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

interface Proposed {
  id: string;
  type: string;
  status: string;
  evidence: string[];
  change: Record<string, unknown>;
  title: string;
}

const proposals = (type: string) =>
  rowsOf<Proposed>(
    lane,
    'SELECT id, type, status, evidence, change, title FROM proposals WHERE type = $1 ORDER BY created_at, id',
    [type],
  );
/** What a recalibration may not touch. */
const memory = async () => [
  await rowsOf(lane, 'SELECT * FROM cards ORDER BY id'),
  await rowsOf(lane, 'SELECT * FROM card_versions ORDER BY card_id, version'),
  await rowsOf(lane, 'SELECT * FROM edges ORDER BY id'),
  await rowsOf(lane, 'SELECT * FROM card_grants ORDER BY card_id'),
];
const crate = (at: number | string, fields = {}) =>
  lane.filing.card({
    service: 'crane',
    operation: 'lift',
    input: { load: `crate ${at}` },
    ...fields,
  });

/** As its workflow does, by the person `owner`. */
async function decide(id: string, decision: 'approve' | 'reject'): Promise<unknown> {
  await lane.api.call('PUT', '/v1/people/rita', { body: { name: 'rita', role: 'reviewer' } });
  return await lane.api.database.inWorkspace('default', (tx) =>
    decideProposal(tx, {
      id,
      decisionId: `${id}-${decision}`,
      request: { decision, by: 'rita', version: 1 },
      at: lane.clock.now(),
      workflowId: `proposal/default/${id}`,
    }),
  );
}

describe('what nobody uses', () => {
  it('is proposed for the archive, one proposal a scope and month, and no card is changed', async () => {
    const scout = [await crate(1), await crate(2)];
    const mate = await crate(3, { agent: 'mate' });
    lane.clock.advance(97 * DAY);
    expect((await upkeep(lane, 'recalibration')).counts.archive_proposals).toBeUndefined();
    lane.clock.advance(DAY);
    const fresh = await crate(4);
    const before = await memory();

    const { counts, changes } = await upkeep(lane, 'recalibration', { twice: true });

    expect(counts).toMatchObject({ archive_proposals: 2, cards_proposed: 3 });
    expect(await memory()).toEqual(before);
    const opened = await proposals('archive');
    expect(opened.map(({ evidence }) => evidence)).toEqual(
      expect.arrayContaining([scout.sort(), [mate]]),
    );
    expect(opened.flatMap(({ evidence }) => evidence)).not.toContain(fresh);
    const versions = Object.fromEntries(scout.map((id) => [id, 1]));
    expect(opened).toContainEqual(
      expect.objectContaining({
        status: 'open',
        change: { card_ids: scout, card_versions: versions },
        title: 'Archive 2 cards of agent scout that nobody uses',
      }),
    );
    expect(changes.map(({ change, reason, related }) => [change, reason, related]).sort()).toEqual(
      opened.map(({ id, evidence }) => ['proposed', 'archive', [id, ...evidence]]).sort(),
    );
    // Again in the same month: nothing, decided or not.
    await decide(opened[0]?.id ?? '', 'reject');
    lane.clock.advance(HOUR);
    expect((await upkeep(lane, 'recalibration')).counts.archive_proposals).toBeUndefined();
  });

  it('is not proposed where somebody stands for it or nothing resolved it', async () => {
    const written = await lane.api.call('POST', '/v1/cards', {
      body: { summary: 'Marbles are round.', scope: { type: 'agent', id: 'scout' } },
    });
    const keyed = await crate('k', { key: 'crane' });
    const warning = await crate('w', { outcome: 'failed', error: 'too windy' });
    const validated = await crate('v');
    await lane.api.call('POST', `/v1/cards/${validated}/validation`, {
      body: { verdict: 'success' },
    });
    const reworded = await crate('r');
    await lane.api.call('PATCH', `/v1/cards/${reworded}`, {
      headers: { 'if-match': '"1"' },
      body: { summary: 'The crate was lifted by hand.' },
    });
    const used = await crate('u');
    const plain = await crate('p', { service: 'dock', operation: 'moor' });
    // A person's key may report settled work: the card is in words of the distiller all the same.
    const imported = await lane.filing.card(
      { service: 'dock', operation: 'leave', input: { load: 'crate i' } },
      { kind: 'person', id: 'owner' },
    );
    lane.clock.advance(60 * DAY);
    await rowsOf(lane, "INSERT INTO card_usage VALUES ('default', $1, 1, $2)", [
      used,
      lane.clock.now(),
    ]);
    lane.clock.advance(60 * DAY);
    await upkeep(lane, 'recalibration');
    const named = (await proposals('archive')).flatMap(({ evidence }) => evidence);
    expect(named).toEqual(expect.arrayContaining([plain, imported]));
    for (const id of [written.body.id, keyed, warning, validated, reworded, used]) {
      expect(named).not.toContain(id);
    }
  });

  it('that a person kept is not proposed again until it was touched', async () => {
    const id = await crate(1);
    lane.clock.advance(100 * DAY);
    await upkeep(lane, 'recalibration');
    const [first] = await proposals('archive');
    await decide(first?.id ?? '', 'reject');
    lane.clock.advance(40 * DAY);
    await upkeep(lane, 'recalibration');
    expect(await proposals('archive')).toHaveLength(1);
    await rowsOf(lane, "INSERT INTO card_usage VALUES ('default', $1, 1, $2)", [
      id,
      lane.clock.now(),
    ]);
    lane.clock.advance(120 * DAY);
    await upkeep(lane, 'recalibration');
    expect(await proposals('archive')).toHaveLength(2);
  });

  it('goes into the archive where a person approves, and stays there beyond the window as history', async () => {
    const id = await crate(1);
    lane.clock.advance(100 * DAY);
    await upkeep(lane, 'recalibration');
    const [proposal] = await proposals('archive');
    await decide(proposal?.id ?? '', 'approve');
    const status = async () =>
      (await rowsOf<{ status: string }>(lane, 'SELECT status FROM cards WHERE id = $1', [id]))[0]
        ?.status;
    expect(await status()).toBe('archived');
    lane.clock.advance(300 * DAY);
    const { counts } = await upkeep(lane, 'retention');
    expect(counts).toMatchObject({ evicted: 1 });
    expect(counts.purged).toBeUndefined();
    expect((await lane.api.call('GET', `/v1/cards/${id}`)).body.summary).toContain('crate 1');
  });

  it('is named two hundred at a time', async () => {
    await rowsOf(
      lane,
      `INSERT INTO cards (workspace_id, id, kind, tier, sign, status, summary, scope_type, scope_id, confidence, trust,
                          valid_from, recorded_at, edited_at, writer_kind, writer_id, distilled_by)
       SELECT 'default', 'card_bulk' || lpad(n::text, 4, '0'), 'experience', 'episodic', 'worked', 'active', 'n', 'agent',
              'scout', 0.2, 'runtime', $1, $1, $1, 'runtime', 'harness', 'fallback'
         FROM generate_series(1, 230) n`,
      [lane.clock.now()],
    );
    lane.clock.advance(100 * DAY);
    await upkeep(lane, 'recalibration');
    lane.clock.advance(31 * DAY);
    await upkeep(lane, 'recalibration');
    const sizes = (await proposals('archive')).map(({ evidence }) => evidence.length);
    // The first still waits in this test, so that its cards are nobody else's.
    expect(sizes).toEqual([200, 30]);
  });
});

describe('near-duplicates', () => {
  const fact = (summary: string, fields: Record<string, unknown> = {}) =>
    lane.filing.card({ kind: 'observation', card_kind: 'knowledge', text: summary, ...fields });
  const SAID = 'The north quay has room for four barges side by side in summer and two in winter.';
  const AGAIN = `${SAID.slice(0, -1)} too.`;

  beforeEach(() => setPolicy(lane, { recalibration: { duplicate_similarity: 0.85 } }));

  it('of one scope, member and readers are proposed as one, the most used staying', async () => {
    const ids = [await fact(SAID), await fact(AGAIN, { occurred_at: '2026-03-01T10:00:00Z' })];
    const other = await fact('Marbles are stored in the cellar of the old customs house.');
    await rowsOf(lane, "INSERT INTO card_usage VALUES ('default', $1, 3, $2)", [
      ids[0],
      lane.clock.now(),
    ]);
    const before = await memory();
    const { counts, changes } = await upkeep(lane, 'recalibration', { twice: true });
    const [proposal, ...none] = await proposals('merge');
    expect(none).toEqual([]);
    expect(proposal).toMatchObject({
      evidence: ids,
      change: {
        keep: ids[0],
        merge: [ids[1]],
        card_versions: { [ids[0] ?? '']: 1, [ids[1] ?? '']: 1 },
      },
    });
    expect(proposal?.evidence).not.toContain(other);
    expect(counts).toMatchObject({ merge_proposals: 1, cards_proposed: 2 });
    expect(changes).toMatchObject([{ change: 'proposed', reason: 'duplicates' }]);
    expect(await memory()).toEqual(before);

    await decide(proposal?.id ?? '', 'reject');
    await upkeep(lane, 'recalibration');
    expect(await proposals('merge')).toHaveLength(1);
  });

  it('are not one where they are about others, seen by others, or contradict each other', async () => {
    const about = { occurred_at: '2026-03-01T10:00:00Z' };
    await fact(SAID);
    await fact(AGAIN, { ...about, agent: 'mate' });
    await fact(AGAIN, { ...about, subject: 'north-quay' });
    const shared = await fact(AGAIN, about);
    await lane.api.call('PUT', `/v1/cards/${shared}/grants/mate`, { body: {} });
    await upkeep(lane, 'recalibration');
    expect(await proposals('merge')).toEqual([]);
    await lane.api.call('DELETE', `/v1/cards/${shared}/grants/mate`);
    const [one] = await rowsOf<{ id: string }>(
      lane,
      "SELECT id FROM cards WHERE scope_id = 'scout' AND subject IS NULL AND id <> $1",
      [shared],
    );
    const edge = `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
                  VALUES ('default', 'edge_x', 'conflicts', $1, $2, 1, 'x', now())`;
    await rowsOf(lane, edge, [one?.id, shared]);
    await upkeep(lane, 'recalibration');
    expect(await proposals('merge')).toEqual([]);
    await rowsOf(lane, "DELETE FROM edges WHERE id = 'edge_x'");
    await upkeep(lane, 'recalibration');
    expect(await proposals('merge')).toHaveLength(1);
  });
});

it('says in a dry run what it would propose, and opens nothing', async () => {
  const id = await crate(1);
  lane.clock.advance(100 * DAY);
  const { counts, changes } = await upkeep(lane, 'recalibration', { dryRun: true, twice: true });
  expect(counts).toMatchObject({ archive_proposals: 1, cards_proposed: 1 });
  expect(changes).toMatchObject([{ change: 'proposed', reason: 'archive', related: [id] }]);
  expect(await rowsOf(lane, 'SELECT 1 FROM proposals')).toEqual([]);
});
