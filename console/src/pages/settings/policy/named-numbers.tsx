import { Button, Group, NumberInput, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { NamedField } from './field';
import { isMembers } from './paths';

/** Names with a number each. A name stays once it is saved: the policy takes fields in, and loses none. */
export function NamedNumbers({
  field,
  value,
  change,
}: {
  field: NamedField;
  value: unknown;
  change(value: Record<string, unknown>): void;
}) {
  const [name, setName] = useState('');
  const members = isMembers(value) ? value : {};
  const added = name.trim();
  const add = () => {
    if (added === '' || Object.hasOwn(members, added)) return;
    change({ ...members, [added]: 1 });
    setName('');
  };
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} spacing="xs" verticalSpacing={6}>
        {Object.entries(members).map(([one, number]) => (
          <NumberInput
            key={one}
            label={one}
            aria-label={`${field.label}: ${one}`}
            value={number as number | string}
            min={field.min}
            max={field.max}
            hideControls
            size="xs"
            onChange={(next) => change({ ...members, [one]: next })}
          />
        ))}
      </SimpleGrid>
      <Group gap="xs" align="flex-end">
        <TextInput
          label={`Another ${field.what}`}
          size="xs"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
        />
        <Button size="xs" variant="default" onClick={add} disabled={added === ''}>
          Add
        </Button>
      </Group>
    </Stack>
  );
}
