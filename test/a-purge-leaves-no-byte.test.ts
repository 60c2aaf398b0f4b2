import { countCardsToEmbed } from '../src/store/filing-late-vectors';
import { openProposalFor } from '../src/store/proposal-opening';
import { rollUpAll } from '../src/store/rollup';
import { withDatabase } from './support/admin';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const done = async (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options = {},
) => {
  const answer = await lane.api.call(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
};

/** Every row of every table, as text. */
async function everything(): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    lane,
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
      ORDER BY 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await rowsOf<{ row: string }>(lane, `SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join('\n').toLowerCase();
}

const holding = (text: string, words: readonly string[]) =>
  text
    .split('\n')
    .flatMap((row) =>
      words.filter((word) => row.includes(word)).map((word) => `${word} in ${row}`),
    );

const WORDS = [
  'zanzibar',
  'quokka',
  'xylophone',
  'wombat',
  'vervain',
  'yuzu',
  'jacaranda',
  'ocelot',
];

/** A card with words of its own wherever a card can hold some. */
async function telling(): Promise<string> {
  const id = await lane.filing.card({
    service: 'crane',
    operation: 'lift',
    outcome: 'failed',
    input: { load: 'zanzibar' },
    error: 'the quokka is too heavy',
    metadata: { note: 'wombat' },
  });
  const etag = (await done('GET', `/v1/cards/${id}`)).headers.get('etag') ?? '';
  await done('PATCH', `/v1/cards/${id}`, {
    headers: { 'if-match': etag },
    body: { summary: 'The xylophone was too heavy for the crane.', topic: 'vervain' },
  });
  await done('PUT', '/v1/agents/mate', { body: {} });
  await done('PUT', `/v1/cards/${id}/grants/mate`, { body: { purpose: 'for the yuzu' } });
  await done('POST', `/v1/cards/${id}/validation`, {
    body: { verdict: 'success', note: 'jacaranda' },
  });
  // Linked to what works, with the reason; and counted.
  lane.clock.advance(DAY);
  await lane.filing.card({ service: 'crane', operation: 'lift', input: { load: 'zanzibar-b' } });
  await lane.recall({ query: 'lift with the crane' });
  await rowsOf(
    lane,
    `INSERT INTO run_drafts (workspace_id, run_id, part, sources, draft, created_at)
     SELECT 'default', r.id, 'note', ARRAY[$1], '{"text": "an ocelot"}', $2 FROM runs r LIMIT 1`,
    [id, lane.clock.now()],
  );
  return id;
}

it('holds words everywhere before, and nowhere after; ids, captures and logs stay', async () => {
  const id = await telling();
  lane.clock.advance(DAY);
  await rollUpAll(lane.api.database, lane.clock.now());
  for (const word of WORDS)
    expect([word, (await everything()).includes(word)]).toEqual([word, true]);

  const other = (
    await rowsOf<{ id: string }>(lane, 'SELECT id FROM cards WHERE id <> $1', [id])
  )[0];
  await done('DELETE', `/v1/cards/${id}`);
  await done('DELETE', `/v1/cards/${other?.id}`);
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');

  expect(holding(await everything(), WORDS)).toEqual([]);
  const [card] = await rowsOf(lane, 'SELECT * FROM cards WHERE id = $1', [id]);
  expect(card).toMatchObject({
    status: 'deleted',
    summary: 'purged',
    agent_id: 'scout',
    version: 5,
  });
  expect(
    await rowsOf(lane, 'SELECT version, action FROM card_versions WHERE card_id = $1', [id]),
  ).toEqual([{ version: 5, action: 'purged' }]);
  expect(await rowsOf(lane, 'SELECT card_id FROM captures WHERE card_id = $1', [id])).toHaveLength(
    1,
  );
  const { body } = await done('GET', `/v1/audit?target=${id}`);
  expect(body.items.map(({ action }: { action: string }) => action)).toEqual([
    'card.purged',
    'card.deleted',
    'card.validated',
    'card.shared',
    'card.edited',
    'card.created',
  ]);
  expect(
    await rowsOf(lane, 'SELECT 1 FROM recall_cards WHERE card_id = $1', [id]),
  ).not.toHaveLength(0);
  for (const path of ['', '/history', '/edges', '/lineage', '/story']) {
    expect((await lane.api.call('GET', `/v1/cards/${id}${path}`)).status).toBe(404);
  }
});

it('lets no recall find it by any word, and counts no word of it', async () => {
  const id = await telling();
  const stays = await lane.filing.card({
    service: 'crane',
    operation: 'park',
    input: { at: 'dock' },
  });
  lane.clock.advance(DAY);
  await rollUpAll(lane.api.database, lane.clock.now());
  await done('DELETE', `/v1/cards/${id}`);
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  const { body } = await lane.recall({ query: 'xylophone crane park' });
  expect(body.cards.map((card: { id: string }) => card.id)).toContain(stays);
  expect(body.cards.map((card: { id: string }) => card.id)).not.toContain(id);
  const counted = 'SELECT term, cards::int FROM term_statistics ORDER BY term';
  const there = 'SELECT term, count(*)::int AS cards FROM card_terms GROUP BY term ORDER BY term';
  expect(await rowsOf(lane, counted)).toEqual(await rowsOf(lane, there));
});

it('keeps of a source the lineage of the living card, by ids alone', async () => {
  const source = await telling();
  const [note] = await rowsOf<{ id: string }>(lane, 'SELECT id FROM cards WHERE id <> $1 LIMIT 1', [
    source,
  ]);
  await rowsOf(
    lane,
    `INSERT INTO edges (workspace_id, id, type, from_card, to_card, confidence, reason, created_at)
     VALUES ('default', 'edge_of_note', 'derived_from', $1, $2, 1, 'an ocelot said so', $3)`,
    [note?.id, source, lane.clock.now()],
  );
  await done('DELETE', `/v1/cards/${source}`);
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  const edges = await rowsOf<{ type: string; reason: string }>(
    lane,
    'SELECT type, reason FROM edges WHERE to_card = $1 OR from_card = $1 ORDER BY type',
    [source],
  );
  expect(edges).toContainEqual({ type: 'derived_from', reason: 'purged' });
  expect(edges.filter(({ type }) => !['derived_from', 'satisfies'].includes(type))).toEqual([]);
  expect(edges.filter(({ reason }) => reason !== 'purged')).toEqual([]);
  const lineage = (await done('GET', `/v1/cards/${note?.id}/lineage`)).body;
  expect(lineage.sources).toEqual([]);
});

it('takes the words out of closed proposals that quote it, and leaves those of open ones', async () => {
  const id = await telling();
  const { id: proposal } = await lane.api.database.inWorkspace('default', (tx) =>
    openProposalFor(tx, {
      type: 'config_fix',
      matter: 'the crane',
      team: null,
      title: 'The crane fails',
      summary: 'The xylophone is too heavy.',
      draftedBy: 'fallback',
      evidence: [id],
      change: { team: '', workflow: 'crane', step: 'lift', fix: 'Leave the yuzu out.' },
      proposedBy: { kind: 'system', id: 'cairn' },
      channel: 'workflow',
      now: lane.clock.now(),
    }),
  );
  await done('DELETE', `/v1/cards/${id}`);
  lane.clock.advance(31 * DAY);
  await upkeep(lane, 'retention');
  const words = async () =>
    (
      await rowsOf<{ text: string }>(
        lane,
        'SELECT p::text AS text FROM proposals p WHERE id = $1',
        [proposal],
      )
    )[0]?.text ?? '';
  expect(await words()).toContain('xylophone');
  await rowsOf(lane, "UPDATE proposals SET status = 'expired' WHERE id = $1", [proposal]);
  const { counts, changes } = await upkeep(lane, 'retention');
  expect(counts).toMatchObject({ proposals_emptied: 1 });
  expect(changes).toContainEqual(
    expect.objectContaining({ change: 'purged', card_id: null, related: [proposal] }),
  );
  expect(holding((await words()).toLowerCase(), WORDS)).toEqual([]);
  expect((await done('GET', `/v1/proposals/${proposal}`)).body.change).toMatchObject({
    step: 'lift',
  });
});

it('spares what is held, and lets it go once it is not', async () => {
  const id = await telling();
  await done('DELETE', `/v1/cards/${id}`);
  const holds = (what: string) =>
    withDatabase(
      lane.api.testDatabase.url,
      `CREATE OR REPLACE FUNCTION is_held(p_workspace text, p_type text, p_id text) RETURNS boolean
       LANGUAGE sql STABLE AS $$ SELECT ${what} $$`,
    );
  await holds(`p_type = 'event' OR p_type = 'card' AND p_id = '${id}'`);
  lane.clock.advance(40 * DAY);
  expect((await upkeep(lane, 'retention')).counts).toEqual({});
  expect(await everything()).toContain('xylophone');
  await holds('false');
  expect((await upkeep(lane, 'retention')).counts).toMatchObject({
    purged: 1,
    payloads_dropped: 2,
  });
});

it('spares what a person restored at the last moment', async () => {
  const id = await telling();
  await done('DELETE', `/v1/cards/${id}`);
  lane.clock.advance(30 * DAY - 1);
  await upkeep(lane, 'retention');
  expect((await done('POST', `/v1/cards/${id}/restore`)).body.summary).toContain('xylophone');
  lane.clock.advance(90 * DAY);
  await upkeep(lane, 'retention');
  expect((await done('GET', `/v1/cards/${id}`)).body.summary).toContain('xylophone');
});

it('purges by its time only what left by its time: superseded cards stay as history, out of the index', async () => {
  await setPolicy(lane, { retention: { by_kind: { constraint: 'P5D' } } });
  const expired = await lane.filing.card({
    service: 'crane',
    operation: 'lift',
    outcome: 'failed',
    error: 'too windy',
  });
  const first = await lane.filing.card({
    service: 'crane',
    operation: 'limit',
    key: 'limit',
    input: { t: 5 },
  });
  lane.clock.advance(DAY);
  const second = await lane.filing.card({
    service: 'crane',
    operation: 'limit',
    key: 'limit',
    input: { t: 9 },
  });
  lane.clock.advance(5 * DAY);
  await upkeep(lane, 'retention');
  lane.clock.advance(31 * DAY);
  const { counts } = await upkeep(lane, 'retention');
  expect(counts).toMatchObject({ evicted: 1, purged: 1 });
  const rows = await rowsOf<{ id: string }>(
    lane,
    `SELECT id, status, evicted_at IS NULL AS indexed, purged_at IS NULL AS told,
            (SELECT count(*)::int FROM card_terms t WHERE t.card_id = c.id) > 0 AS words,
            (SELECT count(*)::int FROM card_embeddings e WHERE e.card_id = c.id) > 0 AS vector
       FROM cards c`,
  );
  const of = (id: string) => rows.find((row) => row.id === id);
  expect(of(expired)).toMatchObject({
    status: 'deleted',
    told: false,
    words: false,
    vector: false,
  });
  expect(of(first)).toMatchObject({
    status: 'superseded',
    told: true,
    indexed: false,
    words: false,
  });
  expect(of(second)).toMatchObject({ status: 'active', indexed: true, words: true, vector: true });
  expect((await done('GET', `/v1/cards/${first}`)).body.superseded_by).toBe(second);
  expect(await lane.api.database.inWorkspace('default', countCardsToEmbed)).toBe(0);
});
