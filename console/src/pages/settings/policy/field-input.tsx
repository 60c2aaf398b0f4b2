import { MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import { DurationInput } from './duration-input';
import type { Field } from './field';
import { NamedNumbers } from './named-numbers';
import { RuleList } from './rule-list';

/** Fields whose control needs the whole width. */
export const WIDE: readonly Field['as'][] = ['rules', 'named'];

interface Props {
  id: string;
  field: Field;
  value: unknown;
  mayChange: boolean;
  change(value: unknown): void;
}

/** The control of a field; what it is for stands beside it, tied to it by `id`. */
export function FieldInput({ id, field, value, mayChange, change }: Props) {
  const described = { id, 'aria-describedby': `${id}-says` };
  switch (field.as) {
    case 'yes':
      return (
        <Switch
          {...described}
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
          label={value === true ? 'yes' : 'no'}
          aria-label={field.label}
        />
      );
    case 'number':
      return (
        <NumberInput
          {...described}
          value={(value as number | string | null) ?? ''}
          onChange={(next) => change(next === '' && field.none !== undefined ? null : next)}
          min={field.min}
          max={field.max}
          step={field.step}
          allowDecimal={!field.whole}
          thousandSeparator=","
          placeholder={field.none}
          error={value === '' ? 'It needs a number' : undefined}
          {...(field.unit === undefined ? {} : { suffix: ` ${field.unit}` })}
        />
      );
    case 'duration':
      return (
        <DurationInput
          id={id}
          label={field.label}
          value={value}
          none={field.none}
          change={change}
        />
      );
    case 'choice':
      return (
        <Select
          {...described}
          data={Object.entries(field.of).map(([one, label]) => ({ value: one, label }))}
          value={String(value)}
          allowDeselect={false}
          onChange={change}
        />
      );
    case 'several':
      return (
        <MultiSelect
          {...described}
          data={field.of.map((one) => ({ value: one, label: one.replaceAll('_', ' ') }))}
          value={value as string[]}
          onChange={change}
          hidePickedOptions
        />
      );
    case 'durations':
      return <TagsInput {...described} value={value as string[]} onChange={change} />;
    case 'time':
      return (
        <TextInput
          {...described}
          type="time"
          value={String(value)}
          onChange={(event) => change(event.currentTarget.value)}
        />
      );
    case 'zone':
      return <Zone {...described} value={String(value)} change={change} />;
    case 'named':
      return <NamedNumbers field={field} value={value} change={change} />;
    case 'rules':
      return (
        <RuleList
          kind={field.rule}
          label={field.label}
          value={value}
          mayChange={mayChange}
          change={change}
        />
      );
    default:
      return field satisfies never;
  }
}

function Zone({
  value,
  change,
  ...described
}: {
  id: string;
  'aria-describedby': string;
  value: string;
  change(value: unknown): void;
}) {
  const known = Intl.supportedValuesOf('timeZone');
  const data = [...new Set(['UTC', value, ...known])];
  return (
    <Select
      {...described}
      data={data}
      value={value}
      onChange={change}
      searchable
      limit={60}
      allowDeselect={false}
    />
  );
}
