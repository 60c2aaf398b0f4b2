import type { ShownMessage } from '../src/contracts/conversation';
import { startApi, type TestApi } from './support/api';
import { good, Talk } from './support/conversations';
import { describeNative } from './support/database';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const talk = (id: string, agent = 'scout') => new Talk(api, { id, agent });

async function all(of: Talk, limit = 500): Promise<ShownMessage[]> {
  const found: ShownMessage[] = [];
  for (let cursor = ''; ; ) {
    const query = `limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = good(await of.call('GET', `${of.path}/messages?${query}`));
    found.push(...body.items);
    if (body.next_cursor === null) return found;
    cursor = body.next_cursor;
  }
}

describe('a conversation', () => {
  it('is made once, and changed until its first message', async () => {
    const one = talk('made');
    const made = await one.put({ subject: 'ann', project: 'attic' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ id: 'made', agent: 'scout', subject: 'ann', status: 'open' });
    expect(made.body).toMatchObject({ project: 'attic', messages: 0, summarized_through: 0 });
    expect((await one.put({ subject: 'ann', project: 'attic' })).status).toBe(200);
    expect((await one.put({})).body).toEqual(made.body);
    expect((await one.put({ subject: 'ben' })).body.subject).toBe('ben');
    await one.say(['user', 'Hello.']);
    const fixed = await one.put({ subject: 'ann' });
    expect([fixed.status, fixed.body.code]).toEqual([409, 'subject_fixed']);
    expect((await one.put({ subject: 'ben', project: 'cellar' })).body.project).toBe('cellar');
    const { body } = await one.call('GET', one.path);
    expect(body).toMatchObject({ subject: 'ben', project: 'cellar', messages: 1 });
    expect(body.tokens).toBeGreaterThan(4);
  });

  it('numbers what is added, in the order in which it was sent', async () => {
    const one = await talk('numbered').start();
    const first = await one.say(['system', 'Be brief.'], ['user', 'One?'], ['assistant', 'Two.']);
    expect(first.body).toMatchObject({ disposition: 'kept', accepted: 3, first: 1, last: 3 });
    const second = await one.say(['user', 'Three?']);
    expect(second.body).toMatchObject({ accepted: 1, first: 4, last: 4, operation_id: null });
    const messages = await all(one, 2);
    expect(messages.map(({ n, role, content }) => [n, role, content])).toEqual([
      [1, 'system', 'Be brief.'],
      [2, 'user', 'One?'],
      [3, 'assistant', 'Two.'],
      [4, 'user', 'Three?'],
    ]);
    const { body } = await one.call('GET', `${one.path}/messages?limit=3`);
    expect([body.total, body.items.length]).toEqual([4, 3]);
    expect((await one.message(3)).content).toBe('Two.');
    expect((await one.call('GET', `${one.path}/messages/5`)).status).toBe(404);
  });

  it('takes a repetition once', async () => {
    const one = await talk('repeated').start();
    const messages = [{ role: 'user' as const, content: 'Once.', at: '2026-03-02T08:24:15Z' }];
    const headers = { 'idempotency-key': 'the-same' };
    const first = good(await one.send(messages, headers));
    const again = good(await one.send(messages, headers));
    expect(again.body).toEqual(first.body);
    expect(await all(one)).toHaveLength(1);
    const other = await one.send([{ ...messages[0], content: 'Other.' } as never], headers);
    expect(other.status).toBe(422);
  });

  it('refuses what is no message, and adds nothing of its batch', async () => {
    const one = await talk('refusing').start();
    const at = '2026-03-02T08:24:15Z';
    const plain = { role: 'user', content: 'x', at };
    const post = async (messages: unknown) =>
      (await one.call('POST', `${one.path}/messages`, { messages })).status;
    expect(await post([])).toBe(400);
    expect(await post(Array.from({ length: 501 }, () => plain))).toBe(400);
    expect(await post([plain, { ...plain, role: 'robot' }])).toBe(400);
    expect(await post([{ ...plain, at: '2026-03-02T08:24:15' }])).toBe(400);
    expect(await post([{ ...plain, colour: 'red' }])).toBe(400);
    const big = await one.send([{ role: 'user', content: 'ä'.repeat(140_000) }]);
    expect([big.status, big.body.code, big.body.pointer]).toEqual([
      ...[413, 'too_large', '/messages/0/content'],
    ]);
    const secret = `sk-${'ant'}-api03-${'Ab3'.repeat(30)}`;
    const id = await one.send([{ role: 'tool', content: 'x', tool_call_id: secret }]);
    expect([id.status, id.body.code]).toEqual([422, 'secret_in_identifier']);
    expect(id.text).not.toContain(secret);
    expect((await talk('nowhere').send([{ role: 'user', content: 'x' }])).status).toBe(404);
    expect(await all(one)).toEqual([]);
  });

  it('takes no more once it is closed, and is still read', async () => {
    const one = await talk('closing').start();
    await one.say(['user', 'Last words.']);
    const closed = good(await one.call('POST', `${one.path}/close`));
    expect(closed.body).toMatchObject({ id: 'closing', status: 'closed' });
    expect(closed.body.operation_id).toMatch(/^op_/);
    expect(good(await one.call('POST', `${one.path}/close`)).body.status).toBe('closed');
    const refused = await one.send([{ role: 'user', content: 'More.' }]);
    expect([refused.status, refused.body.code]).toEqual([409, 'conversation_closed']);
    expect((await one.context()).messages.at(-1)?.content).toBe('Last words.');
    expect((await one.put({ subject: 'ann' })).body.code).toBe('conversation_closed');
  });

  it('is listed to its agent by status, subject and project', async () => {
    const lister = (query: string) =>
      talk('any', 'lister').call('GET', `/v1/conversations${query}`);
    for (const [id, body] of [
      ['l1', { subject: 'ann', project: 'attic' }],
      ['l2', { subject: 'ben' }],
      ['l3', {}],
    ] as const) {
      await talk(id, 'lister').start(body);
    }
    const l3 = talk('l3', 'lister');
    good(await l3.call('POST', `${l3.path}/close`));
    const ids = async (query: string) =>
      (await lister(query)).body.items.map(({ id }: { id: string }) => id);
    expect(await ids('')).toEqual(['l1', 'l2', 'l3']);
    expect(await ids('?subject=ann')).toEqual(['l1']);
    expect(await ids('?project=attic')).toEqual(['l1']);
    expect(await ids('?status=closed')).toEqual(['l3']);
    const page = (await lister('?limit=2')).body;
    expect(page).toMatchObject({ total: 3 });
    expect(await ids(`?cursor=${page.next_cursor}`)).toEqual(['l3']);
    expect((await lister('?colour=red')).status).toBe(400);
  });
});

describeNative('twenty writers of one conversation', () => {
  it('leave no gap, lose nothing, and keep each batch together', async () => {
    const one = await talk('crowded').start();
    const batches = Array.from({ length: 20 }, (_, writer) =>
      Array.from({ length: 3 }, (__, part) => ({
        ...{ role: 'user' as const, content: `writer ${writer} part ${part}` },
      })),
    );
    const answers = await Promise.all(batches.map((batch) => one.send(batch)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const messages = await all(one);
    expect(messages.map(({ n }) => n)).toEqual(messages.map((_, index) => index + 1));
    expect(messages).toHaveLength(60);
    for (const [index, { body }] of answers.entries()) {
      const own = messages.filter(({ n }) => n >= body.first && n <= body.last);
      expect(own.map(({ content }) => content)).toEqual(batches[index]?.map((m) => m.content));
    }
    expect((await one.call('GET', one.path)).body.messages).toBe(60);
  });
});
