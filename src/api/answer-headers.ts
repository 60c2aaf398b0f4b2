import type { IncomingHttpHeaders } from 'node:http';

/** No page may be made of an answer, shown within another, or guess what kind of thing it is. */
const CLOSED = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The docs page alone: its own files, and no script or style that stands in the page. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every answer says, also one to what is no HTTP, of which no route and no hook hears. */
export const ANSWER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CLOSED,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that know no frame-ancestors.
  'x-frame-options': 'DENY',
};

/** Answers to a key are its holder's alone, and what they show may be revoked the next moment. */
export const NOT_KEPT: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };

/** A year. Behind TLS only, as the proxy in front says: on plain HTTP the header means nothing. */
const STRICT_TRANSPORT = { 'strict-transport-security': 'max-age=31536000' };

export function answerHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const isSecure = headers['x-forwarded-proto'] === 'https';
  return { ...ANSWER_HEADERS, ...(isSecure ? STRICT_TRANSPORT : {}) };
}
