import { Badge, Button, Collapse, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react';
import type { RecalledCard as Recalled } from '../../../../src/contracts/recall';
import { send } from '../../api/http';
import { useMay } from '../../app/session-context';
import { CardLine } from '../../components/card-line';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { AnchorLink } from '../../components/links';
import { When } from '../../components/when';
import { TermsTable } from './terms-table';

/** One card of an answer: why it is here, and what can be done about it. */
export function RecalledCard({
  card,
  place,
  recallId,
  most,
  moved,
}: {
  card: Recalled;
  /** From 1. */
  place: number;
  recallId: string;
  most: number;
  /** Its place in the answer beside this one: null where it is not there, undefined where none is compared. */
  moved?: number | null | undefined;
}) {
  const [open, { toggle }] = useDisclosure(false);
  return (
    <Paper withBorder p="sm" component="li" data-card={card.id}>
      <Stack gap={6}>
        <CardLine
          card={card}
          lines={6}
          aside={
            <Stack gap={4} align="flex-end" style={{ flexShrink: 0 }}>
              <Badge variant="default" tt="none" className="numbers">
                {place}. {card.score.toPrecision(3)}
              </Badge>
              {moved !== undefined && <Moved place={place} other={moved} />}
            </Stack>
          }
        />
        <Group gap="xs">
          <Text size="xs" c="dimmed">
            seen by {card.vias.join(', ')} · {card.trust}
          </Text>
          {card.folded !== undefined && (
            <Text size="xs" c="dimmed">
              stands for {card.folded.count} alike, last <When at={card.folded.last_at} />
            </Text>
          )}
          {(card.resolved_by?.length ?? 0) > 0 && (
            <Text size="xs" c="dimmed">
              resolved by{' '}
              {card.resolved_by?.map((id) => (
                <AnchorLink key={id} to="/cards/$id" params={{ id }} size="xs">
                  a later success{' '}
                </AnchorLink>
              ))}
            </Text>
          )}
          {card.outdated !== undefined && (
            <Text size="xs" c="orange">
              {card.outdated.field} “{card.outdated.value}” works no longer, since{' '}
              <When at={card.outdated.since} />
            </Text>
          )}
        </Group>
        <Actions card={card} recallId={recallId}>
          <Button size="compact-xs" variant="subtle" onClick={toggle} aria-expanded={open}>
            {open ? 'Hide the score' : 'Why this card'}
          </Button>
        </Actions>
        <Collapse expanded={open}>
          {card.terms !== undefined && <TermsTable terms={card.terms} most={most} />}
        </Collapse>
      </Stack>
    </Paper>
  );
}

function Moved({ place, other }: { place: number; other: number | null }) {
  const says =
    other === null
      ? 'only here'
      : other === place
        ? 'same place'
        : `${other > place ? '▲' : '▼'} ${other}. there`;
  return (
    <Text size="xs" c="dimmed">
      {says}
    </Text>
  );
}

function Actions({
  card,
  recallId,
  children,
}: {
  card: Recalled;
  recallId: string;
  children: React.ReactNode;
}) {
  const path = `/v1/cards/${encodeURIComponent(card.id)}`;
  const feedback = useDoing<boolean>({
    call: (useful) =>
      send(`/v1/recalls/${encodeURIComponent(recallId)}/feedback`, {
        method: 'POST',
        body: { card_id: card.id, useful },
      }),
    done: (_, useful) => (useful ? 'Noted as useful' : 'Noted as not useful'),
    touches: ['cards'],
  });
  const wrong = useDoing({
    call: () => send(`${path}/validation`, { method: 'POST', body: { verdict: 'wrong' } }),
    done: 'Marked as wrong',
    touches: ['cards'],
  });
  const hold = useDoing({
    call: () => send(`${path}/quarantine`, { method: 'POST', body: {} }),
    done: 'Quarantined: nobody recalls it until it is released',
    touches: ['cards'],
  });
  const maySay = useMay('POST /v1/recalls/:id/feedback');
  const mayJudge = useMay('POST /v1/cards/:id/validation');
  const mayHold = useMay('POST /v1/cards/:id/quarantine');
  return (
    <Group gap={6}>
      {children}
      {maySay && (
        <>
          <DoButton
            doing={feedback}
            size="compact-xs"
            leftSection={<IconThumbUp size={13} aria-hidden />}
            onClick={() => feedback.mutate(true)}
          >
            Useful
          </DoButton>
          <DoButton
            doing={feedback}
            size="compact-xs"
            leftSection={<IconThumbDown size={13} aria-hidden />}
            onClick={() => feedback.mutate(false)}
          >
            Not useful
          </DoButton>
        </>
      )}
      {mayJudge && (
        <DoButton
          doing={wrong}
          size="compact-xs"
          onClick={() =>
            confirm({
              title: 'Mark as wrong?',
              says: 'Its confidence falls, and with enough such words it is recalled no more.',
              yes: 'Mark as wrong',
              onYes: () => wrong.mutate(),
            })
          }
        >
          Wrong
        </DoButton>
      )}
      {mayHold && (
        <DoButton
          doing={hold}
          size="compact-xs"
          onClick={() =>
            confirm({
              title: 'Quarantine this card?',
              says: 'No agent recalls it until a person releases it.',
              yes: 'Quarantine',
              onYes: () => hold.mutate(),
            })
          }
        >
          Quarantine
        </DoButton>
      )}
    </Group>
  );
}
