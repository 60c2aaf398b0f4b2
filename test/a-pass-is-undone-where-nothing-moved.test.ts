import type { PassResult } from '../src/contracts/passes';
import { lexicalTerms } from '../src/domain/terms';
import { changeCard, reindexCard } from '../src/store/card-edits';
import { insertCard, type NewCard } from '../src/store/card-writes';
import { retireInFavour } from '../src/store/card-writes-retired';
import type { Tx } from '../src/store/database';
import { insertEdges } from '../src/store/edge-writes';
import { endPassRun } from '../src/store/pass-endings';
import { openProposalFor } from '../src/store/proposal-opening';
import { askForPass } from '../src/store/run-asking';
import { noteChanges } from '../src/store/run-changes';
import { cardIds, type RecallLane, startRecallLane } from './support/filing';
import { plainCard } from './support/plain-card';

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane(null);
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
  await lane.api.call('PUT', '/v1/agents/kin', { body: {} });
});
afterAll(() => lane.close());
beforeEach(() => lane.clock.advance(1_000));

const DONE: PassResult = {
  status: 'completed',
  day: '2026-03-02',
  units: 1,
  partial: 0,
  failed: 0,
  counts: {},
  named: [],
};
const SYSTEM = { kind: 'system', id: 'consolidation' };
const now = () => lane.clock.now();
const inWorkspace = <T>(work: (tx: Tx) => Promise<T>) =>
  lane.api.database.inWorkspace('default', work);
const rows = <Row>(statement: string, values: unknown[] = []) =>
  inWorkspace((tx) => tx.query<Row>(statement, values));

async function plant(summary: string, fields: Partial<NewCard> = {}): Promise<string> {
  const card = plainCard(summary, now(), fields);
  await inWorkspace((tx) => insertCard(tx, card, null, []));
  return card.id;
}

/** What a pass does in one of its transactions, and its row once it has ended. */
async function pass(
  work: (tx: Tx, run: string) => Promise<void>,
  { dryRun = false, ended = true } = {},
): Promise<string> {
  const scope = { type: 'agent' as const, id: 'scout' };
  return await inWorkspace(async (tx) => {
    const run = await askForPass(
      tx,
      { type: 'consolidation', scope, dryRun, budget: null, by: 'p' },
      now(),
    );
    await work(tx, run);
    if (ended) await endPassRun(tx, run, { state: 'completed', result: DONE }, now());
    return run;
  });
}

/** A note of some cards, which retire for it. */
const consolidating = (sources: readonly string[], summary: string, made: { note?: string } = {}) =>
  pass(async (tx, run) => {
    const card = plainCard(summary, now(), {
      kind: 'insight',
      writer: { kind: 'system', id: 'x' },
    });
    made.note = card.id;
    const edges = sources.map((to) => ({
      type: 'derived_from' as const,
      from: card.id,
      to,
      confidence: 1,
      reason: 'told',
    }));
    await insertCard(tx, card, null, edges);
    const retired = await retireInFavour(tx, {
      cards: sources.map((id) => ({ id, version: 1 })),
      by: card.id,
      pass: 'consolidation',
      workflowId: 'consolidate/default/agent:scout',
      at: now(),
    });
    await noteChanges(
      tx,
      run,
      [
        { change: 'created', card_id: card.id, version_after: 1, related: [...sources] },
        ...retired.map(({ id, version }) => ({
          change: 'retired' as const,
          card_id: id,
          version_before: version - 1,
          version_after: version,
          related: [card.id],
        })),
      ],
      now(),
    );
  });

let number = 0;
/** Makes a run a unit of another one. */
const adopt = (unit: string, parent: string) => {
  number += 1;
  return rows('UPDATE runs SET parent_id = $2, number = $3 WHERE id = $1', [unit, parent, number]);
};
const undo = (run: string) => lane.api.call('POST', `/v1/runs/${run}/undo`);
const card = async (id: string) => (await lane.api.call('GET', `/v1/cards/${id}`)).body;
const recalled = async (query: string) => cardIds(await lane.recall({ query })).sort();

