import type { FaultReason } from '../contracts/audit';

/** A row of a block: its number, and the beginning of the hash of the rest of it. */
export interface Mark {
  seq: string;
  mark: string;
}

export interface MarkFault {
  seq: string;
  reason: Extract<FaultReason, 'changed' | 'missing' | 'reordered' | 'inserted'>;
}

/**
 * The first row, by number, that is not as it was sealed.
 * @param there the rows that are there now, in the order of their numbers
 */
export function faultAmong(sealed: readonly Mark[], there: readonly Mark[]): MarkFault | null {
  const moved = movesBetween(sealed, there);
  for (let at = 0; ; at += 1) {
    const [then, now] = [sealed[at], there[at]];
    if (now !== undefined && (then === undefined || isBefore(now, then))) {
      return { seq: now.seq, reason: moved.hither(now) ? 'reordered' : 'inserted' };
    }
    if (then === undefined) return null;
    if (now?.seq === then.seq && now.mark === then.mark) continue;
    const otherwise = now?.seq === then.seq ? 'changed' : 'missing';
    return { seq: then.seq, reason: moved.away(then) ? 'reordered' : otherwise };
  }
}

function isBefore(one: Mark, other: Mark): boolean {
  return BigInt(one.seq) < BigInt(other.seq);
}

/** Rows that stand under another number than they were sealed under. */
function movesBetween(sealed: readonly Mark[], there: readonly Mark[]) {
  const key = ({ seq, mark }: Mark) => `${seq}:${mark}`;
  const wasSealed = new Set(sealed.map(key));
  const isThere = new Set(there.map(key));
  const strays = new Set(there.filter((one) => !wasSealed.has(key(one))).map(({ mark }) => mark));
  const lost = new Set(sealed.filter((one) => !isThere.has(key(one))).map(({ mark }) => mark));
  return {
    away: ({ mark }: Mark) => strays.has(mark),
    hither: ({ mark }: Mark) => lost.has(mark),
  };
}
