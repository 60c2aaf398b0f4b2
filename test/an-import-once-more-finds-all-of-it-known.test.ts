import { startApi, type TestApi } from './support/api';
import { Filing, HOUR, LANE_START, TestClock } from './support/filing';
import { exportedLines, imported, signedAgain } from './support/transfers';

jest.setTimeout(120_000);

const SECRET = 'the secret key of two databases of one installation';

const opened: TestApi[] = [];
afterEach(async () => {
  for (const api of opened.splice(0)) await api.close();
});

async function opening(clock: TestClock): Promise<TestApi> {
  const api = await startApi({ clock: clock.now, secretKey: SECRET });
  opened.push(api);
  return api;
}

/** Both begin at another moment, as two installations do. */
async function both() {
  const clock = new TestClock(LANE_START);
  const api = await opening(clock);
  const later = new TestClock(LANE_START);
  later.advance(HOUR);
  const other = await opening(later);
  return { api, other, clock, filing: new Filing({ api, clock }) };
}

const change = (api: TestApi, statement: string) =>
  api.database.inWorkspace('default', (tx) => tx.query(statement));

const FAILED = {
  kind: 'workflow_step',
  outcome: 'failed',
  team: 'red',
  agent: 'mate',
  workflow_step: { workflow: 'moor', step: 'tie' },
  error: 'the rope is wet',
} as const;

it('ends completed in a place that has an owner of its own', async () => {
  const { api, other, filing } = await both();
  await filing.card({ event_id: 'e', service: 'crane', operation: 'lift' });
  const { result } = await imported(other, await exportedLines(api));
  expect(result).toMatchObject({ status: 'completed', skipped: 0, problems: [] });
  expect(result.known).toBeGreaterThan(0);
});

it('says of an owner of another name that somebody else stands there', async () => {
  const { api, other } = await both();
  await change(other, `UPDATE people SET name = 'Somebody else' WHERE id = 'owner'`);
  const { result } = await imported(other, await exportedLines(api));
  expect(result.problems).toMatchObject([{ type: 'person', id: 'owner', code: 'conflict' }]);
});

it('knows a proposal whose workflow has gone on, and none that was decided otherwise', async () => {
  const { api, other, filing, clock } = await both();
  for (let n = 0; n < 3; n += 1) {
    clock.advance(HOUR);
    await filing.file({ event_id: `failed-${n}`, ...FAILED });
  }
  const lines = await exportedLines(api);
  expect(lines.join('\n')).toContain('"type":"proposal"');
  expect((await imported(other, lines)).result).toMatchObject({ status: 'completed' });
  await change(
    other,
    `UPDATE proposals SET announced = announced + 1, run_id = 'here', reminders = 1`,
  );
  await change(
    other,
    `UPDATE runs SET state = 'running', run_id = 'here', started_at = created_at WHERE type = 'proposal'`,
  );
  await change(other, 'UPDATE captures SET swept_at = created_at, needs_embed = NOT needs_embed');
  expect((await imported(other, lines)).result).toMatchObject({ imported: 0, skipped: 0 });
  await change(other, `UPDATE proposals SET title = 'Another matter'`);
  expect((await imported(other, lines)).result.problems).toMatchObject([
    { type: 'proposal', code: 'conflict' },
  ]);
});

it('settles a capture that still waited in the file, whose card is in it too', async () => {
  const { api, other, filing } = await both();
  const card = await filing.card({ event_id: 'e', service: 'crane', operation: 'lift' });
  // As an export by pages has it, where the card was filed between two of them.
  const lines = (await exportedLines(api)).map((line) => {
    const value = JSON.parse(line);
    if (value.type === 'capture') {
      Object.assign(value.row, { disposition: 'pending', card_id: null, settled_at: null });
    } else if (value.type === 'run') {
      Object.assign(value.row, {
        state: 'pending',
        result: {},
        started_at: null,
        finished_at: null,
      });
    } else return line;
    return JSON.stringify(value);
  });
  const torn = signedAgain(SECRET, lines);
  expect((await imported(other, torn)).result).toMatchObject({ status: 'completed' });
  const { body } = await other.call('GET', '/v1/events/e');
  expect(body).toMatchObject({ disposition: 'carded', card_id: card });
  const [run] = await other.database.inWorkspace('default', (tx) =>
    tx.query(`SELECT state, result FROM runs WHERE type = 'capture'`),
  );
  expect(run).toMatchObject({ state: 'completed', result: { event_id: 'e', card_id: card } });
  expect((await imported(other, torn)).result).toMatchObject({ imported: 0, skipped: 0 });
});
