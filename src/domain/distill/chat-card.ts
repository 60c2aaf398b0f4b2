import type { SettledEvent } from '../../contracts/event';
import type { Told } from './call-card';
import { textOf, looksLikeInstruction } from './instruction-like';
import { clip, finish, lowerFirst, plain, sentences } from './plain-text';
import { asThird, readRequest } from './request-phrase';

interface Turn {
  role: 'asker' | 'helper';
  speaker: string;
  text: string;
}

const TURN =
  /(?:^|\n)\s*(user|customer|human|client|caller|visitor|assistant|agent|ai|bot|support|system)\s*:\s*/gi;
const HELPER = /^(?:assistant|agent|ai|bot|support|model)$/i;

/** The turns of a conversation: messages, or a transcript with a role before each turn. */
export function turnsOf(event: SettledEvent): Turn[] {
  const messages = Array.isArray(event.messages) ? event.messages : [];
  if (messages.length > 0) {
    return messages
      .filter(
        (message) =>
          typeof message?.content === 'string' &&
          !/^(?:system|developer|tool)$/.test(String(message.role)),
      )
      .map((message) => ({
        role: HELPER.test(String(message.role)) ? ('helper' as const) : ('asker' as const),
        speaker: typeof message.name === 'string' ? message.name : '',
        text: message.content.slice(0, 4_000),
      }));
  }
  const transcript = [textOf(event.output), textOf(event.input), event.text ?? ''].find((text) =>
    /(?:^|\n)\s*(?:user|customer|human|client|assistant|agent)\s*:/i.test(text),
  );
  if (transcript === undefined) return [];
  const marks = [...transcript.slice(0, 64_000).matchAll(TURN)];
  return marks
    .map((mark, index) => ({
      role: HELPER.test(mark[1] ?? '') ? ('helper' as const) : ('asker' as const),
      speaker: '',
      text: transcript
        .slice((mark.index ?? 0) + mark[0].length, marks[index + 1]?.index ?? transcript.length)
        .trim(),
    }))
    .filter((turn) => turn.text !== '');
}

/** A concluded conversation of a customer: what was asked, on what, and how it ended by the verdict. */
export function chatCard(event: SettledEvent): Told | null {
  const turns = turnsOf(event);
  const asker = turns.filter((turn) => turn.role === 'asker');
  const helper = turns.filter((turn) => turn.role === 'helper');
  if (asker.length === 0 || helper.length === 0) return null;
  const people = peopleIn(turns);
  const wish = wishOf(asker, people);
  if (wish === null) return null;
  const codes = codesIn(turns).filter((code) => !wish.includes(code));
  const about = codes.length === 0 ? '' : ` (${codes.slice(0, 2).join(', ')})`;
  const end = ending(
    event,
    helper.map((turn) => anonymous(turn.text, people)),
  );
  return { summary: `${finish(`${wish}${about}`)} ${end}`, routine: false, topic: topicOf(wish) };
}

const TROUBLE =
  /\b(?:I(?:'m| am| have been|'ve been) having (?:trouble|problems?|issues?|difficult\w+) (?:with )?|I(?:'m| am)? (?:having|experiencing) (?:an? )?(?:problem|issue)s? with |(?:there is|there's) a problem with )([^.!?]{3,120})/i;
const HELP =
  /\b(?:help|assistance|assist me|support|a question|questions|issue) (?:with|about|regarding|on|for) ([^.!?]{3,120})/i;
const REASON =
  /\b(?:because(?: of)?|due to|(?:the )?reason (?:for (?:this|the|my) \w+ )?(?:is|being)(?: because| that| due to)?|since) (?!you\b)([^.!?,]{4,90})/i;

