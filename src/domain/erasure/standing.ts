/**
 * One thing that a derived card rests on. `rewritten`: a derived card that stays, and is to be written again itself;
 * `open`: one that is not judged yet.
 */
export type Ground = 'live' | 'rewritten' | 'erased' | 'open';

export interface Grounds {
  /** The event that its words come from; `none` where it was made of other cards alone. */
  own: 'live' | 'erased' | 'none';
  /** The cards that it comes of. */
  sources: readonly Ground[];
}

/**
 * What becomes of a card that comes of something erased. `falls`: nothing else bears it out. `stands`: it rests on
 * something else too, and is written again without what was erased. `untouched`: nothing of it was. `open`: that is
 * for what it rests on to say first.
 */
export type Standing = 'falls' | 'stands' | 'untouched' | 'open';

/**
 * A card stands while its own event does, or, where it has none, one of its sources. What is not judged yet comes of
 * something erased too, so that a card which stands without it is written again whatever comes of it. Where all that
 * is left to be judged waits for each other, nothing outside bears it out: whoever asks lets it fall.
 */
export function standingOf({ own, sources }: Grounds): Standing {
  if (own === 'erased') return 'falls';
  const holds = (ground: Ground) => sources.includes(ground);
  if (own === 'live' || holds('live') || holds('rewritten')) {
    return holds('erased') || holds('rewritten') || holds('open') ? 'stands' : 'untouched';
  }
  return holds('open') ? 'open' : 'falls';
}
