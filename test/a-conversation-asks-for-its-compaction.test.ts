import * as fc from 'fast-check';
import { type Backlog, compactionDue } from '../src/domain/conversation/due';
import { startApi, type TestApi } from './support/api';
import { good, Talk } from './support/conversations';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  good(
    await api.call('PUT', '/v1/policy', {
      body: { conversations: { ceiling_tokens: 800, keep_recent: 4 } },
      headers: { 'if-match': '"0"' },
    }),
  );
});
afterAll(() => api.close());

const start = (id: string, body = {}, agent = 'scout') => new Talk(api, { id, agent }).start(body);
const LONG = 'A word of some length. '.repeat(20);

/** The starts that wait in the outbox. */
async function asked(id: string): Promise<Record<string, string>[]> {
  const rows = await api.database.inWorkspace('default', (tx) =>
    tx.query<{ arguments: Record<string, string> }>(
      `SELECT arguments FROM outbox WHERE action = 'start_compaction' AND arguments ->> 'conversation_id' = $1
        ORDER BY id`,
      [id],
    ),
  );
  return rows.map((row) => row.arguments);
}

it('past the ceiling, once while one is under way, and with the next number after it', async () => {
  const talk = await start('ceiling');
  const operations: string[] = [];
  for (let index = 0; index < 8; index += 1) {
    const { body } = await talk.say(['user', LONG], ['assistant', LONG]);
    if (body.operation_id !== null) operations.push(body.operation_id);
  }
  expect(operations).toHaveLength(1);
  const [first, ...more] = await asked('ceiling');
  expect(more).toEqual([]);
  expect(first).toMatchObject({ operation_id: operations[0], n: '1', workspace: 'default' });
  const operation = good(await talk.call('GET', `/v1/operations/${operations[0]}`)).body;
  expect(operation).toMatchObject({ type: 'compaction', state: 'pending' });
  // Nothing that was said stands in what Temporal gets.
  expect(JSON.stringify(first)).not.toContain('A word');

  await talk.summarise('Told.', 12);
  expect((await talk.say(['user', 'Short.'])).body.operation_id).toBeNull();
  for (let index = 0; index < 8; index += 1) await talk.say(['user', LONG], ['assistant', LONG]);
  expect((await asked('ceiling')).map(({ n }) => n)).toEqual(['1', '2']);
});

it('results that were cleared count as what was taken of them, instructions not at all', async () => {
  const talk = await start('cleared');
  const raw = JSON.stringify(Array.from({ length: 400 }, (_, index) => ({ index })));
  await talk.say(['system', LONG.repeat(12)]);
  for (let index = 0; index < 3; index += 1) {
    const said = await talk.say(
      ['user', '?'],
      ['assistant', ''],
      ['tool', raw],
      ['assistant', 'Ok.'],
    );
    expect(said.body.operation_id).toBeNull();
  }
  expect(await asked('cleared')).toEqual([]);
});

it('when ten words were said since facts were looked for, where facts may be made', async () => {
  const says = async (talk: Talk, rounds: number) => {
    for (let index = 0; index < rounds; index += 1)
      await talk.say(['user', 'Hm.'], ['assistant', 'Yes.']);
  };
  const about = await start('facts', { subject: 'ann' });
  await says(about, 4);
  expect(await asked('facts')).toHaveLength(0);
  await says(about, 1);
  expect(await asked('facts')).toHaveLength(1);

  const nobody = await start('nobody');
  await says(nobody, 6);
  expect(await asked('nobody')).toHaveLength(0);

  good(await api.call('PUT', '/v1/subjects/ben', { body: { memory: 'off' } }));
  const silent = await start('silent', { subject: 'ben' });
  await says(silent, 6);
  expect(await asked('silent')).toHaveLength(0);

  good(await api.call('PUT', '/v1/agents/careful', { body: { memory_mode: 'manual' } }));
  const manual = await start('manual', { subject: 'ann' }, 'careful');
  await says(manual, 6);
  expect(await asked('manual')).toHaveLength(0);
});

it('when it is closed, unless nothing was said', async () => {
  const talk = await start('closed');
  await talk.say(['user', 'Bye.']);
  const { body } = good(await talk.call('POST', `${talk.path}/close`));
  expect(await asked('closed')).toEqual([
    expect.objectContaining({ operation_id: body.operation_id, n: '1' }),
  ]);
  expect(good(await talk.call('POST', `${talk.path}/close`)).body.operation_id).toBeNull();
  const silent = await start('closed-silent');
  good(await silent.call('POST', `${silent.path}/close`));
  expect(await asked('closed-silent')).toEqual([]);
});

it('never for what no compaction could make shorter', () => {
  const counts = fc.integer({ min: 0, max: 100_000 });
  const backlogs: fc.Arbitrary<Backlog> = fc.record({
    unsummarized_tokens: counts,
    older_tokens: counts,
    fact_messages: fc.integer({ min: 0, max: 20 }),
    facts: fc.boolean(),
  });
  fc.assert(
    fc.property(backlogs, fc.integer({ min: 500, max: 50_000 }), (backlog, ceiling) => {
      const due = compactionDue(backlog, ceiling);
      if (due === 'ceiling') {
        expect(backlog.unsummarized_tokens).toBeGreaterThan(ceiling);
        expect(backlog.older_tokens).toBeGreaterThanOrEqual(ceiling / 8);
      }
      if (due === 'facts') expect(backlog.facts && backlog.fact_messages >= 10).toBe(true);
      expect(compactionDue({ ...backlog, older_tokens: 0, facts: false }, ceiling)).toBeNull();
    }),
  );
});
