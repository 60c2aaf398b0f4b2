import type { Field } from './field';
import { INTAKE_FIELDS } from './fields-intake';
import { PASS_FIELDS } from './fields-passes';
import { RECALL_FIELDS } from './fields-recall';
import type { PolicyPath } from './paths';

/** Every field of the policy in words: one that gets a new field and no words here does not compile. */
export const FIELDS: Readonly<Record<PolicyPath, Field>> = {
  ...INTAKE_FIELDS,
  ...RECALL_FIELDS,
  ...PASS_FIELDS,
};

export const PATHS = Object.keys(FIELDS) as PolicyPath[];

/** The field that a path of a preview belongs to: what is named by oneself lies below one. */
export function fieldAt(path: string): { path: PolicyPath; field: Field } | null {
  const found = PATHS.find((one) => path === one || path.startsWith(`${one}.`));
  return found === undefined ? null : { path: found, field: FIELDS[found] };
}
