import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { workspaceHasher } from '../../intake/hashing';
import type { Caller } from '../authentication';
import { Problem } from '../problem';

/** What changes nothing: a page of another origin gains nothing by sending it, since it cannot read the answer. */
const SAFE = new Set(['GET', 'HEAD']);

/** What a page says with whatever it changes; null for a caller with a key, who needs to say nothing. */
export function csrfOf(secretKey: string, { consoleSession, context }: Caller): string | null {
  if (consoleSession === null) return null;
  const hasher = workspaceHasher(secretKey, context.workspace);
  const bound = consoleSession.hash.toString('base64url');
  return hasher.hash('console-csrf', bound).toString('base64url');
}

/**
 * A browser adds its cookie to whatever any page sends; only a page of ours can have read this word.
 * @throws Problem 403 where a request by cookie changes something and does not have it
 */
export function requireCsrf(request: FastifyRequest, secretKey: string): void {
  const expected = csrfOf(secretKey, request.caller);
  if (expected === null || SAFE.has(request.method)) return;
  const given = request.headers['cairn-csrf'];
  if (typeof given === 'string' && isSame(given, expected)) return;
  throw new Problem(
    403,
    'csrf',
    'a change by cookie needs the header Cairn-CSRF with the csrf of GET /v1/session; a program sends its key instead',
  );
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
