import { Button, Group, Pill } from '@mantine/core';
import { exact } from '../../components/when';
import { type Changes, FILTERS, type Filter, isInstant, SEVERAL, useFilters } from './filters';
import { wordOf } from './words';

const NAMES: Record<Filter, string> = {
  q: 'Words',
  kind: 'Kind',
  sign: 'Sign',
  status: 'Status',
  scope: 'Scope',
  agent: 'Agent',
  team: 'Team',
  service: 'Service',
  operation: 'Operation',
  subject: 'Subject',
  since: 'Since',
  until: 'Until',
};

/** The filters that are on, each with its way out. */
export function FilterChips() {
  const { search, change } = useFilters();
  const chips = FILTERS.flatMap((name) => {
    const text = search[name];
    if (text === undefined) return [];
    const values = SEVERAL.has(name) ? text.split(',') : [text];
    return values.map((value) => ({ name, value, rest: values.filter((one) => one !== value) }));
  });
  if (chips.length === 0) return null;
  const none: Changes = Object.fromEntries(FILTERS.map((name) => [name, null]));
  return (
    <Group gap={6} role="group" aria-label="Filters that are on">
      {chips.map(({ name, value, rest }) => {
        const said = `${NAMES[name]}: ${saidOf(name, value)}`;
        return (
          <Pill
            key={`${name} ${value}`}
            withRemoveButton
            maw={280}
            onRemove={() => change({ [name]: rest.join(',') || null })}
            removeButtonProps={{
              'aria-label': `Without ${said}`,
              'aria-hidden': false,
              tabIndex: 0,
            }}
          >
            {said}
          </Pill>
        );
      })}
      {chips.length > 1 && (
        <Button size="compact-xs" variant="subtle" onClick={() => change(none)}>
          Without all
        </Button>
      )}
    </Group>
  );
}

function saidOf(name: Filter, value: string): string {
  if (name !== 'since' && name !== 'until') return wordOf(name, value);
  if (isInstant(value)) return exact(value);
  const [, number = '', unit = ''] = /(\d+)([DH])/.exec(value) ?? [];
  return `${number} ${unit === 'D' ? 'days' : 'hours'} ago`;
}
