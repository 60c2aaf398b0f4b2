import { Button, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { CardFacets, Facet, FacetValue } from '../../../../src/contracts/facets';
import { useOne } from '../../api/paging';
import { Loaded } from '../../components/loaded';
import classes from './facets-panel.module.css';
import { toggled, useFilters, valuesOf } from './filters';
import { wordOf } from './words';

const NAMES: readonly (readonly [Facet, string])[] = [
  ['kind', 'Kind'],
  ['sign', 'Sign'],
  ['status', 'Status'],
  ['scope', 'Scope'],
  ['agent', 'Agent'],
  ['service', 'Service'],
];
const FEW = 8;

/** What the list can be narrowed to with one more step, and how much each would leave. */
export function FacetsPanel() {
  const { query, isDeleted } = useFilters();
  const facets = useOne<CardFacets>('cards', '/v1/cards/facets', query, { keep: true });
  return (
    <Loaded query={facets} lines={12}>
      {({ facets: found }) => (
        <Stack gap="md">
          {NAMES.filter(([name]) => !(isDeleted && name === 'status')).map(([name, title]) => (
            <FacetGroup key={name} name={name} title={title} values={found[name]} />
          ))}
        </Stack>
      )}
    </Loaded>
  );
}

function FacetGroup({
  name,
  title,
  values,
}: {
  name: Facet;
  title: string;
  values: readonly FacetValue[];
}) {
  const { search, change } = useFilters();
  const [all, setAll] = useState(false);
  const chosen = valuesOf(search[name]);
  // The deleted ones have a view of their own.
  const known = values.filter(({ value }) => !(name === 'status' && value === 'deleted'));
  // What is chosen stays, however few it leaves.
  const gone = chosen.filter((value) => !known.some((one) => one.value === value));
  const listed = [...gone.map((value) => ({ value, count: 0 })), ...known];
  const few = listed.filter(({ value }, at) => at < FEW || chosen.includes(value));
  const shown = all ? listed : few;
  if (listed.length === 0) return null;
  return (
    <fieldset className={classes.group}>
      <Text component="legend" className={classes.title}>
        {title}
      </Text>
      {shown.map(({ value, count }) => (
        <UnstyledButton
          key={value}
          className={classes.value}
          aria-pressed={chosen.includes(value)}
          onClick={() => change({ [name]: toggled(name, search[name], value) })}
        >
          <span className={classes.check} aria-hidden>
            {chosen.includes(value) && <IconCheck size={13} stroke={2.6} />}
          </span>
          <span className={classes.word} title={value}>
            {wordOf(name, value)}
          </span>
          <span className={classes.count}>{count.toLocaleString()}</span>
        </UnstyledButton>
      ))}
      {listed.length > few.length && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setAll(!all)}
          aria-expanded={all}
          aria-label={all ? `Fewer of ${title}` : `All ${listed.length} of ${title}`}
        >
          {all ? 'Fewer' : `All ${listed.length}`}
        </Button>
      )}
    </fieldset>
  );
}
