import { githubToken } from './secret-strings';

/** One event as text, since much of what is hostile cannot be written by `JSON.stringify`. */
export interface HostileEvent {
  name: string;
  /** `RAW` in it stands for bytes that are no UTF-8. */
  text(id: string): string;
  /** What its item says: taken, or the code and the place of the refusal. */
  expected: 'accepted' | { code: string; pointer?: string };
  /** Also asked of the embedded database, which by itself ends at some of these. */
  everywhere?: true;
  /** The id that it is kept under, where that is not the one given. */
  id?(id: string): string;
}

/** A good event with further members, which replace its own. */
export function eventText(id: string, members = ''): string {
  const own = Object.entries(good(id)).filter(([field]) => !members.startsWith(`,"${field}":`));
  return `${JSON.stringify(Object.fromEntries(own)).slice(0, -1)}${members}}`;
}

export function good(id: string) {
  return {
    event_id: id,
    kind: 'service_call',
    agent: 'scout',
    service: 'mailer',
    operation: 'send_batch',
    outcome: 'worked',
    occurred_at: '2026-06-01T09:00:00Z',
    input: { list: id },
  };
}

const refused = (code: string, pointer?: string) =>
  pointer === undefined ? { code } : { code, pointer };
const invalid = (pointer: string) => refused('invalid', pointer);
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const several = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join(',');

/** A field with this JSON in it. */
const withJson =
  (field: string, json: string) =>
  (id: string): string =>
    eventText(id, `,"${field}":${json}`);
/** Another id than the one the test made. */
const withId = (make: (id: string) => string) => ({
  text: (id: string) => eventText(id, `,"event_id":${JSON.stringify(make(id))}`),
  id: make,
});