function wishOf(asker: readonly Turn[], people: readonly string[]): string | null {
  const texts = asker.slice(0, 3).map((turn) => anonymous(turn.text, people));
  const first = texts[0] ?? '';
  const reason = reasonIn(asker.map((turn) => anonymous(turn.text, people)));
  for (const text of texts) {
    const request = readRequest(text, 150);
    if (
      request?.form === 'to' &&
      !/^(?:help|assist|do (?:that|this|it)|proceed|provide|go ahead|know|try|use)\b/i.test(
        request.text,
      )
    ) {
      return withReason(`A customer asked to ${request.text}`, reason);
    }
    const trouble = TROUBLE.exec(text)?.[1];
    if (trouble !== undefined)
      return withReason(`A customer had trouble with ${asThird(plain(trouble))}`, reason);
    const help = HELP.exec(text)?.[1];
    if (help !== undefined && !/^(?:that|this|it)\b/i.test(help))
      return withReason(`A customer asked for help with ${asThird(plain(help))}`, reason);
  }
  const request = readRequest(first, 150);
  if (request === null) return null;
  return request.form === 'to'
    ? `A customer asked to ${request.text}`
    : `A customer wrote: “${request.text.replace(/[“”"]/g, "'")}”`;
}

function reasonIn(texts: readonly string[]): string {
  for (const text of texts.slice(0, 4)) {
    const found = REASON.exec(plain(text))?.[1]?.trim();
    if (found !== undefined && found.length > 3 && !looksLikeInstruction(found, 'request'))
      return asThird(lowerFirst(found));
  }
  return '';
}

function withReason(wish: string, reason: string): string {
  if (
    reason === '' ||
    /\b(?:because|due to|after|since)\b/.test(wish) ||
    wish.length + reason.length > 210
  )
    return wish;
  const overlap = reason.split(' ').filter((word) => word.length > 4 && wish.includes(word)).length;
  if (overlap > 1) return wish;
  return /^(?:an? |the |their |family|personal|work|weather)/.test(reason) &&
    !/\b(?:is|was|are|were|has|have|had)\b/.test(reason)
    ? `${wish}, because of ${reason}`
    : `${wish}, because ${reason}`;
}

const DONE =
  /\b(?:has|have|was|were|is|are) (?:now |been |successfully |already )*(?:been )?(?:successfully )?(cancell?ed|booked|rebooked|updated|modified|changed|processed|issued|refunded|created|sent|completed|exchanged|returned|added|removed|upgraded|downgraded|confirmed|initiated|transferred|resolved|fixed|restored|enabled|disabled|marked|placed|approved|submitted|scheduled|rescheduled|delivered|activated|reset|closed|applied|credited)\b/i;
const NOW_WORKS =
  /\b(?:now (?:working|works|on|off|active|enabled|connected)|should now|back to normal|working (?:again|properly|fine))\b/i;
const REFUSES =
  /\b(?:cannot|can't|can not|unable to|not able to|not possible|not allowed|not permitted|not eligible|isn't possible|isn't allowed|not available|does not (?:qualify|allow)|doesn't (?:qualify|allow)|only be|must be)\b/i;
const HANDS_OVER =
  /\b(?:transfer(?:red|ring)? you|connect(?:ed|ing)? you|human agent|representative)\b/i;

/** How it ended. The verdict counts; what the assistant said is told as what it said. */
function ending(event: SettledEvent, helper: readonly string[]): string {
  const said = helper
    .slice(-4)
    .flatMap((text) => sentences(plain(text)))
    .filter((sentence) => !looksLikeInstruction(sentence, 'request'));
  const done = [...said]
    .reverse()
    .find((sentence) => DONE.test(sentence) && !REFUSES.test(sentence));
  const verb = DONE.exec(done ?? '')?.[1]
    ?.toLowerCase()
    .replace('canceled', 'cancelled');
  const refused = [...said]
    .reverse()
    .find((sentence) => REFUSES.test(sentence) && sentence.length < 260 && !/\?$/.test(sentence));
  const works = said.some((sentence) => NOW_WORKS.test(sentence));
  const moved = said.some((sentence) => HANDS_OVER.test(sentence));
  const rule = refused === undefined ? '' : clip(ruleText(refused), 130);
  if (event.outcome === 'worked') {
    if (verb !== undefined) return `It was ${verb}.`;
    if (works) return 'It works again.';
    if (rule !== '') return finish(`It was turned down as the rules ask: ${rule}`);
    return moved ? 'It was handed to a human agent.' : 'It was settled.';
  }
  if (event.outcome === 'failed' || event.outcome === 'blocked') {
    const how = event.outcome === 'blocked' ? 'It was blocked' : 'It failed';
    if (verb !== undefined)
      return `${how}, although the assistant said it was ${verb}. Check the rules and the result before closing.`;
    if (rule !== '')
      return `${finish(`${how}: the assistant turned it down, saying ${rule}`)} Check the rules before refusing.`;
    return moved
      ? `${how}: it was handed to a human agent. Try what the rules allow first.`
      : `${how}: it was not settled. See the last step through before closing.`;
  }
  if (verb !== undefined) return `The assistant said it was ${verb}; no verdict was given.`;
  if (rule !== '') return finish(`The assistant answered that ${rule}`);
  return moved ? 'It was handed to a human agent.' : 'It ended without a verdict.';
}

