import { durationInWords } from './durations';
import type { Field } from './field';
import { isMembers } from './paths';
import { type Rule, sentenceOf } from './rules';

/** A value as one says it: `30 days`, `5 cards`, `no bound`. */
export function inWords(field: Field, value: unknown): string {
  if (value === undefined || value === '') return 'nothing';
  if (value === null) return ('none' in field ? field.none : undefined) ?? 'nothing';
  switch (field.as) {
    case 'yes':
      return value === true ? 'yes' : 'no';
    case 'number':
      return `${Number(value).toLocaleString(undefined, { maximumFractionDigits: 9 })}${field.unit === undefined ? '' : ` ${field.unit}`}`;
    case 'duration':
      return durationInWords(String(value));
    case 'durations':
      return listed(value, (one) => durationInWords(String(one)));
    case 'choice':
      return field.of[String(value)] ?? String(value);
    case 'several':
      return listed(value, (one) => String(one).replaceAll('_', ' '));
    case 'named':
      if (!isMembers(value)) return String(value);
      return Object.entries(value)
        .map(([name, number]) => `${name} ${String(number)}`)
        .join(', ');
    case 'rules':
      return linesOf(field, value).join('\n') || 'no rule';
    case 'time':
    case 'zone':
      return String(value);
    default:
      return field satisfies never;
  }
}

/** Rules as sentences, one a line. */
function linesOf(field: Field & { as: 'rules' }, value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((rule, at) => `${at + 1}. ${sentenceOf(field.rule, rule as Rule)}`);
}

function listed(value: unknown, say: (one: unknown) => string): string {
  if (!Array.isArray(value) || value.length === 0) return 'none';
  return value.map(say).join(', ');
}
