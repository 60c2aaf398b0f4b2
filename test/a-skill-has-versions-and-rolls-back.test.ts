import { startApi, type TestApi } from './support/api';
import { type Fleet, makeFleet } from './support/fleet';
import { NEWSLETTER, ORIGIN, Skills } from './support/skills';

let api: TestApi;
let fleet: Fleet;
let planner: Skills;
beforeAll(async () => {
  api = await startApi();
  fleet = await makeFleet(api);
  planner = new Skills(api, { key: fleet.planner });
});
afterAll(() => api.close());

const named = (name: string) => ({ ...NEWSLETTER, name });
const BODY = '## Steps\n\n1. Call list_readers\n2. Call send_batch with at most 50';

it('a skill is a card of its agent, in use at once, and says what it is for', async () => {
  const made = await planner.made({ ...NEWSLETTER, tests: [ORIGIN] });
  expect(made.body).toMatchObject({
    name: 'send-the-newsletter',
    version: 1,
    status: 'current',
    version_status: 'current',
    description: NEWSLETTER.description,
    scope: { type: 'agent', id: 'planner' },
    document: NEWSLETTER.document,
    tests: [{ kind: 'origin', passed: true, case: { trace: ORIGIN.trace } }],
    test_result: { passed: 1, failed: 0, regressions: [] },
    provenance: { writer: { kind: 'agent', id: 'planner' }, events: [], cards: [] },
  });
  expect(made.body.body).toContain('## Steps\n\n1. Fetch the readers.');
  expect(made.headers.get('etag')).toBe('"1"');
  const read = await planner.get('/send-the-newsletter');
  expect([read.status, read.body]).toEqual([200, made.body]);
  const card = await api.call('GET', `/v1/cards/${made.body.card_id}`, { key: fleet.planner });
  expect(card.body).toMatchObject({
    kind: 'skill_lesson',
    tier: 'procedural',
    sign: 'worked',
    status: 'pending',
    hints: { service: 'mailer', operation: null },
  });
  expect(card.body.summary).toBe(
    'Skill send-the-newsletter: Sends the newsletter to all readers, in batches. Every reader has the newsletter once. ' +
      'Before: The list of readers is of today. Calls mailer.list_readers, mailer.send_batch.',
  );
  const recalled = await api.call('POST', '/v1/recall', {
    key: fleet.planner,
    body: { query: 'send the newsletter to the readers' },
  });
  expect(recalled.body.sections).toMatchObject([{ name: 'worked', cards: [made.body.card_id] }]);
});

it('a name is one skill of its scope, and free again when that is deleted', async () => {
  const first = await planner.made(named('taken'));
  const again = await planner.post('', named('taken'));
  expect([again.status, again.body.code]).toEqual([409, 'name_taken']);
  expect((await new Skills(api, { key: fleet.coder }).post('', named('taken'))).status).toBe(201);
  const path = `/v1/cards/${first.body.card_id}`;
  await api.call('DELETE', path, { key: fleet.planner });
  expect((await planner.get('/taken')).status).toBe(404);
  const second = await planner.made(named('taken'));
  expect(second.body.card_id).not.toBe(first.body.card_id);
  const restored = await api.call('POST', `${path}/restore`, { body: {} });
  expect([restored.status, restored.body.code]).toEqual([409, 'key_taken']);
});

it('a version is a draft until its tests are run, and then the card says what it says', async () => {
  const { body: made } = await planner.made({ ...named('drafted'), tests: [ORIGIN] });
  const added = await planner.post('/drafted/versions', { body: BODY, description: 'By fifties.' });
  expect([added.status, added.body]).toEqual([
    201,
    expect.objectContaining({ version: 2, status: 'draft', version_status: 'draft' }),
  ]);
  expect((await planner.get('/drafted')).body).toMatchObject({ version: 1, latest_version: 2 });
  const dry = await planner.post('/drafted/versions/2/test', { dry_run: true });
  expect(dry.body).toMatchObject({ version_status: 'draft', current_version: 1 });
  const tested = await planner.post('/drafted/versions/2/test');
  expect(tested.body).toMatchObject({
    version: 2,
    status: 'current',
    current_version: 2,
    test_result: { passed: 1, failed: 0 },
  });
  expect((await planner.get('/drafted?version=1')).body).toMatchObject({
    status: 'deprecated',
    version_status: 'retired',
  });
  const { body: card } = await api.call('GET', `/v1/cards/${made.card_id}`, { key: fleet.planner });
  expect([card.version, card.summary]).toEqual([2, 'Skill drafted: By fifties.']);
  const versions = await planner.get('/drafted/versions');
  expect(
    versions.body.items.map((one: { version: number; status: string }) => [
      one.version,
      one.status,
    ]),
  ).toEqual([
    [2, 'current'],
    [1, 'retired'],
  ]);
  const page = await planner.get('/drafted/versions?limit=1');
  expect([page.body.items.length, page.body.total]).toEqual([1, 2]);
  const next = await planner.get(`/drafted/versions?limit=1&cursor=${page.body.next_cursor}`);
  expect(next.body.items).toEqual([versions.body.items[1]]);
});

it('two versions differ by section', async () => {
  await planner.made(named('compared'));
  const { document } = NEWSLETTER;
  const changed = {
    ...document,
    preconditions: [],
    steps: [document.steps[1], document.steps[0]],
    causes: ['A batch holds at most 50.'],
  };
  await planner.post('/compared/versions', { document: changed });
  const { body } = await planner.get('/compared/diff?from=1&to=2');
  expect(body).toEqual({
    name: 'compared',
    from: 1,
    to: 2,
    sections: [
      { section: 'preconditions', added: [], removed: ['The list of readers is of today'] },
      { section: 'steps', added: [], removed: [], reordered: true },
      {
        section: 'causes',
        added: ['A batch holds at most 50.'],
        removed: ['A batch holds at most 100.'],
      },
    ],
  });
  expect((await planner.get('/compared/diff?from=2&to=2')).body.sections).toEqual([]);
  expect((await planner.get('/compared/diff?from=1&to=3')).status).toBe(404);
});

