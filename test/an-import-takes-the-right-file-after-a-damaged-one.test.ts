import { request } from 'node:http';
import { startApi, type TestApi } from './support/api';
import { applied, exportedLines, NDJSON, plantCards, sendImport } from './support/transfers';

jest.setTimeout(120_000);

const SECRET = 'the secret key of two databases of one installation';
const CARDS = 700;

let api: TestApi;
let other: TestApi;
let lines: string[];
const logged: string[] = [];

beforeAll(async () => {
  api = await startApi({ secretKey: SECRET });
  await plantCards(api.database, 'default', CARDS, 'The quay is long.');
  lines = await exportedLines(api);
});
afterAll(() => api.close());
beforeEach(async () => {
  logged.length = 0;
  const logTo = { write: (line: string) => void logged.push(line) };
  other = await startApi({ secretKey: SECRET, logTo });
});
afterEach(() => other.close());

const total = async () => (await other.call('GET', '/v1/cards')).body.total;
const held = async () => {
  const rows = await other.database.inWorkspace('default', (tx) =>
    tx.query<{ lines: number }>('SELECT lines FROM imports'),
  );
  return rows[0]?.lines ?? 0;
};

const TWO_THIRDS = 600;

it.each([
  [
    'one line of which was changed',
    (file: string[]) => file.map((line, n) => (n === 650 ? line.replace('quay', 'moor') : line)),
  ],
  [
    'to which a line was added',
    (file: string[]) => [...file.slice(0, 10), file[9] as string, ...file.slice(10)],
  ],
  ['one line of which was lost', (file: string[]) => file.filter((_line, n) => n !== 40)],
  [
    'the second line of which was changed',
    (file: string[]) => file.map((line, n) => (n === 1 ? line.replace('"name"', '"nome"') : line)),
  ],
])('after a file that broke off, %s', async (_what, damaged) => {
  const broken = damaged(lines).slice(0, -1);
  expect(broken).not.toEqual(lines.slice(0, -1));
  expect((await sendImport(other, broken)).body.code).toBe('unsigned');
  expect(await held()).toBe(broken.length);
  const answer = await sendImport(other, lines);
  expect(answer.body).toMatchObject({ status: 'accepted', lines: lines.length - 1 });
  expect((await applied(other, answer)).result).toMatchObject({
    status: 'completed',
    problems: [],
  });
  expect(await total()).toBe(CARDS);
});

it('goes on after the lines that are the same, and holds them once', async () => {
  await sendImport(other, lines.slice(0, TWO_THIRDS));
  const { body } = await sendImport(other, lines);
  expect(body).toMatchObject({ status: 'accepted', lines: lines.length - 1 });
  const rows = await other.database.inWorkspace('default', (tx) =>
    tx.query<{ n: number }>('SELECT n FROM import_lines ORDER BY n'),
  );
  expect(rows.map(({ n }) => n)).toEqual(lines.slice(1, -1).map((_line, at) => at + 2));
});

it('logs no error where whoever sends it goes away, and goes on', async () => {
  const { hostname, port } = new URL(other.url);
  const headers = { ...NDJSON, authorization: `Bearer ${other.ownerKey}` };
  const sent = request({ hostname, port, path: '/v1/import', method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write(
    lines
      .slice(0, 500)
      .map((line) => `${line}\n`)
      .join(''),
  );
  // Until something of it is held, so that it is being taken.
  for (let lines = 0; lines === 0; lines = await held());
  sent.destroy();
  let answer = await sendImport(other, lines);
  // The one that went away may be heard of a moment later.
  while (answer.body.code === 'import_moved_on') answer = await sendImport(other, lines);
  expect(answer.body).toMatchObject({ status: 'accepted', lines: lines.length - 1 });
  expect(logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
});
