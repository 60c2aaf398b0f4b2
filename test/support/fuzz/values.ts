import fc from 'fast-check';
import type { Schema } from './document';

/** Ids of things that there are, by the word that names them in a path or a body. */
export type Pool = Readonly<Record<string, readonly string[]>>;

/** What somebody writes who wants to break something: of any type, wherever a value stands. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 30, unit: 'binary' }),
  fc.constantFrom(
    ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udc00x', '\u202e\u2066', '\ufeff', '%00', '%'],
    ...[
      "'; SELECT pg_sleep(9) --",
      '$1',
      '{{7*7}}',
      ['$', '{7*7}'].join(''),
      '<script>alert(1)</script>',
    ],
    ...['../../etc/passwd', '..', '.', '/', '\\', '__proto__', 'constructor', 'toString', 'null'],
    ...['-1', '0', '1e999', 'NaN', 'Infinity', '9007199254740993', '99999999999999999999'],
    ...['0000-00-00T00:00:00Z', '2026-02-30T00:00:00Z', '+275760-09-13T00:00:00Z'],
    ...['*', 'W/"1"', '"1"', '"-1"', 'P1Y', 'P99999999999D', 'PT', 'eyJhIjoxfQ', 'é', 'e\u0301'],
  ),
  fc.constantFrom('x', '\u0301', '😀', '[', '\\').map((one) => one.repeat(3_000)),
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, [], {}, [[]]),
  fc.constantFrom<unknown>({ __proto__: { a: 1 } }, { constructor: 1 }, [null], { a: [{}] }),
  fc.integer({ min: 1, max: 60 }).map((levels) => nested(levels)),
  fc.jsonValue({ maxDepth: 2 }),
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** In one of so many places something hostile stands instead of what fits. */
const ONE_IN = 24;

interface Making {
  schemas: Readonly<Record<string, Schema>>;
  pool: Pool;
  /** The word that names the value. */
  word: string;
  depth: number;
  /** Whether nothing hostile is put in: what is only odd often goes all the way. */
  isKind: boolean;
}

/** Mostly what the schema asks for; here and there what it does not. */
export function valueFor(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  if (making.isKind) return fittingOf(schema, making);
  return fc.oneof(
    { weight: ONE_IN, arbitrary: fittingOf(schema, making) },
    { weight: 1, arbitrary: hostileValue },
  );
}

function fittingOf(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const ref = schema.$ref as string | undefined;
  if (ref !== undefined) {
    return fittingOf(making.schemas[ref.split('/').at(-1) ?? ''] ?? {}, making);
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  const choices = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (choices !== undefined) {
    return fc.oneof(...choices.map((choice) => fittingOf(choice, making)));
  }
  const all = schema.allOf as Schema[] | undefined;
  if (all !== undefined) return fittingOf(Object.assign({}, ...all) as Schema, making);
  const types = [schema.type ?? (schema.properties === undefined ? 'any' : 'object')].flat();
  return fc.oneof(...types.map((type) => ofType(String(type), schema, making)));
}

function ofType(type: string, schema: Schema, making: Making): fc.Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema, making);
    case 'array':
      return fc.array(valueFor((schema.items ?? {}) as Schema, deeper(making)), {
        minLength: Math.min(Number(schema.minItems ?? 0), 3),
        maxLength: 3,
      });
    case 'string':
      return textOf(making);
    case 'integer':
    case 'number':
      return numberOf(type, schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      if (making.word === 'metadata') return fc.dictionary(fc.constantFrom('a', 'b'), fc.integer());
      return fc.oneof(fc.jsonValue({ maxDepth: 1 }), textOf(making));
  }
}

function objectOf(schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const required = (schema.required ?? []) as string[];
  const more = schema.additionalProperties;
  if (properties.length === 0 && typeof more === 'object' && more !== null) {
    const values = valueFor(more as Schema, deeper(making));
    return fc.dictionary(fc.string({ maxLength: 8 }), values, { maxKeys: 3 });
  }
  // Deep down only what has to be there: a policy has a hundred fields.
  const kept = properties.filter(([name]) => making.depth < 3 || required.includes(name));
  const fields = kept.map(([name, one]) => {
    const value = valueFor(one, { ...deeper(making), word: name });
    const share = required.includes(name) ? 20 : making.depth === 0 ? 2 : 1;
    if (making.isKind && required.includes(name))
      return value.map((given) => [name, given] as const);
    return fc
      .oneof(
        { weight: share, arbitrary: value.map((given) => [name, given] as const) },
        { weight: 1, arbitrary: fc.constant(null) },
      )
      .map((entry) => entry ?? []);
  });
  const unknown = fc.oneof(
    { weight: 40, arbitrary: fc.constant([] as const) },
    { weight: making.isKind ? 0 : 1, arbitrary: fc.tuple(hostileText, hostileValue) },
  );
  return fc
    .tuple(...fields, unknown)
    .map((entries) =>
      Object.fromEntries(entries.filter((entry) => entry.length === 2) as [string, unknown][]),
    );
}

function textOf({ pool, word, isKind }: Making): fc.Arbitrary<string> {
  const known = pool[word] ?? pool[word.replace(/s$/, '')] ?? [];
  const plain = fc.constantFrom('a', 'mailer', 'send_batch', 'The kiln takes an hour.', 'P1D', '1');
  const isLater = /expires|until|valid_to/.test(word);
  const time = fc.constant(isLater ? '2099-01-01T00:00:00+02:00' : '2024-06-01T09:00:00Z');
  const isTime = isLater || /_at$|^at$|since|as_of|valid/.test(word);
  return fc.oneof(
    { weight: 6, arbitrary: known.length > 0 ? fc.constantFrom(...known) : isTime ? time : plain },
    { weight: isKind && (isTime || known.length > 0) ? 0 : 2, arbitrary: plain },
    { weight: isKind ? 0 : 1, arbitrary: hostileText },
  );
}

function numberOf(type: string, schema: Schema): fc.Arbitrary<number> {
  const least = Number(schema.minimum ?? schema.exclusiveMinimum ?? 0);
  const most = Math.min(Number(schema.maximum ?? schema.exclusiveMaximum ?? 1_000), 1_000);
  const within = { min: Math.ceil(least), max: Math.max(Math.ceil(least), Math.floor(most)) };
  if (type === 'integer') return fc.integer(within);
  return fc.double({ min: least, max: Math.max(least, most), noNaN: true });
}

function deeper(making: Making): Making {
  return { ...making, depth: making.depth + 1 };
}
