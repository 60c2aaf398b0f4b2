import type { Json } from '../../contracts/event';

/**
 * Reads JSON and Python literals with one tolerant reader: single quotes, `None`, `True`, tuples,
 * bare names, and texts that were cut short. What is unreadable gives undefined, never an error.
 */
export function readLiteral(text: string): Json | undefined {
  const reader = new LiteralReader(text);
  const value = reader.value(0);
  if (value === undefined) return undefined;
  return reader.atEnd() || reader.cutShort ? value : undefined;
}

const MAX_DEPTH = 24;
/** Past this many members a value is sized, not read. */
const MAX_MEMBERS = 5_000;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const WORDS: Readonly<Record<string, Json>> = {
  null: null,
  None: null,
  nil: null,
  undefined: null,
  true: true,
  True: true,
  false: false,
  False: false,
  NaN: null,
};

class LiteralReader {
  private at = 0;
  private members = 0;
  /** The text ended inside a value. */
  cutShort = false;

  constructor(private readonly text: string) {}

  atEnd(): boolean {
    this.skip();
    return this.at >= this.text.length;
  }

  value(depth: number): Json | undefined {
    this.skip();
    const first = this.text[this.at];
    if (first === undefined || depth > MAX_DEPTH) return undefined;
    if (first === '{') return this.record(depth);
    if (first === '[' || first === '(') return this.list(depth, first === '[' ? ']' : ')');
    if (first === '"' || first === "'") return this.quoted(first);
    return this.word();
  }

  private skip(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private list(depth: number, close: string): Json | undefined {
    const out: Json[] = [];
    this.at += 1;
    for (;;) {
      this.skip();
      const next = this.text[this.at];
      if (next === undefined || this.cutShort) return this.ended(out);
      if (next === close) {
        this.at += 1;
        return out;
      }
      if (next === ',') {
        this.at += 1;
        continue;
      }
      const item = this.member(depth);
      if (item === undefined) return this.broken() ? out : undefined;
      out.push(item);
    }
  }

  private record(depth: number): Json | undefined {
    const entries = new Map<string, Json>();
    this.at += 1;
    for (;;) {
      this.skip();
      const next = this.text[this.at];
      if (next === undefined || this.cutShort) return this.ended(toRecord(entries));
      if (next === '}') {
        this.at += 1;
        return toRecord(entries);
      }
      if (next === ',') {
        this.at += 1;
        continue;
      }
      const key = this.member(depth);
      this.skip();
      if (this.cutShort || this.text[this.at] === undefined) return this.ended(toRecord(entries));
      if (key === undefined || typeof key === 'object' || this.text[this.at] !== ':') {
        return this.broken() ? toRecord(entries) : undefined;
      }
      this.at += 1;
      const item = this.member(depth);
      if (item === undefined) return this.broken() ? toRecord(entries) : undefined;
      entries.set(String(key), item);
    }
  }

  private member(depth: number): Json | undefined {
    this.members += 1;
    if (this.members > MAX_MEMBERS) {
      this.at = this.text.length;
      this.cutShort = true;
      return undefined;
    }
    return this.value(depth + 1);
  }

  private ended<T>(value: T): T {
    this.cutShort = true;
    return value;
  }

  /** A cut leaves a stump such as `tru` or `[...cut`; that counts as the end of the text. */
  private broken(): boolean {
    if (this.text.length - this.at <= 12) this.cutShort = true;
    return this.cutShort;
  }

  private quoted(quote: string): Json {
    const parts: string[] = [];
    let from = this.at + 1;
    let at = from;
    for (;;) {
      const char = this.text[at];
      if (char === undefined) {
        parts.push(this.text.slice(from));
        this.at = at;
        this.cutShort = true;
        return parts.join('');
      }
      if (char === '\\') {
        parts.push(this.text.slice(from, at));
        const code = this.text[at + 1] ?? '';
        const hex = code === 'u' ? /^[0-9a-fA-F]{4}/.exec(this.text.slice(at + 2, at + 6)) : null;
        parts.push(
          hex === null ? (ESCAPES[code] ?? code) : String.fromCharCode(Number.parseInt(hex[0], 16)),
        );
        at += hex === null ? 2 : 6;
        from = at;
        continue;
      }
      if (char === quote) {
        parts.push(this.text.slice(from, at));
        this.at = at + 1;
        return parts.join('');
      }
      at += 1;
    }
  }

  private word(): Json | undefined {
    const match = /^[^\s,:{}[\]()'"]{1,80}/.exec(this.text.slice(this.at, this.at + 81));
    if (match === null) return undefined;
    const word = match[0];
    const known = WORDS[word];
    const number = Number(word);
    if (known === undefined && !Number.isFinite(number) && !/^[A-Za-z_][\w.-]*$/.test(word)) {
      return undefined;
    }
    this.at += word.length;
    if (Object.hasOwn(WORDS, word)) return known ?? null;
    return Number.isFinite(number) ? number : word;
  }
}

function toRecord(entries: ReadonlyMap<string, Json>): Json {
  return Object.fromEntries(entries);
}
