import type { Json, SettledEvent } from '../../contracts/event';
import { parseValue } from './parse-value';
import { clip, oneLine } from './plain-text';

/** As JSON, in UTF-8 bytes (the card's row holds them; design §7 says 2 KB). */
export const INPUT_FIELDS_LIMIT = 2_048;
const VALUE_LIMIT = 160;
const FIELD_LIMIT = 64;
const DEPTH_LIMIT = 6;
/** Words of a command or short text that get a field each. */
const WORD_LIMIT = 12;

/**
 * The scalar fields of the redacted input by dotted path, e.g. `payment_methods.0.amount` → `608`.
 * A text that holds data is read as data; another text gives its first words as `word.0`, `word.1` …,
 * so that alike commands and questions can be compared too.
 */
export function inputFields(event: SettledEvent): Record<string, string> {
  const input =
    event.input === undefined || event.input === null ? (event.text ?? null) : event.input;
  const fields: [string, string][] = [];
  const parsed = parseValue(input);
  if (parsed.shape === 'record') collect(parsed.fields as Json, '', 0, fields);
  else if (parsed.shape === 'list') collect([...parsed.items], '', 0, fields);
  else if (parsed.shape === 'scalar' || parsed.shape === 'text') {
    collectWords(String(parsed.shape === 'scalar' ? parsed.value : parsed.text), fields);
  }
  return withinLimit(fields);
}

function collect(value: Json, path: string, depth: number, out: [string, string][]): void {
  if (out.length >= FIELD_LIMIT) return;
  if (value !== null && typeof value === 'object') {
    if (depth >= DEPTH_LIMIT) return;
    // That a field was given and empty is what two calls may differ by.
    if (path !== '' && Object.keys(value).length === 0) {
      out.push([path, Array.isArray(value) ? '[]' : '{}']);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      collect(item, path === '' ? key.slice(0, 80) : `${path}.${key.slice(0, 80)}`, depth + 1, out);
    }
    return;
  }
  out.push([path === '' ? 'value' : path, clip(oneLine(String(value)), VALUE_LIMIT)]);
}

function collectWords(text: string, out: [string, string][]): void {
  const first = oneLine(text.split('\n', 1)[0] ?? '');
  first
    .split(' ')
    .slice(0, WORD_LIMIT)
    .forEach((word, index) => {
      if (word !== '') out.push([`word.${index}`, clip(word, VALUE_LIMIT)]);
    });
}

function withinLimit(fields: readonly [string, string][]): Record<string, string> {
  const kept: [string, string][] = [];
  let size = 2;
  for (const [path, value] of fields) {
    const safePath = oneLine(path);
    size += utf8Length(JSON.stringify(safePath)) + utf8Length(JSON.stringify(value)) + 2;
    if (size > INPUT_FIELDS_LIMIT) break;
    kept.push([safePath, value]);
  }
  return Object.fromEntries(kept);
}

function utf8Length(text: string): number {
  let length = 0;
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return length;
}
