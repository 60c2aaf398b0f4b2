import { Select } from '@mantine/core';

/** One filter of a list; its first choice is what a list without it shows. */
export function Filter({
  label,
  choices,
  value,
  choose,
}: {
  label: string;
  choices: ReadonlyArray<{ value: string; label: string }>;
  value: string;
  choose(value: string | undefined): void;
}) {
  return (
    <Select
      aria-label={label}
      size="xs"
      style={{ flex: 1, minWidth: 0 }}
      data={choices.map((one) => ({ value: one.value, label: one.label }))}
      value={value}
      allowDeselect={false}
      comboboxProps={{ width: 240, position: 'bottom-start' }}
      onChange={(next) => choose(next === null || next === choices[0]?.value ? undefined : next)}
    />
  );
}
