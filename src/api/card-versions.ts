import type { FastifyReply } from 'fastify';
import type { Card } from '../contracts/card';
import { lostKeyRace } from '../store/card-writes-linked';
import { badRequest, Problem } from './problem';

/** Two writers of one key at one moment: the second finds the first on its next try. */
const KEY_TRIES = 4;

/**
 * The version that a caller read, from `If-Match: "<version>"`.
 * @throws Problem 428 without it, 400 where it is not a version.
 */
export function requiredVersion(header: string | undefined): number {
  const version = namedVersion(header);
  if (version !== null) return version;
  throw new Problem(
    428,
    'version_required',
    'send the version that you read: If-Match: "<version>", as the ETag of GET shows it',
  );
}

/** The same where naming a version is up to the caller. */
export function namedVersion(header: string | undefined): number | null {
  if (header === undefined || header.trim() === '*') return null;
  const version = Number(/^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1] ?? Number.NaN);
  if (Number.isNaN(version)) throw badRequest('If-Match must be one version, such as "3"');
  return version;
}

/** @throws Problem 412 where the card is no longer the one that was read. */
export function requireFresh(card: Card, expected: number | null): void {
  if (expected !== null && expected !== card.version) throw stale();
}

export function stale(): Problem {
  return new Problem(
    412,
    'stale_version',
    'the card was changed since you read it; read it again and decide anew',
  );
}

export function isStale(error: unknown): boolean {
  return error instanceof Problem && error.code === 'stale_version';
}

export function tagged(reply: FastifyReply, body: unknown): FastifyReply {
  if (typeof body === 'object' && body !== null && 'version' in body) {
    return reply.header('etag', `"${String(body.version)}"`);
  }
  return reply;
}

/** Runs a write again that lost the race for a key. */
export async function afterKeyRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!lostKeyRace(error)) throw error;
      if (attempt >= KEY_TRIES) throw keyTaken();
    }
  }
}

/** @throws Problem 409 where another card has taken the key meanwhile. */
export async function unlessKeyTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw lostKeyRace(error) ? keyTaken() : error;
  }
}

function keyTaken(): Problem {
  return new Problem(
    409,
    'key_taken',
    'another card stands under this key in this scope now; delete or change that one first',
  );
}
