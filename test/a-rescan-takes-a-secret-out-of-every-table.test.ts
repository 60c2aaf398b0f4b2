import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollUpAll } from '../src/store/rollup';
import { Talk } from './support/conversations';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { rescan, whereIs } from './support/rescanning';
import { cardNumber, email, githubToken } from './support/secret-strings';
import { rowsOf, setPolicy } from './support/upkeep';

jest.setTimeout(180_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const TOKEN = githubToken(7);
const done = async (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options: Record<string, unknown> = {},
) => {
  const answer = await lane.api.call(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
};

const WORDS = [
  ...['card_terms.term', 'term_statistics.term', 'entities.name'],
  ...['conversations.asked_terms', 'conversation_details.terms', 'conversation_details.near'],
];

/** Puts the text where the mark stands, in every column that can hold it: as before the detector knew it. */
async function plant(mark: string, text: string): Promise<string[]> {
  const columns = await rowsOf<{ table: string; column: string; type: string }>(
    lane,
    `SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type
       FROM information_schema.columns c
       JOIN information_schema.tables t USING (table_schema, table_name)
      WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND c.data_type IN ('text', 'jsonb', 'ARRAY')
        AND c.table_name NOT IN ('audit_log', 'access_log', 'audit_chain')`,
  );
  const planted: string[] = [];
  for (const { table, column, type } of columns) {
    const cast = type === 'text' ? 'text' : type === 'jsonb' ? 'jsonb' : 'text[]';
    await lane.api.database.inWorkspace('default', async (tx) => {
      await tx.query("SELECT set_config('cairn.redacting', 'on', true)");
      const rows = await tx.query(
        `UPDATE ${table} SET "${column}" = replace("${column}"::text, $1, $2)::${cast}
          WHERE "${column}"::text LIKE '%' || $1 || '%' RETURNING 1`,
        // Words stand in an index as they are looked up.
        [mark, WORDS.includes(`${table}.${column}`) ? text.toLowerCase() : text],
      );
      if (rows.length > 0) planted.push(`${table}.${column}`);
    });
  }
  return planted;
}

/** A workspace with the mark wherever a workspace can hold words. */
async function told(): Promise<{ card: string; derived: string }> {
  await done('PUT', '/v1/agents/mate', { body: {} });
  await done('PUT', '/v1/projects/spring', { body: { name: 'plant4711here spring' } });
  await done('PUT', '/v1/teams/red', { body: { name: 'plant4711here red' } });
  const card = await lane.filing.card({
    service: 'vault',
    operation: 'open',
    outcome: 'failed',
    input: { with: 'plant4711here', door: 'north' },
    error: 'ValueError: plant4711here was not taken',
    metadata: { seen: 'plant4711here' },
  });
  const etag = (await done('GET', `/v1/cards/${card}`)).headers.get('etag') ?? '';
  await done('PATCH', `/v1/cards/${card}`, {
    headers: { 'if-match': etag },
    body: { topic: 'doors', summary: 'The vault did not open with plant4711here.' },
  });
  await done('PUT', `/v1/cards/${card}/grants/mate`, { body: { purpose: 'for plant4711here' } });
  await done('POST', `/v1/cards/${card}/validation`, {
    body: { verdict: 'success', note: 'it was plant4711here' },
  });
  lane.clock.advance(DAY);
  const derived = await lane.filing.card({
    service: 'vault',
    operation: 'open',
    input: { door: 'north' },
  });
  await rowsOf(lane, `UPDATE edges SET reason = 'both tell of plant4711here'`);
  await done('PUT', '/v1/notes/door', {
    headers: { 'cairn-agent': 'scout' },
    body: { value: 'The word of the north door is plant4711here.' },
  });
  const talk = await new Talk(lane.api, { id: 'talk-1', agent: 'scout' }).start({});
  await talk.say(
    ['user', 'Which word opens the north door, is it plant4711here?'],
    ['assistant', 'We decided: plant4711here opens it, at 10:30 on Friday.'],
  );
  await talk.summarise('They speak of plant4711here.', 1);
  await done('PUT', '/v1/sessions/run-1/blackboard/word', {
    headers: { 'cairn-agent': 'scout' },
    body: { value: { said: 'plant4711here' } },
  });
  await done('PUT', '/v1/agents/helper', { body: { parent_agent: 'scout', restricted: true } });
  await done('POST', '/v1/cards', {
    key: await lane.api.keyFor({ kind: 'agent', id: 'helper' }),
    body: { summary: 'Heard of plant4711here.' },
  });
  await rowsOf(
    lane,
    `INSERT INTO run_drafts (workspace_id, run_id, part, sources, draft, created_at)
     SELECT 'default', r.id, 'note', ARRAY[$1], '{"text": "a draft of plant4711here"}', $2 FROM runs r LIMIT 1`,
    [card, lane.clock.now()],
  );
  await rollUpAll(lane.api.database, new Date(lane.clock.now().getTime() + DAY));
  return { card, derived };
}

/** Versions and places of everything that a rescan is to leave alone. */
const untouched = async (but: string) => ({
  cards: await rowsOf(
    lane,
    'SELECT id, version, summary, edited_at, status FROM cards WHERE summary NOT LIKE $1 ORDER BY id',
    [`%${but}%`],
  ),
  edges: await rowsOf(
    lane,
    'SELECT id, type, from_card, to_card, confidence FROM edges ORDER BY id',
  ),
});

it('leaves none of it anywhere, by a dry run says where it is, and does nothing twice', async () => {
  const { card } = await told();
  const clean = await rescan(lane);
  expect(clean.result).toMatchObject({ status: 'completed', found: 0, repaired: 0, rounds: 1 });

  const planted = await plant('plant4711here', TOKEN);
  expect(planted).toEqual(
    expect.arrayContaining([
      ...['events.payload', 'cards.summary', 'cards.input_fields', 'card_versions.snapshot'],
      ...['edges.reason', 'card_grants.purpose', 'reasons.text', 'messages.content'],
      ...['conversations.summary', 'conversation_details.text', 'blackboard.value'],
      ...['pending_writes.content', 'run_drafts.draft', 'teams.name', 'projects.name'],
      ...['card_terms.term', 'term_statistics.term', 'entities.name', 'conversations.asked_terms'],
    ]),
  );
  const before = await untouched(TOKEN);

  const dry = await rescan(lane, { dryRun: true });
  expect(dry.result).toMatchObject({ status: 'completed', dry_run: true, repaired: 0, rounds: 1 });
  expect(dry.result.found).toBeGreaterThan(15);
  expect(dry.places).toMatchObject({
    events: { token: expect.any(Number) },
    cards: { token: expect.any(Number) },
    messages: { token: 2 },
    teams: { token: 1 },
  });
  expect(JSON.stringify(dry)).not.toContain(TOKEN);
  expect(await whereIs(lane, [TOKEN])).toContain(`cards: ${TOKEN}`);

  const repaired = await rescan(lane, { twice: true });
  expect(repaired.result).toMatchObject({ status: 'completed', rounds: 2, left: 0 });
  expect(repaired.result.found).toBe(dry.result.found);
  expect(await whereIs(lane, [TOKEN])).toEqual([]);

  // Nothing else has moved: what told nothing keeps its version, and every edge stays.
  const after = await untouched(TOKEN);
  const ids = new Set((before.cards as { id: string }[]).map(({ id }) => id));
  expect((after.cards as { id: string }[]).filter(({ id }) => ids.has(id))).toEqual(before.cards);
  expect(after.edges).toEqual(before.edges);
  const shown = (await done('GET', `/v1/cards/${card}`)).body;
  expect(shown.summary).toBe('The vault did not open with [REDACTED_TOKEN].');
  expect(shown.topic).toBe('doors');

  expect((await rescan(lane)).result).toMatchObject({ found: 0, repaired: 0, rounds: 1 });
});

it('finds nothing in what intake let in: a fleet at work, its warnings, notes and numbers', async () => {
  const file = join(__dirname, '..', 'samples', 'fleet.jsonl');
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    await lane.filing.file(JSON.parse(line));
  }
  const before = await rowsOf(lane, 'SELECT id, version FROM cards ORDER BY id');
  expect(before.length).toBeGreaterThan(30);
  const { result } = await rescan(lane);
  expect(result).toMatchObject({ status: 'completed', found: 0, repaired: 0, identifiers: 0 });
  expect(await rowsOf(lane, 'SELECT id, version FROM cards ORDER BY id')).toEqual(before);
});

it('says on record what it changed, by names of fields and numbers, with its own line in each history', async () => {
  const { card } = await told();
  await plant('plant4711here', TOKEN);
  const { operationId } = await rescan(lane);
  const { items } = (await done('GET', `/v1/audit?target=${card}`)).body;
  expect(items[0]).toMatchObject({
    action: 'card.redacted',
    changed: expect.arrayContaining(['summary', 'metadata']),
    versions: [3, 4],
    actor: { kind: 'system', id: 'rescan' },
  });
  const history = (await done('GET', `/v1/cards/${card}/history`)).body.items;
  expect(history.at(-1)).toMatchObject({ version: 4, action: 'redacted' });
  expect(JSON.stringify(history)).not.toContain(TOKEN);
  const run = (await done('GET', `/v1/runs/${operationId}`)).body;
  expect(run).toMatchObject({ type: 'rescan', status: 'completed' });
  expect(run.counts.cards).toBeGreaterThan(1);
  expect(run.diff).toContainEqual(
    expect.objectContaining({ change: 'edited', card_id: card, reason: 'redacted' }),
  );
  expect(JSON.stringify(run)).not.toContain(TOKEN);
  const repaired = (await done('GET', '/v1/audit?action=rescan.repaired')).body.items;
  expect(repaired.flatMap(({ changed }: { changed: string[] }) => changed)).toContain(
    'messages.content',
  );
});

it('finds the card by its new words at once, and by its meaning once it has a vector again', async () => {
  const { card } = await told();
  await plant('plant4711here', TOKEN);
  await rescan(lane);
  const [row] = await rowsOf(
    lane,
    `SELECT embedder, (SELECT count(*)::int FROM card_embeddings e WHERE e.card_id = c.id) AS vectors,
            (SELECT count(*)::int FROM card_terms t WHERE t.card_id = c.id) > 0 AS words
       FROM cards c WHERE id = $1`,
    [card],
  );
  expect(row).toEqual({ embedder: null, vectors: 0, words: true });
  expect(await rowsOf(lane, "SELECT 1 FROM outbox WHERE action = 'start_embed'")).toHaveLength(1);
  const { body } = await lane.recall({ query: 'the vault did not open' });
  expect(body.cards.map(({ id }: { id: string }) => id)).toContain(card);
});

it('takes a password from wherever it has passed on, with nothing around it that tells', async () => {
  const word = ['Tr0ub4', 'dor'].join('');
  const card = await lane.filing.card({
    service: 'vault',
    operation: 'open',
    input: { door: 'north' },
    text: 'opened',
  });
  await lane.api.database.inWorkspace('default', async (tx) => {
    await tx.query("SELECT set_config('cairn.redacting', 'on', true)");
    await tx.query(
      `UPDATE events SET payload = jsonb_set(payload, '{input,password}', to_jsonb($1::text))`,
      [word],
    );
    await tx.query(
      `UPDATE cards SET summary = 'Opened the north door by ' || $1::text || '.', keywords = ARRAY[lower($1)]`,
      [word],
    );
    await tx.query(
      `UPDATE card_versions SET snapshot = jsonb_set(snapshot, '{summary}', to_jsonb($1::text))`,
      [`Opened by ${word}.`],
    );
  });
  await rescan(lane);
  expect(await whereIs(lane, [word])).toEqual([]);
  expect((await done('GET', `/v1/cards/${card}`)).body.summary).toBe(
    'Opened the north door by [REDACTED_PASSWORD].',
  );
});

it('follows the directory and the policy: a name that is marked, contacts that were kept', async () => {
  await setPolicy(lane, { redaction: { contact_data: 'keep_for_subjects' } });
  const mail = email();
  await done('PUT', '/v1/subjects/guest-7', { body: { name: 'Mia Lindqvist' } });
  await done('PUT', '/v1/agents/scout', { body: {} });
  const summary = `Mia Lindqvist takes the room by the lake and hears of it at ${mail}.`;
  const made = await done('POST', '/v1/cards', {
    headers: { 'cairn-agent': 'scout' },
    body: { summary, subject: 'guest-7' },
  });
  const card = made.body.id;
  expect((await done('GET', `/v1/cards/${card}`)).body.summary).toContain(mail);
  const due = () =>
    rowsOf<{ due: boolean }>(
      lane,
      "SELECT scanned_as IS DISTINCT FROM '1/' || redaction_changes AS due FROM workspaces",
    );
  expect(await due()).toEqual([{ due: false }]);
  await done('PUT', '/v1/subjects/guest-7', { body: { name: 'Mia Lindqvist', redact_name: true } });
  expect(await due()).toEqual([{ due: true }]);
  await setPolicy(lane, { redaction: { contact_data: 'tokenize' } });
  const { places } = await rescan(lane);
  expect(places.cards).toMatchObject({ name: expect.any(Number), email: expect.any(Number) });
  // The directory is where the name lives.
  expect(await whereIs(lane, ['Mia Lindqvist', mail])).toEqual(['subjects: Mia Lindqvist']);
  expect(await due()).toEqual([{ due: false }]);
});

it('repairs an edit that was made meanwhile as it then is, and overwrites none', async () => {
  const { card } = await told();
  await plant('plant4711here', TOKEN);
  const number = cardNumber();
  let edited = false;
  const { result } = await rescan(lane, {
    meanwhile: async (step, place) => {
      if (step !== 'repair' || place !== 'card_versions' || edited) return;
      edited = true;
      // By an older process that knows less.
      await rowsOf(
        lane,
        `UPDATE cards SET summary = 'Paid by ' || $2::text, version = version + 1 WHERE id = $1`,
        [card, number],
      );
    },
  });
  expect(result).toMatchObject({ status: 'completed', left: 0, rounds: 3 });
  expect(await whereIs(lane, [TOKEN, number])).toEqual([]);
  expect((await done('GET', `/v1/cards/${card}`)).body.summary).toBe('Paid by [REDACTED_CARD]');
});

it('names what only an erasure can take away: an identifier that would be refused today', async () => {
  await lane.filing.card({ service: 'vault', operation: 'open', input: { door: 'north' } });
  await rowsOf(lane, 'UPDATE cards SET service = $1', [TOKEN]);
  const { result } = await rescan(lane);
  expect(result).toMatchObject({ status: 'completed', identifiers: 1, repaired: 0 });
});

it('is asked for by who governs, once a key, and may be cancelled', async () => {
  const ask = (key: string | undefined, headers: Record<string, string> = {}) =>
    lane.api.call('POST', '/v1/runs/rescan', {
      headers,
      body: { dry_run: true },
      ...(key === undefined ? {} : { key }),
    });
  expect((await ask(await lane.api.keyOf('reviewer'))).status).toBe(403);
  const once = { 'idempotency-key': 'rescan-1' };
  const operator = await lane.api.keyOf('operator');
  const first = await ask(operator, once);
  expect([first.status, (await ask(operator, once)).body]).toEqual([202, first.body]);
  expect((await ask(undefined)).status).toBe(202);
  const sent = await rowsOf<{ workflow_id: string }>(
    lane,
    "SELECT workflow_id FROM outbox WHERE action = 'start_rescan' ORDER BY id",
  );
  expect(sent.map(({ workflow_id }) => workflow_id)).toEqual([
    'rescan/default/1',
    'rescan/default/2',
  ]);
  const { operation_id } = first.body;
  expect((await done('GET', `/v1/runs/${operation_id}`)).body).toMatchObject({
    type: 'rescan',
    dry_run: true,
    asked_by: 'the-operator',
  });
  expect((await lane.api.call('POST', `/v1/runs/${operation_id}/cancel`, {})).status).toBe(202);
  expect((await lane.api.call('POST', `/v1/runs/${operation_id}/undo`, {})).status).toBe(409);
});
