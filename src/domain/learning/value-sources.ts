import { isHidden } from '../distill/arguments';
import { fieldName } from '../distill/changed-fields';
import { clip, nameList, plain } from '../distill/plain-text';
import { type FieldGroup, fieldGroups, isEmptyValue } from '../input-fields';
import { callOf, type TaskStep } from './task-step';
import { holdsAll } from './text-holds';

/** Where the first words of a text input are kept; they are no fields. */
const WORDS_FIELD = 'word';
/** A longer value, or one of more words, is content and no setting. */
const SETTING_LIMIT = 30;
const SETTING_WORDS = 3;
const FIELDS_SHOWN = 6;

/**
 * What a call was given and where that came from, as a clause: `with user from the request, user email from
 * web.get_webpage and currency EUR`. A value that neither the request nor an earlier answer has is shown where it is a setting;
 * of a name or a figure of this one run the field alone.
 *
 * @param request what the task was asked to do
 * @param earlier the steps before
 */
export function inputsClause(
  step: TaskStep,
  request: string,
  earlier: readonly TaskStep[],
): string {
  const groups = [...fieldGroups(step.input_fields).values()].filter(
    ({ path, values }) =>
      path !== WORDS_FIELD &&
      !isHidden(path.split('.').at(-1) ?? path) &&
      values.some((value) => !isEmptyValue(value)),
  );
  const parts = groups.slice(0, FIELDS_SHOWN).map((group) => partOf(group, request, earlier));
  return parts.length === 0 ? '' : `with ${nameList(parts, groups.length, FIELDS_SHOWN)}`;
}

function partOf(group: FieldGroup, request: string, earlier: readonly TaskStep[]): string {
  const name = fieldName(group.path);
  const values = group.values.filter((value) => !isEmptyValue(value));
  const setting = settingOf(group, values);
  // A way of doing it is the same in any answer: where it stands too tells nothing.
  if (group.role === 'flag' && setting !== null) return `${name} ${setting}`;
  if (holdsAll(request, values)) return `${name} from the request`;
  const from = earlier.find(({ output }) => output !== null && holdsAll(output, values));
  if (from !== undefined) return `${name} from ${callOf(from)}`;
  return setting === null ? name : `${name} ${setting}`;
}

/** A short value that the next run will need too; a name or a figure is of this one run. */
function settingOf({ role }: FieldGroup, values: readonly string[]): string | null {
  const [value] = values;
  if (values.length !== 1 || value === undefined || role === 'identity') return null;
  if (role === 'plain' && /\d/.test(value)) return null;
  const isShort = value.length <= SETTING_LIMIT && value.split(/\s+/).length <= SETTING_WORDS;
  return isShort ? clip(plain(value), SETTING_LIMIT) : null;
}
