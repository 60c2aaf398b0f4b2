import type { Json, JsonObject, Refused, SettledEvent } from '../contracts/event';
import { redactJson } from '../redaction/json';
import { type RedactionOptions, redactText } from '../redaction/scanner';
import { checkIdentifiers } from './identifiers';

/** Of a card's text in characters (contract, Card); placeholders may be longer than what they stand for. */
const MAX_SUMMARY = 2_000;
/** Longer than any placeholder: a cut this near to one takes it along whole. */
const LONGEST_PLACEHOLDER = 80;

/** The fields of a card that somebody may have written anything into. */
export interface WrittenContent {
  summary?: string | undefined;
  key?: string | undefined;
  subject?: string | null | undefined;
  topic?: string | null | undefined;
  project?: string | null | undefined;
  hints?: WrittenHints | undefined;
  metadata?: JsonObject | undefined;
}

export interface WrittenHints {
  service?: string | null | undefined;
  operation?: string | null | undefined;
  task_type?: string | null | undefined;
  workflow?: string | null | undefined;
  step?: string | null | undefined;
  keywords?: string[] | undefined;
  error_signature?: string | null | undefined;
}

/**
 * What a person or an agent writes into a card by hand passes the same checks as an event: identifiers
 * are checked, everything else is redacted.
 */
export function fitForCard<T extends WrittenContent>(
  written: T,
  options: RedactionOptions,
): { content: T } | { refused: Refused } {
  const checked = checkIdentifiers(identifiersOf(written), options);
  if (checked.refused !== null) return { refused: pointedAt(checked.refused) };
  const content = { ...written };
  if (typeof checked.event.subject === 'string') content.subject = checked.event.subject;
  if (typeof written.summary === 'string') content.summary = fitSummary(written.summary, options);
  if (typeof written.topic === 'string') content.topic = fitText(written.topic, options);
  if (written.hints !== undefined) content.hints = fitHints(written.hints, options);
  if (written.metadata !== undefined) {
    content.metadata = redactJson(written.metadata as Json, options).value as JsonObject;
  }
  return { content };
}

/** A reason or a purpose that somebody gives. */
export function fitText(text: string, options: RedactionOptions): string {
  return redactText(text, options).value;
}

/** A card's text: redacted, and cut to its length where placeholders made it longer. */
export function fitSummary(text: string, options: RedactionOptions): string {
  const redacted = [...fitText(text, options)];
  if (redacted.length <= MAX_SUMMARY) return redacted.join('');
  const kept = redacted.slice(0, MAX_SUMMARY).join('');
  const opened = kept.lastIndexOf('[');
  const isCut = opened > kept.lastIndexOf(']') && kept.length - opened <= LONGEST_PLACEHOLDER;
  return isCut ? kept.slice(0, opened) : kept;
}

function fitHints(hints: WrittenHints, options: RedactionOptions): WrittenHints {
  return {
    ...hints,
    ...(hints.keywords === undefined
      ? {}
      : { keywords: hints.keywords.map((word) => fitText(word, options)) }),
    ...(typeof hints.error_signature === 'string'
      ? { error_signature: fitText(hints.error_signature, options) }
      : {}),
  };
}

/** Looks like an event to the check, which knows by name which identifiers may be pseudonyms. */
function identifiersOf({ hints, ...written }: WrittenContent): SettledEvent {
  const labels: Record<string, unknown> = {
    subject: written.subject,
    key: written.key,
    project: written.project,
    service: hints?.service,
    operation: hints?.operation,
    task_type: hints?.task_type,
    workflow_step: { workflow: hints?.workflow, step: hints?.step },
  };
  return labels as unknown as SettledEvent;
}

const IN_HINTS = /^\/(?:workflow_step\/)?(service|operation|task_type|workflow|step)$/;

function pointedAt(refused: Refused): Refused {
  const field = IN_HINTS.exec(refused.pointer ?? '')?.[1];
  return field === undefined ? refused : { ...refused, pointer: `/hints/${field}` };
}
