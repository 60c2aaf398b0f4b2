import { CairnClient, CairnError, type SettledEvent } from '../src/client/index';
import { startApi, type TestApi } from './support/api';

let api: TestApi;
let owner: CairnClient;

beforeAll(async () => {
  api = await startApi();
  owner = new CairnClient({ url: `${api.url}/`, key: api.ownerKey });
});
afterAll(() => api.close());

function event(id: string, more: Partial<SettledEvent> = {}): SettledEvent {
  return {
    event_id: id,
    kind: 'service_call',
    agent: 'herald',
    service: 'mailer',
    operation: 'send_bulk',
    outcome: 'worked',
    occurred_at: '2026-03-02T09:00:00Z',
    input: { campaign: id },
    ...more,
  };
}

async function refusalOf(call: Promise<unknown>): Promise<CairnError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CairnError)) throw new Error(`no CairnError but ${String(error)}`);
  return error;
}

test('a captured event answers with a handle, and the same one again as a duplicate', async () => {
  const first = await owner.capture(event('once'));
  expect(first).toMatchObject({
    eventId: 'once',
    status: 'accepted',
    disposition: 'pending',
    workflowId: 'capture/default/once',
  });
  const again = await owner.capture(event('once'));
  expect(again).toMatchObject({ status: 'duplicate', operationId: first.operationId });
});

test('a refused event is thrown with status, code and what to do', async () => {
  await owner.capture(event('taken'));
  const error = await refusalOf(owner.capture(event('taken', { outcome: 'failed' })));
  expect(error).toMatchObject({ status: 409, code: 'event_id_conflict' });
  expect(error.message).toBe(error.detail);
  expect(error.problem).toMatchObject({ items: [{ status: 'refused' }] });
});

test('many are sent 500 at a time, and each has its outcome at its own place', async () => {
  const events = Array.from({ length: 503 }, (_one, index) => event(`many-${index}`));
  events[501] = { ...event('many-501'), occurred_at: 'yesterday' };
  const outcomes = await owner.captureMany(events);
  expect(outcomes).toHaveLength(503);
  expect(outcomes[501]).toMatchObject({
    status: 'refused',
    index: 501,
    eventId: 'many-501',
    reason: { code: 'invalid', pointer: '/occurred_at' },
  });
  expect(outcomes[502]).toMatchObject({ status: 'accepted', eventId: 'many-502' });
  expect(outcomes.filter(({ status }) => status === 'accepted')).toHaveLength(502);
});

test('a result that is not there in time is a deadline, and the event stays taken', async () => {
  const handle = await owner.capture(event('slow'));
  const error = await refusalOf(handle.result({ deadlineMs: 0 }));
  expect(error).toMatchObject({ status: 0, code: 'deadline' });
  expect(await owner.operations.get(handle.operationId)).toMatchObject({ state: 'pending' });
  expect(await owner.events.get('slow')).toMatchObject({ disposition: 'pending', agent: 'herald' });
});

test('a card is made, found, corrected from its version, deleted and restored', async () => {
  const made = await owner.cards.create({
    summary: 'The mailer takes at most 400 recipients a call.',
    kind: 'convention',
    scope: { type: 'workspace', id: 'default' },
    hints: { service: 'mailer' },
  });
  if ('pending_write_id' in made) throw new Error('an owner writes at once');
  const changed = await owner.cards.update(made.id, made.version, {
    summary: 'The mailer takes at most 300 recipients a call.',
  });
  expect(changed.version).toBe(made.version + 1);
  const stale = await refusalOf(owner.cards.update(made.id, made.version, { importance: 9 }));
  expect(stale).toMatchObject({ status: 412 });

  const { items: versions } = await owner.cards.history(made.id);
  expect(versions.map(({ version }) => version)).toEqual([1, 2]);
  expect((await owner.cards.edges(made.id)).items).toEqual([]);
  expect((await owner.cards.lineage(made.id)).sources).toEqual([]);
  expect((await owner.cards.visibleTo(made.id)).agents).toContainEqual(
    expect.objectContaining({ agent: 'herald', via: 'workspace' }),
  );
  await owner.with({ agent: 'herald' }).cards.get(made.id);
  expect((await owner.cards.readers(made.id)).items).toContainEqual(
    expect.objectContaining({ agent: 'herald' }),
  );
  expect(await owner.cards.validate(made.id, 'success', 'held twice')).toMatchObject({
    status: 'validated',
  });

  await owner.cards.delete(made.id);
  expect(await refusalOf(owner.cards.get(made.id))).toMatchObject({ status: 404 });
  await owner.cards.restore(made.id);
  expect(await owner.cards.get(made.id)).toMatchObject({ id: made.id });
});

