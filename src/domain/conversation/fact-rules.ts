import {
  DIETS,
  HEALTH,
  OCCUPATION,
  OWNED,
  PASSING,
  POINTS_ELSEWHERE,
  RELATIVE,
  THIRD,
} from './fact-words';

/** What a rule found, in words for a sentence of another. */
export interface Found {
  who: string;
  /** With its possessive ending. */
  of: string;
  value: string;
  attribute: string;
  verb: string;
}

/** One way in which people speak of themselves. Groups: `value`, and where the sentence needs them `attribute`, `verb`. */
export interface FactRule {
  pattern: RegExp;
  /** A sentence without its full stop; null where this is none after all. */
  says(found: Found): string | null;
  /** A fact only together with a date that is still to come. */
  dated?: true;
}

const I = "(?<![\\p{L}'])(?:I|i)";
const AM = `${I}(?: am|'m)`;
const VALUE = '(?<value>[^.!?]{1,160})';
const REALLY =
  '(?: really| absolutely| just| also| truly| always| still| currently| now| actually)*';

function rule(pattern: string, says: FactRule['says'], dated?: true): FactRule {
  const made = { pattern: new RegExp(pattern, 'iu'), says };
  return dated === undefined ? made : { ...made, dated };
}

const isNoun = (value: string) => !POINTS_ELSEWHERE.test(value);

