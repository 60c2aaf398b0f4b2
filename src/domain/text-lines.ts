/** A line of a file, numbered from 1; `problem` where it cannot be read as text. */
export type Line = { number: number; text: string } | { number: number; problem: string };

/** An event has at most 256 KB of JSON; escapes and spaces may make its line this much longer. */
export const LONGEST_LINE = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/**
 * Splits bytes at line feeds, and there only: JSON may hold U+2028, at which `readline` would cut.
 * Never more than one line and one chunk is in memory; a line that is too long is passed over.
 *
 * @param longest bytes
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array | string>,
  longest = LONGEST_LINE,
): AsyncGenerator<Line, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      size += at - from;
      parts.push(bytes.subarray(from, at));
      yield lineOf(parts, size, number, longest);
      parts = [];
      size = 0;
      number += 1;
      from = at + 1;
    }
    size += bytes.length - from;
    if (size <= longest) parts.push(bytes.subarray(from));
    else parts = [];
  }
  if (size > 0) yield lineOf(parts, size, number, longest);
}

function lineOf(parts: readonly Uint8Array[], size: number, number: number, longest: number): Line {
  if (size > longest) return { number, problem: `longer than ${longest} bytes` };
  try {
    // `fatal`: a broken byte is said, not stored as U+FFFD. The decoder drops a mark at the start.
    return { number, text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)) };
  } catch {
    return { number, problem: 'not UTF-8' };
  }
}
