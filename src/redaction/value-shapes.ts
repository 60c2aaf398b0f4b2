/**
 * What a value looks like: a stand-in for a secret, an ordinary word or expression, or something
 * nobody types by hand. Every test here is linear in the value, and values are at most 512 units.
 */
import { MASK } from './span';

const STAND_IN_WORDS = new Set(
  (
    'null nil none undefined true false yes no on off empty unset missing n/a na tbd todo xxx string str text ' +
    'number int integer bool boolean object array any unknown optional required redacted hidden masked ' +
    'removed changeme placeholder password passwd secret token value your_password your-password bytes ' +
    'dict list self this env process input output type default dummy example sample invalid valid expired ' +
    'wrong incorrect correct reset strength protected encrypted function return const let var new await async'
  ).split(' '),
);

/** What stands for a secret is short; a longer value is judged as one. */
const LONGEST_STAND_IN = 160;

/** So much of a value shows what it is; the rest would only cost time. */
const SAMPLE = 96;

/** `${X}`, `{{x}}`, `<x>`, `%s`, `$X`, `****`, `...`, `os.environ[...]`, `null`: nothing to hide. */
export function isStandIn(value: string): boolean {
  const bare = value.split(MASK).join('').trim();
  if (bare === '') return true;
  if (bare.length > LONGEST_STAND_IN) return false;
  if (STAND_IN_WORDS.has(bare.toLowerCase())) return true;
  if (
    /^(?:\$\{[^{}]{0,128}\}|\$\([^()]{0,256}\)|\{\{?[^{}]{0,128}\}?\}|<[^<>]{0,128}>|\[[^[\]]{0,64}\]|%[({]?[\w.]{0,64}[)}]?[sdr]?%?|\$[A-Za-z_][A-Za-z0-9_]{0,64}|#\{[^{}]{0,128}\})$/.test(
      bare,
    )
  ) {
    return true;
  }
  if (
    /^(?:your|my|the|insert|enter|put|some|example|dummy|fake|test|replace)[-_ ][A-Za-z_ -]{2,40}$/i.test(
      bare,
    )
  ) {
    return true;
  }
  if (/^(?:[A-Za-z0-9]{1,10}[-_.])?([A-Za-z0-9*.#-])\1{5,160}=?$/.test(bare)) return true;
  if (/^(?:%[sdr]|\{\w{0,16}\}|[:/@-]){2,8}$/.test(bare)) return true;
  return new Set(bare).size <= 2 && bare.length >= 3 && /^[^A-Za-z0-9]|^[xX]/.test(bare);
}

/** `user.password`, `getSecret(`, `os.environ["X"]`, `config['x']`: code that fetches a value. */
export function isExpression(value: string): boolean {
  if (value.length > LONGEST_STAND_IN) return false;
  if (
    /^[A-Za-z_$][\w$]{0,64}(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]{0,64}){0,8}(?:[([<]|$)/.test(value)
  ) {
    // A dotless word without a call is not clearly code: `hunter2` is one.
    return /[.([<]|->|::/.test(value) && !(/^\w{1,160}\.?$/.test(value) && /\d/.test(value));
  }
  return (
    /^(?:!|&|\*|\/\/|\.\.?\/|~\/|https?:|file:|\/[a-z])/.test(value) && !/\d[A-Za-z]\d/.test(value)
  );
}

/** Whether `count` different characters occur; `xxxx…` and `0000…` stand for nothing. */
export function hasVariety(value: string, count: number): boolean {
  const seen = new Set<string>();
  for (const char of value.slice(0, SAMPLE)) {
    seen.add(char);
    if (seen.size >= count) return true;
  }
  return false;
}

/** Share of neighbours that change between lower case, upper case and digits: words change rarely. */
function turns(value: string): number {
  let changes = 0;
  let last = '';
  for (let index = 0; index < value.length; index += 1) {
    const unit = value.charCodeAt(index);
    const kind = unit >= 97 ? 'l' : unit >= 65 ? 'u' : unit >= 48 && unit <= 57 ? 'd' : 'o';
    if (last !== '' && kind !== last) changes += 1;
    last = kind;
  }
  return changes / Math.max(1, value.length - 1);
}

/** `QuestionDotToken`, `OAuth2Client`, `HTTPServer`, `TOKEN_SPLIT_2`: the name of something in code. */
export function isCamelCase(value: string): boolean {
  return /^(?:[A-Z]?[a-z]{2,24}|[A-Z]{1,6})(?:\d?[A-Z]{1,4}[a-z]{2,24}){1,12}\d?$|^[A-Z][A-Z0-9]{0,24}(?:_[A-Z0-9]{1,24}){1,8}$/.test(
    value,
  );
}

/**
 * True for what a generator made: letters and digits mixed, or a case that jumps about. Words joined
 * by `-`, `_` or `.` are not random even with a version number at the end (`gpt-4o-mini-2024-07-18`).
 */
export function looksRandom(whole: string, minimum = 8): boolean {
  const value = whole.slice(0, SAMPLE);
  if (value.length < minimum || !hasVariety(value, 5)) return false;
  if (/\s/.test(value)) return false;
  const parts = value.split(/[-_.:/+=~@!#$%^&*|,;]+/).filter((part) => part !== '');
  return parts.some((part) => {
    if (part.length < 6) return false;
    const digits = part.replace(/\D/g, '').length;
    if (digits === part.length) return part.length >= 15;
    if (isCamelCase(part)) return false;
    if (digits === 0) return part.length >= 16 && turns(part) >= 0.3;
    // `item12` and `version2024` are words with a number; `a8s7d6f` is not.
    if (/^[A-Za-z]{1,24}\d{1,6}$/.test(part)) return part.length >= 16 && turns(part) >= 0.3;
    return turns(part) >= (part.length >= 14 ? 0.1 : 0.18) || part.length >= 20;
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: string): boolean {
  return UUID.test(value);
}
