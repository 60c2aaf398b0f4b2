import type { SettledEvent } from '../../contracts/event';
import { codesIn, peopleIn, type Turn, turnsOf, withoutNames } from './conversation';
import { looksLikeInstruction } from './instruction-like';
import { clip, finish, lowerFirst, plain, sentences, upperFirst } from './plain-text';
import { asThird, readRequest } from './request-phrase';
import type { Told } from './told';

/** A concluded conversation of a customer: what was asked, on what, and how it ended by the verdict. */
export function chatCard(event: SettledEvent): Told | null {
  const turns = turnsOf(event);
  const asker = turns.filter((turn) => turn.role === 'asker');
  const answerer = turns.filter((turn) => turn.role === 'answerer');
  // People with names of their own talk to each other; no customer is served.
  if (asker.length === 0 || answerer.length === 0 || turns.some((turn) => turn.speaker !== ''))
    return null;
  const people = peopleIn(turns);
  const clean = (turn: Turn) => withoutNames(turn.text, people);
  const who =
    event.service === undefined && event.operation === undefined ? 'The user' : 'A customer';
  const wish = wishOf(asker.map(clean), who);
  if (wish === null) return null;
  const codes = codesIn(turns).filter((code) => !wish.includes(code));
  const hasCode = /\d/.test(wish) && /\b#?[A-Z0-9]{5,10}\b/.test(wish);
  const about = codes.length === 0 || hasCode ? '' : ` (${codes.slice(0, 2).join(', ')})`;
  const end = ending(event, answerer.map(clean), wish);
  return { summary: `${finish(`${wish}${about}`)} ${end}`, routine: false, topic: topicOf(wish) };
}

const TROUBLE =
  /\bI(?:'m| am|'ve been| have been)? (?:having|experiencing|facing) (?:an? |some )?(?:trouble|problems?|issues?|difficult\w+) (?:with |in )?([^.!?]{3,120})/i;
const REASON =
  /\b(?:because(?: of)?|due to|(?:the )?reason (?:for (?:this|the|my) \w+ )?(?:is|being)(?: because| that| due to)?) (?!you\b)([^.!?,;()]{4,90})/i;

function wishOf(texts: readonly string[], who: string): string | null {
  const reason = reasonIn(texts);
  let fallback: string | null = null;
  for (const text of texts.slice(0, 3)) {
    const request = readRequest(text, 'named', 150);
    if (
      request?.form === 'to' &&
      !/^(?:\w+ (?:it|them|that|this)\b|try |use |check |know )/i.test(request.text)
    ) {
      const help = /^help with (.+)/i.exec(request.text)?.[1];
      return withReason(
        help === undefined
          ? `${who} asked to ${request.text}`
          : `${who} asked for help with ${help}`,
        reason,
      );
    }
    const trouble = TROUBLE.exec(text)?.[1];
    if (trouble !== undefined)
      return withReason(`${who} had trouble with ${asThird(plain(trouble))}`, reason);
    if (request === null || fallback !== null) continue;
    fallback =
      request.form === 'to'
        ? `${who} asked to ${request.text}`
        : `${who} wrote: “${request.text.replace(/[“”"]/g, "'").replace(/[.\s]+$/, '')}”`;
  }
  return fallback;
}

