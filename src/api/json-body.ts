import type { App } from './app';
import { badRequest } from './problem';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * JSON is the only body there is. An empty one is none, whatever its type says, since many clients
 * send the type with every request; a route that needs a body still refuses it. A member named
 * `__proto__` or `constructor` is one like any other: nothing here assigns members by their name, and
 * refusing the body would cost a batch for one of its events.
 */
export function jsonBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    const text = body.toString();
    if (text.length === 0) return done(null, undefined);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    } catch {
      return done(badRequest('the body is not JSON'));
    }
    return done(null, parsed);
  });
}
