import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { LOGS, type LogName, type PlainRow } from '../src/contracts/audit';
import {
  BEGINNING,
  blockText,
  endOf,
  entriesOf,
  faultInRows,
  faultInSeal,
  LOG_COLUMNS,
  NUMBER_OF,
  type PlainSeal,
  rowText,
  SEAL_COLUMNS,
  type Sha256,
  sealOf,
  sealText,
} from '../src/domain/audit-chain';

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex');

/** Text that is apt to be mistaken for what stands around it. */
const tricky = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '"',
    '","',
    '\\',
    '\\"',
    ',',
    'null',
    '[]',
    '{a,b}',
    '\u0000',
    '\ud800',
    'é',
    'é',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const value = fc.option(tricky, { freq: 4 });

const rowOf = (log: LogName, seq: fc.Arbitrary<string> = fc.nat(5).map(String)) =>
  fc
    .record(Object.fromEntries(LOG_COLUMNS[log].map((column) => [column, value])))
    .chain((row) => seq.map((number): PlainRow => ({ ...row, [NUMBER_OF[log]]: number })));

const rowsOf = (log: LogName) =>
  fc
    .uniqueArray(fc.nat(30), { maxLength: 6 })
    .chain((numbers) =>
      fc.tuple(...numbers.sort((a, b) => a - b).map((seq) => rowOf(log, fc.constant(String(seq))))),
    );
const blockOf = fc.record({ audit: rowsOf('audit'), access: rowsOf('access') });

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const values = (log: LogName, row: PlainRow, but: string | null = null) =>
  LOG_COLUMNS[log].filter((column) => column !== but).map((column) => row[column]);

describe.each(LOGS)('a row of the %s log', (log) => {
  it('is written like another one only where every column but its number is the same', () => {
    const pair = fc.tuple(rowOf(log), rowOf(log), fc.nat(), fc.boolean());
    fc.assert(
      fc.property(pair, ([row, stranger, at, isNear]) => {
        const column = LOG_COLUMNS[log][at % LOG_COLUMNS[log].length] ?? '';
        const other = isNear ? { ...row, [column]: stranger[column] ?? null } : stranger;
        const number = NUMBER_OF[log];
        expect(rowText(log, row) === rowText(log, other)).toBe(
          isSame(values(log, row, number), values(log, other, number)),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it('is never written like a row of the other log', () => {
    const other = log === 'audit' ? 'access' : 'audit';
    fc.assert(
      fc.property(rowOf(log), rowOf(other), (row, stranger) => {
        expect(rowText(log, row)).not.toBe(rowText(other, stranger));
      }),
    );
  });
});

it('a block is written like another one only where it has the same rows under the same numbers', () => {
  fc.assert(
    fc.property(blockOf, blockOf, (one, other) => {
      const text = (rows: typeof one) => blockText(entriesOf(rows, sha256));
      const all = (rows: typeof one) => LOGS.map((log) => rows[log].map((row) => values(log, row)));
      expect(text(one) === text(other)).toBe(isSame(all(one), all(other)));
      expect(text({ audit: one.audit, access: [] })).not.toBe(
        text({ audit: [], access: [{ ...one.audit[0], id: '0' }] }),
      );
    }),
    { numRuns: 500 },
  );
});

it('a seal is written like another one only where every column and the head before it are the same', () => {
  const seal = fc
    .record(Object.fromEntries(SEAL_COLUMNS.map((column) => [column, tricky])))
    .map((made) => made as unknown as PlainSeal);
  fc.assert(
    fc.property(seal, seal, fc.nat(), value, value, (one, stranger, at, before, otherBefore) => {
      const columns = SEAL_COLUMNS.filter((column) => column !== 'head');
      const column = columns[at % columns.length] ?? 'n';
      const other = { ...one, [column]: stranger[column] };
      const isAlike = one[column] === other[column] && before === otherBefore;
      expect(sealText(before, one) === sealText(otherBefore, other)).toBe(isAlike);
    }),
    { numRuns: 2_000 },
  );
});

it('a block holds as it was sealed, and with any one row changed, dropped, added or moved it does not', () => {
  fc.assert(
    fc.property(blockOf, fc.constantFrom(...LOGS), fc.nat(), tricky, (rows, log, at, other) => {
      const seal = sealOf(
        {
          workspace: 'default',
          end: BEGINNING,
          to: { audit: '100', access: '100' },
          rows,
          sealedAt: '2026-06-01 00:00:00+00',
          workflowId: 'seal/default/1',
        },
        sha256,
      );
      expect(faultInSeal(BEGINNING, seal, sha256)).toBeNull();
      expect(faultInSeal(endOf(seal), seal, sha256)).not.toBeNull();
      expect(faultInRows(seal, rows, sha256)).toBeNull();
      const row = rows[log][at % Math.max(1, rows[log].length)];
      if (row === undefined) return;
      const number = NUMBER_OF[log];
      const seq = Number(row[number]);
      const others = rows[log].filter((one) => one !== row);
      const put = (more: PlainRow[]) => ({
        ...rows,
        [log]: [...others, ...more].sort((a, b) => Number(a[number]) - Number(b[number])),
      });
      const faultWith = (more: PlainRow[]) => faultInRows(seal, put(more), sha256);
      expect(faultWith([])).toEqual({ log, seq, reason: 'missing' });
      const changed = { ...row, at: `${row.at} ${other}` };
      expect(faultWith([changed])).toEqual({ log, seq, reason: 'changed' });
      expect(faultWith([row, { ...changed, [number]: '50' }])).toEqual({
        ...{ log, seq: 50, reason: 'inserted' },
      });
      // Where another row is the same but for its number, one of the two has moved: which, nobody can say.
      expect(faultWith([{ ...row, [number]: '50' }])?.reason).toBe('reordered');
    }),
    { numRuns: 500 },
  );
});
