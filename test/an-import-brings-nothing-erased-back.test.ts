import { Talk } from './support/conversations';
import { erased } from './support/erasing';
import { MINUTE, type RecallLane, startRecallLane } from './support/filing';
import { Insights } from './support/insights';
import { exportedLines, imported, rowsIn, typeOf } from './support/transfers';
import { rowsOf } from './support/upkeep';

jest.setTimeout(240_000);

/**
 * A workspace is exported, somebody is erased from it, and the file from before comes in again: what was erased stays
 * so, in whichever table, and the receipt holds.
 */

const ANN = 'guest-ann';
/** Said of her alone. */
const WORDS = ['quuxword', 'jacaranda', 'ocelot', 'wombatstew', 'vervain', 'xylofoon', ANN];

let lane: RecallLane;
beforeEach(async () => {
  lane = await startRecallLane();
});
afterEach(() => lane.close());

async function done(
  method: 'PUT' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: object,
  key?: string,
  headers = {},
) {
  const options = { body, headers, ...(key === undefined ? {} : { key }) };
  const answer = await lane.api.call(method, path, options);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** One of each that a caller can make about her, and much the same of another. */
async function plant(subject: string, n: number, say: (word: string) => string): Promise<void> {
  const { api, filing } = lane;
  const kid = await api.keyFor({ kind: 'agent', id: 'kid' });
  await done('PUT', `/v1/subjects/${subject}`, { name: say('Ann Quuxword') });
  const of = { subject, session: `stay ${say('vervain')} ${n}`, task: 'lift', service: 'crane' };
  const card = await filing.card({
    ...{ event_id: `visit/${subject}`, ...of, operation: 'lift', outcome: 'failed' },
    ...{ input: { load: say('jacaranda') }, error: `the ${say('ocelot')} is too heavy` },
  });
  await filing.card({ ...of, event_id: `again-${subject}`, input: { load: say('jacaranda') } });
  const because = { reason: `because of ${say('wombatstew')}` };
  await done('DELETE', `/v1/cards/${card}`, because);
  await done('POST', `/v1/cards/${card}/restore`, because);
  await done('POST', '/v1/cards', { summary: `Hates ${say('quuxword')}.`, subject }, kid);
  const talk = new Talk(api, { id: `talk/${subject}`, agent: 'scout', session: of.session });
  await talk.put({ subject });
  await talk.say(['user', `I eat ${say('wombatstew')}.`], ['assistant', 'Noted.']);
  await talk.summarise(`They eat ${say('wombatstew')}.`, 1);
  await new Insights(api).for('scout').saved({
    ...{ title: `The ${say('xylofoon')} is loud`, finding: `The ${say('xylofoon')} cost $1,200.` },
    ...{ subject, actions: [{ text: `Sell the ${say('xylofoon')}.` }] },
  });
  await lane.recall({ query: 'crane lift' }, { 'cairn-session': of.session });
}

/** In every table but the log, which is sealed and has ids. */
async function rowsWith(words: readonly string[]): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    lane,
    `SELECT DISTINCT c.table_name AS name
       FROM information_schema.columns c JOIN information_schema.tables t USING (table_name)
      WHERE c.table_schema = 'public' AND c.column_name = 'workspace_id' AND t.table_type = 'BASE TABLE'
        AND c.table_name <> 'audit_log'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const { row } of await rowsOf<{ row: string }>(
      lane,
      `SELECT t::text AS row FROM ${name} t`,
    )) {
      for (const word of words) if (row.includes(word)) found.push(`${word} in ${name}: ${row}`);
    }
  }
  return found;
}

it.each([
  ['a subject', { subject: ANN }],
  ['a subject whose card had been deleted', { subject: ANN }],
])('neither of %s', async (name, selector) => {
  const { api, clock } = lane;
  await done('PUT', '/v1/agents/kid', { restricted: true });
  await done('PUT', '/v1/agents/scout', {});
  await plant(ANN, 1, (word) => word);
  await plant('guest-ben', 2, () => 'iron');
  const before = await exportedLines(api);
  const types = new Set(rowsIn(before).map(typeOf));
  for (const type of [
    'pending_write',
    'run',
    'session',
    'reason',
    'action',
    'insight',
    'message',
  ]) {
    expect([...types]).toContain(type);
  }
  for (const word of WORDS) expect(before.join('\n')).toContain(word);
  if (name.includes('deleted')) {
    const { items } = (await api.call('GET', `/v1/cards?subject=${ANN}`)).body;
    for (const { id } of items) await api.call('DELETE', `/v1/cards/${id}`);
  }
  clock.advance(MINUTE);
  const { status, receipt } = await erased(lane, selector);
  expect(status).toBe('completed');
  const left = await rowsWith(WORDS);
  const { body: held } = await api.call('POST', '/v1/erasures/verify', { body: { receipt } });
  expect(held).toMatchObject({ ok: true });
  expect(left).toEqual([]);

  const { result } = await imported(api, before);
  expect(await rowsWith(WORDS)).toEqual([]);
  expect(result).toMatchObject({ imported: 0 });
  const codes = new Set(result.problems.map(({ code }: { code: string }) => code));
  expect(codes).toContain('erased');
  const { body } = await api.call('POST', '/v1/erasures/verify', {
    body: { receipt, search: WORDS.slice(0, 6) },
  });
  expect(body).toMatchObject({ ok: true, returned: [] });
});