describe('a consolidation', () => {
  it('is taken back: its sources are found again as they were, its note is not', async () => {
    const sources = [
      await plant('Zanzibar ferry tickets sell out by noon'),
      await plant('Zanzibar ferry tickets cost 35 dollars'),
    ];
    const made: { note?: string } = {};
    const run = await consolidating(sources, 'Zanzibar ferry lessons of the week', made);
    expect(await recalled('Zanzibar ferry tickets')).toEqual([made.note]);
    const before = await Promise.all(sources.map(card));
    expect(before.map(({ status }) => status)).toEqual(['superseded', 'superseded']);

    lane.clock.advance(1_000);
    const { status, body } = await undo(run);
    expect([status, body]).toEqual([200, { undone: 3, not_undone: [], done: true }]);
    expect(await recalled('Zanzibar ferry tickets')).toEqual([...sources].sort());
    for (const id of sources) {
      const now = await card(id);
      expect(now).toMatchObject({ status: 'active', version: 3 });
      expect(now.superseded_by).toBeUndefined();
      const { items } = (await lane.api.call('GET', `/v1/cards/${id}/history`)).body;
      expect(items.map(({ action }: { action: string }) => action)).toEqual([
        'created',
        'superseded',
        'undone',
      ]);
      const audited = (await lane.api.call('GET', `/v1/audit?target=${id}&action=card.undone`))
        .body;
      expect(audited.items).toMatchObject([{ versions: [2, 3], hashes: { run } }]);
    }
    expect(await card(made.note ?? '')).toMatchObject({ status: 'archived', version: 2 });
    const { body: shown } = await lane.api.call('GET', `/v1/runs/${run}`);
    expect(shown.undone_at).toBe(lane.clock.text());
    expect(shown.diff.map((line: { undone_at: string }) => line.undone_at)).toEqual(
      Array(3).fill(lane.clock.text()),
    );
  });

  it('undone twice, also at one moment, answers the same and changes nothing', async () => {
    const sources = [await plant('Quito taxis take cards only')];
    const run = await consolidating(sources, 'Quito lessons');
    const [first, second] = await Promise.all([undo(run), undo(run)]);
    lane.clock.advance(60_000);
    const third = await undo(run);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(first.body).toEqual({ undone: 2, not_undone: [], done: true });
    expect(await card(sources[0] ?? '')).toMatchObject({ version: 3 });
    const audited = (await lane.api.call('GET', `/v1/audit?target=${run}&action=run.undone`)).body;
    expect(audited.items).toHaveLength(1);
  });

  const post = (id: string, what: string, body: object = {}) =>
    lane.api.call('POST', `/v1/cards/${id}/${what}`, { body });
  const reasons = (body: { not_undone: { card_id: string; reason: string }[] }) =>
    body.not_undone.map(({ card_id, reason }) => [card_id, reason]).sort();

  it('gives back what is still in the shadow of its note, as it is now, whatever else became of it', async () => {
    const names = ['changed', 'restored', 'stopped', 'deleted', 'both', 'evicted'];
    const [changed = '', restored = '', stopped = '', deleted = '', both = '', evicted = ''] =
      await Promise.all(names.map((name) => plant(`Lima desk ${name}`)));
    const sources = [changed, restored, stopped, deleted, both, evicted];
    const run = await consolidating(sources, 'Lima lessons');
    await rows("UPDATE cards SET version = version + 1, topic = 'other' WHERE id = $1", [changed]);
    for (const id of [restored, deleted]) await lane.api.call('DELETE', `/v1/cards/${id}`);
    await post(restored, 'restore');
    for (const id of [stopped, both]) await post(id, 'quarantine');
    await lane.api.call('DELETE', `/v1/cards/${both}`);
    await rows('DELETE FROM card_terms WHERE card_id = $1', [evicted]);
    await rows('UPDATE cards SET evicted_at = now(), version = version + 1 WHERE id = $1', [
      evicted,
    ]);
    lane.clock.advance(60_000);
    const { body } = await undo(run);
    expect(body).toEqual({ undone: 7, not_undone: [], done: true });
    expect(await card(changed)).toMatchObject({ status: 'active', topic: 'other' });
    expect(await card(restored)).toMatchObject({ status: 'active' });
    expect(await card(stopped)).toMatchObject({ status: 'quarantined' });
    for (const id of [deleted, both]) {
      expect((await lane.api.call('GET', `/v1/cards/${id}`)).status).toBe(404);
    }
    expect((await post(deleted, 'restore')).body).toMatchObject({ status: 'active' });
    expect((await post(stopped, 'release')).body).toMatchObject({ status: 'active' });
    expect((await post(both, 'restore')).body).toMatchObject({ status: 'quarantined' });
    expect((await post(both, 'release')).body).toMatchObject({ status: 'active' });
    for (const [at, id] of sources.entries()) {
      expect((await card(id)).superseded_by).toBeUndefined();
      expect(await recalled(`Lima desk ${names[at]}`)).toContain(id);
    }
  });

  it('does not lengthen the time in which a deleted card may be restored', async () => {
    const source = await plant('Cusco trains are full in June');
    const run = await consolidating([source], 'Cusco lessons');
    await lane.api.call('DELETE', `/v1/cards/${source}`);
    lane.clock.advance(29 * 86_400_000);
    await undo(run);
    lane.clock.advance(2 * 86_400_000);
    expect((await post(source, 'restore')).body).toMatchObject({ code: 'restore_window_over' });
  });

  it('leaves and names what something else has taken the place of, what is in use and what is purged', async () => {
    const [other = '', used = '', purged = '', stays = ''] = await Promise.all(
      ['other', 'used', 'purged', 'stays'].map((one) => plant(`Ica desk ${one}`)),
    );
    const run = await consolidating([other, used, purged, stays], 'Ica lessons');
    const set = (id: string, columns: string) =>
      rows(`UPDATE cards SET version = version + 1, ${columns} WHERE id = $1`, [id]);
    await set(other, `superseded_by = '${stays}'`);
    await set(used, "status = 'active', superseded_by = NULL");
    await set(purged, "status = 'deleted', purged_at = now()");
    const { body } = await undo(run);
    expect(body.undone).toBe(2);
    expect(reasons(body)).toEqual(
      [
        [other, 'moved'],
        [used, 'moved'],
        [purged, 'gone'],
      ].sort(),
    );
    expect(await card(other)).toMatchObject({ status: 'superseded' });
    expect(await card(stays)).toMatchObject({ status: 'active' });
  });

  it('leaves the sources of a note that a person has changed, which stays', async () => {
    const [one = '', gone = ''] = [await plant('Puno boats leave at six'), await plant('Puno fog')];
    const made: { note?: string } = {};
    const run = await consolidating([one, gone], 'Puno lessons', made);
    const { note = '' } = made;
    const edit = (summary: string, version: number) =>
      lane.api.call('PATCH', `/v1/cards/${note}`, {
        body: { summary },
        headers: { 'if-match': `"${version}"` },
      });
    expect((await edit('Puno boats leave at six; mind the fog', 1)).status).toBe(200);
    const { body } = await undo(run);
    expect(body.undone).toBe(0);
    expect(reasons(body)).toEqual(
      [
        [note, 'moved'],
        [one, 'note_kept'],
        [gone, 'note_kept'],
      ].sort(),
    );
    expect(await card(one)).toMatchObject({ status: 'superseded', superseded_by: note });
    expect(await recalled('Puno boats')).toEqual([note]);
    await lane.api.call('DELETE', `/v1/cards/${note}`);
  });

  it('gives back the sources of a note that was changed and is out of use since', async () => {
    const source = await plant('Tacna border closes at ten');
    const made: { note?: string } = {};
    const run = await consolidating([source], 'Tacna lessons', made);
    await rows("UPDATE cards SET version = version + 1, status = 'archived' WHERE id = $1", [
      made.note,
    ]);
    const { body } = await undo(run);
    expect(reasons(body)).toEqual([[made.note, 'moved']]);
    expect(await card(source)).toMatchObject({ status: 'active' });
  });

  it('gives nobody back what was taken from them since', async () => {
    const source = await plant('Oslo trams are free on Sundays');
    const share = (method: 'PUT' | 'DELETE') =>
      lane.api.call(method, `/v1/cards/${source}/grants/kin`, method === 'PUT' ? { body: {} } : {});
    expect((await share('PUT')).status).toBeLessThan(300);
    const seenByKin = async () =>
      (
        await lane.api.call('GET', `/v1/cards/${source}`, {
          key: lane.runtimeKey,
          headers: { 'cairn-agent': 'kin' },
        })
      ).status;
    expect(await seenByKin()).toBe(200);
    const run = await consolidating([source], 'Oslo lessons');
    await share('DELETE');
    expect((await undo(run)).body).toMatchObject({ undone: 2, not_undone: [] });
    expect(await seenByKin()).toBe(404);
  });
});

