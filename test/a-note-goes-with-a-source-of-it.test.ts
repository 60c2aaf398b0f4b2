import { insertCard } from '../src/store/card-writes';
import { type Approval, effectOf } from '../src/store/proposal-effects';
import type { ProposalRow } from '../src/store/proposal-row';
import { DAY, MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';
import { consolidateByHand } from './support/night';
import { plainCard } from './support/plain-card';

jest.setTimeout(60_000);

let lane: RecallLane;
beforeAll(async () => {
  lane = await startRecallLane();
  await lane.api.call('PUT', '/v1/agents/scout', { body: {} });
});
afterAll(() => lane?.close());

const rows = <Row>(sql: string, values: unknown[] = []) =>
  lane.api.database.inWorkspace('default', (tx) => tx.query<Row>(sql, values));
interface Standing {
  id: string;
  status: string;
  superseded_by: string | null;
}
const standing = async (ids: readonly string[]) => {
  const found = await rows<Standing>('SELECT * FROM cards WHERE id = ANY ($1)', [ids]);
  return ids.map((id) => found.find((row) => row.id === id));
};
const statuses = async (ids: readonly string[]) =>
  (await standing(ids)).map((card) => card?.status);

const night = async (agent: string) => {
  lane.clock.advance(DAY);
  const scope = { type: 'agent', id: agent } as const;
  return await consolidateByHand(lane.api.database, 'default', scope, lane.clock.now());
};

let agents = 0;
/** Six calls of an agent of its own, and the note of them. */
async function noted(): Promise<{ agent: string; sources: string[]; note: string }> {
  agents += 1;
  const agent = `worker-${agents}`;
  const sources: string[] = [];
  for (let at = 0; at < 6; at += 1) {
    lane.clock.advance(MINUTE);
    const [service, operation] = ['broker', `publish_${agents}`];
    const input = { stream: 'orders', batch: 10 + at };
    const output = { sent: at };
    sources.push(await lane.filing.card({ agent, service, operation, input, output }));
  }
  const [made] = await night(agent);
  const note = made?.card_id ?? '';
  expect(await statuses([note, ...sources])).toEqual([
    'active',
    ...sources.map(() => 'superseded'),
  ]);
  return { agent, sources, note };
}

const on = async (id: string, what: 'delete' | 'quarantine' | 'stop', body?: object) => {
  const [method, path] =
    what === 'delete' ? (['DELETE', ''] as const) : (['POST', `/${what}`] as const);
  const answer = await lane.api.call(
    method,
    `/v1/cards/${id}${path}`,
    body === undefined ? {} : { body },
  );
  if (answer.status >= 300) throw new Error(`${what}: ${answer.text}`);
};

/** A fact of the system that came of these. */
async function factOf(sources: readonly string[]): Promise<string> {
  const writer = { kind: 'system', id: 'reflection' } as const;
  const card = plainCard(`A fact, shown by ${sources.join(' and ')}.`, lane.clock.now(), {
    writer,
  });
  await lane.api.database.inWorkspace('default', (tx) =>
    insertCard(
      tx,
      card,
      null,
      sources.map((to) => ({
        type: 'derived_from',
        from: card.id,
        to,
        confidence: 1,
        reason: 'is',
      })),
    ),
  );
  return card.id;
}

describe('where a source of a note is taken away', () => {
  it.each([
    ['deleted', 'delete', undefined, 'archived'],
    ['held back', 'quarantine', undefined, 'archived'],
    ['stopped', 'stop', { derived: false, action: 'delete' }, 'archived'],
    ['stopped with all that came of it', 'stop', { derived: true }, 'quarantined'],
  ] as const)(
    '(%s) the note goes, and its other sources are in use again',
    async (_, what, body, becomes) => {
      const { agent, sources, note } = await noted();
      const [first = '', ...others] = sources;
      await on(first, what, body);
      const [gone, left] = await standing([note, first]);
      expect(gone?.status).toBe(becomes);
      expect(['deleted', 'quarantined']).toContain(left?.status);
      for (const card of await standing(others)) {
        expect(card).toMatchObject({ status: 'active', superseded_by: null });
      }
      const audit = await rows<{ action: string }>(
        "SELECT action FROM audit_log WHERE hashes ->> 'unmade_with' = $1 ORDER BY action",
        [first],
      );
      const unmade = becomes === 'archived' ? ['card.unmade'] : [];
      expect(audit.map(({ action }) => action).sort()).toEqual([
        ...others.map(() => 'card.restored'),
        ...unmade,
      ]);
      const recalled = await lane.recall(
        { query: `broker publish_${agents} stream orders`, intent: 'act' },
        { 'cairn-agent': agent },
      );
      expect(recalled.body.context).not.toContain('Lessons on');
      expect(recalled.body.cards.length).toBeGreaterThan(0);

      // Another night tells the rest without it.
      const [again] = await night(agent);
      expect(again).toMatchObject({ outcome: 'written', retired: 5 });
      const told = await rows<{ to_card: string }>(
        "SELECT to_card FROM edges WHERE from_card = $1 AND type = 'derived_from'",
        [again?.card_id],
      );
      expect(told.map(({ to_card }) => to_card).sort()).toEqual([...others].sort());
    },
  );

  it('each gets back the status that it had, with a version of its own', async () => {
    const { sources, note } = await noted();
    const [first = '', second = ''] = sources;
    await rows("UPDATE cards SET status_before = 'validated' WHERE id = $1", [second]);
    await on(first, 'delete');
    expect(await statuses([second])).toEqual(['validated']);
    const versions = await rows<{ version: number; action: string; by: string | null }>(
      `SELECT version, action, snapshot ->> 'superseded_by' AS by FROM card_versions
        WHERE card_id = $1 ORDER BY version`,
      [second],
    );
    expect(versions).toEqual([
      { version: 1, action: 'created', by: null },
      { version: 2, action: 'superseded', by: note },
      { version: 3, action: 'restored', by: null },
    ]);
  });

  it('one that is restored or released later is in use again too', async () => {
    for (const [what, back] of [
      ['delete', 'restore'],
      ['quarantine', 'release'],
    ] as const) {
      const { sources, note } = await noted();
      const [first = ''] = sources;
      await on(first, what);
      const { status } = await lane.api.call('POST', `/v1/cards/${first}/${back}`, { body: {} });
      expect(status).toBe(200);
      expect(await statuses([first, note])).toEqual(['active', 'archived']);
    }
  });

  it('two of them at one moment leave a whole state', async () => {
    const { sources, note } = await noted();
    const [first = '', second = '', ...others] = sources;
    const ends = await Promise.all(
      [first, second].map((id) => lane.api.call('DELETE', `/v1/cards/${id}`)),
    );
    expect(ends.map(({ status }) => status).sort()).not.toContain(500);
    expect(ends.some(({ status }) => status === 204)).toBe(true);
    expect(await statuses([note, ...others])).toEqual(['archived', ...others.map(() => 'active')]);
    for (const [at, { status }] of ends.entries()) {
      const [is] = await statuses([sources[at] ?? '']);
      expect(is).toBe(status === 204 ? 'deleted' : 'active');
    }
  });

  it('notes of other sources stay', async () => {
    const { note } = await noted();
    const other = await noted();
    await on(other.sources[0] ?? '', 'delete');
    expect(await statuses([note, other.note])).toEqual(['active', 'archived']);
  });
});

describe('a fact that a reflection made', () => {
  const card = async (summary: string) =>
    (await writeCard(lane.api, { summary, scope: { type: 'agent', id: 'scout' } })).id as string;

  it('stays while two of its sources stand, and goes with the next', async () => {
    const [a, b, c] = [await card('Pier one.'), await card('Pier two.'), await card('Pier three.')];
    const fact = await factOf([a, b, c]);
    await lane.api.call('POST', `/v1/cards/${a}/validation`, { body: { verdict: 'wrong' } });
    expect(await statuses([a, fact])).toEqual(['rejected', 'active']);
    await on(b, 'quarantine');
    expect(await statuses([b, fact, c])).toEqual(['quarantined', 'archived', 'active']);
  });

  it('goes with the side of a contradiction that a person decides against', async () => {
    const [kept, lost] = [await card('Gate four is open.'), await card('Gate four is shut.')];
    const facts = [await factOf([kept, await card('Gate five is open.')]), await factOf([lost])];
    const change = { winner: lost, loser: kept, card_versions: [1, 1] };
    const row = { change } as unknown as ProposalRow;
    const approval = {
      request: { by: 'owner' },
      winner: kept,
      workflowId: 'proposal/default/one',
      at: lane.clock.now(),
    } as unknown as Approval;
    await lane.api.database.inWorkspace('default', (tx) =>
      effectOf('contradiction').approve(tx, row, approval),
    );
    expect(await statuses([kept, lost])).toEqual(['validated', 'rejected']);
    expect(await statuses(facts)).toEqual(['active', 'archived']);
  });

  it('rests on what a note tells, and no more once the note is gone', async () => {
    const { sources, note } = await noted();
    const [first = '', second = '', third = ''] = sources;
    const told = await factOf([second, third]);
    const ofTheNote = await factOf([note, second]);
    await on(first, 'delete');
    expect(await statuses([note, told, ofTheNote])).toEqual(['archived', 'active', 'archived']);
  });
});