export const HOSTILE_EVENTS: readonly HostileEvent[] = [
  ...['7', 'null', '"text"', '[]', 'true'].map((json) => ({
    name: `${json} for an event`,
    text: () => json,
    expected: refused('invalid'),
  })),
  {
    name: 'a time without a zone',
    text: withJson('occurred_at', '"2026-06-01T09:00:00"'),
    expected: invalid('/occurred_at'),
  },
  {
    name: 'a day that is none',
    text: withJson('occurred_at', '"2026-02-30T09:00:00Z"'),
    expected: invalid('/occurred_at'),
  },
  {
    name: 'a year beyond reach',
    text: withJson('occurred_at', '"0000-01-01T00:00:00Z"'),
    expected: invalid('/occurred_at'),
  },
  { name: 'an unknown field', text: withJson('colour', '1'), expected: invalid('/colour') },
  {
    name: 'a known field with NUL behind it',
    text: withJson('text\\u0000', '"x"'),
    expected: invalid('/text\u0000'),
  },
  {
    name: 'an unknown field of 200 KB',
    text: withJson('k'.repeat(200_000), '1'),
    expected: invalid(`/${'k'.repeat(199)}…`),
  },
  { name: 'a number for an agent', text: withJson('agent', '7'), expected: invalid('/agent') },
  {
    name: 'a list for an outcome',
    text: withJson('outcome', '["worked"]'),
    expected: invalid('/outcome'),
  },
  {
    name: 'a text for messages',
    text: withJson('messages', '"hello"'),
    expected: invalid('/messages'),
  },
  {
    name: 'a number that JSON cannot write back',
    text: withJson('input', '{"n":1e999}'),
    expected: invalid('/input'),
  },
  {
    name: 'a cost that no sum can hold',
    text: withJson('delegate', '{"agent":"b","cost":1.7e308}'),
    expected: invalid('/delegate/cost'),
  },
  {
    name: 'a duration that no sum can hold',
    text: withJson('delegate', '{"agent":"b","duration_ms":1.7e308}'),
    expected: invalid('/delegate/duration_ms'),
  },
  {
    name: 'numbers at the edges of JSON',
    text: withJson('input', '[-0,1e-400,1e308,-1e308,123456789012345678901234567890,0.1e1]'),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'NUL in a text and a key',
    text: withJson('output', '{"a\\u0000b":"c\\u0000d","e":["\\u0000"]}'),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'NUL in an id',
    text: (id) => eventText(id, `,"event_id":"${id}\\u0000"`),
    expected: invalid('/event_id'),
    everywhere: true,
  },
  { name: 'NUL in a label', text: withJson('task', '"a\\u0000b"'), expected: invalid('/task') },
  {
    name: 'lone surrogates by their escapes',
    text: withJson('output', '{"a\\ud800":"b\\udc00c","d":"\\udc00\\ud800"}'),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'a lone surrogate in a label',
    text: withJson('task', '"a\\ud800"'),
    expected: invalid('/task'),
  },
  {
    name: 'a lone surrogate as raw bytes',
    text: withJson('text', '"a RAW b"'),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'text from right to left, and marks that turn it',
    text: withJson('text', '"\u202eمرحبا بالعالم\u202c \u2066שלום\u2069 \u200f\u200b done"'),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '10,000 combining marks on one letter',
    text: withJson('text', `"a${'\u0301'.repeat(10_000)}"`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '120,000 combining marks out of their order',
    text: withJson('text', `"a${'\u0301\u0323'.repeat(60_000)}"`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'combining marks in every field that takes them',
    text: (id) =>
      eventText(
        id,
        `,"task":"e\u0301${'\u0301\u0323'.repeat(90)}","input":{"a${'\u0323\u0301'.repeat(9_000)}":1}`,
      ),
    expected: 'accepted',
  },
  {
    name: 'an emoji on every place of 200 KB',
    text: withJson('text', `"x${'😀'.repeat(50_000)}"`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '300 KB',
    text: withJson('text', `"${'word '.repeat(60_000)}"`),
    expected: refused('too_large'),
    everywhere: true,
  },
  {
    name: '250 KB',
    text: withJson('output', `"${'word '.repeat(50_000)}"`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '1,000 levels',
    text: withJson('input', nested(1_000)),
    expected: refused('invalid'),
    everywhere: true,
  },
  {
    name: '100,000 levels',
    text: withJson('input', nested(100_000)),
    expected: refused('invalid'),
    everywhere: true,
  },
  {
    name: '100,000 levels of objects beside the fields',
    text: withJson('x', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
    expected: refused('invalid'),
    everywhere: true,
  },
  {
    name: '100,000 levels of JSON inside a string',
    text: withJson('output', JSON.stringify(nested(100_000))),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '31 levels',
    text: withJson('input', nested(31)),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '5,000 members',
    text: withJson('input', `{${several(5_000, (at) => `"k${at}":${at}`)}}`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'one member with a name of 200 KB',
    text: withJson('input', `{"${'k'.repeat(200_000)}":1}`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: '4,000 messages',
    text: withJson('messages', `[${several(4_000, () => '{"role":"user","content":"hi"}')}]`),
    expected: 'accepted',
  },
  {
    name: '100,000 empty lists',
    text: withJson('output', `[${several(80_000, () => '[]')}]`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'the same member twice',
    text: (id) => eventText(id, ',"text":"first","text":"second"'),
    expected: 'accepted',
  },
  {
    name: 'empty values all over',
    text: (id) => eventText(id, ',"text":"","input":{},"output":[],"error":"","metadata":{}'),
    expected: 'accepted',
  },
  {
    name: 'an id with slashes that climb',
    ...withId((id) => `${id}/../../etc/passwd`),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'an id of 200 characters',
    ...withId((id) => id.padEnd(200, 'x')),
    expected: 'accepted',
    everywhere: true,
  },
  {
    name: 'an id of 201 characters',
    ...withId((id) => id.padEnd(201, 'x')),
    expected: invalid('/event_id'),
  },
  { name: 'an id that climbs at once', ...withId(() => '../up'), expected: invalid('/event_id') },
  { name: 'an empty id', ...withId(() => ''), expected: invalid('/event_id') },
  {
    name: 'an id with a letter that composes into another',
    ...withId((id) => `${id}\u212a`),
    expected: invalid('/event_id'),
  },
  { name: 'an id named __proto__', ...withId(() => '__proto__'), expected: invalid('/event_id') },
  { name: 'an id named constructor', ...withId(() => 'constructor'), expected: 'accepted' },
  {
    name: 'an e-mail for an id',
    ...withId(() => ['ada', 'example.org'].join('@')),
    expected: refused('pii_in_identifier', '/event_id'),
  },
  {
    name: 'a secret for an id',
    ...withId(() => githubToken()),
    expected: refused('secret_in_identifier', '/event_id'),
  },
  {
    name: 'an e-mail for an agent',
    text: withJson('agent', JSON.stringify(['ada', 'example.org'].join('@'))),
    expected: 'accepted',
  },
  {
    name: 'an agent named constructor',
    text: withJson('agent', '"constructor"'),
    expected: 'accepted',
  },
];

const CESU = Buffer.from([0xed, 0xa0, 0x80, 0xff, 0xc0]);

/** A batch as it goes over the wire. */
export function batchOf(texts: readonly string[]): Buffer {
  const [head = '', ...rest] = `{"events":[${texts.join(',')}]}`.split('RAW');
  return Buffer.concat([Buffer.from(head), ...rest.flatMap((part) => [CESU, Buffer.from(part)])]);
}
