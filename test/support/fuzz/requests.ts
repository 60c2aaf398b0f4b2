import fc from 'fast-check';
import type { FuzzDocument, FuzzRoute, Parameter } from './document';
import { hostileText, type Pool, valueFor } from './values';

export interface FuzzRequest {
  path: string;
  headers: Record<string, string>;
  /** Null where none is sent. */
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** No worker runs: what waits for one is not waited for. */
const WAIT_MS = '50';

const NAMES = /^Cairn-|^cursor$/;

/** Bodies that are no JSON, or far from what any route takes. */
const rawBody: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.constantFrom(
  ...['', '{', '[]', 'null', '7', '"x"', '{"a":1}{"a":2}', '{"a":1e999}', 'a=b&c=d', '\ufeff{}'],
  ...['{"__proto__":{"x":1}}', '{"a":"\\ud800"}', '{"a":"\\u0000"}', '// x\n{}', '{"a":NaN}'],
  '['.repeat(50_000),
  `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  `{"text":"${'word '.repeat(30_000)}"}`,
  new Uint8Array([0x7b, 0x22, 0xff, 0xc0, 0x22, 0x3a, 0x31, 0x7d]),
);

const rawType = fc.constantFrom(
  ...['application/json', 'application/json', 'text/plain', 'application/xml', 'nonsense', ''],
  ...[
    'application/x-ndjson',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ],
);

/** Requests to this route: as many that its schemas allow as ones that are absurd somewhere. */
export function requestsTo(
  route: FuzzRoute,
  document: FuzzDocument,
  pool: Pool,
): fc.Arbitrary<FuzzRequest> {
  return fc.boolean().chain((isKind) => requestsOf(route, document, pool, isKind));
}

function requestsOf(
  route: FuzzRoute,
  { schemas }: FuzzDocument,
  pool: Pool,
  isKind: boolean,
): fc.Arbitrary<FuzzRequest> {
  const given = (one: Parameter) =>
    valueFor(one.schema, { schemas, pool, word: wordOf(route, one), depth: 1, isKind }).map(
      (value) => [one.name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    );
  // Whose name a call bears decides at once what becomes of it, so that it is mostly left alone.
  const some = (one: Parameter, weight: number) =>
    fc.oneof(
      { weight: one.required ? 12 : isKind && NAMES.test(one.name) ? 0 : 1, arbitrary: given(one) },
      { weight: one.required ? 1 : weight, arbitrary: fc.constant(null) },
    );
  const of = (where: Parameter['in']) => route.parameters.filter((one) => one.in === where);
  const json = { schemas, pool, word: '', depth: 0, isKind };
  const body =
    route.body === null
      ? fc.constant(null)
      : fc.oneof(
          {
            weight: 8,
            arbitrary: valueFor(route.body.schema, json).map((value) => ({
              type: 'application/json',
              body: JSON.stringify(value) ?? 'null',
            })),
          },
          { weight: isKind ? 0 : 1, arbitrary: fc.record({ type: rawType, body: rawBody }) },
        );
  return fc
    .record({
      params: fc.tuple(...of('path').map(given)),
      query: fc.tuple(...of('query').map((one) => some(one, isKind ? 5 : 2))),
      odd: fc.oneof(
        { weight: 15, arbitrary: fc.constant(null) },
        { weight: isKind ? 0 : 1, arbitrary: fc.tuple(hostileText, hostileText) },
      ),
      headers: fc.tuple(...of('header').map((one) => some(one, isKind ? 5 : 12))),
      body,
    })
    .map(({ params, query, odd, headers, body: sent }) => ({
      path: pathOf(route.path, params) + queryOf([...query, odd]),
      headers: {
        ...Object.fromEntries(headers.flatMap((one) => (one === null ? [] : [sendable(one)]))),
        ...(sent === null || sent.type === '' ? {} : { 'content-type': sent.type }),
      },
      body: sent === null ? null : sent.body,
    }));
}

/** `/v1/cards/{id}` takes the id of a card. */
function wordOf({ path }: FuzzRoute, { name, in: where }: Parameter): string {
  if (where === 'header') return name.toLowerCase().replace('cairn-', '');
  if (where !== 'path' || name !== 'id') return name;
  return path.split('/')[2]?.replace(/s$/, '') ?? name;
}

function pathOf(path: string, params: readonly (readonly [string, string | undefined])[]): string {
  return params.reduce(
    (whole, [name, value]) => whole.replace(`{${name}}`, encoded(value ?? '') || '%20'),
    path,
  );
}

function queryOf(pairs: readonly (readonly [string, string | undefined] | null)[]): string {
  const text = pairs
    .flatMap((pair) => (pair === null ? [] : [pair]))
    .map(([name, value]) => [
      encoded(name),
      name === 'wait_ms' && Number(value) > Number(WAIT_MS) ? WAIT_MS : encoded(value ?? ''),
    ])
    .map((pair) => pair.join('='))
    .join('&');
  return text === '' ? '' : `?${text}`;
}

/** Half a surrogate pair goes as the bytes that some languages write for it. */
function encoded(value: string): string {
  const text = [...value]
    .map((unit) => (/^[\ud800-\udfff]$/.test(unit) ? '%ED%A0%80' : encodeURIComponent(unit)))
    .join('');
  // What stands for a step up or none would be another path before it is sent.
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%2E') : text.slice(0, 12_000);
}

/** What may stand in a header at all; what may not never leaves a client. */
function sendable([name, value]: readonly [string, string | undefined]): [string, string] {
  const latin = [...(value ?? '')].map((unit) => ((unit.codePointAt(0) ?? 0) > 255 ? '?' : unit));
  const text = latin.join('').replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');
  return [name, text.trim().slice(0, 3_000)];
}
