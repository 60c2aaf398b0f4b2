import type { ErrorFamily } from '../../contracts/names';

/**
 * Which family an error's text belongs to. Ordered from the specific to the general: the first rule
 * that matches decides, so `quota exceeded` is a rate limit before it is anything else.
 */
const RULES: readonly (readonly [ErrorFamily, RegExp])[] = [
  ['rate_limit', /rate.?limit|too many requests|throttl|quota (?:exceeded|exhausted)|slow down/i],
  ['timeout', /time[d]?.?out|deadline.?exceeded|took too long|ETIMEDOUT/i],
  [
    'unfinished',
    /without (?:a )?final answer|stopped (?:before|without|early)|max(?:imum)? (?:number of )?(?:turns|steps|iterations)|ran out of (?:steps|turns|context)|step limit|(?:turn|iteration) limit|did not finish|incomplete run|was interrupted|aborted by/i,
  ],
  [
    'auth',
    /unauthori[sz]ed|unauthenticated|authentication (?:failed|required|error)|invalid (?:api.?key|token|credentials?|password)|(?:token|session|credential)s? (?:has |have |is )?expired|not logged in|login required/i,
  ],
  [
    'syntax',
    /syntax.?error|unexpected (?:token|end of|indent|EOF|character)|unmatched ['"()[\]{}]|parse error|could not parse|cannot parse|indentation.?error|E999|invalid syntax|unterminated|malformed|JSONDecodeError/i,
  ],
  [
    'insufficient',
    /not enough|insufficient|(?:balance|funds|stock|seats?|credit|inventory|space|memory|quota) (?:is |are )?(?:too low|exhausted|not enough|exceeded)|out of (?:stock|memory|space|disk|seats)|sold out|no space left|no (?:seats?|rooms?) (?:left|available)|exceeds? (?:the |your )?(?:balance|limit|available|budget)|fully booked/i,
  ],
  [
    'conflict',
    /already (?:in|exists?|taken|booked|assigned|been|used|registered|a member|cancell?ed|closed)|duplicate|conflict|merge conflict|was modified|stale|version mismatch|unique constraint|double.?book|overlap/i,
  ],
  [
    'not_found',
    /not.?found|no such|does not exist|doesn't exist|do(?:es)? not have (?:a|any)|unknown (?:user|id|host|channel|tool|table|column)|no (?:\w+ ){0,2}(?:found|matching|results?|match)|cannot find|can't find|could not find|couldn't find|ENOENT|is not defined|no longer exists|nicht gefunden|existiert nicht|no (?:se )?encontrad|no existe|introuvable|n'existe pas|não (?:foi )?encontrad|non trovat|niet gevonden|KeyError|ModuleNotFound|is not recognized/i,
  ],
  [
    'permission',
    /forbidden|permission|not (?:allowed|permitted|authori[sz]ed|eligible)|access denied|denied|EACCES|EPERM|read.?only|(?:blocked|prohibited|refused|rejected) by (?:the |a )?(?:policy|rule|guard|admin)|against (?:the |our )?policy|cannot be used|requires? (?:approval|admin|owner)|policy (?:blocks?|forbids?|does not)/i,
  ],
  [
    'unavailable',
    /unavailable|not available|no longer available|ECONNREFUSED|ECONNRESET|ENOTFOUND|connection (?:refused|reset|closed|error|failed)|service (?:is )?down|maintenance|overloaded|bad gateway|internal server error|offline|network (?:error|unreachable)|could not connect|no route|socket hang up|broken pipe/i,
  ],
  [
    'validation',
    /valid|must (?:be|have|match|contain|not)|should (?:be|have|match|contain|either)|required|missing|expected|unexpected keyword|type.?error|value.?error|attribute.?error|does not add up|do not add up|mismatch|out of range|too (?:long|short|large|big|small|many|few|high|low)|bad request|wrong (?:format|type)|unconverted data|cannot (?:be|convert)|constraint|assert|illegal|unsupported|incorrect|indices must/i,
  ],
];

/** HTTP status codes by family; the others say too little. */
const FAMILY_OF_STATUS: Readonly<Record<string, ErrorFamily>> = {
  400: 'validation',
  401: 'auth',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  422: 'validation',
  429: 'rate_limit',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
};

/**
 * A number is a status where it stands first, after a word that announces one, or before its own name.
 * `at most 500 recipients` is not one.
 */
const STATUS = new RegExp(
  '(?:^\\W*|\\b(?:https?|status|code|error|response|returned|returns|got|answered|replied)\\b' +
    '(?:\\s+(?:code|status|with|was|of|an?))*[\\s:=(/#]*(?:\\d\\.\\d\\s+)?)([45]\\d\\d)\\b' +
    '|\\b([45]\\d\\d)(?=:|\\s*(?:too many|not found|unauthori|forbidden|conflict|bad |internal server|' +
    'service un|gateway|unprocess|request time|server error|client error))',
  'i',
);

function statusFamily(text: string): ErrorFamily | null {
  const found = STATUS.exec(text);
  return FAMILY_OF_STATUS[found?.[1] ?? found?.[2] ?? ''] ?? null;
}

export function errorFamily(text: string): ErrorFamily {
  const status = statusFamily(text);
  if (status !== null) return status;
  for (const [family, pattern] of RULES) {
    if (pattern.test(text)) return family;
  }
  return 'other';
}

/** One clause of advice a family; `other` has none. `about` picks a noun out of the error's own words. */
export function advice(family: ErrorFamily, about: string): string {
  switch (family) {
    case 'not_found':
      return 'Look the name up before using it.';
    case 'permission':
      return 'Check that it is allowed, or ask someone who may.';
    case 'rate_limit':
      return 'Wait before retrying, and send less at once.';
    case 'timeout':
      return 'Ask for less at once or allow more time.';
    case 'validation':
      return `Check the ${checkedNoun(about)} before retrying.`;
    case 'conflict':
      return 'Check what is there already before changing it.';
    case 'insufficient':
      return 'Check how much is left before asking for it.';
    case 'syntax':
      return 'Check the syntax before applying.';
    case 'auth':
      return 'Renew the credentials before retrying.';
    case 'unavailable':
      return 'Check that it is available, or try later.';
    case 'unfinished':
      return 'See the last step through before answering.';
    case 'other':
      return '';
    default:
      return family satisfies never;
  }
}

const CHECKED: readonly (readonly [string, RegExp])[] = [
  ['amounts', /amount|price|paid|total|sum\b|balance|cost|quantit/i],
  ['dates', /\bdate|\btime|\bday\b|strptime|unconverted data|timezone/i],
  ['arguments', /argument|parameter|keyword|positional|indices|attribute|\btype\b/i],
  ['required fields', /required|missing|must have|field/i],
];

function checkedNoun(text: string): string {
  return CHECKED.find(([, pattern]) => pattern.test(text))?.[0] ?? 'input';
}
