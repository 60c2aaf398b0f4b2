import { Alert, Grid, Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Card } from '../../../../src/contracts/card';
import { Problem } from '../../api/http';
import { useOne } from '../../api/paging';
import { CardMarks } from '../../components/card-marks';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { CardActions } from './card-actions';
import { CardFacts } from './card-facts';
import { CardForms } from './card-forms';
import { CardTabs } from './card-tabs';
import { GoneCard } from './gone-card';
import { pathOf } from './wire';

const route = getRouteApi('/cards/$id');

/** One card whole: what it says, where it is from, what became of it, and what can be done about it. */
export function CardPage() {
  const { id } = route.useParams();
  const card = useOne<Card>('cards', pathOf(id));
  const { error } = card;
  // What was read before it went is no longer the viewer's to see.
  if (error instanceof Problem && (error.status === 404 || error.status === 410)) {
    return <GoneCard id={id} says={error.message} />;
  }
  return (
    <>
      <PageHead
        title="Card"
        tab={card.data?.summary.slice(0, 60) ?? 'Card'}
        says={card.data === undefined ? undefined : <Since card={card.data} />}
      />
      <Loaded query={card} lines={10}>
        {(shown) => <Whole card={shown} />}
      </Loaded>
    </>
  );
}

function Since({ card: { scope, version, recorded_at } }: { card: Card }) {
  return (
    <Group gap="xs">
      <AnchorLink to="/cards">All cards</AnchorLink>
      <span>
        version {version}, recorded <When at={recorded_at} />
      </span>
      {scope.type === 'agent' && (
        <AnchorLink to="/agents/$id" params={{ id: scope.id }}>
          {scope.id}
        </AnchorLink>
      )}
    </Group>
  );
}

function Whole({ card }: { card: Card }) {
  const { superseded_by } = card;
  return (
    <>
      {superseded_by !== undefined && (
        <Alert color="gray" mb="md" title="Another card has taken its place">
          <AnchorLink to="/cards/$id" params={{ id: superseded_by }}>
            To the card that stands for it
          </AnchorLink>
        </Alert>
      )}
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: 8 }} miw={0}>
          <Stack gap="md">
            <Panel title="What it says">
              <Stack gap="sm">
                <Text className="told" fz={{ base: 'md', sm: 'lg' }} lh={1.5}>
                  {card.summary}
                </Text>
                <CardMarks card={card} allStatuses />
                <CardActions card={card} />
              </Stack>
            </Panel>
            <CardTabs card={card} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }} miw={0}>
          <CardFacts card={card} />
        </Grid.Col>
      </Grid>
      <CardForms card={card} />
    </>
  );
}
