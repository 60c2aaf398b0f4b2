import { Group, NumberInput, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isoOf, simple, UNITS, type Unit } from './durations';

const NEVER = 'never';

/** A number and its unit; as ISO 8601 where it has several parts. */
export function DurationInput({
  id,
  label,
  value,
  none,
  change,
}: {
  id: string;
  label: string;
  value: unknown;
  /** What null is called; left out: it has to be a time. */
  none?: string | undefined;
  change(value: string | null): void;
}) {
  const known = typeof value === 'string' ? simple(value) : null;
  const [unit, setUnit] = useState<Unit>(known?.unit ?? 'days');
  const told = known?.unit;
  useEffect(() => {
    if (told !== undefined) setUnit(told);
  }, [told]);
  if (typeof value === 'string' && value !== '' && known === null) {
    return (
      <TextInput
        id={id}
        value={value}
        description="ISO 8601, such as P1DT12H"
        onChange={(event) => change(event.currentTarget.value)}
      />
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <NumberInput
        id={id}
        value={known?.amount ?? ''}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        placeholder={value === null ? '—' : 'a number'}
        error={value === ''}
        onChange={(amount) => change(amount === '' ? '' : isoOf(Number(amount), unit))}
        style={{ flex: '1 1 0' }}
      />
      <Select
        aria-label={`${label}: unit`}
        data={[
          ...UNITS.map((one) => ({ value: one as string, label: one as string })),
          ...(none === undefined ? [] : [{ value: NEVER, label: none }]),
        ]}
        value={value === null ? NEVER : unit}
        allowDeselect={false}
        onChange={(next) => {
          if (next === NEVER) return change(null);
          setUnit(next as Unit);
          change(isoOf(known?.amount ?? 30, next as Unit));
        }}
        w={118}
      />
    </Group>
  );
}
