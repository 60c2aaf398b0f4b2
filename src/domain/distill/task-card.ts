import type { Json, SettledEvent } from '../../contracts/event';
import type { ErrorFamily } from '../../contracts/names';
import { isRecord } from './arguments';
import type { Findings, Told } from './call-card';
import { advice, errorFamily } from './error-family';
import { failureReason, familyReason } from './failure-reason';
import { looksLikeInstruction } from './instruction-like';
import { nameWords } from './operation-name';
import { parseValue } from './parse-value';
import { clip, finish, lowerFirst, plain, sentences } from './plain-text';
import { asThird, readRequest } from './request-phrase';
import { verbOf } from './verbs';

const ASK_KEYS = [
  'task',
  'goal',
  'objective',
  'prompt',
  'request',
  'instructions',
  'instruction',
  'description',
  'summary',
  'message',
  'query',
  'question',
  'text',
  'title',
  'reason',
  'content',
  'input',
];
const ANSWER_KEYS = [
  'answer',
  'final_answer',
  'result',
  'output',
  'summary',
  'message',
  'response',
  'text',
  'content',
  'report',
];
const HANDOVER =
  /\b(?:transfer|hand ?over|hand ?off|handoff|escalate|forward|route|pass|reassign)\b/;

/** A delegated task's result, or a run that stopped. */
export function taskCard(
  event: SettledEvent,
  findings: Findings,
): Told & { family: ErrorFamily | null } {
  const asked = proseOf(event.input ?? event.text, ASK_KEYS);
  const words = nameWords(event.operation ?? '');
  if (event.kind === 'delegation' && HANDOVER.test(words.join(' ')))
    return handover(event, words, asked);
  const who = event.kind === 'delegation' ? (event.delegate?.agent ?? event.agent) : '';
  const boss =
    event.delegate !== undefined && event.delegate.agent !== event.agent
      ? ` for ${event.agent}`
      : '';
  const request = readRequest(asked);
  const start =
    request === null
      ? `${who === '' ? 'Was' : `${who} was`} to work on ${event.task ?? (words.join(' ') || 'a task')}${boss}`
      : request.form === 'to'
        ? `${who === '' ? 'Was' : `${who} was`} to ${request.text}${boss}`
        : `${who === '' ? 'Was' : `${who} was`} asked${boss}: “${request.text.replace(/[“”"]/g, "'")}”`;
  const outcome = taskOutcome(event, findings);
  const said = outcome.sentences.join(' ');
  return {
    summary: `${finish(start)} ${said}`.trim(),
    routine: false,
    topic: null,
    family: outcome.family,
  };
}

function handover(
  event: SettledEvent,
  words: readonly string[],
  asked: string,
): Told & { family: ErrorFamily | null } {
  const to = words.lastIndexOf('to');
  const target =
    to >= 0 && to < words.length - 1
      ? words.slice(to + 1).join(' ')
      : (event.delegate?.agent ?? 'someone else');
  const what = event.task ?? 'the work';
  const why = sentences(plain(asked))
    .filter((sentence) => !looksLikeInstruction(sentence, 'told'))
    .map((sentence) => aboutCustomer(sentence));
  const reason = clip(why.join(' '), 210);
  const start = `${event.agent} handed ${what} to ${target}${reason === '' ? '' : `: ${startLower(reason)}`}`;
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  const message = failed ? failureReason(event.error ?? event.output, null, start, null) : null;
  const after = failed ? finish(message === null ? 'It failed' : `It failed: ${message}`) : '';
  const family = failed ? errorFamily(message ?? '') : null;
  return { summary: `${finish(start)} ${after}`.trim(), routine: false, topic: 'handover', family };
}

