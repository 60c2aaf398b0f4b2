import { Button, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import type { CardStory } from '../../../../src/contracts/story';
import { useOne, useRows } from '../../api/paging';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { useAllowed } from './card-judging';
import { useForms } from './forms';
import { Injections } from './injections';
import { type CardReader, pathOf } from './wire';

const COLUMNS: readonly Column<CardReader>[] = [
  {
    name: 'Who',
    width: 'minmax(0, 1.4fr)',
    cell: ({ agent, person }) => <Somebody agent={agent} person={person} />,
  },
  {
    name: 'By what right',
    width: 'minmax(0, 1fr)',
    wideOnly: true,
    cell: ({ via }) => <Text size="xs">{via.replace('_', ' ')}</Text>,
  },
  {
    name: 'Where',
    width: 'minmax(0, 1fr)',
    cell: ({ surface }) => (
      <Text size="xs" ff="monospace" className="told">
        {surface}
      </Text>
    ),
  },
  {
    name: 'When',
    width: '110px',
    cell: ({ at }) => (
      <Text size="xs">
        <When at={at} />
      </Text>
    ),
  },
];

/** Who read a card and into whose contexts it came: how far it would have done harm. */
export function ReadersTab({ card }: { card: Card }) {
  const readers = useRows<CardReader>('cards', pathOf(card.id, '/readers'));
  const story = useOne<CardStory>('cards', pathOf(card.id, '/story'));
  const may = useAllowed(card);
  const { show } = useForms();
  return (
    <Stack gap="lg">
      <Loaded query={story}>
        {({ injected, seen, truncated }) => (
          <>
            <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
              <Count name="Contexts it was in" value={injected.recalls} />
              <Count name="Sessions of those" value={injected.sessions} />
              <Count name="Reads by others" value={seen.reads} />
              <Count name="Proven uses" value={card.use_count} />
            </SimpleGrid>
            <Injections
              card={card}
              injections={injected.latest}
              isAll={!truncated.includes('injected')}
            />
          </>
        )}
      </Loaded>
      {may.stop && (
        <Group>
          <Button size="xs" variant="default" onClick={() => show('stop')}>
            Stop it and what came of it…
          </Button>
        </Group>
      )}
      <Stack gap="sm" component="section" aria-label="Everybody who read it">
        <Title order={3} size="h6">
          Everybody who read it
        </Title>
        <RowsTable
          label="readers of this card"
          rows={readers}
          columns={COLUMNS}
          keyOf={(row) => Object.values(row).join(' ')}
          height={360}
          empty={
            <Empty title="Nobody but its own agent">
              Nobody else read it, and no recall has shown it yet.
            </Empty>
          }
        />
      </Stack>
    </Stack>
  );
}

function Somebody({ agent, person }: { agent: string | null; person: string | null }) {
  if (agent === null) return <Text size="sm">{person === null ? '—' : `person ${person}`}</Text>;
  return (
    <AnchorLink to="/agents/$id" params={{ id: agent }} className="told">
      {person === null ? agent : `${agent}, for ${person}`}
    </AnchorLink>
  );
}

function Count({ name, value }: { name: string; value: number }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fz="lg" fw={650} className="numbers">
        {value.toLocaleString()}
      </Text>
    </Paper>
  );
}
