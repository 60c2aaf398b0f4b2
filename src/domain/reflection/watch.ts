/** What a session did after something approved was injected into it. */
export interface WatchedSession {
  /** How its final event after that ended; null where it has none yet. */
  final: 'worked' | 'failed' | null;
  /** Calls of any kind that cards tell of. */
  calls: number;
  /** Of the very call that the watched card is about: those that worked, and those that failed in the way it tells of. */
  worked: number;
  failed: number;
}

export type SessionVerdict = 'against' | 'for' | 'nothing';

/**
 * What a session says of something that it was given. One that did other things than it is about says nothing; nor
 * does one that failed elsewhere, while that call worked, or one that got there in spite of it.
 *
 * @param isGeneral whether the card is about no call in particular
 */
export function sessionVerdict(session: WatchedSession, isGeneral: boolean): SessionVerdict {
  const { final, calls, worked, failed } = session;
  const isAbout = isGeneral || calls === 0 || worked + failed > 0;
  if (!isAbout) return 'nothing';
  switch (final) {
    case 'worked':
      return failed > 0 ? 'nothing' : 'for';
    case 'failed':
      return worked > 0 && failed === 0 ? 'nothing' : 'against';
    case null:
      return failed > 0 ? 'against' : 'nothing';
    default:
      return final satisfies never;
  }
}

/** What was seen of something approved since it is watched, or since it was last demoted. */
export interface Watched {
  turnedAgainst: number;
  borneOut: number;
  /** How often it was demoted before. */
  demotions: number;
}

export type WatchVerdict = 'keep' | 'unconfirm' | 'archive';

/**
 * Outcomes decide: so many more against it than for it and it is demoted; the first time it is unconfirmed and half
 * as sure, the second time it goes into the archive.
 *
 * @param demoteAfter `policy.reflection.demote_after`
 */
export function watchVerdict(seen: Watched, demoteAfter: number): WatchVerdict {
  if (seen.turnedAgainst - seen.borneOut < demoteAfter) return 'keep';
  return seen.demotions === 0 ? 'unconfirm' : 'archive';
}
