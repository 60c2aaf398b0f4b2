import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../problem';

const MIB = 1024 * 1024;
/** What a body may come to that does not say how long it is: the longest there is. */
const UNTOLD_MIB = 32;
/** Requests in hand last from milliseconds to half a minute. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Requests of each key that are in hand: waiting for cards, for the database, or for the rest of their body,
 * which is held in memory meanwhile. One that waits without end costs its own key and nobody else.
 */
export class AtOnce {
  private readonly inHand = new Map<string, number>();
  /** What a connection that closes gives back, of answers that stand in line on it and are told nothing. */
  private readonly onSocket = new WeakMap<Socket, Set<() => void>>();

  constructor(private readonly tooMany: (limit: number) => Problem = tooManyAtOnce) {}

  /** Counts the request until its answer is sent or its client is gone. @throws Problem 429 */
  take(keyId: string, limit: number, request: FastifyRequest, answer: ServerResponse): void {
    const { socket } = request.raw;
    // Gone while its key was looked up: nobody would ever give it back.
    if (answer.destroyed || socket.destroyed) return;
    const weight = weightOf(request);
    const before = this.inHand.get(keyId) ?? 0;
    // A single one always fits: its own size has a bound of its own.
    if (before > 0 && before + weight > limit) throw this.tooMany(limit);
    this.inHand.set(keyId, before + weight);
    const held = this.heldOn(socket);
    const giveBack = () => {
      if (!held.delete(giveBack)) return;
      const left = (this.inHand.get(keyId) ?? 0) - weight;
      if (left > 0) this.inHand.set(keyId, left);
      else this.inHand.delete(keyId);
    };
    held.add(giveBack);
    answer.once('close', giveBack);
  }

  private heldOn(socket: Socket): Set<() => void> {
    const known = this.onSocket.get(socket);
    if (known !== undefined) return known;
    const held = new Set<() => void>();
    this.onSocket.set(socket, held);
    socket.once('close', () => {
      for (const giveBack of held) giveBack();
    });
    return held;
  }
}

function weightOf({ headers }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return 1 + UNTOLD_MIB;
  return 1 + Math.floor(Number(headers['content-length'] ?? 0) / MIB);
}

function tooManyAtOnce(limit: number): Problem {
  return refused(
    `this key has ${limit} requests in hand, each counted once more for every MiB of its body; wait for some of them`,
    { limit, of: 'key_at_once' },
  );
}

/** Of answers without end. */
export function tooManyStreams(limit: number): Problem {
  return refused(`this key listens to ${limit} streams already; close one of them`, {
    limit,
    of: 'key_streams',
  });
}

function refused(detail: string, which: { limit: number; of: string }): Problem {
  return new Problem(
    429,
    'rate_limited',
    detail,
    { ...which, retry_after: RETRY_AFTER_SECONDS },
    { 'retry-after': String(RETRY_AFTER_SECONDS) },
  );
}
