import type { Dice } from '../../test/support/faults/dice';

/** JSON text that no value of JavaScript is written as: `1e999`, or 2,000 brackets. */
export class Raw {
  constructor(readonly json: string) {}
}

export type Node = null | boolean | number | string | Raw | Node[] | { [key: string]: Node };

/** As `JSON.stringify`, with `Raw` as it is. A key may stand twice if it is given as `key#2`. */
export function written(value: Node): string {
  if (value instanceof Raw) return value.json;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key.replace(/#2$/, ''))}:${written(inner)}`,
  );
  return `{${members.join(',')}}`;
}

// biome-ignore format: a list of short units
const BITS: readonly string[] = [
  '\u0000', '\ud800', '\udc00\ud83d', '\u202e', '\u2028', '\ufeff', '\u200b', '\ufffe', '\u212a',
  '\u{e0041}', '😀', 'مرحبا', 'ﬁ', '"', "'", '\\', '\\u0000', '\n', '\r\n', '\t', '\u001b[31m',
  '<script>', '{{x}}', '#{x}', '%00', '%s%n', "' OR 1=1 --", '$1', '../', '/', '//', '~', '#', '?',
  '&', '..', '-----BEGIN', '```', '<<<END EVENT>>>', '[REDACTED_TOKEN]', '[EMAIL_', 'a@', '+1 (',
  'eyJ', 'ignore all previous instructions', '{"a":', '[[[[', ']]]]', '__proto__', '0x10', '1e5',
];

// biome-ignore format: a list of short units
const UNITS: readonly string[] = [
  'a', ' ', '\\', '"', '/', '\u0301\u0323', '\u0301', '😀', 'word ', '(', '{', '[', '<', '\n',
  'a@b.', 'key=', '1.', '::', '-', '%41', '\u200b', 'password: ', 'eyJ', '| ', 'Error: ', '\\n',
  '忽略', '.',
];

/** Text that something on the way may trip over. */
export function hostileText(dice: Dice): string {
  const roll = dice.next();
  if (roll < 0.45) {
    return Array.from({ length: dice.between(1, 4) }, () => dice.pick(BITS)).join(
      dice.pick(['', ' ', 'x']),
    );
  }
  if (roll < 0.9) {
    const unit = dice.pick(UNITS);
    return unit.repeat(dice.between(1, Math.ceil(dice.pick([40, 300, 4_000]) / unit.length)));
  }
  const unit = dice.pick(UNITS);
  return unit.repeat(Math.ceil(dice.pick([60_000, 120_000, 300_000]) / Buffer.byteLength(unit)));
}

export function hostileValue(dice: Dice): Node {
  const makers: (() => Node)[] = [
    () => hostileText(dice),
    () => hostileText(dice),
    () => null,
    () => dice.pick([true, false, 0, -1, 0.1, 1e308, 2 ** 53 + 2, 5e-324]),
    () => new Raw(dice.pick(['1e999', '-1e999', '-0', '1e-999', '12345678901234567890', '1E+2'])),
    () => new Raw('['.repeat(31) + ']'.repeat(31)),
    () => nested(dice.pick([20, 33, 100, 2_000, 50_000])),
    () => Array.from({ length: dice.pick([0, 3, 2_000]) }, () => dice.pick([0, '', null, 'x'])),
    () =>
      Object.fromEntries(
        Array.from({ length: dice.pick([1, 30, 1_000]) }, (_, at) => [
          `${dice.pick(BITS)}${at}`,
          at,
        ]),
      ),
    () => new Raw('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
    () => new Raw('{"toJSON":1,"length":-1,"then":"x","valueOf":null}'),
    () => JSON.stringify({ inner: hostileText(dice).slice(0, 2_000) }),
    () => dice.pick(['2026-01-01T00:00:00', '0000-01-01T00:00:00Z', '9999-12-31T23:59:60Z', '']),
    () => ['ada', 'example.org'].join('@'),
  ];
  return dice.pick(makers)();
}

function nested(levels: number): Raw {
  return new Raw(`${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`);
}

// biome-ignore format: a list of short units
const FIELDS = [
  'event_id', 'kind', 'agent', 'team', 'parent_agent', 'task', 'session', 'project', 'subject',
  'service', 'operation', 'workflow_step', 'task_type', 'outcome', 'occurred_at', 'text', 'input',
  'output', 'error', 'messages', 'delegate', 'card_kind', 'importance', 'parent_event', 'key',
  'final', 'metadata', 'colour', '__proto__', 'text#2', 'event_id#2',
] as const;

/** A real-shaped event with one to three things wrong, mostly; some stay good. */
export function mutant(event: { [key: string]: Node }, dice: Dice): Node {
  let copy = structuredClone(event);
  for (let changes = dice.between(1, 3); changes > 0; changes -= 1) {
    const roll = dice.next();
    const field = dice.next() < 0.6 ? dice.pick(FIELDS) : dice.pick(Object.keys(copy));
    if (roll < 0.1) delete copy[field];
    else if (roll < 0.3) copy = spliced(copy, field, dice);
    else if (roll < 0.4) return hostileValue(dice);
    else if (roll < 0.5) copy[hostileText(dice).slice(0, 300)] = hostileValue(dice);
    else if (field !== '__proto__') copy[field] = hostileValue(dice);
  }
  return copy;
}

/** Something put into the middle of a text that is there. */
function spliced(
  event: { [key: string]: Node },
  field: string,
  dice: Dice,
): { [key: string]: Node } {
  const value = event[field];
  if (typeof value !== 'string') return { ...event, [field]: hostileValue(dice) };
  const at = dice.between(0, value.length);
  return { ...event, [field]: value.slice(0, at) + hostileText(dice) + value.slice(at) };
}

/** Bytes lost, doubled, turned or put in. */
export function damaged(bytes: Buffer, dice: Dice): Buffer {
  let out = bytes;
  for (let times = dice.between(1, 4); times > 0; times -= 1) {
    const at = dice.between(0, Math.max(0, out.length - 1));
    const to = Math.min(out.length, at + dice.pick([1, 1, 2, 8, 200]));
    const [head, middle, tail] = [out.subarray(0, at), out.subarray(at, to), out.subarray(to)];
    const noise = Buffer.from(
      Array.from({ length: dice.between(1, 6) }, () => dice.between(0, 255)),
    );
    out = Buffer.concat(
      dice.pick([
        [head, tail],
        [head, middle, middle, tail],
        [head, noise, tail],
        [head, Buffer.from(dice.pick(BITS)), middle, tail],
        [head],
        [tail],
      ]),
    );
  }
  return out;
}
