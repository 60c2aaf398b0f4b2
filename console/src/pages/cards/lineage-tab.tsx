import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import { useOne } from '../../api/paging';
import { CardLine } from '../../components/card-line';
import { Loaded } from '../../components/loaded';
import { useAllowed } from './card-judging';
import { useForms } from './forms';
import { type Lineage, pathOf, type Relative } from './wire';

/** Where a card comes from and what came of it, generation after generation. */
export function LineageTab({ card }: { card: Card }) {
  const lineage = useOne<Lineage>('cards', pathOf(card.id, '/lineage'));
  const may = useAllowed(card);
  const { show } = useForms();
  return (
    <Loaded query={lineage}>
      {({ sources, derived, truncated }) => (
        <Stack gap="lg">
          {truncated && (
            <Text size="sm" c="dimmed">
              There is more than is shown here.
            </Text>
          )}
          <Side
            title="It comes from"
            cards={sources}
            none="No other card: from an event, or by hand."
          />
          <Side title="It led to" cards={derived} none="Nothing was made from it yet." />
          {may.stop && derived.length > 0 && (
            <Group>
              <Button size="xs" variant="default" onClick={() => show('stop')}>
                Stop it and what came of it…
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function Side({ title, cards, none }: { title: string; cards: Relative[]; none: string }) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {cards.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {cards.map((one) => (
        <CardLine
          key={one.id}
          card={one}
          lines={2}
          aside={
            <Text size="xs" c="dimmed" ta="right" style={{ flex: 'none' }}>
              {one.relation === 'supersedes' ? 'replaced' : 'derived'}
              <br />
              generation {one.generation}
            </Text>
          }
        />
      ))}
    </Stack>
  );
}