/** Names of people are not needed to learn from a hand-over. */
export function aboutCustomer(sentence: string): string {
  return sentence
    .replace(
      /^(?:\p{Lu}[\p{Ll}'’]+ ){1,2}\p{Lu}[\p{Ll}'’]+(?=, (?:an? |the |who )|\s(?:is|has|had|was|wants?|needs?|would|reports?|requests?|asked|says|experienced)\b)/u,
      (name) =>
        /^(?:The|This|A|An|User|Customer|Client|No|All)\b/.test(name) ? name : 'a customer',
    )
    .replace(
      /\b(User|Customer|Client|Passenger|Patient|Mr\.?|Mrs\.?|Ms\.?) \p{Lu}[\p{Ll}'’]+(?: \p{Lu}[\p{Ll}'’]+)?\b/gu,
      'a customer',
    );
}

function startLower(text: string): string {
  return /^(?:The|A|An|User|Customer|They|He|She|This|Their|After|When|Due)\b/.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : lowerFirst(text);
}

interface Outcome {
  sentences: string[];
  family: ErrorFamily | null;
}

function taskOutcome(event: SettledEvent, findings: Findings): Outcome {
  const answer = answerText(event.output);
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  if (!failed) {
    const told = findings.flagged ? '' : bestSentence(answer, false);
    if (event.outcome === 'neutral')
      return {
        sentences: told === '' ? ['No verdict was given.'] : [finish(`It ended with: ${told}`)],
        family: null,
      };
    return { sentences: [told === '' ? 'It worked.' : finish(`It worked: ${told}`)], family: null };
  }
  const how = event.outcome === 'blocked' ? 'It was blocked' : 'It failed';
  const error = failureReason(event.error, findings.family, '', null);
  if (error !== null) {
    const family = findings.family ?? 'other';
    // A run that just stopped teaches nothing that its reason does not say.
    const what = family === 'unfinished' && event.kind === 'failure' ? '' : advice(family, error);
    return { sentences: [finish(`${how}: ${error}`), what].filter((part) => part !== ''), family };
  }
  if (answer === '')
    return {
      sentences: [`${how}: ${familyReason('unfinished')}, without an answer.`],
      family: 'unfinished',
    };
  return failedAnswer(how, answer, findings.flagged);
}

