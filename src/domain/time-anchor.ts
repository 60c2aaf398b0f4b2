import { DAY_MS } from './durations';
import { readPeriod, type Today } from './time-period';
import { monthOf, type TimeWord, timeWordsOf } from './time-words';

export interface AnchorAsked {
  relation: 'before' | 'after' | 'during';
  /** The noun phrase, as it stands in the query, without its article. */
  anchor: string;
}

const RELATIONS: ReadonlyMap<string, AnchorAsked['relation']> = new Map([
  ['before', 'before'],
  ['until', 'before'],
  ['till', 'before'],
  ['prior to', 'before'],
  ['ahead of', 'before'],
  ['leading up to', 'before'],
  ['after', 'after'],
  ['since', 'after'],
  ['following', 'after'],
  ['during', 'during'],
  ['throughout', 'during'],
  ['at the time of', 'during'],
]);

/** "Look after", "named after" and their like relate no times. */
const NO_RELATION =
  /^(?:look|looks|looked|looking|name|named|take|takes|took|taking|go|goes|went|going|run|ask|asks|asked|day|ever|not|long|soon|shortly|even|the|a)$/;
const STILL_RELATION = /^(?:day|long|soon|shortly|even)$/;

const ARTICLES = new Set('the a an this that these those my our your his her its their'.split(' '));
/** A clause or nothing definite follows, and no noun phrase. */
const NO_NOUN = new Set(
  (
    'i we you he she it they them him us me all long now then there hours which what who whom whose when where how why ' +
    'being having doing going and or is are was were do does did has have had can could will would should if'
  ).split(' '),
);
/** Where a noun phrase ends at the latest. */
const ENDS = new Set(
  (
    'and or but so that which who whom whose when where why how what if while because is are was were be been do does did ' +
    'has have had can could will would should may might must i we you he she it they in on at by before after since until ' +
    'till during as than then not'
  ).split(' '),
);
const LONGEST = 8;

/**
 * The event that a query relates a time to: `before the outage` → before, "outage". Which card that
 * is, the caller finds out. Null where a time of the calendar follows ("before June", see
 * `timeAsked`), or a clause. Like a time, it is a hint: recall falls back to the whole where no card
 * answers to the anchor.
 *
 * @example anchorAsked('what did we change after the deploy?') // { relation: 'after', anchor: 'deploy' }
 */
export function anchorAsked(query: string): AnchorAsked | null {
  const words = timeWordsOf(query);
  for (let at = 0; at < words.length; at += 1) {
    const found = relationAt(words, at);
    if (found === null) continue;
    const anchor = nounPhrase(query, words, found.next);
    if (anchor !== null) return { relation: found.relation, anchor };
  }
  return null;
}

function relationAt(
  words: readonly TimeWord[],
  at: number,
): { relation: AnchorAsked['relation']; next: number } | null {
  const before = words[at]?.joined ? (words[at - 1]?.text ?? '') : '';
  if (NO_RELATION.test(before) && !STILL_RELATION.test(before)) return null;
  for (const length of [4, 3, 2, 1]) {
    const text = words
      .slice(at, at + length)
      .map((word) => word.text)
      .join(' ');
    const relation = RELATIONS.get(text);
    // "The following steps" and "following orders" are no times: an article has to follow.
    if (text === 'following' && !ARTICLES.has(words[at + 1]?.text ?? '')) return null;
    if (relation !== undefined) return { relation, next: at + length };
  }
  return null;
}

/** Any day will do: it is only asked whether the words name a time. */
const SOME_DAY: Today = { now: 0, day: 20_000, wall: 20_000 * DAY_MS, southern: () => null };

function nounPhrase(query: string, words: readonly TimeWord[], at: number): string | null {
  const opening = words[at];
  if (opening === undefined || !opening.joined) return null;
  const time = readPeriod(words, at, SOME_DAY);
  if (time !== null && !time.describes) return null;
  const determined = ARTICLES.has(opening.text);
  const start = determined ? at + 1 : at;
  const first = words[start];
  if (first === undefined || (determined && !first.joined)) return null;
  const month = first.capital && monthOf(first.text) !== null;
  if (!month && (NO_NOUN.has(first.text) || ENDS.has(first.text))) return null;
  if (/^[\d–—-]/.test(first.text)) return null;
  // "Before booking a flight" tells what somebody is about to do.
  if (!determined && !first.capital && first.text.endsWith('ing')) return null;
  let end = start + 1;
  while (end - start < LONGEST && words[end]?.joined && !ENDS.has(words[end]?.text ?? '')) {
    const inTime = readPeriod(words, end, SOME_DAY);
    if (inTime !== null && time === null) break;
    if (query.slice(words[end - 1]?.end, words[end]?.start).includes(',')) break;
    end += 1;
  }
  while (end > start + 1 && /^(?:of|to|for|with|from|the|a|an)$/.test(words[end - 1]?.text ?? ''))
    end -= 1;
  const phrase = query.slice(first.start, words[end - 1]?.end).trim();
  return phrase.length <= 120 ? phrase : null;
}
