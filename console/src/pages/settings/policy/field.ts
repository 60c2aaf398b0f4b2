import type { RuleKind } from './rules';

interface Words {
  label: string;
  /** What it does, for whoever has to set it. */
  says: string;
}

export interface NumberField extends Words {
  as: 'number';
  min: number;
  max: number;
  step: number;
  /** Without digits after the point. */
  whole: boolean;
  unit?: string;
  /** What null is called; left out: a number has to be there. */
  none?: string;
}

export interface DurationField extends Words {
  as: 'duration';
  none?: string;
}

export interface ChoiceField extends Words {
  as: 'choice';
  /** Value → its meaning. */
  of: Readonly<Record<string, string>>;
}

/** Names of one's own, each with a number. */
export interface NamedField extends Words {
  as: 'named';
  /** What a name is. */
  what: string;
  /** What a number is. */
  unit: string;
  min: number;
  max: number;
}

/** A field of the policy as it is shown, edited and explained. */
export type Field =
  | NumberField
  | DurationField
  | ChoiceField
  | NamedField
  | (Words & { as: 'yes' | 'durations' | 'time' | 'zone' })
  | (Words & { as: 'several'; of: readonly string[] })
  | (Words & { as: 'rules'; rule: RuleKind });

export const yes = (label: string, says: string): Field => ({ as: 'yes', label, says });
export const duration = (label: string, says: string, none?: string): DurationField => ({
  as: 'duration',
  label,
  says,
  ...(none === undefined ? {} : { none }),
});
export const time = (label: string, says: string): Field => ({ as: 'time', label, says });
export const choice = (label: string, says: string, of: ChoiceField['of']): ChoiceField => ({
  as: 'choice',
  label,
  says,
  of,
});
export const rules = (label: string, says: string, rule: RuleKind): Field => ({
  as: 'rules',
  label,
  says,
  rule,
});

/** A whole number of something. */
export const count = (
  label: string,
  says: string,
  more: { min: number; max: number; unit?: string; none?: string },
): NumberField => ({ as: 'number', label, says, step: 1, whole: true, ...more });

/** 0 to 1. */
export const share = (label: string, says: string): NumberField => ({
  as: 'number',
  label,
  says,
  min: 0,
  max: 1,
  step: 0.05,
  whole: false,
});

/** A factor or part of a sum. */
export const weight = (label: string, says: string): NumberField => ({
  ...share(label, says),
  max: 100,
});
