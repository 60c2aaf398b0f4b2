import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redactJson } from '../src/redaction/json';
import { redactText } from '../src/redaction/scanner';
import { workspaceTagger } from '../src/redaction/tags';
import { parseEvent } from '../src/schemas/event';

const LINES = readFileSync(join(__dirname, '..', 'samples', 'fleet.jsonl'), 'utf8')
  .trim()
  .split('\n');
const OPTIONS = {
  tag: workspaceTagger('a key of the tests, of at least 32 characters', 'default'),
  keepContactData: true,
  names: [],
};

test('every line is an event with an id of its own, in the order of time', () => {
  const events = LINES.map((line) => parseEvent(JSON.parse(line)));
  expect(events.filter((one) => 'detail' in one)).toEqual([]);
  const parsed = events.flatMap((one) => ('event' in one ? [one.event] : []));
  expect(new Set(parsed.map(({ event_id }) => event_id)).size).toBe(LINES.length);
  const times = parsed.map(({ occurred_at }) => occurred_at);
  expect(times).toEqual([...times].sort());
});

test('the secret that an event holds is found there, and stands nowhere whole in the file', () => {
  const inEvents = LINES.flatMap((line) =>
    Object.keys(redactJson(JSON.parse(line), OPTIONS).counts),
  );
  expect(inEvents).toEqual(['token']);
  const secrets = LINES.flatMap((line) => stringsIn(JSON.parse(line))).filter(
    (text) => Object.keys(redactText(text, OPTIONS).counts).length > 0,
  );
  expect(secrets).toHaveLength(1);
  expect(LINES.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
});

test('what looks like an address or a number of a person is one that is reserved for examples', () => {
  const addresses = LINES.join('\n').match(/[\w.]+@[\w.]+/g) ?? [];
  expect(addresses.length).toBeGreaterThan(0);
  expect(
    addresses.filter((one) => !/@([\w]+\.)?example\.com$/.test(one.replace(/\.$/, ''))),
  ).toEqual([]);
});

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
