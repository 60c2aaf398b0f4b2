import type { Card } from '../../contracts/card';
import type { ErrorFamily } from '../../contracts/names';
import { toldOf } from '../consolidation/told-failure';
import { isHidden } from '../distill/arguments';
import { type FieldRole, fieldGroups, type InputFields, isEmptyValue } from '../input-fields';
import { TRUST_RANK } from '../policy';
import { epochMs } from '../read-time';

/** As much of a card as tells whether a value of its inputs still works. */
export type TrialCard = Pick<
  Card,
  'id' | 'kind' | 'sign' | 'status' | 'summary' | 'hints' | 'valid_from' | 'trust' | 'flags'
> & { input_fields?: InputFields };

/** One call of an operation: what was given, and what came of it. */
export interface Trial {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  worked: boolean;
  /** Who vouches for it; an unconfirmed report counts less than a confirmed one of the same trust. */
  rank: number;
  /** By path: what can be compared and shown; null where something else was given. */
  values: ReadonlyMap<string, string | null>;
  /** All else that was given, as one text: lists, since none of their values is the one, and what must not be shown. */
  rest: string;
  roles: ReadonlyMap<string, FieldRole>;
  /** Why it failed, in lower case; empty where it worked, or nobody said. */
  reason: string;
  family: ErrorFamily | null;
}

/** The calls of one operation, the oldest first. */
export interface Operation {
  service: string | null;
  operation: string;
  trials: Trial[];
}

/** Where the first words of a text stand; their places say nothing. */
const WORDS_FIELD = 'word';
/** A longer one is a text and no choice. */
const LONGEST_VALUE = 80;
/** What stands in an input for contact data and secrets. */
const REDACTED = /\[(?:EMAIL|PHONE|EXT_IP|REDACTED|REDACTION)_/;

/** A recall looks at its cards more than once. */
const known = new WeakMap<TrialCard, Trial>();

/**
 * The calls of each operation that the cards tell of, the oldest first. What reads like an instruction decides
 * nothing, nor does a card without inputs.
 */
export function trialsByOperation(cards: readonly TrialCard[]): Operation[] {
  const groups = new Map<string, Operation>();
  for (const card of cards) {
    const { service, operation } = card.hints;
    if (operation === null || !isTrial(card)) continue;
    const key = JSON.stringify([service, operation]);
    const group = groups.get(key) ?? { service, operation, trials: [] };
    group.trials.push(trialOf(card));
    groups.set(key, group);
  }
  for (const { trials } of groups.values()) {
    trials.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function isTrial(card: TrialCard): boolean {
  return (
    (card.kind === 'experience' || card.kind === 'constraint') &&
    card.sign !== 'neutral' &&
    card.flags.length === 0 &&
    Object.keys(card.input_fields ?? {}).length > 0
  );
}

function trialOf(card: TrialCard): Trial {
  const found = known.get(card) ?? readTrial(card);
  known.set(card, found);
  return found;
}

function readTrial(card: TrialCard): Trial {
  const worked = card.sign === 'worked';
  const values = new Map<string, string | null>();
  const roles = new Map<string, FieldRole>();
  const rest: [string, string[]][] = [];
  for (const [path, group] of fieldGroups(card.input_fields ?? {})) {
    const [value = ''] = group.values;
    const shown = isEmptyValue(value) ? '' : value.normalize('NFKC');
    if (group.values.length > 1 || !isShown(path, shown)) {
      rest.push([path, group.values]);
      values.set(path, null);
      continue;
    }
    values.set(path, shown);
    roles.set(path, group.role);
  }
  return {
    id: card.id,
    at: epochMs(card.valid_from),
    worked,
    rank: TRUST_RANK[card.trust] * 2 + (card.status === 'pending' ? 0 : 1),
    values,
    rest: JSON.stringify(rest),
    roles,
    reason: worked ? '' : toldOf(card).reason.normalize('NFKC').toLowerCase(),
    family: worked ? null : card.hints.error_family,
  };
}

/** Not contact data and the like, long texts, or the words of a command. */
function isShown(path: string, value: string): boolean {
  if (path === WORDS_FIELD || isHidden(path.split('.').at(-1) ?? path)) return false;
  return value.length <= LONGEST_VALUE && !REDACTED.test(value);
}

/**
 * Empty where nothing was given, null where it cannot be compared: a part of something that was not given is not
 * missing.
 */
export function givenValue({ values }: Trial, field: string): string | null {
  if (values.has(field)) return values.get(field) ?? null;
  const whole = field.slice(0, field.lastIndexOf('.') + 1);
  return whole === '' || [...values.keys()].some((path) => path.startsWith(whole)) ? '' : null;
}

/** Whether the newer may say that the older no longer holds: whoever vouches less does not. */
export function mayOutdate(newer: Trial, older: Trial): boolean {
  return newer.at > older.at && newer.rank >= older.rank;
}