test('iterating walks every page', async () => {
  for (const part of ['one', 'two', 'three']) {
    await owner.cards.create({
      summary: `Part ${part} of the walk.`,
      hints: { service: 'walk' },
      scope: { type: 'workspace', id: 'default' },
    });
  }
  const seen: string[] = [];
  for await (const card of owner.cards.iterate({ service: 'walk', limit: 1 })) {
    seen.push(card.summary);
  }
  expect(seen).toHaveLength(3);
  const { total } = await owner.cards.list({
    service: 'walk',
    kind: ['knowledge', 'experience'],
    limit: 1,
  });
  expect(total).toBe(3);
});

test('recall answers for the agent that is named, and feedback reaches it', async () => {
  const herald = owner.with({ agent: 'herald', session: 'run-1' });
  await herald.cards.create({ summary: 'Zeppelin letters go out on Mondays.', kind: 'knowledge' });
  const answer = await herald.recall({ query: 'zeppelin letters', limit: 3 });
  const [card] = answer.cards;
  expect(card).toMatchObject({ summary: 'Zeppelin letters go out on Mondays.', via: 'own' });
  await herald.feedback(answer.recall_id, { card_id: card?.id ?? '', useful: true });
  const same = await herald.recall({
    query: 'zeppelin letters',
    limit: 3,
    if_context_version: answer.context_version,
  });
  expect(same).toBeNull();
});

test('notes, agents, people, keys and the policy have their basics', async () => {
  const herald = owner.with({ agent: 'herald' });
  await herald.notes.put('send-cap', '400 a call');
  await herald.notes.put('send-cap', '300 a call');
  expect(await herald.notes.get('send-cap')).toMatchObject({ value: '300 a call', version: 2 });
  expect((await herald.notes.list()).total).toBe(1);
  await herald.notes.delete('send-cap');
  expect(await refusalOf(herald.notes.get('send-cap'))).toMatchObject({ status: 404 });

  await api.call('PUT', '/v1/teams/newsletter', { body: { name: 'Newsletter' } });
  await owner.agents.put('quill', { team: 'newsletter' });
  expect(await owner.agents.get('quill')).toMatchObject({ team: 'newsletter' });
  await owner.people.put('dana', { name: 'Dana', role: 'reviewer' });
  expect((await owner.people.list()).items.map(({ id }) => id)).toContain('dana');

  const { id, key } = await owner.keys.create({ principal: { kind: 'agent', id: 'quill' } });
  const quill = new CairnClient({ url: api.url, key });
  await quill.capture(event('by-quill', { agent: 'quill' }));
  await owner.keys.revoke(id);
  expect(await refusalOf(quill.cards.list())).toMatchObject({
    status: 401,
    code: 'unauthenticated',
  });

  const { version } = await owner.policy.get();
  expect(await owner.policy.put(version, { recall: { limit: 7 } })).toMatchObject({
    version: version + 1,
    recall: { limit: 7 },
  });
  expect(await refusalOf(owner.policy.put(version, { recall: { limit: 8 } }))).toMatchObject({
    status: 412,
  });
  expect(await owner.competence({ task_type: 'none' })).toMatchObject({ items: [], total: 0 });
});

test('any other route is a request with the same key and errors', async () => {
  expect(await owner.request('GET', '/healthz')).toEqual({ status: 'ok' });
  expect(await refusalOf(owner.request('GET', '/v1/nowhere'))).toMatchObject({ status: 404 });
});
