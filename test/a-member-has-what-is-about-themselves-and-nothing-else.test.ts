import type { Method } from './support/api';
import { Talk } from './support/conversations';
import { MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { McpSession } from './support/mcp';
import { rowsOf } from './support/upkeep';

jest.setTimeout(120_000);

let lane: RecallLane;
let member: string;
let unlinked: string;
let own: string;
let others: string;
beforeAll(async () => {
  lane = await startRecallLane();
  // Of one household: what is shared within it is for agents that act for somebody of it.
  for (const id of ['ann', 'ben']) {
    await call('PUT', `/v1/subjects/${id}`, { household: 'lake' });
    await call('PUT', `/v1/people/${id}`, { name: id, role: 'member', subject: id });
  }
  await call('PUT', '/v1/people/nobody', { name: 'Nobody', role: 'member' });
  member = await lane.api.keyFor({ kind: 'person', id: 'ann' });
  unlinked = await lane.api.keyFor({ kind: 'person', id: 'nobody' });
  own = await stay('ann');
  others = await stay('ben');
  const household = await stay('ben', 'cancel');
  await edit(household, { visibility: 'household' });
  await edit(others, { visibility: 'organization' });
  await new Talk(lane.api, { id: 'talk-ann', agent: 'scout' }).start({ subject: 'ann' });
  await new Talk(lane.api, { id: 'talk-ben', agent: 'scout' }).start({ subject: 'ben' });
});
afterAll(() => lane.close());

const call = (method: Method, path: string, body?: unknown, key?: string, headers = {}) =>
  lane.api.call(method, path, {
    headers,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });

const stay = (subject: string, operation = 'stay') =>
  lane.filing.card({
    service: 'hotel',
    operation,
    subject,
    input: { wish: `${subject} asks for a quiet room` },
  });

async function edit(id: string, patch: Record<string, unknown>, key?: string) {
  const etag = (await call('GET', `/v1/cards/${id}`, undefined, key)).headers.get('etag') ?? '"1"';
  return await call('PATCH', `/v1/cards/${id}`, patch, key, { 'if-match': etag });
}

const ids = (answer: { body: { items: { id: string }[] } }) =>
  answer.body.items.map(({ id }) => id);

it('sees it on every surface, and nobody else there', async () => {
  expect(ids(await call('GET', '/v1/cards', undefined, member))).toEqual([own]);
  expect(ids(await call('GET', '/v1/conversations', undefined, member))).toEqual(['talk-ann']);
  expect((await call('GET', '/v1/conversations/talk-ben', undefined, member)).status).toBe(404);
  const recalled = await call('POST', '/v1/recall', { query: 'a quiet room', limit: 20 }, member);
  expect(recalled.body.cards.map(({ id }: { id: string }) => id)).toEqual([own]);
  const events = await call('GET', '/v1/events', undefined, member);
  expect(
    events.body.items.map(({ event }: { event: { subject: string } | null }) => event?.subject),
  ).toEqual(['ann']);
  const graph = await call('GET', '/v1/graph', undefined, member);
  expect(graph.text).not.toContain(others);
  expect((await call('GET', '/v1/memories', undefined, member)).text).not.toContain('ben asks');
  const session = await McpSession.http(lane.api, member);
  const found = await session.call('memory_search', { query: 'a quiet room' });
  await session.close();
  expect(found.text).not.toContain('ben asks');
  for (const path of ['', '/history', '/edges', '/lineage', '/grants']) {
    expect((await call('GET', `/v1/cards/${others}${path}`, undefined, member)).status).toBe(404);
  }
});

it('corrects it from the version that was read, takes it away and brings it back', async () => {
  const id = await stay('ann', 'book');
  const stale = await call('PATCH', `/v1/cards/${id}`, { summary: 'x' }, member, {
    'if-match': '"7"',
  });
  expect(stale.status).toBe(412);
  expect((await call('PATCH', `/v1/cards/${id}`, { summary: 'x' }, member)).status).toBe(428);
  const corrected = await edit(id, { summary: 'Ann asks for a room with a view.' }, member);
  expect(corrected.body.summary).toBe('Ann asks for a room with a view.');
  // Neither given to somebody else nor widened.
  for (const patch of [{ subject: 'ben' }, { visibility: 'organization' }, { topic: 'x' }]) {
    expect((await edit(id, patch, member)).status).toBe(403);
  }
  expect((await call('DELETE', `/v1/cards/${id}`, undefined, member)).status).toBe(204);
  expect((await call('POST', `/v1/cards/${id}/restore`, {}, member)).status).toBe(200);
  await call('DELETE', `/v1/cards/${id}`, undefined, member);
});

it('changes nothing of anybody else, whatever is shared with all', async () => {
  expect((await edit(others, { summary: 'x' }, member)).status).toBe(404);
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/restore'],
    ['POST', '/validation'],
  ] as const) {
    const body = path === '/validation' ? { verdict: 'wrong' } : {};
    const answer = await call(method, `/v1/cards/${others}${path}`, body, member);
    expect([path, answer.status]).toEqual([path, 404]);
  }
  const [row] = await rowsOf(lane, 'SELECT status FROM cards WHERE id = $1', [others]);
  expect(row).toEqual({ status: 'active' });
});

