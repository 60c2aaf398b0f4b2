/**
 * Words of English that are no names although they may carry a capital: they open sentences, count days
 * or speak of the speakers. Function words and labels only; no name is listed anywhere.
 */
const FUNCTION_WORDS = (
  'a about above after again against all almost along already also although always am among an and another any anybody anyone ' +
  'anything are around as at away back be because been before behind being below between both but by can cannot could did do ' +
  'does doing done down during each either else enough even ever every everybody everyone everything few first for from further ' +
  'get gets getting give given go going gone got had has have having he hello her here hers herself hey hi him himself his how ' +
  'however i if in indeed instead into is it its itself just last later least less let like likely look made make many maybe me ' +
  'mine more most much must my myself near neither never next no nobody none nor not nothing now of off often oh ok okay on once ' +
  'one only onto or other others otherwise our ours ourselves out over own per perhaps please quite rather really same second ' +
  'see seems shall she should since so some somebody someone something sometimes soon still such sure thank thanks that the ' +
  'their theirs them themselves then there therefore these they thing things third this those though three through thus to ' +
  'together too toward towards two under unless until up upon us use used using very was wasn we well went were what whatever ' +
  'when whenever where wherever whether which while who whoever whole whom whose why will with within without wow would yeah yep ' +
  'yes yet you your yours yourself yourselves ask asked tell told say says said find list show give explain describe name ' +
  'mr mrs ms miss dr prof sir madam am pm'
).split(' ');

const CALENDAR = (
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october ' +
  'november december jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun today tomorrow ' +
  'yesterday spring summer autumn winter'
).split(' ');

/** What stands before a colon and is no speaker. */
const LABELS = (
  'note notes error errors warning info debug todo fixme summary result results answer question input output user assistant ' +
  'system agent customer tool human ai bot re fw fwd subject date time title topic reason cause example update edit fix hint tip ' +
  'ps http https file path url key value status step steps task goal plan id code message response request image photo source'
).split(' ');

const NO_NAMES: ReadonlySet<string> = new Set([...FUNCTION_WORDS, ...CALENDAR]);
const NO_SPEAKERS: ReadonlySet<string> = new Set(LABELS);

const CONTRACTION = /['’](?:m|ve|ll|d|re|t)$/;

/** Lower case. */
export function isNoName(word: string): boolean {
  return NO_NAMES.has(word) || CONTRACTION.test(word);
}

export function isNoSpeaker(word: string): boolean {
  return NO_NAMES.has(word) || NO_SPEAKERS.has(word);
}

/** What people do after their name and things do not. */
const ACTS_OF_PEOPLE: ReadonlySet<string> = new Set(
  (
    'said says asked asks told tells replied wrote writes thinks thought wants wanted likes liked loves loved hopes believes ' +
    'agreed decided lives works worked moved met talked spoke called texted mentioned enjoys prefers preferred plans'
  ).split(' '),
);

export function isActOfPeople(word: string): boolean {
  return ACTS_OF_PEOPLE.has(word);
}

export const TITLES: ReadonlySet<string> = new Set([
  'mr',
  'mrs',
  'ms',
  'miss',
  'dr',
  'prof',
  'sir',
]);
/** Small words inside a name: "Bank of America", "Vincent van Gogh". */
export const CONNECTORS: ReadonlySet<string> = new Set(
  'of de la le van von der den del di da dos y'.split(' '),
);
