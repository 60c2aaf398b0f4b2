import { looksLikeInstruction } from './instruction-like';
import { clip, lowerFirst, plain, READ_LIMIT, sentences } from './plain-text';
import { verbOf } from './verbs';

/** What somebody asked for: a clause after `to …`, or their own words. */
export interface Request {
  form: 'to' | 'asked';
  text: string;
}

/** How the asker is told of: `the user's flight` to a colleague, `their flight` after `A customer`. */
export type Asker = 'user' | 'named';

const NUMBERING = /^(?:\d{1,2}[.)]|[-*•])\s+/;
const GREETING =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear \w+|greetings|thanks|thank you|sure|certainly|yes|okay|ok)(?: there| again| team)?(?:[\s,!]*(?:this is|i'm|i am) \w+(?=[!.,]))?[\s,.!:–-]+)+/i;
const LEAD =
  /^(?:(?:and|also|then|so|now|first|next|after that|ok|okay|actually|well),? )*(?:(?:please|kindly)[, ]+)?(?:(?:can|could|would|will) (?:you|we) (?:please |kindly |also )?(?:help (?:me|us) )?(?:to )?|i(?:'d| would)? (?:really |urgently |also )?(?:like|want|need|wish|love) (?:you )?to |i(?:'m| am) (?:looking|trying|hoping|calling|writing|here) to |i was (?:hoping|wondering if you could|trying) (?:to )?|we (?:need|want|would like) to |(?:your|the|my|our) (?:task|job|goal|mission) is to |you (?:are|need|have) to |help (?:me|us) (?:to )?|let's |i have to |i must )?(?:please )?/i;
const NEEDS_HELP =
  /^(?:i(?:'d| would)? (?:really )?(?:need|like|want|could use)|i(?:'m| am) (?:looking for|hoping for)|can you|could you|(?:please )?)\s*(?:to get |to have |get |have )?(?:some |your |a bit of |a little )?(?:help|assist(?:ance)?)(?: me)? (?:with|about|regarding|on|in) (?!that\b|this\b|it\b)/i;
const REQUESTS = new Set(
  (
    'add adjust analyze analyse answer apply arrange ask assign attach book buy calculate call cancel change check clean ' +
    'close collect compare complete compute confirm contact convert count create debug decide delete deploy describe ' +
    'design determine do download draft edit email ensure estimate exchange explain extract fetch file fill find finish fix ' +
    'follow forward gather generate get give go handle identify implement improve inform install invite investigate list ' +
    'locate look make mark merge message modify move notify open optimize order organize pay perform plan post prepare print ' +
    'process provide publish put read rebook recommend refactor refund remind remove rename rent repair replace reply report ' +
    'request reschedule research reserve resolve return review run save schedule search send set share show solve sort speak ' +
    'start stop submit suggest summarize summarise talk tell test track transfer translate troubleshoot try turn update ' +
    'upgrade upload use verify visit withdraw write'
  ).split(' '),
);
const HEADED =
  /(?:^|\n)[ \t]*(?:#{1,6}[ \t]*)?(?:issue|task|goal|title|subject|problem|objective|request)\s*(?:text\s*)?:[ \t]*\n?[ \t]*([^\n]{12,})/i;
const QUESTION =
  /^(?:how|what|when|where|who|which|why|is|are|do|does|did|am|was|were|has|have|should|will|would|can|could)\b.*\?\s*$/i;
/** Questions that ask for nothing in particular. */
const IDLE =
  /\b(?:help|assist)(?: me)?(?: out)?(?: with (?:that|this|it))?(?:,? please)?\??$|^(?:is that (?:ok|okay|possible)|can (?:you|we) (?:do|proceed|try)(?: (?:that|this|it))?)\b/i;
/** `cancel it`: what is meant stands in another sentence. */
const POINTING = /^\w+(?: (?:one|all|some|both|any) of)? (?:it|them|that|this|those|these)\b/i;

/** The main request in a prompt: a headed title, else the first sentence that asks for something. */
export function readRequest(text: string, asker: Asker, limit = 170): Request | null {
  const raw = text.slice(0, READ_LIMIT);
  const headed = HEADED.exec(raw)?.[1];
  const all = sentences(plain(raw).replace(/(\p{Ll}{2})\.(?=\p{Lu}\p{Ll})/gu, '$1. '))
    .map((sentence) => sentence.replace(NUMBERING, '').replace(GREETING, '').trim())
    .filter(
      (sentence) => /\p{L}{2,}/u.test(sentence) && !looksLikeInstruction(sentence, 'request'),
    );
  if (headed !== undefined && all.length > 3 && !looksLikeInstruction(headed, 'request')) {
    return { form: 'asked', text: clip(plain(headed), limit) };
  }
  let pointing: Request | null = null;
  for (const [index, sentence] of all.slice(0, 8).entries()) {
    if (QUESTION.test(sentence) && !isWish(sentence)) {
      if (!IDLE.test(sentence)) return { form: 'asked', text: clip(sentence, limit) };
      continue;
    }
    const clause = wishClause(sentence);
    if (clause === null) continue;
    const request: Request = {
      form: 'to',
      text: clip(retold(clause, asker, all[index - 1]), limit),
    };
    if (!POINTING.test(clause)) return request;
    pointing ??= request;
  }
  if (pointing !== null) return pointing;
  const first = all.find((sentence) => !IDLE.test(sentence));
  return first === undefined ? null : { form: 'asked', text: clip(first, limit) };
}

function isWish(sentence: string): boolean {
  return wishClause(sentence) !== null;
}

/** `I'd like to cancel my flight.` → `cancel my flight`; null where nothing is asked. */
function wishClause(sentence: string): string | null {
  const help = NEEDS_HELP.exec(sentence);
  if (help !== null) return tidy(`help with ${sentence.slice(help[0].length)}`);
  const bare = sentence.replace(LEAD, '');
  if (bare.length < 8 || IDLE.test(sentence) || !isImperative(bare)) return null;
  const clause = tidy(bare);
  return /^(?:help|assist|do (?:that|this|it)|go ahead|proceed|know|let|provide)\b/i.test(clause) &&
    clause.length < 30
    ? null
    : clause;
}

function tidy(clause: string): string {
  return lowerFirst(
    clause.replace(/[\s?!.,]+$/, '').replace(/,? (?:please|for me|for us|if possible)$/i, ''),
  );
}

function isImperative(text: string): boolean {
  const first = /^[A-Za-z]+/.exec(text)?.[0]?.toLowerCase() ?? '';
  if (REQUESTS.has(first)) return true;
  return (
    verbOf(first) !== undefined &&
    /^[A-Za-z]+ (?:the|a|an|my|all|this|that|our|any|me|it|to|for|in)\b/i.test(text)
  );
}

function retold(clause: string, asker: Asker, before: string | undefined): string {
  const who =
    /^(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?:called|sent|said|told|asked|wrote|wants?|has|is)\b/u.exec(
      before ?? '',
    )?.[1];
  const named =
    who === undefined || /^(?:I|My|The|They|We|It|He|She|This|That|There|Our|Your|You)\b/.test(who)
      ? clause
      : clause.replace(/^(\w+) (?:them|him|her)\b/i, `$1 ${who}`);
  return asThird(named, asker);
}

const FIRST_PERSON =
  /(?<![\w.@/-])(?:I(?:'m| am)|I was|I've|I'd|I'll|I|we|myself|my|our|mine|me|us|your)(?![\w@/-]|\.\w)|\bi\b(?= (?:have|had|want|need|was|am|can|will|wrote|paid|sent|already)\b)/gi;
const RETOLD: Readonly<Record<string, string>> = {
  "i'm": 'they are',
  'i am': 'they are',
  'i was': 'they were',
  "i've": 'they have',
  "i'd": 'they would',
  "i'll": 'they will',
  i: 'they',
  we: 'they',
  myself: 'themselves',
  mine: 'theirs',
  your: 'the',
};

/** The asker's own words told by another: `my flight` → `their flight`, or `the user's flight`. */
export function asThird(text: string, asker: Asker = 'named'): string {
  let named = asker === 'named';
  const retell = (part: string) =>
    part.replace(FIRST_PERSON, (word) => {
      const low = word.toLowerCase();
      const fixed = RETOLD[low];
      if (fixed !== undefined) return low === 'i' || word !== 'US' ? fixed : word;
      if (word === 'US' || word === 'ME') return word;
      const possessive = low === 'my' || low === 'our';
      const told = named ? (possessive ? 'their' : 'them') : possessive ? "the user's" : 'the user';
      named = true;
      return told;
    });
  // What is quoted are words to be used as they are.
  return text
    .split(/((?<![\p{L}\p{N}])'[^']{3,200}'(?![\p{L}\p{N}])|"[^"]{3,200}")/u)
    .map((part, index) => (index % 2 === 1 ? part : retell(part)))
    .join('');
}
