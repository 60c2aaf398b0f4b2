import { toolValue } from '../src/domain/conversation/tool-value';

const FILLER = 'x y z '.repeat(4_000);

describe('what stays of a tool result', () => {
  test('are the fields that the answer repeats, by their paths', () => {
    const raw = JSON.stringify({
      order: { id: 'A-17', total: 608.0, lines: [{ sku: 'X-99', qty: 2 }] },
      pad: FILLER,
    });
    expect(toolValue(raw, ['The total of order A-17 is 608.'])).toBe(
      'order.id: A-17; order.total: 608',
    );
    expect(toolValue(raw, ['Two pieces of X-99 were ordered.'])).toBe('order.lines[0].sku: X-99');
  });

  test('are the lines that do, where it is a text', () => {
    const lines = Array.from(
      { length: 900 },
      (_, n) => `row ${n}: host node-${n}.internal has load ${n * 7}`,
    );
    expect(toolValue(lines.join('\n'), ['The load of node-321.internal is 2247.'])).toBe(
      lines[321],
    );
    const inside = JSON.stringify({ text: lines.join('\n') });
    expect(toolValue(inside, ['The load of node-321.internal is 2247.'])).toBe(
      `text: ${lines[321]}`,
    );
  });

  test('is else what it was and how it began', () => {
    expect(toolValue(`{"a":1,"b":[1,2]}${' '.repeat(500)}`, ['Done.'])).toMatch(
      /^A record of 2 fields \(a, b; 517 characters\), which begins: \{"a":1/,
    );
    expect(toolValue('plain words '.repeat(100), ['Fine.'])).toMatch(
      /^A text of 1 lines .*plain words/,
    );
    expect(toolValue('[1,2,3]', [])).toMatch(/^A list of 3/);
  });

  test('is short and never fails, whatever comes', () => {
    const texts = [
      '',
      '{',
      '[[',
      '\u0000'.repeat(300),
      '\ud800'.repeat(400),
      `{"a":${'['.repeat(200)}`,
      FILLER,
      '"'.repeat(20_000),
      'a\n'.repeat(20_000),
    ];
    for (const raw of texts) {
      for (const answer of ['', 'a', raw.slice(0, 500)]) {
        expect(toolValue(raw, [answer]).length).toBeLessThanOrEqual(320);
      }
    }
  });
});