/** The first that fits has the word; those that name an attribute come first, so that a newer value meets the older. */
export const FACT_RULES: readonly FactRule[] = [
  rule(
    `(?<![\\p{L}])(?:my name is|my name's|${I} am called|call me|${I} go by) (?<value>\\p{L}[\\p{L}'’.-]{1,30}(?: \\p{Lu}[\\p{L}'’.-]{1,30}){0,2})`,
    ({ of, value }) => (/^\p{Lu}/u.test(value) ? `${of} name is ${value}` : null),
  ),
  rule(
    `${I}(?:'ve| have)?${REALLY} (?:live|lived|moved|relocated|am based|settled) (?:in|to) ${VALUE}`,
    ({ of, value }) =>
      /^(?:the )?(?:\p{Lu}|\[)/u.test(value) ? `${of} place of residence is ${value}` : null,
  ),
  rule(`${AM} (?:based|living) in ${VALUE}`, ({ of, value }) =>
    /^(?:the )?(?:\p{Lu}|\[)/u.test(value) ? `${of} place of residence is ${value}` : null,
  ),
  rule(
    `${AM}(?: originally)? from (?<value>\\p{Lu}[^.!?]{1,60})`,
    ({ of, value }) => `${of} place of origin is ${value}`,
  ),
  rule(`${I} was born (?:in|on) ${VALUE}`, ({ who, value }) => `${who} was born in ${value}`),
  rule(`${I}${REALLY} work (?:at|for) (?<value>(?:an? |the )?[^.!?]{2,80})`, ({ of, value }) =>
    isNoun(value) ? `${of} employer is ${value}` : null,
  ),
  rule(
    `${AM}${REALLY} (?:an? )?(?<value>(?:${DIETS})(?: and (?:${DIETS}))?)(?![\\p{L}-])`,
    ({ who, value }) => `${who} is ${value}`,
  ),
  rule(
    `${I}${REALLY} work as (?:an? )?${VALUE}`,
    ({ of, value }) => `${of} occupation is ${value}`,
  ),
  rule(
    `${AM}${REALLY} an? (?<value>${OCCUPATION})(?![\\p{L}-])`,
    ({ of, value }) => `${of} occupation is ${value}`,
  ),
  rule(
    `${AM}${REALLY} (?<verb>allergic|intolerant|sensitive) to ${VALUE}`,
    ({ who, verb, value }) => `${who} is ${verb} to ${value}`,
  ),
  rule(
    `${I}${REALLY} (?:have|suffer from|got|was diagnosed with)(?: an?)? (?<value>(?:severe |mild |chronic |type \\d )?(?:${HEALTH}))`,
    ({ who, value }) => `${who} has ${value}`,
  ),
  rule(
    `${I}${REALLY} (?:can't|cannot|don't|do not|can not) (?<verb>eat|drink|tolerate) ${VALUE}`,
    ({ who, verb, value }) => (isNoun(value) ? `${who} does not ${verb} ${value}` : null),
  ),
  rule(
    `${I}(?:'m| am)? (?:take|taking|on) (?<value>[^.!?]{0,40}(?:\\d+ ?mg|pills?|medication|medicine|insulin|tablets?|inhaler|antidepressants?|blood thinners?)(?: for my [^.!?]{2,40})?)`,
    ({ who, value }) => `${who} takes ${value}`,
  ),
  rule(
    `(?<![\\p{L}])my (?<attribute>${RELATIVE})(?:'s name is|'s called| is called| is named|'s name's) ${VALUE}`,
    ({ of, attribute, value }) => `${of} ${attribute}'s name is ${value}`,
  ),
  rule(
    `(?<![\\p{L}])my (?<attribute>${RELATIVE}),? (?<value>\\p{Lu}[\\p{Ll}'’-]{1,20})(?![\\p{L}])`,
    ({ of, attribute, value }) =>
      /^\p{Lu}/u.test(value) ? `${of} ${attribute}'s name is ${value}` : null,
  ),
  rule(
    `(?<![\\p{L}])my (?<attribute>(?!(?:${PASSING})\\b)(?:[\\p{L}-]+ ){0,3}?[\\p{L}-]+) (?:is|are)(?: now)? ${VALUE}`,
    ({ of, attribute, value }) =>
      isNoun(value) && isLasting(attribute, value) ? `${of} ${attribute} is ${value}` : null,
  ),
  rule(
    `${AM} (?<value>\\d{1,3})(?: years old|(?=\\s*[.!,]?$))`,
    ({ of, value }) => `${of} age is ${value}`,
  ),
  rule(
    `${I}(?:'ve| have)?${REALLY}(?: got| have| own) (?<value>(?:an? |the )?(?:[\\p{L}\\p{N}-]+ ){0,3}?(?:${OWNED})(?: (?:called|named) \\p{Lu}[\\p{L}'’-]{1,30}| in \\p{Lu}[^.!?,]{2,40})?(?: and (?:[\\p{L}\\p{N}-]+ ){0,2}(?:${OWNED})(?: (?:called|named) \\p{Lu}[\\p{L}'’-]{1,30})?)?)(?![\\p{L}-])`,
    ({ who, value }) => `${who} has ${withArticle(value)}`,
  ),
  rule(
    `${I} (?<verb>own|collect|play|speak|drive|study|teach|wear) ${VALUE}`,
    ({ who, verb, value }) => (isNoun(value) ? `${who} ${THIRD[verb] ?? verb} ${value}` : null),
  ),
  rule(
    `${I}${REALLY} (?:don't|do not|never)(?: really)? (?<verb>like|enjoy|want) ${VALUE}`,
    ({ who, verb, value }) => (isNoun(value) ? `${who} does not ${verb} ${value}` : null),
  ),
  rule(`${I}${REALLY} can't stand ${VALUE}`, ({ who, value }) =>
    isNoun(value) ? `${who} cannot stand ${value}` : null,
  ),
  rule(
    `${I}${REALLY} (?<verb>love|like|enjoy|prefer|adore|hate|dislike) ${VALUE}`,
    ({ who, verb, value }) => (isNoun(value) ? `${who} ${THIRD[verb] ?? verb} ${value}` : null),
  ),
  rule(
    `${AM}${REALLY} (?<verb>afraid of|scared of|a (?:big |huge )?fan of|into|fond of|passionate about|interested in) ${VALUE}`,
    ({ who, verb, value }) => (isNoun(value) ? `${who} is ${verb} ${value}` : null),
  ),
  rule(
    `${AM} (?<value>(?:going|flying|moving|travel(?:l)?ing|getting married|starting|visiting|having|leaving|hosting|retiring|graduating|running|attending|joining|opening|taking)[^.!?]{2,140})`,
    ({ who, value }) => `${who} is ${value}`,
    true,
  ),
  rule(
    `${I}(?:'ll| will| plan to| am planning to|'m planning to) (?<value>[^.!?]{3,140})`,
    ({ who, value }) => `${who} plans to ${value}`,
    true,
  ),
  rule(
    `${I} (?<verb>always|never|only|usually) (?<value>(?:eat|drink|travel|fly|sit|sleep|wear|use|work|buy|book|pay|shop|cook|read|drive|take|stay)[^.!?]{0,120})`,
    ({ who, verb, value }) => `${who} ${verb} ${third(value)}`,
  ),
  rule(
    `(?<![\\p{L}])(?:please )?(?<verb>always|never) (?<value>(?:answer|reply|write|speak|address|call|send|use|book|contact|text|email)[^.!?]{2,120})`,
    ({ who, verb, value }) => `${who} wants their agent to ${verb} ${value}`,
  ),
  rule(
    `${I} (?<verb>want|need)(?: all| every) ${VALUE}`,
    ({ who, verb, value }) => `${who} ${THIRD[verb] ?? verb} all ${value}`,
  ),
];

/** What a person is at the moment is no attribute of theirs: "my son is ill", "my car is being washed". */
function isLasting(attribute: string, value: string): boolean {
  if (/^(?:an?|the|\p{Lu}|\p{N}|\[|[$€£])/u.test(value)) return true;
  if (
    /\b(?:favou?rite|preferred|name|birthday|address|size|diet|hobby|job|occupation|language|nationality|timezone|time zone|budget|colou?r|number|allergy|blood type|religion|goal|dream)\b/i.test(
      attribute,
    )
  )
    return true;
  return new RegExp(`^(?:${DIETS}|allergic to [^.]{2,60})$`, 'i').test(value);
}

function withArticle(value: string): string {
  if (
    /^(?:\p{N}|an? |the |two|three|four|five|six|seven|eight|nine|ten|many|several|some|no )/iu.test(
      value,
    )
  )
    return value;
  const noun = value.split(/ (?:called|named|in) /)[0] ?? value;
  if (/(?:s|children|twins)$/i.test(noun)) return value;
  return `${/^[aeiou]/i.test(value) ? 'an' : 'a'} ${value}`;
}

function third(value: string): string {
  return value.replace(/^[a-z]+/i, (verb) => {
    if (/[^aeiou]y$/i.test(verb)) return `${verb.slice(0, -1)}ies`;
    return /(?:s|sh|ch|x|o)$/i.test(verb) ? `${verb}es` : `${verb}s`;
  });
}
