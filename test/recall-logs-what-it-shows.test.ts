import { Client } from 'pg';
import { cardIds, HOUR, type RecallLane, startRecallLane } from './support/filing';
import { writeCard } from './support/fleet';

let lane: RecallLane;
const ids: Record<string, string> = {};

beforeAll(async () => {
  lane = await startRecallLane();
  const { api } = lane;
  const put = async (path: string, body: object) => {
    const { status, text } = await api.call('PUT', path, { body });
    if (status >= 300) throw new Error(`${path}: ${text}`);
  };
  await put('/v1/teams/pilots', { name: 'Pilots' });
  await put('/v1/agents/captain', {});
  await put('/v1/agents/old-scout', {});
  await put('/v1/agents/scout', { team: 'pilots', parent_agent: 'captain', succeeds: 'old-scout' });
  await put('/v1/agents/stranger', {});
  await put('/v1/agent-groups/crew', { members: ['scout'] });
  await put('/v1/subjects/ann', { household: 'harbour-street' });
  await put('/v1/subjects/bob', { household: 'harbour-street' });
  await put('/v1/people/ann', { name: 'Ann', role: 'member', subject: 'ann' });

  const by = (agent: string) => ({ key: lane.runtimeKey, headers: { 'cairn-agent': agent } });
  const card = async (name: string, fields: object, as: object = {}) => {
    ids[name] = (await writeCard(api, { summary: `A buoy, ${name}.`, ...fields }, as)).id;
  };
  await card('own', {}, by('scout'));
  await card('team', { scope: { type: 'team', id: 'pilots' } });
  await card('workspace', { scope: { type: 'workspace', id: 'default' } });
  await card('ancestor', {}, by('captain'));
  await card('predecessor', {}, by('old-scout'));
  await card('explicit', {}, by('stranger'));
  await card('agent_group', {}, by('stranger'));
  const strangers = { scope: { type: 'agent', id: 'stranger' } };
  await card('organization', { visibility: 'organization', ...strangers });
  await card('household', { visibility: 'household', subject: 'bob', ...strangers });
  await card('hidden', {}, by('stranger'));
  await put(`/v1/cards/${ids.explicit}/grants/scout`, {});
  await put(`/v1/cards/${ids.agent_group}/group-grants/crew`, {});
  // Visible in two ways more.
  await put(`/v1/cards/${ids.ancestor}/grants/scout`, {});
  await put(`/v1/cards/${ids.own}/group-grants/crew`, {});
  lane.clock.advance(HOUR);
});
afterAll(() => lane.close());

const buoys = (headers = {}, body = {}) =>
  lane.recall({ query: 'buoy', limit: 50, budget_tokens: 5000, ...body }, headers);

interface Row {
  via: string;
  count: number;
  card_ids: string[];
  agent: string | null;
  person: string | null;
  execution_mode: string;
  session: string | null;
  surface: string;
  at: string;
}

async function logged(recallId: string): Promise<Row[]> {
  return await lane.api.database.inWorkspace('default', (tx) =>
    tx.query<Row>(
      `SELECT l.via, l.count, l.card_ids, agent.name AS agent, person.name AS person, l.execution_mode,
              l.session, l.surface, l.at
         FROM access_log l
         LEFT JOIN surrogates agent ON agent.workspace_id = l.workspace_id AND agent.id = l.agent
         LEFT JOIN surrogates person ON person.workspace_id = l.workspace_id AND person.id = l.person
        WHERE l.recall_id = $1
        ORDER BY l.via`,
      [recallId],
    ),
  );
}

async function injected(recallId: string) {
  return await lane.api.database.inWorkspace('default', (tx) =>
    tx.query<{ card_id: string; position: number; section: string; score: number; via: string[] }>(
      `SELECT card_id, position, section, score, via FROM recall_cards
        WHERE recall_id = $1 ORDER BY position`,
      [recallId],
    ),
  );
}

