import type { FastifyRequest } from 'fastify';
import type { App } from './app';
import { badRequest, Problem } from './problem';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Objects, lists, members and items of one body, of any kind. A parsed one takes up to 100 bytes where
 * its text has two, and is built while nothing else runs: 32 MiB of `[]` held the process for 9 s and
 * 800 MB, as many `[` for 28 s. Real batches have 10 bytes of text or more to each.
 */
const MOST_VALUES = 2_000_000;

/**
 * JSON is the only body there is. An empty one is none, whatever its type says, since many clients
 * send the type with every request; a route that needs a body still refuses it. A member named
 * `__proto__` or `constructor` is one like any other: nothing here assigns members by their name, and
 * refusing the body would cost a batch for one of its events. For the same reason bytes that are no
 * UTF-8 (half a surrogate pair, as some languages write it) become U+FFFD.
 */
export function jsonBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      requirePlainUtf8(request);
      return done(null, parsed(body.toString('utf8')));
    } catch (error) {
      return done(error as Error);
    }
  });
}

function parsed(text: string): unknown {
  if (text.length === 0) return undefined;
  if (text.length > MOST_VALUES && holdsMoreThan(text, MOST_VALUES)) {
    throw new Problem(
      413,
      'too_large',
      `the body holds more than ${MOST_VALUES} values; send it in parts`,
    );
  }
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
  } catch {
    throw badRequest('the body is not JSON');
  }
}

/** @throws Problem 415 where the bytes are not the JSON text itself: nothing here decodes anything. */
function requirePlainUtf8({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw unsupported('send the JSON as it is, without Content-Encoding');
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw unsupported('send the JSON in UTF-8: Content-Type: application/json');
  }
}

function unsupported(detail: string): Problem {
  return new Problem(415, 'unsupported_media_type', detail);
}

const QUOTE = '"'.charCodeAt(0);
const BACKSLASH = '\\'.charCodeAt(0);
/** What opens a value or stands before one: `{ [ , :`. */
const MARKS: ReadonlySet<number> = new Set([...'{[,:'].map((mark) => mark.charCodeAt(0)));

/** Counts without building anything; of a text that is no JSON it counts something. */
function holdsMoreThan(text: string, most: number): boolean {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (MARKS.has(unit)) {
      found += 1;
      if (found > most) return true;
    }
  }
  return false;
}

/** Where the string that opens at `from` closes; the end of the text where it does not. */
function endOfString(text: string, from: number): number {
  let at = text.indexOf('"', from + 1);
  while (at !== -1) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - 1 - before) % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}
