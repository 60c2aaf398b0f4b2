import { Stack, Text, Title } from '@mantine/core';
import type { Insight } from '../../../../src/contracts/insight';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardLine, type ShownCard } from '../../components/card-line';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { Panel } from '../../components/panel';

interface Lineage {
  sources: (ShownCard & { generation: number })[];
  derived: ShownCard[];
}

/** Cards that it was made from, and cards that tell what came of it. */
export function EvidencePanel({ insight }: { insight: Insight }) {
  const may = useMay('GET /v1/cards/:id/lineage');
  const lineage = useOne<Lineage>(
    'cards',
    `/v1/cards/${encodeURIComponent(insight.card_id)}/lineage`,
    {},
    { enabled: may },
  );
  if (!may) return null;
  return (
    <Panel
      title="Evidence"
      actions={
        <AnchorLink to="/cards/$id" params={{ id: insight.card_id }} search={{ tab: 'edges' }}>
          All links
        </AnchorLink>
      }
    >
      <Loaded query={lineage} lines={2}>
        {({ sources, derived }) => (
          <Stack gap="md">
            <Cards
              title="Made from"
              cards={sources}
              none="No card is named: it rests on its own words and its metrics."
            />
            <Cards title="What came of it" cards={derived} none="Nothing was learned of it yet." />
          </Stack>
        )}
      </Loaded>
    </Panel>
  );
}

function Cards({ title, cards, none }: { title: string; cards: ShownCard[]; none: string }) {
  return (
    <Stack gap="xs">
      <Title order={3} size="h6">
        {title}
      </Title>
      {cards.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      {cards.map((card) => (
        <CardLine key={card.id} card={card} />
      ))}
    </Stack>
  );
}