describe('a recall', () => {
  it('leaves one row for each distinct way, and none for own cards', async () => {
    const reply = await buoys({ 'cairn-session': 'watch-1' });
    const rows = await logged(reply.body.recall_id);
    const byWay = Object.fromEntries(rows.map(({ via, card_ids }) => [via, card_ids]));
    expect(rows).toHaveLength(Object.keys(byWay).length);
    expect(byWay).toEqual({
      agent_group: [ids.agent_group],
      ancestor: [ids.ancestor],
      explicit: expect.arrayContaining([ids.explicit, ids.ancestor]),
      organization: [ids.organization],
      predecessor: [ids.predecessor],
      team: [ids.team],
      workspace: [ids.workspace],
    });
    for (const row of rows) {
      expect(row).toMatchObject({
        agent: 'scout',
        person: null,
        execution_mode: 'headless',
        session: 'watch-1',
        surface: 'recall',
        count: row.card_ids.length,
        at: lane.clock.text(),
      });
    }
  });

  it('names the person acted for, whose household cards come with them', async () => {
    const reply = await buoys({ 'cairn-person': 'ann', 'cairn-execution-mode': 'interactive' });
    expect(cardIds(reply)).toContain(ids.household);
    const rows = await logged(reply.body.recall_id);
    expect(rows.map(({ via }) => via)).toContain('household');
    for (const row of rows) {
      expect(row).toMatchObject({ person: 'ann', execution_mode: 'interactive' });
    }
  });

  it('by a person who names no agent is logged as via person, whosever the card is', async () => {
    const answer = await lane.api.call('POST', '/v1/recall', {
      body: { query: 'buoy', limit: 50, budget_tokens: 5000 },
    });
    expect(cardIds(answer).sort()).toEqual(Object.values(ids).sort());
    const rows = await logged(answer.body.recall_id);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ via: 'person', agent: null, person: 'owner', count: 10 });
  });

  it('of own cards alone leaves no row, and its injections all the same', async () => {
    const reply = await buoys({}, { filters: { metadata: {} }, limit: 1, query: 'buoy own' });
    expect(cardIds(reply)).toEqual([ids.own]);
    expect(await logged(reply.body.recall_id)).toEqual([]);
    expect(await injected(reply.body.recall_id)).toMatchObject([
      { card_id: ids.own, via: ['own', 'agent_group'] },
    ]);
  });

  it('that finds nothing leaves no row', async () => {
    const reply = await lane.recall({ query: 'zeppelin' });
    expect(reply.body).toMatchObject({ cards: [], sections: [], context: '', tokens: 0 });
    expect(await logged(reply.body.recall_id)).toEqual([]);
    expect(await injected(reply.body.recall_id)).toEqual([]);
  });

  it('records every injection, own ones too, where it stood and with what score', async () => {
    const reply = await buoys();
    const rows = await injected(reply.body.recall_id);
    expect(rows.map(({ card_id }) => card_id)).toEqual(cardIds(reply));
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_row, index) => index));
    for (const [index, row] of rows.entries()) {
      const card = reply.body.cards[index];
      expect(row.score).toBeCloseTo(card.score, 12);
      expect(row.via).toEqual(card.vias);
      const section = reply.body.sections.find(({ cards }: { cards: string[] }) =>
        cards.includes(row.card_id),
      );
      expect(row.section).toBe(section.name);
    }
  });

  it('does not log what the limit, the budget or a filter left out', async () => {
    const reply = await buoys({}, { limit: 2, explain: true });
    const rows = await logged(reply.body.recall_id);
    const seen = new Set(rows.flatMap(({ card_ids }) => card_ids));
    expect([...seen].every((id) => cardIds(reply).includes(id))).toBe(true);
    expect(await injected(reply.body.recall_id)).toHaveLength(2);
  });

  it('keeps neither the query nor a word of a card', async () => {
    const reply = await buoys({}, { query: 'buoy xylophone' });
    const kept = await lane.api.database.inWorkspace('default', (tx) =>
      tx.query<{ text: string }>(
        `SELECT to_jsonb(r)::text AS text FROM recalls r WHERE r.id = $1
         UNION ALL SELECT to_jsonb(i)::text FROM recall_cards i WHERE i.recall_id = $1
         UNION ALL SELECT to_jsonb(l)::text FROM access_log l WHERE l.recall_id = $1`,
        [reply.body.recall_id],
      ),
    );
    expect(kept.length).toBeGreaterThan(3);
    for (const { text } of kept) expect(text).not.toMatch(/xylophone|buoy/i);
  });
});

