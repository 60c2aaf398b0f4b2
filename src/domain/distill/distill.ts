import type { CardDraft } from '../../contracts/card';
import type { SettledEvent } from '../../contracts/event';
import type { ErrorFamily } from '../../contracts/names';
import { classifyKind, signOf } from '../classify';
import { callCard } from './call-card';
import { chatCard } from './chat-card';
import { errorSignature } from './error-signature';
import { hasPlantedLabel, withHonestLabels } from './honest-labels';
import { inputFields } from './input-fields';
import { isInstructionLike, textOf } from './instruction-like';
import { keywordsOf } from './keywords';
import { foreignFraming } from './language';
import { lessonFrom, type OwnWarning } from './own-warning';
import { clip, finish, oneLine, plain } from './plain-text';
import { shortenedEvent } from './shortened-event';
import { spokenTask } from './spoken-task';
import { taskCard } from './task-card';
import { textCard } from './text-card';
import type { Findings, Told } from './told';

export type { OwnWarning } from './own-warning';

/** Goes into a card's provenance; raised when the wording of cards changes. */
export const STAND_IN_PROMPT_VERSION = 'stand-in/2';
/** `cards.md`: about three sentences, 60 to 350 characters. */
export const SUMMARY_LIMIT = 350;
const SUMMARY_FLOOR = 60;
/** A told summary is some hundred characters; the patterns that fit it need not look at more. */
const FIT_LIMIT = 4_000;
/** Design §7: routine work gets 2 from the stand-in. */
const ROUTINE_IMPORTANCE = 2;

/**
 * One redacted settled event as one card, without a model: what was tried, what came of it, what to
 * do about it. Deterministic and total: any event gives a draft, none throws. `ownWarnings` are
 * earlier failures of the same writer, the only cards that a clause about what changed may come from.
 */
export function distill(whole: SettledEvent, ownWarnings: readonly OwnWarning[]): CardDraft {
  // What is planted may stand anywhere, so the rules against it see all of the event.
  const flagged = isInstructionLike(whole) || hasPlantedLabel(whole);
  const event = withHonestLabels(shortenedEvent(whole));
  const fields = inputFields(event);
  const sign = signOf(event);
  const failed = event.outcome === 'failed' || event.outcome === 'blocked';
  const error = event.error ?? (failed && isExecution(event) ? event.output : undefined);
  const { signature, family } =
    failed || event.error !== undefined
      ? errorSignature(error, fields)
      : { signature: null, family: null };
  const lesson = event.outcome === 'worked' ? lessonFrom(event, fields, ownWarnings) : null;
  const findings: Findings = { flagged, lesson, family };
  const told = tell(event, findings);
  const summary = fitted(told.summary, event) || fitted(bare(event).summary, event);
  return {
    kind: classifyKind(event),
    sign,
    summary,
    topic: topic(event, told),
    keywords: keywordsOf(event, fields, told.summary),
    error_signature: signature,
    error_family: told.family ?? family ?? (failed && event.kind !== 'chat' ? 'other' : null),
    importance: event.importance ?? (told.routine ? ROUTINE_IMPORTANCE : null),
    flags: flagged ? ['instruction_like'] : [],
    input_fields: fields,
    derived_from: lesson === null || !summary.includes(lesson.clause) ? [] : [lesson.card_id],
    distilled_by: 'fallback',
    model: null,
    prompt_version: STAND_IN_PROMPT_VERSION,
  };
}

function isExecution(event: SettledEvent): boolean {
  return event.kind === 'service_call' || event.kind === 'workflow_step';
}

function tell(event: SettledEvent, findings: Findings): Told & { family?: ErrorFamily | null } {
  switch (event.kind) {
    case 'service_call':
    case 'workflow_step':
      return onlyText(event)
        ? (textCard(event) ?? callCard(event, findings))
        : callCard(event, findings);
    case 'delegation':
    case 'failure':
      return foreignTask(event) || (event.kind === 'failure' && onlyText(event))
        ? (textCard(event) ?? taskCard(event, findings))
        : taskCard(event, findings);
    case 'chat':
      return (foreignTask(event) ? null : chatCard(event)) ?? textCard(event) ?? bare(event);
    case 'observation':
      return textCard(event) ?? bare(event);
    default:
      event.kind satisfies never;
      return bare(event);
  }
}

function onlyText(event: SettledEvent): boolean {
  return (
    event.input === undefined &&
    event.output === undefined &&
    event.error === undefined &&
    (event.text !== undefined || event.messages !== undefined)
  );
}

/** Another language than English keeps its own words: our clauses are English. */
function foreignTask(event: SettledEvent): boolean {
  const messages = Array.isArray(event.messages) ? event.messages : [];
  const said = [
    textOf(event.input),
    event.text ?? '',
    ...messages.map((message) => textOf(message?.content)),
  ].join(' ');
  return foreignFraming(said === '' || said.trim() === '' ? textOf(event.output) : said) !== null;
}

function bare(event: SettledEvent): Told {
  const what = [event.operation, event.service].filter((part) => part !== undefined).join(' on ');
  const end =
    event.outcome === 'neutral'
      ? ''
      : event.outcome === 'worked'
        ? ' It worked.'
        : event.outcome === 'failed'
          ? ' It failed.'
          : ' It was blocked.';
  const kind = event.kind.replace('_', ' ');
  return {
    summary: `${finish(`${kind === 'observation' ? 'An' : 'A'} ${kind} without text${what === '' ? '' : ` (${what})`}`)}${end}`,
    routine: false,
    topic: null,
  };
}

function topic(event: SettledEvent, told: Told): string | null {
  const found = event.task_type ?? told.topic;
  return found === null ? null : clip(plain(found), 60) || null;
}

/** Within the limits, on one line, and without a mark of data. Too short a card says whose work it was. */
function fitted(summary: string, event: SettledEvent): string {
  const clean = oneLine(summary)
    .slice(0, FIT_LIMIT)
    .replace(/[{}[]/g, '')
    .replace(/\bthe event\b/gi, 'that event')
    .replace(/(?<![\w.])[\w.+-]+@[\w-]+\.[\w.]*\w/g, 'an address')
    .replace(/(["'“])((?:an?|external) (?:address|phone number|account|card))["'”]/g, '$2')
    .trim();
  const full = clean.length < SUMMARY_FLOOR ? `${clean}${whose(event)}` : clean;
  return full.length <= SUMMARY_LIMIT ? full : shortened(full);
}

function whose(event: SettledEvent): string {
  if (onlyText(event) || foreignTask(event)) return '';
  const named = spokenTask(event);
  const task = named === undefined ? '' : ` for ${clip(plain(named), 60)}`;
  return ` Done by ${clip(plain(event.agent), 60)}${task}.`;
}

/** Cuts the longest sentence first, so that the verdict and the advice survive. */
function shortened(text: string): string {
  const parts = text.split(/(?<=[.!?…”]) (?=\p{Lu})/u);
  const over = text.length - SUMMARY_LIMIT;
  const longest = parts.reduce(
    (best, part, index) => (part.length > (parts[best]?.length ?? 0) ? index : best),
    0,
  );
  const room = (parts[longest]?.length ?? 0) - over;
  if (room < 40) return clip(text, SUMMARY_LIMIT);
  return parts
    .map((part, index) => (index === longest ? finish(clip(part, room)) : part))
    .join(' ')
    .slice(0, SUMMARY_LIMIT);
}
