import '@mantine/dates/styles.css';
import { Button, Group, TextInput } from '@mantine/core';
import { DateTimePicker } from '@mantine/dates';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';

interface Field {
  name: string;
  label: string;
  placeholder?: string;
}

type Values = Readonly<Record<string, string | undefined>>;

/** Filters of a log: texts take effect on Enter or when left; a span of time in the viewer's zone. */
export function FilterBar({
  fields,
  values,
  set,
  clear,
  children,
}: {
  fields: readonly Field[];
  values: Values;
  set(name: string, value: string | undefined): void;
  clear(): void;
  children?: ReactNode;
}) {
  const any = Object.values(values).some((value) => value !== undefined);
  return (
    <Group mb="sm" align="flex-end" gap="sm">
      {fields.map(({ name, label, placeholder = 'all' }, at) => (
        <TextInput
          key={`${name} ${values[name] ?? ''}`}
          label={label}
          placeholder={placeholder}
          defaultValue={values[name] ?? ''}
          onBlur={(event) => set(name, event.currentTarget.value.trim() || undefined)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set(name, event.currentTarget.value.trim() || undefined);
          }}
          {...(at === 0 ? { 'data-page-search': true } : {})}
          w={150}
        />
      ))}
      {children}
      <Moment label="From" value={values.since} set={(to) => set('since', to)} />
      <Moment label="Until" value={values.until} set={(to) => set('until', to)} />
      {any && (
        <Button variant="subtle" color="gray" onClick={clear}>
          Clear
        </Button>
      )}
    </Group>
  );
}

function Moment({
  label,
  value,
  set,
}: {
  label: string;
  value: string | undefined;
  set(value: string | undefined): void;
}) {
  return (
    <DateTimePicker
      label={label}
      placeholder="any time"
      value={value === undefined ? null : dayjs(value).format('YYYY-MM-DD HH:mm:ss')}
      onChange={(picked) => set(picked === null ? undefined : dayjs(picked).toISOString())}
      clearable
      w={180}
    />
  );
}