describe('pools', () => {
  it('count what was there to be found in each way, whatever was asked for', async () => {
    const none = { household: 0, person: 0 };
    const expected = {
      own: 1,
      team: 1,
      workspace: 1,
      ancestor: 1,
      predecessor: 1,
      explicit: 2,
      agent_group: 2,
      organization: 1,
      ...none,
    };
    expect((await buoys()).body.pools).toEqual(expected);
    expect((await lane.recall({ query: 'zeppelin', limit: 1 })).body.pools).toEqual(expected);
  });

  it('leave out what is no longer in use', async () => {
    await lane.api.call('POST', `/v1/cards/${ids.team}/quarantine`, { body: {} });
    expect((await buoys()).body.pools).toMatchObject({ team: 0, own: 1 });
    const person = await lane.api.call('POST', '/v1/recall', { body: { query: 'buoy' } });
    expect(person.body.pools).toMatchObject({ person: 9, own: 0 });
    await lane.api.call('POST', `/v1/cards/${ids.team}/release`, { body: {} });
  });
});

describe('no log, no answer', () => {
  /** As whoever owns the tables, past the roles and policies of the app. */
  async function asOwner(statement: string): Promise<void> {
    const client = new Client({ connectionString: lane.api.testDatabase.url });
    await client.connect();
    await client.query(statement);
    await client.end();
  }

  beforeAll(() =>
    asOwner(`
      CREATE FUNCTION break_the_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'the disk of the log is full'; END $$`),
  );

  it.each(['access_log', 'recall_cards', 'recalls'])(
    'a recall whose %s cannot be written answers with an error and no card',
    async (table) => {
      await asOwner(`CREATE TRIGGER broken BEFORE INSERT ON ${table} FOR EACH ROW
                     EXECUTE FUNCTION break_the_log()`);
      try {
        const answer = await lane.api.call('POST', '/v1/recall', {
          key: lane.runtimeKey,
          headers: { 'cairn-agent': 'scout' },
          body: { query: 'buoy', explain: true },
        });
        expect(answer.status).toBe(500);
        expect(answer.text).not.toMatch(/buoy|card_/i);
        expect(answer.body).toMatchObject({ status: 500, title: expect.any(String) });
      } finally {
        await asOwner(`DROP TRIGGER broken ON ${table}`);
      }
      expect((await buoys()).status).toBe(200);
    },
  );

  it('nor is a card read, listed, or walked to without its row', async () => {
    await asOwner(`CREATE TRIGGER broken BEFORE INSERT ON access_log FOR EACH ROW
                   EXECUTE FUNCTION break_the_log()`);
    try {
      for (const path of [
        `/v1/cards/${ids.team}`,
        `/v1/cards/${ids.team}/history`,
        `/v1/cards/${ids.team}/edges`,
        `/v1/cards/${ids.team}/lineage`,
        '/v1/cards',
        `/v1/graph?center=${ids.team}`,
      ]) {
        const { status, text } = await lane.api.call('GET', path, {
          key: lane.runtimeKey,
          headers: { 'cairn-agent': 'scout' },
        });
        expect([path, status]).toEqual([path, 500]);
        expect(text).not.toMatch(/buoy/i);
      }
      // Own cards need no row.
      const own = await lane.api.call('GET', `/v1/cards/${ids.own}`, {
        key: lane.runtimeKey,
        headers: { 'cairn-agent': 'scout' },
      });
      expect(own.status).toBe(200);
    } finally {
      await asOwner('DROP TRIGGER broken ON access_log');
    }
  });
});
