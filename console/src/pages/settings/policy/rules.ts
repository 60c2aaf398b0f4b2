import {
  CARD_FLAGS,
  CARD_KINDS,
  EVENT_KINDS,
  SCOPE_TYPES,
  TRUSTS,
  WRITE_ROUTES,
} from '../../../../../src/contracts/names';
import { durationInWords } from './durations';
import { readAt } from './paths';

export type RuleKind = 'trust' | 'write' | 'gate' | 'forget';
export type Rule = Readonly<Record<string, unknown>>;

/** One condition or outcome of a rule. */
export interface RuleField {
  path: string;
  label: string;
  as: 'text' | 'number' | 'whole' | 'yes' | 'duration' | readonly string[];
  /** In the sentence of the rule. */
  said(value: unknown): string;
}

export interface RuleShape {
  conditions: readonly RuleField[];
  outcome: RuleField;
  /** What a new rule begins with. */
  begins: Rule;
}

const plain = (word: string) => (value: unknown) => `${word} ${String(value).replaceAll('_', ' ')}`;
const text = (path: string, label: string): RuleField => ({
  path,
  label,
  as: 'text',
  said: (value) => `${label.toLowerCase()} ${String(value)}`,
});
const oneOf = (path: string, label: string, of: readonly string[], word = label): RuleField => ({
  path,
  label,
  as: of,
  said: plain(word.toLowerCase()),
});
const number = (path: string, label: string, as: 'number' | 'whole' = 'whole'): RuleField => ({
  path,
  label,
  as,
  said: plain(label.toLowerCase()),
});
const yesNo = (path: string, label: string, is: string, isNot: string): RuleField => ({
  path,
  label,
  as: 'yes',
  said: (value) => (value === true ? is : isNot),
});

const MATCH: readonly RuleField[] = [
  text('match.service', 'Service'),
  text('match.operation', 'Operation'),
  text('match.agent', 'Agent'),
  oneOf('match.kind', 'Kind of event', EVENT_KINDS, 'event'),
];

export const RULES: Readonly<Record<RuleKind, RuleShape>> = {
  trust: {
    conditions: MATCH,
    outcome: { ...oneOf('trust', 'Trusted at most as', TRUSTS), said: plain('trusted at most as') },
    begins: { match: {}, trust: 'web' },
  },
  write: {
    conditions: MATCH,
    outcome: {
      ...oneOf('route', 'Its way', WRITE_ROUTES),
      said: (value) =>
        value === 'durable'
          ? 'kept'
          : value === 'transient'
            ? 'passes, not kept'
            : 'too sensitive, not kept',
    },
    begins: { match: {}, route: 'transient' },
  },
  gate: {
    conditions: [
      oneOf('candidate', 'Found was a', ['fact', 'skill', 'link', 'merge', 'archive'], 'a'),
      number('min_confidence', 'Confidence at least', 'number'),
      number('min_evidence', 'Pieces of evidence at least'),
      number('max_evidence', 'Pieces of evidence at most'),
      number('min_sources', 'Agents it comes from at least'),
      yesNo(
        'open_conflict',
        'Open contradiction',
        'with an open contradiction',
        'without an open contradiction',
      ),
      yesNo('sensitive', 'Sensitive', 'sensitive', 'not sensitive'),
      oneOf('scope', 'For a scope at least as wide as', SCOPE_TYPES),
      oneOf('flag', 'Marked', CARD_FLAGS),
    ],
    outcome: {
      ...oneOf('decision', 'Then', ['approve', 'reject', 'escalate']),
      said: (value) => (value === 'escalate' ? 'a person decides' : String(value)),
    },
    begins: { decision: 'escalate' },
  },
  forget: {
    conditions: [
      text('match.service', 'Service'),
      text('match.operation', 'Operation'),
      text('match.agent', 'Agent'),
      oneOf('match.kind', 'Kind of card', CARD_KINDS, 'card'),
      text('match.topic', 'Topic'),
      text('match.project', 'Project'),
      text('match.subject', 'Subject'),
      text('match.subject_kind', 'Kind of subject'),
    ],
    outcome: {
      path: 'after',
      label: 'Forgotten after',
      as: 'duration',
      said: (value) => `forgotten after ${durationInWords(String(value))}`,
    },
    begins: { match: {}, after: 'P30D' },
  },
};

/** `service slack, event chat → passes, not kept` */
export function sentenceOf(kind: RuleKind, rule: Rule): string {
  const { conditions, outcome } = RULES[kind];
  const told = conditions.flatMap(({ path, said }) => {
    const value = readAt(rule, path);
    return value === undefined ? [] : [said(value)];
  });
  const when = told.length > 0 ? told.join(', ') : kind === 'gate' ? 'everything' : 'nothing yet';
  return `${when} → ${outcome.said(readAt(rule, outcome.path))}`;
}
