import { Group, MultiSelect, NumberInput, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { ACTION_STATUSES, INSIGHT_ORIGINS, SEVERITIES } from '../../../../src/contracts/insight';
import { STATUSES, valuesOf } from './words';

const route = getRouteApi('/insights');

/** What the list of findings is narrowed to; all of it stands in the address. */
export function FilterBar() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (name: keyof typeof search) => (value: string) =>
    void navigate({
      search: (now) => ({ ...now, [name]: value === '' ? undefined : value }),
      replace: true,
    });
  // A pill takes room: a field in use is wider than one that says "all".
  const several = (name: 'severity' | 'status' | 'origin', width: number) => ({
    w: { base: '47%', sm: search[name] === undefined ? width : 230 },
    value: valuesOf(search[name]),
    onChange: (values: string[]) => set(name)(values.join(',')),
    placeholder: search[name] === undefined ? 'all' : '',
  });
  const typed = (name: 'q' | 'domain') => ({
    defaultValue: search[name] ?? '',
    onBlur: (event: { currentTarget: { value: string } }) =>
      set(name)(event.currentTarget.value.trim()),
    onKeyDown: (event: { key: string; currentTarget: { value: string } }) => {
      if (event.key === 'Enter') set(name)(event.currentTarget.value.trim());
    },
  });
  return (
    <Group mb="sm" align="flex-end" gap={12}>
      <TextInput
        label="Words"
        leftSection={<IconSearch size={16} aria-hidden />}
        key={`q ${search.q ?? ''}`}
        {...typed('q')}
        data-page-search
        w={{ base: '100%', sm: 170 }}
      />
      <MultiSelect label="Severity" data={[...SEVERITIES]} {...several('severity', 130)} />
      <MultiSelect
        label="With an action"
        data={ACTION_STATUSES.map((value) => ({ value, label: STATUSES[value] }))}
        {...several('status', 180)}
      />
      <MultiSelect
        label="Came about"
        data={INSIGHT_ORIGINS.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
        {...several('origin', 140)}
      />
      <TextInput
        key={`domain ${search.domain ?? ''}`}
        label="Domain"
        placeholder="all"
        {...typed('domain')}
        w={100}
      />
      <NumberInput
        label="Score from"
        placeholder="0"
        min={0}
        max={100}
        decimalScale={1}
        defaultValue={search.min ?? ''}
        key={`min ${search.min ?? ''}`}
        onBlur={(event) => set('min')(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') set('min')(event.currentTarget.value);
        }}
        w={90}
      />
      <Select
        label="Order"
        data={[
          { value: 'score', label: 'most urgent' },
          { value: 'created', label: 'newest' },
        ]}
        value={search.order === 'created' ? 'created' : 'score'}
        onChange={(value) => set('order')(value === 'created' ? 'created' : '')}
        allowDeselect={false}
        w={130}
      />
    </Group>
  );
}