const ANNOUNCES =
  /\b(?:I(?:'ll| will| am going to|'m going to| am about to)|let me|next,? I(?:'ll| will)?|let's) (?:now |then |next |first |proceed to |go ahead and |try to |need to )*([a-z]+ [^.!?]{3,160})[.!?:…]*\s*$/i;
const ASKS_BACK =
  /\?\s*$|\b(?:could|can|would|please) (?:you )?(?:please )?(?:provide|confirm|clarify|specify|let me know|share)\b/i;
const GIVES_UP =
  /\b(?:(?:could|can|was|am|were|is|are|did|do|does)(?: not|n't)|cannot|unable|unfortunately|not able|failed to|no (?:\w+ ){0,3}(?:found|available)|sorry|not (?:found|available|possible))\b/i;

/** Why an answer that was judged a failure fell short; the agent's own claim is never the reason. */
function failedAnswer(how: string, answer: string, flagged: boolean): Outcome {
  const all = sentences(plain(answer)).filter(
    (sentence) => !looksLikeInstruction(sentence, 'told'),
  );
  const last = all[all.length - 1] ?? '';
  const next = flagged ? null : ANNOUNCES.exec(last);
  if (next !== null)
    return {
      sentences: [finish(`${how}: the work stopped before ${undone(next[1] ?? '')}`)],
      family: 'unfinished',
    };
  const gaveUp = flagged
    ? undefined
    : all.find((sentence) => GIVES_UP.test(sentence) && sentence.length < 260);
  if (gaveUp !== undefined) {
    return {
      sentences: [
        finish(
          `${how}: the agent reported “${clip(gaveUp.replace(/[“”"]/g, "'").replace(/[.\s]+$/, ''), 130)}”`,
        ),
        'Look for another way before giving up.',
      ],
      family: errorFamily(gaveUp),
    };
  }
  if (all.slice(-2).some((sentence) => ASKS_BACK.test(sentence))) {
    return {
      sentences: [`${how}: the agent asked back instead of finishing.`, advice('unfinished', '')],
      family: 'unfinished',
    };
  }
  const claim = flagged ? '' : bestSentence(answer, true);
  const but =
    claim === ''
      ? `${how}: the answer did not do what was asked.`
      : finish(
          `${how}, although the answer said “${clip(claim.replace(/[“”"]/g, "'").replace(/[.\s]+$/, ''), 110)}”`,
        );
  return {
    sentences: [but, 'Check the result against the task before reporting.'],
    family: 'other',
  };
}

/** `send the money` → `the money was sent`; the last step of an announced row counts. */
function undone(steps: string): string {
  const parts = steps.split(/,? and (?:then )?|, then /);
  const last = parts[parts.length - 1]?.trim() ?? '';
  const match =
    /^([a-z]+) ((?:the|a|an|all|each|every|this|that|these|those|it|them)\b[^,;:]{0,60}|it|them)/i.exec(
      last,
    );
  const verb = verbOf(match?.[1] ?? '');
  if (match === null || verb === undefined)
    return `it did this: ${clip(asThird(last === '' ? steps : last), 90)}`;
  const object =
    (match[2] ?? '').split(
      / (?:to|for|with|from|in|on|using|by|so|that|which|as|until|at|before|after) /,
    )[0] ?? '';
  const many = /^(?:all|these|those|them|each of)/i.test(object) || /^the \w+s$/.test(object);
  return `${object.trim()} ${many ? 'were' : 'was'} ${verb.done}`;
}

function proseOf(value: Json | undefined, keys: readonly string[]): string {
  if (typeof value === 'string') {
    const parsed = /^\s*[[{]/.test(value) ? parseValue(value) : null;
    return parsed?.shape === 'record' ? fromFields(parsed.fields, keys) : value;
  }
  return isRecord(value) ? fromFields(value, keys) : '';
}

function fromFields(fields: Readonly<Record<string, Json>>, keys: readonly string[]): string {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  const longest = Object.values(fields)
    .filter((value): value is string => typeof value === 'string' && /\s/.test(value))
    .sort((a, b) => b.length - a.length)[0];
  return longest ?? '';
}

/** The answer without an agent's thinking, code and diffs. */
function answerText(output: Json | undefined): string {
  return proseOf(output, ANSWER_KEYS)
    .slice(0, 16_000)
    .replace(
      /<(thinking|think|scratchpad|reasoning|search_quality_reflection)>[\s\S]*?(?:<\/\1>|$)/gi,
      ' ',
    )
    .replace(/(?:^|\n)diff --git[\s\S]*$/, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ');
}

const FILLER =
  /^(?:(?:sure|okay|ok|certainly|of course|great|alright|thank you|thanks|yes|hello|hi|dear|let me|i hope|feel free|if you|please let|is there|here (?:is|are)|based on|to (?:complete|answer|find)|i (?:first|will|need|used|am going|have (?:the|found the following))|the user|it seems that we)\b|let's)/i;

/** The sentence of an answer that says most: short, with figures or names, and no courtesy. */
function bestSentence(answer: string, claim: boolean): string {
  const lines = plain(answer.replace(/\n+(?=\s*(?:[-*•]|\d+\.))/g, '; ')).replace(
    /(?:; ?)+[-*•]? ?/g,
    '; ',
  );
  const all = sentences(lines).filter(
    (sentence) =>
      sentence.length >= 12 && !/\?$/.test(sentence) && !looksLikeInstruction(sentence, 'told'),
  );
  const scored = all.slice(0, 12).map((sentence, index) => {
    let score = -index * 0.4;
    if (/\d/.test(sentence)) score += 1.5;
    if (
      /\b(?:was|were|has been|have been|is|are|costs?|sent|created|updated|added|found|booked|completed|fixed|done)\b/i.test(
        sentence,
      )
    )
      score += 1;
    if (FILLER.test(sentence)) score -= 2.5;
    if (sentence.length > 200) score -= 1;
    if (claim && /\bI(?:'ve| have)?\b/.test(sentence)) score += 1;
    return { sentence, score };
  });
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best === undefined ? '' : clip(best.sentence.replace(/[;:,\s]+$/, ''), 150);
}
