/** What of a card can be corrected: as fields of a form, and the patch between two states of them. */
import type { Card } from '../../../../src/contracts/card';
import { fromField, toField } from '../../components/local-time';

export interface Fields {
  summary: string;
  kind: string;
  sign: string;
  topic: string;
  subject: string;
  project: string;
  service: string;
  operation: string;
  task_type: string;
  workflow: string;
  step: string;
  keywords: string[];
  importance: number | string;
  /** In percent. */
  confidence: number | string;
  valid_from: string;
  valid_to: string;
  expires_at: string;
}
export type FieldName = keyof Fields;

export const FIELD_NAMES: Readonly<Record<FieldName, string>> = {
  summary: 'Summary',
  kind: 'Kind',
  sign: 'Sign',
  topic: 'Topic',
  subject: 'Subject',
  project: 'Project',
  service: 'Service',
  operation: 'Operation',
  task_type: 'Task type',
  workflow: 'Workflow',
  step: 'Step',
  keywords: 'Keywords',
  importance: 'Importance',
  confidence: 'Confidence',
  valid_from: 'Valid from',
  valid_to: 'Valid to',
  expires_at: 'Expires',
};
const HINTS: ReadonlySet<FieldName> = new Set([
  'service',
  'operation',
  'task_type',
  'workflow',
  'step',
  'keywords',
]);
const TIMES: ReadonlySet<FieldName> = new Set(['valid_from', 'valid_to', 'expires_at']);

export function fieldsOf(card: Card): Fields {
  const { hints } = card;
  return {
    summary: card.summary,
    kind: card.kind,
    sign: card.sign,
    topic: card.topic ?? '',
    subject: card.subject ?? '',
    project: card.project ?? '',
    service: hints.service ?? '',
    operation: hints.operation ?? '',
    task_type: hints.task_type ?? '',
    workflow: hints.workflow ?? '',
    step: hints.step ?? '',
    keywords: hints.keywords,
    importance: card.importance ?? '',
    confidence: Math.round(card.confidence * 100),
    valid_from: toField(card.valid_from),
    valid_to: toField(card.valid_to),
    expires_at: toField(card.expires_at),
  };
}

export function changedIn(before: Fields, after: Fields): FieldName[] {
  const names = Object.keys(FIELD_NAMES) as FieldName[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** As `PATCH /v1/cards/{id}` takes it: what is not named stays, null empties. */
export function patchOf(before: Fields, after: Fields): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const hints: Record<string, unknown> = {};
  for (const name of changedIn(before, after)) {
    if (HINTS.has(name)) hints[name] = asWritten(name, after);
    else patch[name] = asWritten(name, after);
  }
  return Object.keys(hints).length === 0 ? patch : { ...patch, hints };
}

function asWritten(name: FieldName, fields: Fields): unknown {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  if (name === 'importance') return value === '' ? null : Number(value);
  if (name === 'confidence') return Number(value) / 100;
  const text = String(value).trim();
  if (TIMES.has(name)) return fromField(text);
  return text === '' ? null : text;
}

export function saidOf(name: FieldName, fields: Fields): string {
  const value = fields[name];
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  if (text === '') return '—';
  if (name === 'confidence') return `${text} %`;
  return TIMES.has(name) ? text.replace('T', ' ') : text;
}
