import fc from 'fast-check';
import { eventIn } from '../src/cli/import/event-line';
import { type Line, linesOf } from '../src/domain/text-lines';

async function lines(chunks: Uint8Array[], longest?: number): Promise<Line[]> {
  async function* stream() {
    yield* chunks;
  }
  const read: Line[] = [];
  for await (const line of linesOf(stream(), longest)) read.push(line);
  return read;
}

/** Cuts bytes at any places, in the middle of a character too. */
function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((one) => one.replaceAll('\n', ' '));

test('however the bytes arrive, the lines are the same, and only a line feed ends one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 6 }),
      async (written, at) => {
        const bytes = new TextEncoder().encode(`${written.join('\n')}\n`);
        const read = await lines(cut(bytes, at));
        // The decoder takes a byte order mark from the start of a line, as JSON readers do.
        expect(read).toEqual(
          written.map((line, index) => ({ number: index + 1, text: line.replace(/^\uFEFF/, '') })),
        );
      },
    ),
  );
});

test('separators that only some readers take for line ends stay inside', async () => {
  const line = JSON.stringify({ text: 'a b c\u2028d\u2029e' }).replace('\\u2028', '\u2028');
  expect(await lines([Buffer.from(`${line}\r\nlast`)])).toEqual([
    { number: 1, text: `${line}\r` },
    { number: 2, text: 'last' },
  ]);
});

test('a line that is too long or not UTF-8 is said, and the rest goes on', async () => {
  const bytes = Buffer.concat([
    Buffer.from('ok\n'),
    Buffer.alloc(50, 'x'),
    Buffer.from('\n'),
    Buffer.from([0x22, 0xff, 0x22, 0x0a]),
    Buffer.from('ok too'),
  ]);
  for (const at of [[], [10], [10, 20, 30, 54]]) {
    expect(await lines(cut(bytes, at), 20)).toEqual([
      { number: 1, text: 'ok' },
      { number: 2, problem: 'longer than 20 bytes' },
      { number: 3, problem: 'not UTF-8' },
      { number: 4, text: 'ok too' },
    ]);
  }
});

test('unknown fields go into metadata beside what is there, and nothing is lost', () => {
  const line = {
    event_id: 'a',
    outcome: 'worked',
    source: 'x',
    labels: { poisoned: false },
    metadata: { mine: 1 },
  };
  expect(eventIn(JSON.stringify(line), new Set())).toEqual({
    event: {
      event_id: 'a',
      outcome: 'worked',
      metadata: { mine: 1, source: 'x', labels: { poisoned: false } },
    },
  });
  const taken = { event_id: 'a', source: 'x', metadata: { source: 'y' } };
  expect(eventIn(JSON.stringify(taken), new Set())).toMatchObject({ code: 'metadata_conflict' });
  expect(eventIn(JSON.stringify({ other: 1, metadata: 'text' }), new Set())).toMatchObject({
    code: 'metadata_conflict',
  });
});

test('omitted fields are dropped, known or not', () => {
  const line = { event_id: 'a', task: 't', labels: 1, source: 's' };
  expect(eventIn(JSON.stringify(line), new Set(['labels', 'task']))).toEqual({
    event: { event_id: 'a', metadata: { source: 's' } },
  });
});

test('null means "not there" but for inputs, outputs and errors', () => {
  const line = { event_id: 'a', team: null, output: null, parent_event: null, extra: null };
  expect(eventIn(JSON.stringify(line), new Set())).toEqual({
    event: { event_id: 'a', output: null, metadata: { extra: null } },
  });
});

test('a field named like a member of every object is a field', () => {
  expect(eventIn('{"event_id":"a","constructor":"x","__proto__":{"y":1}}', new Set())).toEqual({
    event: {
      event_id: 'a',
      metadata: JSON.parse('{"constructor":"x","__proto__":{"y":1}}') as object,
    },
  });
});

test.each([
  ['{', 'not_json'],
  ['[1]', 'not_an_event'],
  ['"text"', 'not_an_event'],
  ['null', 'not_an_event'],
])('%s is not an event', (line, code) => {
  expect(eventIn(line, new Set())).toMatchObject({ code });
});