it('a rollback takes the version before back into use, or one that is named', async () => {
  const { body: made } = await planner.made(named('rolled'));
  const nothing = await planner.post('/rolled/rollback');
  expect([nothing.status, nothing.body.code]).toEqual([409, 'nothing_before']);
  for (const n of [2, 3]) {
    await planner.post('/rolled/versions', { body: `${BODY}, in way ${n}` });
    await planner.post(`/rolled/versions/${n}/test`);
  }
  expect((await planner.post('/rolled/rollback')).body).toMatchObject({
    version: 2,
    status: 'current',
  });
  expect((await planner.post('/rolled/rollback', { version: 3 })).body.version).toBe(3);
  await planner.post('/rolled/versions', { body: BODY });
  const never = await planner.post('/rolled/rollback', { version: 4 });
  expect([never.status, never.body.code]).toEqual([409, 'never_current']);
  const { body: history } = await api.call('GET', `/v1/cards/${made.card_id}/history`, {
    key: fleet.planner,
  });
  expect(history.items.map((one: { action: string }) => one.action)).toEqual([
    ...['created', 'skill_version', 'skill_version', 'skill_rollback', 'skill_rollback'],
  ]);
  const audited = await api.call('GET', `/v1/audit?target=${made.card_id}&limit=20`);
  const actions = audited.body.items.map((one: { action: string }) => one.action);
  expect(actions.filter((one: string) => one === 'card.skill_rollback')).toHaveLength(2);
  expect(audited.text).not.toContain('Fetch the readers');
});

it('a deprecated skill is found no more, names what to use instead, and comes back', async () => {
  await planner.made({ ...named('old-way'), description: 'Rows the galley.' });
  await planner.made({ ...named('new-way'), description: 'Rows the galley faster.' });
  const foundBy = async (query: string) =>
    (await planner.get(`?query=${query}`)).body.items.map((one: { name: string }) => one.name);
  expect((await foundBy('galley')).sort()).toEqual(['new-way', 'old-way']);
  const told = await planner.post('/old-way/deprecate', { replaced_by: 'new-way' });
  expect(told.body).toMatchObject({ status: 'deprecated', replaced_by: 'new-way' });
  expect(await foundBy('galley')).toEqual(['new-way']);
  expect((await planner.get('/old-way')).body).toMatchObject({ status: 'deprecated', version: 1 });
  expect((await planner.post('/old-way/deprecate', { replaced_by: 'no-way' })).status).toBe(404);
  await planner.post('/old-way/rollback', { version: 1 });
  expect((await planner.get('/old-way')).body).toMatchObject({
    ...{ status: 'current', deprecated_at: null, replaced_by: null },
  });
});

it('sent twice is done once, and a version that was not the one read is refused', async () => {
  const once = { 'idempotency-key': 'skill-once' };
  const first = await planner.post('', named('once'), once);
  const second = await planner.post('', named('once'), once);
  expect([second.status, second.body]).toEqual([201, first.body]);
  const stale = await planner.post('/once/versions', { body: BODY }, { 'if-match': '"7"' });
  expect([stale.status, stale.body.code]).toEqual([412, 'stale_version']);
  const key = { 'idempotency-key': 'version-once', 'if-match': '"1"' };
  await planner.post('/once/versions', { body: BODY }, key);
  await planner.post('/once/versions', { body: BODY }, key);
  expect((await planner.get('/once/versions')).body.total).toBe(2);
});

it('of ten that write one name at one moment one does', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => planner.post('', named('contested'))),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([201, 409, 409, 409, 409, 409, 409, 409, 409, 409]);
  const { body } = await planner.get('?limit=500');
  const held = body.items.filter((one: { name: string }) => one.name === 'contested');
  expect(held).toHaveLength(1);
  const cards = await api.call('GET', '/v1/cards?q=contested', { key: fleet.planner });
  expect(cards.body.total).toBe(1);
});

it('ten that add versions at one moment add ten', async () => {
  await planner.made(named('raced'));
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => planner.post('/raced/versions', { body: `${BODY} ${n}` })),
  );
  expect(answers.map(({ body }) => body.version).sort((a, b) => a - b)).toEqual([
    ...[2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  ]);
  const tested = await Promise.all(
    [2, 3, 4, 5].map((n) => planner.post(`/raced/versions/${n}/test`)),
  );
  expect(tested.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { items } = (await planner.get('/raced/versions')).body;
  expect(items.filter((one: { status: string }) => one.status === 'current')).toHaveLength(1);
});

it('what it says is changed by a version and never on its card; the rest of the card is corrected as any', async () => {
  const { body: skill } = await planner.made(named('versioned'));
  const path = `/v1/cards/${skill.card_id}`;
  const { body: card } = await api.call('GET', path, { key: fleet.planner });
  const patch = (body: object, key = fleet.planner) =>
    api.call('PATCH', path, { key, body, headers: { 'if-match': `"${card.version}"` } });
  for (const body of [{ summary: 'Send it thrice.' }, { kind: 'knowledge' }, { sign: 'failed' }]) {
    const refused = await patch(body);
    expect([refused.status, refused.body.code]).toEqual([409, 'skill_versioned']);
    expect(refused.body.detail).toMatch(/change that by a new version/);
  }
  const told = await patch({ importance: 9, summary: card.summary });
  expect([told.status, told.body.importance, told.body.summary]).toEqual([200, 9, card.summary]);
});
