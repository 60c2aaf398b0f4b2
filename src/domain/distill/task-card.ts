import type { Json, SettledEvent } from '../../contracts/event';
import type { ErrorFamily } from '../../contracts/names';
import {
  answerProse,
  answerSentences,
  givingUp,
  impersonal,
  tellingSentence,
} from './agent-answer';
import { isRecord } from './arguments';
import { advice, errorFamily } from './error-family';
import { failureReason, familyReason } from './failure-reason';
import { handoverCard, isHandover } from './handover-card';
import { nameWords } from './operation-name';
import { parseValue } from './parse-value';
import { clip, finish, humanize, plain } from './plain-text';
import { asThird, readRequest } from './request-phrase';
import { spokenTask } from './spoken-task';
import type { Findings, TaskTold } from './told';
import { verbOf } from './verbs';

const ASK_KEYS =
  'task goal objective prompt request instructions instruction description summary message query question text title reason content input'.split(
    ' ',
  );
const ANSWER_KEYS =
  'answer final_answer result output summary message response text content report'.split(' ');

/** A delegated task's result, a hand-over, or a run that stopped. */
export function taskCard(event: SettledEvent, findings: Findings): TaskTold {
  const asked = proseOf(event.input ?? event.text, ASK_KEYS);
  if (event.kind === 'delegation' && isHandover(event)) return handoverCard(event, asked);
  const outcome = taskOutcome(event, findings);
  return {
    summary: `${finish(attempt(event, asked))} ${outcome.sentences.join(' ')}`.trim(),
    routine: false,
    topic: null,
    family: outcome.family,
  };
}

function attempt(event: SettledEvent, asked: string): string {
  const worker =
    event.kind === 'delegation' ? clip(plain(event.delegate?.agent ?? event.agent), 60) : '';
  const hasBoss = event.delegate !== undefined && event.delegate.agent !== event.agent;
  const boss = hasBoss ? `For ${clip(plain(event.agent), 60)}, ` : '';
  const was = worker === '' ? 'Was' : `${boss}${worker} was`;
  const request = readRequest(asked, 'user');
  if (request === null) {
    const what = spokenTask(event) ?? (nameWords(event.operation ?? '').join(' ') || 'a task');
    return `${was} to work on ${clip(plain(humanize(what)), 80)}`;
  }
  return request.form === 'to'
    ? `${was} to ${request.text}`
    : `${was} asked: “${inner(request.text)}”`;
}

interface Outcome {
  sentences: string[];
  family: ErrorFamily | null;
}

function taskOutcome(event: SettledEvent, findings: Findings): Outcome {
  const answer = answerSentences(answerProse(proseOf(event.output, ANSWER_KEYS)));
  if (event.outcome === 'worked' || event.outcome === 'neutral') {
    const told = findings.flagged ? '' : tellingSentence(answer, 160);
    if (event.outcome === 'worked') {
      return {
        sentences: [told === '' ? 'It worked.' : finish(`It worked: ${impersonal(told)}`)],
        family: null,
      };
    }
    return {
      sentences: [
        told === '' ? 'No verdict was given.' : finish(`It ended with: ${impersonal(told)}`),
      ],
      family: null,
    };
  }
  const how = event.outcome === 'blocked' ? 'It was blocked' : 'It failed';
  const reason = failureReason(event.error, findings.family, '', null);
  if (reason !== null) {
    const family = findings.family ?? 'other';
    // A run that just stopped teaches nothing that its reason does not say.
    const what = family === 'unfinished' && event.kind === 'failure' ? '' : advice(family, reason);
    return { sentences: [finish(`${how}: ${reason}`), what].filter((part) => part !== ''), family };
  }
  if (answer.length === 0) {
    return {
      sentences: [`${how}: ${familyReason('unfinished')}, without an answer.`],
      family: 'unfinished',
    };
  }
  return fellShort(how, answer, findings.flagged);
}

const ANNOUNCES =
  /\b(?:I(?:'ll| will| am going to|'m going to| am about to)|let me|next,? I(?:'ll| will)|let's|now,? I(?:'ll| will)) (?:now |then |next |first |proceed to |go ahead and |try to |need to )*([a-z]+ [^.!?]{3,160})[.!?:…]*\s*$/i;
const ASKS_BACK =
  /\?\s*$|\b(?:(?:could|can|would) you (?:please )?|please )(?:provide|confirm|clarify|specify|let me know|share|advise)\b/i;

/** Why an answer that was judged a failure fell short; the agent's own claim is never the reason. */
function fellShort(how: string, all: readonly string[], flagged: boolean): Outcome {
  const last = all[all.length - 1] ?? '';
  const undone = flagged ? null : undoneStep(ANNOUNCES.exec(last)?.[1] ?? '');
  if (undone !== null) {
    return {
      sentences: [finish(`${how}: the work stopped before ${undone}`)],
      family: 'unfinished',
    };
  }
  const gaveUp = flagged ? undefined : givingUp(all);
  if (gaveUp !== undefined) {
    const family = errorFamily(gaveUp);
    const said = finish(`${how}: the agent reported “${clip(inner(gaveUp), 140)}”`);
    return {
      sentences: [said, 'Look for another way before giving up.'],
      family: family === 'validation' ? 'other' : family,
    };
  }
  if (all.slice(-2).some((sentence) => ASKS_BACK.test(sentence))) {
    return {
      sentences: [`${how}: the agent asked back instead of finishing.`, advice('unfinished', '')],
      family: 'unfinished',
    };
  }
  const claim = flagged ? '' : tellingSentence(all, 120);
  const said =
    claim === ''
      ? `${how}: the answer did not do what was asked.`
      : finish(`${how}, although the answer said “${inner(claim)}”`);
  return {
    sentences: [said, 'Check the result against the task before reporting.'],
    family: 'other',
  };
}

/** `calculate the difference and send the money` → `the money was sent`: the last step announced. */
function undoneStep(steps: string): string | null {
  const parts = steps.split(/,? and (?:then )?|, then /);
  for (const part of [parts[parts.length - 1] ?? '', parts[0] ?? '']) {
    const match =
      /^([a-z]+) ((?:the|a|an|all|each|every|this|that|these|those)\b[^,;:]{0,80}|it\b|them\b)/i.exec(
        part.trim(),
      );
    const verb = verbOf(match?.[1] ?? '');
    if (match === null || verb === undefined) continue;
    const object =
      (match[2] ?? '').split(
        / (?:to|for|with|from|in|on|using|by|so|that|which|as|until|at|before|after) /,
      )[0] ?? '';
    const many =
      /^(?:all|these|those|them)\b/i.test(object) || /^the (?:\w+ )*\w+[^s]s$/.test(object);
    return asThird(`${object.trim()} ${many ? 'were' : 'was'} ${verb.done}`, 'user');
  }
  return null;
}

function inner(text: string): string {
  return text.replace(/[“”"]/g, "'").replace(/[.\s]+$/, '');
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
