import type { SettledEvent } from '../../contracts/event';
import { compareInputs } from '../alike-inputs';
import { inputChanges } from '../input-changes';
import { type ChangedField, earlierClause, fieldName } from './changed-fields';

/** An earlier failure of the same writer, as far as a later success needs it. */
export interface OwnWarning {
  card_id: string;
  summary: string;
  input_fields: Record<string, string>;
  error_signature: string | null;
  service: string | null;
  operation: string | null;
  /** RFC 3339. */
  occurred_at: string;
}

export interface Lesson {
  card_id: string;
  /** `after a failure with another payment amount (304)`. */
  clause: string;
}

/** As alike as a success must be to satisfy a warning: the default of the policy's `link.alike.satisfies`. */
const LEAST_ALIKE = 0.5;

/**
 * What a success owes to the writer's own latest failure of the same call: the inputs that changed.
 * Null where no earlier failure was an attempt at the same thing.
 */
export function lessonFrom(
  event: SettledEvent,
  fields: Readonly<Record<string, string>>,
  warnings: readonly OwnWarning[],
): Lesson | null {
  const at = Date.parse(event.occurred_at);
  const earlier = warnings
    .filter(
      (warning) =>
        warning.service === (event.service ?? null) &&
        warning.operation === (event.operation ?? null),
    )
    .filter((warning) => !(Date.parse(warning.occurred_at) > at))
    .map((warning) => ({ warning, inputs: compareInputs(warning.input_fields, fields) }))
    .filter(({ inputs }) => inputs.nearThing && inputs.alike >= LEAST_ALIKE)
    .sort(
      (a, b) =>
        Date.parse(b.warning.occurred_at) - Date.parse(a.warning.occurred_at) ||
        (a.warning.card_id < b.warning.card_id ? -1 : 1),
    )[0]?.warning;
  if (earlier === undefined) return null;
  const changes = inputChanges(earlier.input_fields, fields);
  const clause =
    changes.length === 0
      ? 'after the same call had failed before'
      : `after a failure with ${earlierClause(mainChanges(changes, earlier))}`;
  return { card_id: earlier.card_id, clause };
}

/** Where the warning itself names a changed field, the others are by the way. */
function mainChanges(
  changes: readonly ChangedField[],
  warning: OwnWarning,
): readonly ChangedField[] {
  if (changes.length <= 1) return changes;
  const text = warning.summary.toLowerCase();
  const named = changes.filter((change) => {
    const name = fieldName(change.field);
    return (
      text.includes(name) ||
      (change.before.length > 1 && text.includes(change.before.toLowerCase()))
    );
  });
  return named.length > 0 && named.length < changes.length ? named.slice(0, 3) : changes;
}