describe('words that a pass changed', () => {
  const editing = (id: string, ...summaries: string[]) =>
    pass(async (tx, run) => {
      let expected = 1;
      for (const summary of summaries) {
        const change = { id, expected, columns: { summary }, action: 'edited', actor: SYSTEM };
        const version = await changeCard(tx, { ...change, at: now() });
        if (version === null) throw new Error('moved');
        const terms = lexicalTerms(summary);
        await reindexCard(tx, { id, version, at: now() }, { terms, entities: '[]' }, null);
        const line = { card_id: id, version_before: expected, version_after: version };
        await noteChanges(tx, run, [{ change: 'edited', ...line }], now());
        expected = version;
      }
    });

  it('are what they were, however often the pass changed them, and are found by that alone', async () => {
    const id = await plant('Reykjavik buses stop at midnight');
    const run = await editing(id, 'Reykjavik geysir tours', 'Reykjavik whales tours');
    expect(await recalled('whales')).toEqual([id]);
    expect((await undo(run)).body).toEqual({ undone: 2, not_undone: [], done: true });
    expect(await card(id)).toMatchObject({
      summary: 'Reykjavik buses stop at midnight',
      version: 5,
    });
    expect(await recalled('whales')).toEqual([]);
    expect(await recalled('buses at midnight')).toEqual([id]);
  });

  it('stay where a person has changed them since', async () => {
    const id = await plant('Bergen funicular opens at eight');
    const run = await editing(id, 'Bergen funicular opens at nine');
    const { status } = await lane.api.call('PATCH', `/v1/cards/${id}`, {
      body: { summary: 'Bergen funicular opens at ten' },
      headers: { 'if-match': '"2"' },
    });
    expect(status).toBe(200);
    expect((await undo(run)).body).toMatchObject({
      undone: 0,
      not_undone: [{ card_id: id, reason: 'moved' }],
    });
    expect(await card(id)).toMatchObject({ summary: 'Bergen funicular opens at ten', version: 3 });
  });

  it('are found again where the card had left the index', async () => {
    const id = await plant('Turku ferries leave at seven');
    const run = await consolidating([id], 'Turku lessons');
    await rows('DELETE FROM card_terms WHERE card_id = $1', [id]);
    await rows('UPDATE cards SET evicted_at = now() WHERE id = $1', [id]);
    await undo(run);
    expect(await recalled('Turku')).toEqual([id]);
    const [{ evicted_at } = { evicted_at: 'unread' }] = await rows<{ evicted_at: string | null }>(
      'SELECT evicted_at FROM cards WHERE id = $1',
      [id],
    );
    expect(evicted_at).toBeNull();
  });
});