function reasonIn(texts: readonly string[]): string {
  for (const text of texts.slice(0, 4)) {
    const found = REASON.exec(plain(text))?.[1]?.trim();
    if (
      found !== undefined &&
      !/^(?:why|what|how|not|more|just|no)\b/i.test(found) &&
      !looksLikeInstruction(found, 'request')
    ) {
      return asThird(lowerFirst(found.replace(/["“”]/g, '').trim()));
    }
  }
  return '';
}

const CLAUSE =
  /\b(?:is|was|are|were|has|have|had|need|needs|want|wants|can|can't|don't|do|does|did|got|will|would)\b/;

function withReason(wish: string, reason: string): string {
  if (
    reason === '' ||
    /\b(?:because|due to|after|since)\b/.test(wish) ||
    wish.length + reason.length > 210
  )
    return wish;
  if (reason.split(' ').filter((word) => word.length > 4 && wish.includes(word)).length > 1)
    return wish;
  return CLAUSE.test(reason) ? `${wish}, because ${reason}` : `${wish}, because of ${reason}`;
}

const ACTS =
  'cancell?ed|booked|rebooked|updated|modified|changed|processed|issued|refunded|created|sent|completed|exchanged|returned|added|removed|upgraded|downgraded|confirmed|initiated|resolved|fixed|restored|enabled|disabled|marked|placed|approved|submitted|scheduled|rescheduled|delivered|activated|reset|closed|applied|credited|switched|turned (?:on|off)|transferred';
/** Said of something just done, not of how things stand: `has been updated`, not `is created`. */
const DONE = new RegExp(
  `\\b(?:has|have) (?:now |successfully |already |also )*(?:been )?(?:successfully |now |fully )?(${ACTS})\\b|\\b(?:is|are|was|were) (?:now |successfully )+(${ACTS})\\b`,
  'i',
);
const HYPOTHETICAL =
  /\?$|\b(?:if|would you like|once|since|unless|before|until|shall i|please confirm|to confirm|in order to)\b/i;
const NOW_WORKS =
  /\b(?:now (?:working|works|on|off|active|enabled|connected)|back to normal|working (?:again|properly|fine)|is now (?:excellent|resolved))\b/i;
const REFUSES =
  /\b(?:cannot|can't|can not|unable to|not able to|(?:not|isn't|aren't) (?:possible|allowed|permitted|eligible|available|offered)|(?:does not|doesn't|do not) (?:qualify|allow|offer)|bound by the policy)\b/i;
const HANDS_OVER =
  /\b(?:transfer(?:red|ring)? you|connect(?:ed|ing)? you|human agent|representative)\b/i;

/** How it ended. The verdict counts; what the assistant said is told as what it said. */
function ending(event: SettledEvent, answerer: readonly string[], wish: string): string {
  const all = answerer
    .flatMap((text) => sentences(plain(text)))
    .filter((sentence) => !looksLikeInstruction(sentence, 'request'));
  const late = [...all].reverse().slice(0, 30);
  const done = lastDone(late, wish);
  const refused = late.find(
    (sentence) =>
      REFUSES.test(sentence) &&
      sentence.length < 240 &&
      !/\?$|\b(?:find|locate|couldn't)\b|I (?:cannot|can't) (?:see|access)/i.test(sentence),
  );
  const works = late.slice(0, 8).some((sentence) => NOW_WORKS.test(sentence));
  const moved = late.slice(0, 6).some((sentence) => HANDS_OVER.test(sentence));
  const rule = refused === undefined ? '' : clip(ruleText(refused), 140);
  if (event.outcome === 'worked') {
    if (done !== null) return `${upperFirst(done.what)} ${beOf(done.what)} ${done.verb}.`;
    if (works) return 'It works again.';
    if (rule !== '') return finish(`It was turned down, as the rules ask: ${rule}`);
    return moved ? 'It was handed to a human agent.' : 'It was settled.';
  }
  if (event.outcome === 'failed' || event.outcome === 'blocked') {
    const how = event.outcome === 'blocked' ? 'It was blocked' : 'It failed';
    if (done !== null)
      return `${how}, although the assistant said ${done.what} ${beOf(done.what)} ${done.verb}. Check the rules and the result before closing.`;
    if (rule !== '')
      return `${finish(`${how}: the assistant turned it down, saying that ${itself(rule)}`)} Check the rules before refusing.`;
    if (moved) return `${how}: it was handed to a human agent. Try what the rules allow first.`;
    return `${how}: it was left unsettled. See the last step through before closing.`;
  }
  if (done !== null)
    return `The assistant said ${done.what} ${beOf(done.what)} ${done.verb}; no verdict was given.`;
  if (rule !== '') return finish(`The assistant answered that ${itself(rule)}`);
  return moved ? 'It was handed to a human agent.' : 'It ended without a verdict.';
}

interface Done {
  verb: string;
  /** `it`, or what else was done: `the certificate`. */
  what: string;
}

/** What was done, by the verb that fits the wish, else by the last thing told. */
function lastDone(late: readonly string[], wish: string): Done | null {
  const told = late
    .filter((sentence) => !HYPOTHETICAL.test(sentence) && !REFUSES.test(sentence))
    .map((sentence) => ({ sentence, match: DONE.exec(sentence) }))
    .flatMap(({ sentence, match }) => {
      const verb = (match?.[1] ?? match?.[2])?.toLowerCase().replace('canceled', 'cancelled');
      return match === null || verb === undefined
        ? []
        : [{ verb, what: doneWhat(sentence.slice(0, match.index)) }];
    });
  const asked = /asked to (\w{4})/.exec(wish)?.[1]?.toLowerCase() ?? '';
  const fitting = told.find((done) => asked !== '' && done.verb.startsWith(asked));
  if (fitting !== undefined) return { verb: fitting.verb, what: 'it' };
  return told[0] ?? null;
}

/** `Your certificate of $150 ` → `the certificate of $150`; what is long or vague is `it`. */
function doneWhat(before: string): string {
  const clause =
    before
      .split(/[,;:] |\b(?:and|that|which)\b/)
      .pop()
      ?.trim() ?? '';
  const subject = clause
    .replace(/^(?:great(?: news)?|okay|so|now|also|then)[,!]? /i, '')
    .replace(/\byour\b/gi, 'the');
  if (
    subject.length < 4 ||
    subject.length > 60 ||
    /^(?:i|it|this|that|they|we|you|everything|all|there|the (?:request|changes?|task))\b/i.test(
      subject,
    )
  )
    return 'it';
  return /^(?:the|a|an) /i.test(subject) ? lowerFirst(subject) : 'it';
}

function beOf(what: string): string {
  const noun = what.split(/ (?:of|for|to|from|with|in|on|worth|under|and) /)[0] ?? what;
  return /[^su]s$/.test(noun) ? 'were' : 'was';
}

function ruleText(sentence: string): string {
  const bare = sentence
    .replace(/["“”]/g, "'")
    .replace(/^(?:i understand|i appreciate|i see|i know)[^.]{0,80}?,? (?:but|however),? /i, '')
    .replace(
      /^(?:(?:unfortunately|i'm sorry|i am sorry|i apologi[sz]e[^,.]*|however|sorry|but|therefore|additionally|it (?:seems|appears) that|as (?:i )?mentioned[^,]*|at this time)[,:]? ?)+(?:(?:but|however),? )?/i,
      '',
    )
    .replace(/,? unfortunately,?/i, '')
    .replace(/\bI(?:'m| am) (?:unable|not able) to\b/i, 'the assistant cannot')
    .replace(/\bI (?:cannot|can't)\b/i, 'the assistant cannot')
    .replace(/\bI(?:'m| am)\b/g, 'the assistant is')
    .replace(/\bI\b/g, 'the assistant')
    .replace(/\byou(?:'re| are)\b/gi, 'the customer is')
    .replace(/\byou(?:'ve| have)\b/gi, 'the customer has')
    .replace(/\byour\b/gi, 'the')
    .replace(/\byou\b/gi, 'the customer')
    .replace(/[.\s]+$/, '');
  return lowerFirst(bare);
}

function itself(rule: string): string {
  return rule.replace(/\bthe assistant\b/g, 'it');
}

function topicOf(wish: string): string | null {
  const match =
    /asked to (\w+) (?:an? |the |their |all |some |one of |my |new |that |few |make )*((?:upcoming |pending |existing |mechanical )?[a-z-]{3,})/.exec(
      wish,
    );
  if (match === null || /^(?:make|get|have|do|be)$/.test(match[1] ?? '')) return null;
  if (
    /^(?:and|out|some|with|from|one|them|it|to|for|upcoming|if|that|this|up)$/.test(match[2] ?? '')
  )
    return null;
  return `${match[1] ?? ''} ${match[2] ?? ''}`.slice(0, 40);
}
