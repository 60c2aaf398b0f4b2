import { mentioned } from './mentions';

/** A piece of memory text that speaks of one thing: a record in JSON, or sentences of one bullet. */
export interface Segment {
  form: 'json' | 'prose';
  text: string;
}

/**
 * What a text says about one operation. A heading speaks for the lines beneath it, the beginning of a
 * line for its rest; what names only other operations, or none, is left out.
 */
export function segmentsAbout(text: string, operation: string): Segment[] {
  const out: Segment[] = [];
  for (const block of text.replace(/\r\n?/g, '\n').split(/\n\s*\n/)) {
    let heading: Set<string> = new Set();
    for (const piece of pieces(block)) {
      const named = mentioned(piece.text);
      if (piece.form === 'json') {
        if (isAbout(named, heading, operation)) out.push(piece);
        continue;
      }
      if (isHeading(piece.text)) heading = named;
      let current = heading;
      for (const sentences of groups(piece.text)) {
        const own = mentioned(sentences);
        if (own.size > 0) current = own;
        if (current.has(operation)) out.push({ form: 'prose', text: sentences });
      }
    }
  }
  return out;
}

function isAbout(named: ReadonlySet<string>, heading: ReadonlySet<string>, operation: string) {
  return named.size > 0 ? named.has(operation) : heading.has(operation);
}

function isHeading(line: string): boolean {
  return /^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)|:\s*$/.test(line);
}

/** JSON records as wholes, whatever their line breaks; bullets and other lines one by one. */
function pieces(block: string): Segment[] {
  const out: Segment[] = [];
  let prose = '';
  const flush = () => {
    for (const line of linesOf(prose)) out.push({ form: 'prose', text: line });
    prose = '';
  };
  for (let at = 0; at < block.length; ) {
    const end = block[at] === '{' ? closing(block, at) : -1;
    const record = end < 0 ? '' : block.slice(at, end);
    if (end >= 0 && /"operation"\s*:/.test(record)) {
      flush();
      out.push({ form: 'json', text: record });
      at = end;
    } else {
      const to = end < 0 ? at + 1 : end;
      prose += block.slice(at, to);
      at = to;
    }
  }
  flush();
  return out;
}

/** One past the brace that closes the one at `from`, or -1 where none does. */
function closing(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const c = text[at];
    if (quoted) {
      if (c === '\\') at += 1;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '{') depth += 1;
    else if (c === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Bullets, headings and lines that name an operation begin anew; other lines go on with the last. */
function linesOf(text: string): string[] {
  const out: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.trimEnd();
    if (line.trim() === '') continue;
    const starts =
      /^\s*(?:[-*•·#]|\d+[.)]\s)/.test(line) || isHeading(line) || mentioned(line).size > 0;
    const last = out[out.length - 1];
    if (starts || last === undefined || isHeading(last)) out.push(line);
    else out[out.length - 1] = `${last}\n${line}`;
  }
  return out;
}

/** Sentences of a line, put together up to the next that names an operation or opens a bullet. */
function groups(line: string): string[] {
  const out: string[] = [];
  for (const sentence of line.split(/(?<=[.!?…»])\s+(?=[-•*]\s|\S)|\s+•\s+/)) {
    const anew = /^[-•*]\s/.test(sentence) || mentioned(sentence).size > 0;
    const last = out[out.length - 1];
    if (anew || last === undefined) out.push(sentence);
    else out[out.length - 1] = `${last} ${sentence}`;
  }
  return out;
}
