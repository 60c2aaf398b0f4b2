import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Card } from '../../../../src/contracts/card';
import { VIAS, type Via } from '../../../../src/contracts/names';
import { useOne } from '../../api/paging';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { useAllowed } from './card-judging';
import { useForms } from './forms';
import { GrantsTable } from './grants-table';
import { pathOf, type VisibleTo } from './wire';
import { VIA_WORDS, VISIBILITY_WORDS } from './words';

/** Which agents would see the card now, and by what; whom it is shared with, and the way to end that. */
export function SeenTab({ card }: { card: Card }) {
  const visible = useOne<VisibleTo>('cards', pathOf(card.id, '/visible-to'));
  const may = useAllowed(card);
  const { show } = useForms();
  return (
    <Stack gap="lg">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{VISIBILITY_WORDS[card.visibility]}</Text>
        <Group gap="xs">
          {may.share && (
            <Button size="xs" variant="default" onClick={() => show('share')}>
              Share…
            </Button>
          )}
          {may.promote && (
            <Button size="xs" variant="default" onClick={() => show('promote')}>
              Promote…
            </Button>
          )}
        </Group>
      </Group>
      <Stack gap="sm" component="section" aria-label="Shared with">
        <Title order={3} size="h6">
          Shared with
        </Title>
        <GrantsTable card={card} />
      </Stack>
      <Stack gap="sm" component="section" aria-label="Who sees it now">
        <Title order={3} size="h6">
          Who sees it now
        </Title>
        <Loaded query={visible}>{({ agents }) => <ByVia agents={agents} />}</Loaded>
      </Stack>
    </Stack>
  );
}

function ByVia({ agents }: { agents: VisibleTo['agents'] }) {
  if (agents.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No agent; people who govern see every card.
      </Text>
    );
  }
  return VIAS.map((via) => {
    const names = agents.filter((one) => one.via === via).map(({ agent }) => agent);
    return names.length === 0 ? null : <ViaGroup key={via} via={via} names={names} />;
  });
}

const FEW = 12;

function ViaGroup({ via, names }: { via: Via; names: string[] }) {
  const [all, setAll] = useState(false);
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {VIA_WORDS[via]} ({names.length.toLocaleString()})
      </Text>
      <Group gap="xs">
        {(all ? names : names.slice(0, FEW)).map((name) => (
          <AnchorLink key={name} to="/agents/$id" params={{ id: name }} className="told">
            {name}
          </AnchorLink>
        ))}
        {names.length > FEW && (
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(!all)}>
            {all ? 'Fewer' : `All ${names.length}`}
          </Button>
        )}
      </Group>
    </div>
  );
}