function ruleText(sentence: string): string {
  return lowerFirst(
    sentence
      .replace(
        /^(?:unfortunately|i'm sorry|i am sorry|i apologi[sz]e|i understand[^,.]*|however|sorry|but|it (?:seems|appears) that|as (?:i )?mentioned[^,]*)[,:]? (?:but |however,? )?/i,
        '',
      )
      .replace(/\byour\b/gi, 'the')
      .replace(/\bI (?:cannot|can't|am unable to|am not able to|'m unable to)\b/i, 'it cannot')
      .replace(/\byou\b/gi, 'the customer')
      .replace(/[.\s]+$/, ''),
  ).replace(/["“”]/g, "'");
}

const CODE = /(?<![\w#@./-])#?(?=[A-Z0-9]*\d)(?=[#A-Z0-9]*[A-Z])[A-Z0-9]{5,10}(?![\w@-])/g;

/** Ids that make a conversation findable: reservation, order and flight codes. */
function codesIn(turns: readonly Turn[]): string[] {
  const found = new Map<string, number>();
  for (const turn of turns.slice(0, 30)) {
    for (const match of turn.text.slice(0, 3_000).matchAll(CODE)) {
      found.set(match[0], (found.get(match[0]) ?? 0) + 1 + (turn.role === 'asker' ? 1 : 0));
    }
  }
  return [...found].sort((a, b) => b[1] - a[1]).map(([code]) => code);
}

const OWN_NAME =
  /\b(?:my name is|name's|this is|it's|i am|i'm|I'm|I am)\s+((?:\p{Lu}[\p{Ll}'’]+)(?:\s\p{Lu}[\p{Ll}'’]+){0,2})/gu;
const CALLED =
  /\b(?:thank you|thanks|hi|hello|dear|sorry|no problem|great|certainly|sure|welcome|apologies),?\s+(?:(?:Mr|Ms|Mrs|Dr)\.?\s)?(\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}{2,})?)(?=[,.!])/giu;

function peopleIn(turns: readonly Turn[]): string[] {
  const names = new Set<string>();
  for (const turn of turns.slice(0, 40)) {
    const text = turn.text.slice(0, 3_000);
    for (const match of text.matchAll(turn.role === 'asker' ? OWN_NAME : CALLED)) {
      const name = match[1] ?? '';
      if (
        /^\p{Lu}/u.test(name) &&
        !/^(?:There|You|For|Let|The|Thank|Please|Your|And|But)\b/.test(name)
      ) {
        names.add(name);
        for (const part of name.split(' ')) if (part.length > 2) names.add(part);
      }
    }
  }
  return [...names].sort((a, b) => b.length - a.length).slice(0, 20);
}

function anonymous(text: string, people: readonly string[]): string {
  let out = text;
  for (const name of people)
    out = out.replaceAll(
      new RegExp(`(?<![\\p{L}_])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}_])`, 'gu'),
      'a customer',
    );
  return out;
}

function topicOf(wish: string): string | null {
  const match =
    /asked to (\w+) (?:their |the |an? |all |some )*((?:upcoming |pending |existing )?[a-z]+)/.exec(
      wish,
    );
  return match === null ? null : `${match[1] ?? ''} ${match[2] ?? ''}`.slice(0, 40);
}
