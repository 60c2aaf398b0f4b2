import { openProposalFor } from '../src/store/proposal-opening';
import { withDatabase } from './support/admin';
import type { Method } from './support/api';
import { Talk } from './support/conversations';
import { erased } from './support/erasing';
import { DAY, type RecallLane, startRecallLane } from './support/filing';
import { McpSession } from './support/mcp';
import { rowsOf, setPolicy, upkeep } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

const call = (method: Method, path: string, body?: unknown, key?: string) =>
  lane.api.call(method, path, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

async function done(method: Method, path: string, body?: unknown) {
  const answer = await call(method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

const hold = (selector: Record<string, unknown>, id = 'case-17') =>
  done('PUT', `/v1/legal-holds/${id}`, { selector, reason: 'a court has asked for it' });

const stay = (subject: string, more: Record<string, unknown> = {}) =>
  lane.filing.card({
    service: 'hotel',
    operation: 'stay',
    subject,
    input: { guest: `${subject} stays for three nights` },
    ...more,
  });

const statusOf = async (id: string) =>
  (
    await rowsOf<{ status: string; summary: string; evicted: boolean; purged: boolean }>(
      lane,
      'SELECT status, summary, evicted_at IS NOT NULL AS evicted, purged_at IS NOT NULL AS purged FROM cards WHERE id = $1',
      [id],
    )
  )[0];

describe('what a hold names', () => {
  it.each([
    ['subject', { subject: 'guest-7' }],
    ['agent', { agent: 'scout' }],
    ['service', { source: 'hotel' }],
    ['project', { project: 'spring' }],
    ['event', { event_ids: ['event-held'] }],
  ])('by its %s is not deleted until the hold is lifted', async (_what, selector) => {
    const id = await stay('guest-7', { event_id: 'event-held', project: 'spring' });
    await hold(selector);
    const refused = await call('DELETE', `/v1/cards/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: 'held', holds: ['case-17'] });
    expect(await statusOf(id)).toMatchObject({ status: 'active' });
    await done('DELETE', '/v1/legal-holds/case-17');
    await done('DELETE', `/v1/cards/${id}`);
    expect(await statusOf(id)).toMatchObject({ status: 'deleted' });
  });

  it('by its person is what they wrote and what is about the subject that they are', async () => {
    await done('PUT', '/v1/subjects/guest-7', {});
    await lane.api.keyOf('member', 'guest-7');
    const person = (await done('GET', '/v1/people')).items.find(
      ({ role }: { role: string }) => role === 'member',
    ).id;
    const about = await stay('guest-7');
    const other = await stay('guest-8');
    await hold({ person });
    expect((await call('DELETE', `/v1/cards/${about}`)).status).toBe(409);
    expect((await call('DELETE', `/v1/cards/${other}`)).status).toBe(204);
  });

  it('stays held where it was about them once: an edit is no way out', async () => {
    const id = await stay('guest-7');
    await hold({ subject: 'guest-7' });
    const etag = (await call('GET', `/v1/cards/${id}`)).headers.get('etag') ?? '';
    const moved = await lane.api.call('PATCH', `/v1/cards/${id}`, {
      headers: { 'if-match': etag },
      body: { subject: 'guest-8' },
    });
    expect(moved.status).toBe(200);
    expect((await call('DELETE', `/v1/cards/${id}`)).status).toBe(409);
  });
});

it('is neither deleted by a route, a tool, a memory, a note nor a stop', async () => {
  const id = await stay('guest-7');
  await hold({ agent: 'scout' });
  const agentKey = await lane.api.keyFor({ kind: 'agent', id: 'scout' });
  const byAgent = await call('DELETE', `/v1/cards/${id}`, undefined, agentKey);
  // Which holds there are is not an agent's to know.
  expect([byAgent.status, byAgent.body.code, byAgent.body.holds]).toEqual([409, 'held', undefined]);
  expect((await call('DELETE', `/v1/memories/${id}`, undefined, agentKey)).status).toBe(409);
  await lane.api.call('PUT', '/v1/notes/limit', {
    key: agentKey,
    body: { value: 'Three nights at the most.' },
  });
  expect((await call('DELETE', '/v1/notes/limit', undefined, agentKey)).status).toBe(409);
  expect((await call('POST', `/v1/cards/${id}/stop`, { action: 'delete' })).status).toBe(409);
  const session = await McpSession.http(lane.api, agentKey);
  const managed = await session.call('memory_manage', { action: 'delete', id });
  const noted = await session.call('note', { action: 'delete', key: 'limit' });
  await session.close();
  expect([managed.isError, noted.isError]).toEqual([true, true]);
  expect(await rowsOf(lane, "SELECT 1 FROM cards WHERE status = 'deleted'")).toEqual([]);
  // Out of use is not lost.
  expect((await call('POST', `/v1/cards/${id}/quarantine`, {})).status).toBe(200);
});

it('does not expire, is not purged, leaves no index and loses no payload, and others do', async () => {
  await setPolicy(lane, { retention: { by_kind: { experience: 'P5D' } } });
  const cards = async (subject: string) => ({
    deleted: await stay(subject, { operation: 'cancel' }),
    expired: await stay(subject, { operation: 'book' }),
    superseded: await lane.filing.card({
      ...{ service: 'hotel', operation: 'limit', subject, key: 'limit' },
      input: { nights: 3 },
    }),
  });
  const [held, other] = [await cards('guest-7'), await cards('guest-8')];
  for (const subject of ['guest-7', 'guest-8']) {
    lane.clock.advance(60_000);
    await lane.filing.card({
      ...{ service: 'hotel', operation: 'limit', subject, key: 'limit' },
      input: { nights: 9 },
    });
  }
  // It was deleted before anybody thought of a hold.
  await done('DELETE', `/v1/cards/${held.deleted}`);
  await done('DELETE', `/v1/cards/${other.deleted}`);
  await hold({ subject: 'guest-7' });

  lane.clock.advance(40 * DAY);
  await upkeep(lane, 'retention');
  lane.clock.advance(40 * DAY);
  await upkeep(lane, 'retention');

  expect(await statusOf(held.deleted)).toMatchObject({ status: 'deleted', purged: false });
  expect((await statusOf(held.deleted))?.summary).toContain('guest-7');
  expect(await statusOf(held.expired)).toMatchObject({ status: 'active', purged: false });
  expect(await statusOf(held.superseded)).toMatchObject({ evicted: false });
  expect(await statusOf(other.deleted)).toMatchObject({ purged: true });
  expect(await statusOf(other.expired)).toMatchObject({ purged: true });
  expect(await statusOf(other.superseded)).toMatchObject({ evicted: true });
  const payloads = await rowsOf<{ subject: string }>(
    lane,
    `SELECT DISTINCT payload ->> 'subject' AS subject FROM events WHERE payload IS NOT NULL`,
  );
  expect(payloads).toEqual([{ subject: 'guest-7' }]);

  await done('DELETE', '/v1/legal-holds/case-17');
  await upkeep(lane, 'retention');
  expect(await statusOf(held.deleted)).toMatchObject({ purged: true });
  expect(await rowsOf(lane, 'SELECT 1 FROM events WHERE payload IS NOT NULL')).toEqual([]);
});

it('keeps what tools answered in a conversation, what waits for a parent, and the words of a proposal', async () => {
  const results = async (subject: string) => {
    const talk = await new Talk(lane.api, { id: `talk-${subject}`, agent: 'scout' }).start({
      subject,
    });
    await talk.say(['user', 'Which rooms are free?'], ['tool', `Room ${subject}, `.repeat(200)]);
    await talk.say(['assistant', 'Room 12 is free.'], ['user', 'Good.']);
  };
  await results('guest-7');
  await results('guest-8');
  const evidence = await stay('guest-7');
  const gone = await stay('guest-8');
  const { id: proposal } = await lane.api.database.inWorkspace('default', (tx) =>
    openProposalFor(tx, {
      type: 'config_fix',
      matter: 'the hotel',
      team: null,
      title: 'The hotel fails',
      summary: 'Guest 7 could not stay.',
      draftedBy: 'fallback',
      evidence: [evidence, gone],
      change: { team: '', workflow: 'hotel', step: 'stay', fix: 'Ask again.' },
      proposedBy: { kind: 'system', id: 'cairn' },
      channel: 'workflow',
      now: lane.clock.now(),
    }),
  );
  await rowsOf(lane, "UPDATE proposals SET status = 'expired' WHERE id = $1", [proposal]);
  await done('PUT', '/v1/agents/helper', { parent_agent: 'scout', restricted: true });
  const helper = await lane.api.keyFor({ kind: 'agent', id: 'helper' });
  for (const subject of ['guest-7', 'guest-8']) {
    const posted = await call('POST', '/v1/cards', { summary: 'Likes tea.', subject }, helper);
    expect(posted.status).toBe(202);
  }
  await done('DELETE', `/v1/cards/${gone}`);
  await hold({ subject: 'guest-7' });

  lane.clock.advance(40 * DAY);
  await upkeep(lane, 'retention');

  const told = await rowsOf<{ conversation_id: string }>(
    lane,
    "SELECT conversation_id FROM messages WHERE role = 'tool' AND content IS NOT NULL",
  );
  expect(told).toEqual([{ conversation_id: 'talk-guest-7' }]);
  const waiting = await rowsOf<{ subject: string }>(
    lane,
    "SELECT content ->> 'subject' AS subject FROM pending_writes WHERE status = 'waiting'",
  );
  expect(waiting).toEqual([{ subject: 'guest-7' }]);
  const [{ id: posted } = { id: '' }] = await rowsOf<{ id: string }>(
    lane,
    "SELECT id FROM pending_writes WHERE status = 'waiting'",
  );
  const reject = await call('POST', `/v1/pending-writes/${posted}`, { accept: false });
  expect([reject.status, reject.body.code]).toEqual([409, 'held']);
  expect(await rowsOf(lane, 'SELECT summary FROM proposals WHERE id = $1', [proposal])).toEqual([
    { summary: 'Guest 7 could not stay.' },
  ]);
});

it.each([
  ['subject', { subject: 'guest-7' }, { person: 'ada' }],
  ['person', { person: 'ada' }, { subject: 'guest-7' }],
  ['agent', { agent: 'mate' }, { agent: 'mate' }],
  ['project', { project: 'spring' }, { project: 'spring' }],
])(
  'keeps the %s itself that it names: its row, keys and the names in the logs',
  async (_what, selector, erasing) => {
    await done('PUT', '/v1/subjects/guest-7', { name: 'Ada Quokka' });
    await done('PUT', '/v1/people/ada', { name: 'Ada Quokka', role: 'member', subject: 'guest-7' });
    await done('PUT', '/v1/agents/mate', {});
    await done('PUT', '/v1/projects/spring', { name: 'Spring Quokka' });
    const key = await lane.api.keyFor({ kind: 'person', id: 'ada' });
    await stay('guest-7', { agent: 'mate', project: 'spring' });
    await hold(selector);
    lane.clock.advance(1_000);
    const directory = () =>
      rowsOf(
        lane,
        `SELECT 'subject' AS kind, id, name FROM subjects UNION ALL SELECT 'person', id, name FROM people
       UNION ALL SELECT 'agent', id, NULL FROM agents UNION ALL SELECT 'project', id, name FROM projects
       UNION ALL SELECT kind, id, name FROM surrogates WHERE kind <> 'system' ORDER BY 1, 2`,
      );
    const before = await directory();
    const { status } = await erased(lane, erasing);
    expect(status).toBe('held');
    expect(await directory()).toEqual(before);
    expect((await call('GET', '/v1/cards', undefined, key)).status).toBe(200);
  },
);

it('is kept by the tables themselves, whatever a path forgets to ask', async () => {
  const id = await stay('guest-7', { event_id: 'event-held' });
  await hold({ subject: 'guest-7' });
  const refused = (statement: string) =>
    expect(rowsOf(lane, statement)).rejects.toMatchObject({ code: 'CH001' });
  await refused(`UPDATE cards SET status = 'deleted' WHERE id = '${id}'`);
  await refused(`UPDATE cards SET purged_at = now() WHERE id = '${id}'`);
  await refused(`DELETE FROM cards WHERE id = '${id}'`);
  await refused("DELETE FROM events WHERE event_id = 'event-held'");
  // Of whoever owns the tables too, in the name of the workspace.
  await expect(
    withDatabase(
      lane.api.testDatabase.url,
      `SELECT set_config('cairn.workspace', 'default', false);
       UPDATE cards SET status = 'deleted' WHERE id = '${id}'`,
    ),
  ).rejects.toMatchObject({ code: 'CH001' });
});

describe('the holds themselves', () => {
  it('are set and lifted by owner and operator, seen by an auditor, and each change is on record', async () => {
    const [operator, reviewer, auditor] = await Promise.all(
      (['operator', 'reviewer', 'auditor'] as const).map((role) => lane.api.keyOf(role)),
    );
    const body = { selector: { project: 'spring' }, reason: 'a court has asked for it' };
    const put = (key?: string) => call('PUT', '/v1/legal-holds/case-1', body, key);
    expect((await put(reviewer)).status).toBe(403);
    expect((await put(auditor)).status).toBe(403);
    expect((await put(operator)).status).toBe(201);
    expect((await put()).status).toBe(200);
    const list = await call('GET', '/v1/legal-holds', undefined, auditor);
    expect(list.body).toMatchObject({
      items: [{ id: 'case-1', selector: { project: 'spring' }, reason: body.reason }],
      next_cursor: null,
      total: 1,
    });
    expect((await call('DELETE', '/v1/legal-holds/case-1', undefined, auditor)).status).toBe(403);
    expect((await call('DELETE', '/v1/legal-holds/case-1', undefined, operator)).status).toBe(204);
    expect((await call('GET', '/v1/legal-holds/case-1')).status).toBe(404);
    const { items } = await done('GET', '/v1/audit?target=case-1');
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      'legal_hold.lifted',
      'legal_hold.changed',
      'legal_hold.set',
    ]);
  });

  it('name something, by known fields alone, and hold no contact as it was written', async () => {
    const put = (selector: unknown) =>
      call('PUT', '/v1/legal-holds/case-1', { selector, reason: 'x' });
    expect((await put({})).status).toBe(400);
    expect((await put({ subjects: ['a'] })).status).toBe(400);
    const mail = ['ada', 'example.org'].join('@');
    const kept = await put({ subject: mail });
    expect(kept.status).toBe(201);
    expect(kept.text).not.toContain(mail);
    const id = await stay(mail);
    expect((await call('DELETE', `/v1/cards/${id}`)).status).toBe(409);
  });
});