describe('what else a pass did', () => {
  it('keeps a key that another card has by now', async () => {
    const old = await plant('The queue is red', { key: 'queue-colour' });
    const run = await consolidating([old], 'Colours');
    const other = await plant('The queue is blue', { key: 'queue-colour' });
    expect((await undo(run)).body).toMatchObject({
      undone: 1,
      not_undone: [{ card_id: old, reason: 'key_taken' }],
    });
    expect(await card(old)).toMatchObject({ status: 'superseded' });
    expect(await card(other)).toMatchObject({ status: 'active' });
  });

  it('takes back edges, and proposals that nobody has decided', async () => {
    const [one = '', other = ''] = [await plant('Left side'), await plant('Right side')];
    const open = (tx: Tx, id: string) =>
      openProposalFor(tx, {
        type: 'archive' as never,
        matter: `archive:${id}`,
        team: null,
        title: 'Archive',
        summary: 'Unused',
        draftedBy: 'rule',
        evidence: [id],
        change: { card_id: id } as never,
        proposedBy: { kind: 'system', id: 'recalibration' },
        channel: 'workflow',
        now: now(),
      });
    const proposals: string[] = [];
    const run = await pass(async (tx, run) => {
      const edge = { type: 'supports' as const, from: one, to: other, confidence: 1, reason: 'x' };
      const [written] = await insertEdges(tx, [edge], now());
      for (const id of [one, other]) proposals.push((await open(tx, id)).id);
      await noteChanges(
        tx,
        run,
        [
          { change: 'linked', card_id: one, related: [written?.id ?? ''] },
          { change: 'linked', card_id: one, related: ['edge_of_nothing'] },
          ...proposals.map((id) => ({ change: 'proposed' as const, related: [id] })),
          { change: 'rejected', card_id: one, reason: 'evidence' },
          { change: 'skipped', card_id: one, reason: 'moved' },
          { change: 'purged', card_id: other },
        ],
        now(),
      );
    });
    const [, decided = ''] = proposals;
    await rows("UPDATE proposals SET status = 'rejected' WHERE id = $1", [decided]);
    const { body } = await undo(run);
    expect(body).toMatchObject({
      undone: 2,
      not_undone: [
        { related: ['edge_of_nothing'], reason: 'gone' },
        { related: [decided], reason: 'decided' },
        { card_id: other, reason: 'gone' },
      ],
    });
    expect(await rows('SELECT 1 FROM edges WHERE from_card = $1', [one])).toEqual([]);
    const [withdrawn] = (await lane.api.call('GET', `/v1/audit?target=${proposals[0]}`)).body.items;
    expect(withdrawn).toMatchObject({ action: 'proposal.withdrawn' });
    expect((await lane.api.call('GET', `/v1/proposals/${proposals[0]}`)).body.status).toBe(
      'lapsed',
    );
  });

  it('is taken back with that of its units', async () => {
    const source = await plant('Hobart markets open on Saturdays');
    const unit = await consolidating([source], 'Hobart lessons');
    const parent = await pass(async () => {});
    await adopt(unit, parent);
    expect((await undo(parent)).body).toEqual({ undone: 2, not_undone: [], done: true });
    expect(await card(source)).toMatchObject({ status: 'active' });
    const shown = (await lane.api.call('GET', `/v1/runs/${unit}`)).body;
    expect(shown.undone_at).not.toBeNull();
  });
});

describe('undo is refused', () => {
  test('of a dry run, and of a pass that has not ended', async () => {
    const dry = await pass(async () => {}, { dryRun: true });
    const running = await pass(async () => {}, { ended: false });
    const refused = async (run: string) => {
      const { status, body } = await undo(run);
      return [status, body.code];
    };
    expect(await refused(dry)).toEqual([409, 'dry_run']);
    expect(await refused(running)).toEqual([409, 'run_running']);
    const parent = await pass(async () => {});
    await adopt(running, parent);
    expect(await refused(parent)).toEqual([409, 'run_running']);
  });
});