it('reads of a card that was about somebody else before only what is about themselves', async () => {
  const id = await stay('ben', 'move');
  await edit(id, { subject: 'ann', summary: 'The room is for Ann from now on.' });
  for (const path of [`/v1/cards/${id}/history`, `/v1/memories/${id}/history`]) {
    const answer = await call('GET', path, undefined, member);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.text).toContain('for Ann from now on');
    expect(answer.text).not.toContain('ben');
  }
  const { body } = await call('GET', `/v1/cards/${id}/history`, undefined, member);
  expect([body.items.length, body.total, body.items[0].before]).toEqual([1, 1, null]);
  expect((await call('GET', `/v1/cards/${id}/history`)).body.total).toBe(2);
  await call('DELETE', `/v1/cards/${id}`);
});

it('recalls nothing of a card as it was when it was about somebody else', async () => {
  const id = await stay('ben', 'reserve');
  const before = lane.clock.text();
  lane.clock.advance(5 * MINUTE);
  await edit(id, { subject: 'ann', summary: 'Ann reserves a table by the window.' });
  const asked = { query: 'asks for a quiet room, reserve a table', limit: 20 };
  const now = await call('POST', '/v1/recall', asked, member);
  expect(now.text).toContain('by the window');
  const then = { ...asked, known_at: before, as_of: before };
  const recalled = await call('POST', '/v1/recall', then, member);
  expect(recalled.status).toBe(200);
  expect(recalled.text).not.toContain(id);
  expect(recalled.text).not.toContain('ben asks');
  // Whoever sees all sees what it said then.
  expect((await call('POST', '/v1/recall', then)).text).toContain(id);
  await call('DELETE', `/v1/cards/${id}`);
});

it('erases themselves, or a card about themselves, and nobody else', async () => {
  const erase = (selector: unknown, key = member) =>
    call('POST', '/v1/erasures', { selector, reason: 'I ask for it', dry_run: true }, key);
  expect((await erase(undefined)).status).toBe(202);
  expect((await erase({ subject: 'ann' })).status).toBe(202);
  expect((await erase({ card_ids: [own] })).status).toBe(202);
  for (const selector of [
    { subject: 'ben' },
    { card_ids: [others] },
    { agent: 'scout' },
    { event_ids: ['event-1'] },
    { subject: 'ann', person: 'ben' },
  ]) {
    expect([selector, (await erase(selector)).status]).toEqual([selector, 403]);
  }
  expect((await erase({ subject: 'ann' }, unlinked)).status).toBe(403);
});

it('takes along what is about themselves', async () => {
  const mine = await call('GET', '/v1/export', undefined, member);
  expect(mine.status).toBe(200);
  expect(mine.text).toContain(own);
  expect(mine.text).not.toContain(others);
  expect((await call('GET', '/v1/export?subject=ben', undefined, member)).status).not.toBe(200);
});

it('who is linked to no subject sees nothing and changes nothing', async () => {
  for (const path of ['/v1/cards', '/v1/conversations', '/v1/events', '/v1/notes']) {
    const { body, status } = await call('GET', path, undefined, unlinked);
    if (status === 200) expect([path, body.items]).toEqual([path, []]);
    else expect([path, status]).toEqual([path, 403]);
  }
  expect((await call('GET', `/v1/cards/${own}`, undefined, unlinked)).status).toBe(404);
  expect((await edit(own, { summary: 'x' }, unlinked)).status).toBe(404);
  expect((await call('DELETE', `/v1/cards/${own}`, undefined, unlinked)).status).toBe(404);
});

it('holds back what a legal hold keeps, without saying which', async () => {
  await call('PUT', '/v1/legal-holds/case-9', { selector: { subject: 'ann' }, reason: 'a court' });
  const refused = await call('DELETE', `/v1/cards/${own}`, undefined, member);
  expect([refused.status, refused.body.code]).toEqual([409, 'held']);
  expect(refused.text).not.toContain('case-9');
  expect((await call('GET', '/v1/legal-holds', undefined, member)).status).toBe(403);
  await call('DELETE', '/v1/legal-holds/case-9');
});
