import { Badge, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import type {
  ArchiveChange,
  EvidenceCard,
  LinkChange,
  MergeChange,
} from '../../../../src/contracts/proposal';
import { CardById } from '../../components/card-by-id';
import { DiffText } from '../../components/diff-text';
import { Panel } from '../../components/panel';
import { CardsOf } from './evidence';
import classes from './inbox-page.module.css';

/** An edge that would be drawn from the newer card to the older one. */
export function LinkWorld({ change, summary }: { change: LinkChange; summary: string }) {
  const { from, to, edge_type, confidence } = change;
  return (
    <Panel title="The link that would be drawn" says={summary}>
      <Stack gap="sm">
        <CardById id={from} lines={8} />
        <Group gap="xs">
          <IconArrowDown size={16} aria-hidden />
          <Badge variant="light" color="grape" tt="none">
            {edge_type}
          </Badge>
          <Text size="xs" c="dimmed">
            confidence {confidence.toFixed(2)}
          </Text>
        </Group>
        <CardById id={to} lines={8} />
      </Stack>
    </Panel>
  );
}

/** Several into one: what stays, and how each of the others differs from it. */
export function MergeWorld({
  change: { keep, merge },
  cards,
}: {
  change: MergeChange;
  cards: readonly EvidenceCard[];
}) {
  const said = new Map(cards.map(({ id, summary }) => [id, summary]));
  const kept = said.get(keep);
  return (
    <>
      <Panel title="Stays" says="It has what the others proved and answered">
        <CardById id={keep} lines={12} />
      </Panel>
      <Panel
        title={merge.length === 1 ? 'Is superseded' : `${merge.length} are superseded`}
        says="Below each, what its words have that the other one has not: struck through what goes"
      >
        <Stack gap="md">
          {merge.map((id) => {
            const summary = said.get(id);
            return (
              <Stack key={id} gap={6}>
                <CardById id={id} lines={4} />
                {kept !== undefined && summary !== undefined && (
                  <div className={classes.quote}>
                    {kept === summary ? (
                      <Text size="sm" c="dimmed">
                        Word for word the same
                      </Text>
                    ) : (
                      <DiffText before={summary} after={kept} />
                    )}
                  </div>
                )}
              </Stack>
            );
          })}
        </Stack>
      </Panel>
    </>
  );
}

/** Cards that nobody uses. */
export function ArchiveWorld({ change, summary }: { change: ArchiveChange; summary: string }) {
  const { card_ids: ids } = change;
  return (
    <Panel
      title={ids.length === 1 ? 'One card is retired' : `${ids.length} cards are retired`}
      says={summary}
    >
      <CardsOf ids={ids} />
    </Panel>
  );
}
