/** Where a command reads and writes; a test gives its own. */
export interface Terminal {
  out: NodeJS.WritableStream & { columns?: number; isTTY?: boolean };
  err: NodeJS.WritableStream & { columns?: number; isTTY?: boolean };
  input: NodeJS.ReadableStream;
}

/** Answers go to stdout, alone; what is said on the way there goes to stderr. */
export class Speech {
  constructor(
    readonly terminal: Terminal,
    /** Machine-readable: stdout carries JSON and nothing else. */
    readonly json: boolean,
  ) {}

  /** Text for people; silent where a program listens. */
  print(text = ''): void {
    if (!this.json) this.terminal.out.write(`${text}\n`);
  }

  /** The answer for a program; silent where a person reads. */
  emit(value: unknown): void {
    if (this.json) this.terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
  }

  /** What happens meanwhile, or went wrong. */
  note(line: string): void {
    this.terminal.err.write(`${line}\n`);
  }

  get width(): number {
    return Math.min(this.terminal.out.columns ?? 100, 120);
  }
}

/** Breaks text at spaces; every line begins with `indent`. */
export function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => indent + one).join('\n');
}

/** Columns as wide as their widest cell, two spaces between them; the last one is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One line of at most so many characters, control characters out: a terminal obeys those. */
export function oneLine(text: string, length: number): string {
  const line = printable(text).replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, Math.max(0, length - 1))}…`;
}

/** What others wrote must not move the cursor or colour the screen. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === '\n' || char === '\t' ? ' ' : ''));
}

export function thousands(count: number): string {
  return count.toLocaleString('en-US');
}
