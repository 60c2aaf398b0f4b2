import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Card, CardEdge } from '../../../../src/contracts/card';
import type { EdgeType } from '../../../../src/contracts/names';
import type { Proposal } from '../../../../src/contracts/proposal';
import { type Page, useOne, useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardById } from '../../components/card-by-id';
import { Empty } from '../../components/empty';
import { Failed } from '../../components/failed';
import { ButtonLink } from '../../components/links';
import { When } from '../../components/when';
import { pathOf } from './wire';
import { EDGE_WORDS } from './words';

/** Each brings its card along, so that a few are shown at first. */
const FEW = 6;
const ORDER = Object.keys(EDGE_WORDS) as EdgeType[];

/** What a card is linked to, contradictions first; each link says in which direction and why. */
export function EdgesTab({ card }: { card: Card }) {
  const edges = useRows<CardEdge>('cards', pathOf(card.id, '/edges'));
  if (edges.error !== null && edges.items.length === 0) {
    return <Failed error={edges.error} again={edges.again} />;
  }
  if (edges.loading) return <Skeleton h={120} aria-busy aria-label="Loading the links" />;
  const groups = ORDER.map((type) => ({
    type,
    found: edges.items.filter((edge) => edge.type === type),
  })).filter(({ found }) => found.length > 0);
  return (
    <Stack gap="lg">
      <OpenContradictions card={card} />
      {groups.length === 0 && (
        <Empty title="Linked to nothing">
          Links come as like work is done: a success after a warning, a failure after a success, a
          card made from others.
        </Empty>
      )}
      {groups.map(({ type, found }) => (
        <EdgeGroup key={type} type={type} edges={found} card={card} />
      ))}
      {edges.more && (
        <Button variant="default" size="xs" loading={edges.loadingMore} onClick={edges.loadMore}>
          More of {edges.total.toLocaleString()} links
        </Button>
      )}
      <Group>
        <ButtonLink to="/graph" search={{ center: card.id }}>
          Open in the graph
        </ButtonLink>
      </Group>
    </Stack>
  );
}

function EdgeGroup({ type, edges, card }: { type: EdgeType; edges: CardEdge[]; card: Card }) {
  const [all, setAll] = useState(false);
  const shown = all ? edges : edges.slice(0, FEW);
  const words = EDGE_WORDS[type];
  return (
    <Stack gap="sm" component="section" aria-label={words.title}>
      <Group gap="xs">
        <Title order={3} size="h6">
          {words.title}
        </Title>
        <Badge size="sm" variant="default" aria-label={`${edges.length} links`}>
          {edges.length}
        </Badge>
      </Group>
      {shown.map((edge) => {
        const isOut = edge.from === card.id;
        return (
          <Stack key={edge.id} gap={4} pl="sm" style={{ borderInlineStart: MARGIN }}>
            <Text size="xs" c="dimmed">
              This card <b>{isActing(card, edge) ? words.out : words.in}</b>
              {' · '}
              {Math.round(edge.confidence * 100)} % sure · <When at={edge.created_at} />
            </Text>
            <CardById id={isOut ? edge.to : edge.from} lines={2} />
            {edge.reason !== '' && (
              <Text size="xs" c="dimmed" className="told">
                Because {edge.reason}
              </Text>
            )}
          </Stack>
        );
      })}
      {edges.length > FEW && (
        <Group>
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(!all)}>
            {all ? 'Fewer' : `All ${edges.length}`}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** An edge leads from the newer card; but a warning constrains an approach, whichever came first. */
function isActing(card: Card, edge: CardEdge): boolean {
  if (edge.type !== 'constrains') return edge.from === card.id;
  return card.kind === 'constraint' || card.sign === 'failed';
}

const MARGIN = '2px solid var(--mantine-color-default-border)';

/** A contradiction that waits is decided in the inbox; this leads there. */
function OpenContradictions({ card }: { card: Card }) {
  const may = useMay('GET /v1/proposals');
  const { data } = useOne<Page<Proposal>>(
    'proposals',
    '/v1/proposals',
    { card: card.id, type: 'contradiction', status: 'open', limit: 20 },
    { enabled: may },
  );
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={18} />}
      title={
        data.total === 1 ? 'It is contradicted' : `It is contradicted ${data.total} times over`
      }
    >
      <Stack gap="xs" align="flex-start">
        {data.items.map(({ id, title }) => (
          <Group key={id} gap="xs">
            <Text size="sm" className="told">
              {title}
            </Text>
            <ButtonLink to="/inbox/$id" params={{ id }}>
              Decide
            </ButtonLink>
          </Group>
        ))}
      </Stack>
    </Alert>
  );
}
