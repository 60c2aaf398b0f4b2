import type { ChangedField } from './distill/changed-fields';
import { changedClause } from './distill/changed-fields';
import type { InputFields } from './input-fields';
import { fieldGroups, isEmptyValue } from './input-fields';

/** Where distilling keeps the first words of a text input; their places say nothing. */
const WORDS_FIELD = 'word';

/**
 * What differs between an earlier and a later call, a list as one field: `{field, before, after}` by
 * path, empty where there was nothing. In the order of the later call, then of the earlier.
 */
export function inputChanges(earlier: InputFields, later: InputFields): ChangedField[] {
  const before = fieldGroups(earlier);
  const after = fieldGroups(later);
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((field) => ({
      field,
      before: shown(before.get(field)?.values),
      after: shown(after.get(field)?.values),
    }))
    .filter((change) => change.before !== change.after);
}

/** The changes in words, e.g. `payment amount 304 → 608`, or that there are none. */
export function whatChanged(earlier: InputFields, later: InputFields): string {
  const changes = inputChanges(earlier, later);
  const fields = changes.filter((change) => change.field !== WORDS_FIELD);
  if (changes.length === 0) return 'with the same inputs';
  return changedClause(fields) ?? 'in other words';
}

function shown(values: readonly string[] | undefined): string {
  return (values ?? []).filter((value) => !isEmptyValue(value)).join(', ');
}
