import { Badge, Group, ScrollArea, Stack, Text } from '@mantine/core';
import type { CardStop } from '../../../../src/contracts/stop';
import { KindBadge, StatusBadge } from '../../components/card-marks';
import { IdText } from '../../components/id-text';
import { AnchorLink } from '../../components/links';
import { When } from '../../components/when';

/** More are counted; the list is there to recognise, not to read out. */
const SHOWN = 50;

/** What a stop would take, and into whose contexts it had come by then. */
export function StopPreview({ stop }: { stop: CardStop }) {
  const { cards, counts, injected, proposals, recounted } = stop;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        <b>{counts.changed.toLocaleString()}</b> of {counts.cards.toLocaleString()} cards would go.
        They were in <b>{injected.recalls.toLocaleString()}</b> contexts of{' '}
        <b>{injected.agents.length.toLocaleString()}</b> agents.
        {recounted > 0 && ` ${recounted} records of competence are counted anew.`}
        {proposals.length > 0 && ` ${proposals.length} open proposals rest on them.`}
      </Text>
      <ScrollArea.Autosize mah={200} type="auto" viewportProps={{ tabIndex: 0 }}>
        <Stack gap={4} component="ul" m={0} pl={0} style={{ listStyle: 'none' }}>
          {cards.slice(0, SHOWN).map((card) => (
            <Group component="li" key={card.id} gap="xs">
              <KindBadge kind={card.kind} />
              <StatusBadge status={card.was} />
              {card.changed && <span aria-hidden>→</span>}
              {card.changed && <StatusBadge status={card.status} />}
              <IdText id={card.id} short />
              <Text size="xs" c="dimmed">
                {card.relation === null
                  ? 'this card'
                  : `${card.relation === 'supersedes' ? 'took its place' : 'derived'}, generation ${card.generation}`}
              </Text>
            </Group>
          ))}
        </Stack>
      </ScrollArea.Autosize>
      {counts.cards > SHOWN && (
        <Text size="xs" c="dimmed">
          And {(counts.cards - SHOWN).toLocaleString()} more.
        </Text>
      )}
      {injected.agents.length > 0 && (
        <Group gap={6}>
          <Text size="xs" c="dimmed">
            Had it in a context:
          </Text>
          {injected.agents.slice(0, 12).map(({ agent, recalls, last_at }) => (
            <Badge key={agent ?? 'person'} variant="default" size="sm" tt="none">
              {agent === null ? (
                'a person'
              ) : (
                <AnchorLink to="/agents/$id" params={{ id: agent }} size="xs" c="inherit">
                  {agent}
                </AnchorLink>
              )}{' '}
              ×{recalls}, <When at={last_at} />
            </Badge>
          ))}
        </Group>
      )}
    </Stack>
  );
}
