import type { Json, JsonObject } from '../../contracts/event';

/**
 * Reads the outline of YAML-like text: a list of names, a list of records, one record, or a labelled
 * list of lines. Only what names and sizes a thing is read; nested text is skipped. Undefined when
 * the text is prose.
 */
export function readYaml(text: string): Json | undefined {
  const lines = text.split(/\r?\n/, 4_000);
  if (/^- \S/.test(lines[0] ?? '')) return readList(lines);
  return readRecord(lines, 0) ?? readLabelled(lines);
}

const ENTRY = /^([A-Za-z_][\w .#/-]{0,39}?):(?:(?=\s)(.*)|)$/;

function readList(lines: readonly string[]): Json | undefined {
  const items: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('- ')) items.push([line.slice(2)]);
    else if (/^\S/.test(line) && line.trim() !== '') return undefined;
    else items[items.length - 1]?.push(line.startsWith('  ') ? line.slice(2) : line);
  }
  return items.map((item) => readRecord(item, 0) ?? unquote(item.join(' ').trim()));
}

function readRecord(lines: readonly string[], from: number): JsonObject | undefined {
  const fields = new Map<string, Json>();
  let open = '';
  let holder = '';
  let prose = 0;
  for (let i = from; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (open !== '') {
      if (closes(line, open)) open = '';
      continue;
    }
    if (line.trim() === '') continue;
    const entry = ENTRY.exec(line);
    if (entry !== null) {
      holder = entry[1] ?? '';
      const value = (entry[2] ?? '').trim();
      open = opens(value);
      fields.set(holder, value === '' ? null : unquote(value));
      continue;
    }
    const nested = /^(?: {0,4})- |^ {2,}\S/.test(line);
    if (!nested || holder === '') {
      prose += 1;
      if (prose > fields.size) return undefined;
      continue;
    }
    if (/^ {0,2}- /.test(line)) {
      const held = fields.get(holder);
      const item = unquote(line.trim().slice(2));
      if (held === null) fields.set(holder, [item]);
      else if (Array.isArray(held)) held.push(item);
    }
  }
  if (fields.size === 0 || (fields.size === 1 && !isLoneEntry(lines))) return undefined;
  return Object.fromEntries(fields);
}

/** A single `key: value` is a record only where it is not the start of a sentence. */
function isLoneEntry(lines: readonly string[]): boolean {
  return lines.length === 1 && /^[a-z_]+: \S+$/.test(lines[0] ?? '');
}

/** `Hotel Names: Good Night\nLuxury Palace` is a list under a label. */
function readLabelled(lines: readonly string[]): JsonObject | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const first = /^([A-Z][\w '-]{2,60}): (\S.{0,60})$/.exec(filled[0] ?? '');
  if (first === null || filled.length < 2 || filled.length > 200) return undefined;
  const names = [first[2] ?? '', ...filled.slice(1)].map((line) => line.trim());
  if (names.some((name) => name.length > 48 || /[.!?:]$|: /.test(name))) return undefined;
  return { [first[1] ?? 'entries']: names };
}

function opens(value: string): string {
  const quote = value[0];
  if (quote !== '"' && quote !== "'") return '';
  return value.length > 1 && closes(value.slice(1), quote) ? '' : quote;
}

function closes(line: string, quote: string): boolean {
  const tail = /(['"]+)\s*$/.exec(line.slice(-40))?.[1] ?? '';
  if (!tail.endsWith(quote)) return false;
  if (quote === "'") return tail.length % 2 === 1;
  return !/\\["]\s*$/.test(line.slice(-6));
}

function unquote(value: string): Json {
  if (/^-?\d+(?:\.\d+)?$/.test(value) && value.length < 16) return Number(value);
  if (value === 'true' || value === 'false') return value === 'true';
  if (value === 'null' || value === '[]' || value === '{}') return value === 'null' ? null : [];
  const quoted = /^(['"])([\s\S]*)\1$/.exec(value);
  return quoted?.[2] ?? value;
}
