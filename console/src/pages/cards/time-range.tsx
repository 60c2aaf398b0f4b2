import { Button, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { fromField, toField } from '../../components/local-time';
import { instantOf, isInstant, useFilters } from './filters';

const RANGES = [
  { value: 'any', label: 'Any time' },
  { value: 'PT1H', label: 'Last hour' },
  { value: 'PT24H', label: 'Last 24 hours' },
  { value: 'P7D', label: 'Last 7 days' },
  { value: 'P30D', label: 'Last 30 days' },
  { value: 'P90D', label: 'Last 90 days' },
];

/** When a card was recorded: so long ago at most, or between two times. */
export function TimeRange() {
  const { search, change } = useFilters();
  const { since, until } = search;
  const isOwn = until !== undefined || (since !== undefined && isInstant(since));
  const options = isOwn ? [...RANGES, { value: 'own', label: 'Between two times' }] : RANGES;
  return (
    <Group gap={6} wrap="nowrap">
      <Select
        aria-label="Recorded when"
        data={options}
        value={isOwn ? 'own' : (since ?? 'any')}
        onChange={(value) => {
          if (value !== 'own') change({ since: value === 'any' ? null : value, until: null });
        }}
        allowDeselect={false}
        w={160}
        size="sm"
        comboboxProps={{ withinPortal: true }}
      />
      <Between key={`${since} ${until}`} />
    </Group>
  );
}

function Between() {
  const { search, change } = useFilters();
  const [open, setOpen] = useState(false);
  const now = new Date();
  const start = search.since === undefined ? '' : toField(instantOf(search.since, now));
  const [since, setSince] = useState(start);
  const [until, setUntil] = useState(toField(search.until));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setOpen(false);
    change({ since: fromField(since), until: fromField(until) });
  };
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      trapFocus
      withinPortal
      position="bottom-end"
      shadow="md"
    >
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          px="xs"
          onClick={() => setOpen(!open)}
          aria-label="Recorded between two times"
        >
          <IconCalendar size={16} aria-hidden />
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={submit}>
          <Stack gap="xs">
            <TextInput
              type="datetime-local"
              label="From"
              value={since}
              max={until || undefined}
              onChange={(event) => setSince(event.currentTarget.value)}
            />
            <TextInput
              type="datetime-local"
              label="Before"
              value={until}
              min={since || undefined}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
            <Button type="submit" size="xs">
              Show these
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
