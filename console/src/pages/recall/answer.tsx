import {
  Accordion,
  Alert,
  Badge,
  Button,
  Code,
  CopyButton,
  Group,
  ScrollArea,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { Dropped, RecallAnswer } from '../../../../src/contracts/recall';
import { CardById } from '../../components/card-by-id';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { RecalledCard } from './recalled-card';
import { largestArm, TermsTable } from './terms-table';
import { DROP_WORDS } from './words';

/** An answer as the agent gets it, and why each card is in it or is not. */
export function Answer({
  answer,
  title,
  other,
}: {
  answer: RecallAnswer;
  title: string;
  /** The answer beside this one. */
  other?: RecallAnswer | undefined;
}) {
  const byId = new Map(answer.cards.map((card) => [card.id, card]));
  const places = new Map(answer.cards.map((card, at) => [card.id, at + 1]));
  const others = other && new Map(other.cards.map((card, at) => [card.id, at + 1]));
  const most = largestArm([
    ...answer.cards.map(({ terms }) => terms),
    ...(answer.dropped ?? []).map(({ terms }) => terms),
  ]);
  return (
    <Stack gap="md" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group gap={6}>
          <Badge variant="light" tt="none">
            intent {answer.intent}
          </Badge>
          <Badge variant="light" color="gray" tt="none" className="numbers">
            {answer.tokens} tokens
          </Badge>
          <Badge variant="light" color="gray" tt="none" className="numbers">
            {Math.round(answer.took_ms)} ms
          </Badge>
        </Group>
      </Group>
      {(answer.degraded?.length ?? 0) > 0 && (
        <Alert color="orange" icon={<IconAlertCircle size={18} />} title="Not everything was asked">
          Left out this time: {answer.degraded?.join(', ')}. The rest answered.
        </Alert>
      )}
      {answer.cards.length === 0 ? (
        <Empty title="Nothing fits">
          No card that this reader may see is near enough. What was held: {poolsInWords(answer)}.
        </Empty>
      ) : (
        answer.sections.map((section) => (
          <div key={section.name}>
            <Title order={3} size="h6" mb={6}>
              {section.title}
            </Title>
            <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {section.cards.map((id) => {
                const card = byId.get(id);
                if (card === undefined) return null;
                return (
                  <RecalledCard
                    key={id}
                    card={card}
                    place={places.get(id) ?? 0}
                    recallId={answer.recall_id}
                    most={most}
                    moved={others === undefined ? undefined : (others.get(id) ?? null)}
                  />
                );
              })}
            </Stack>
          </div>
        ))
      )}
      <Accordion multiple variant="contained" order={3}>
        <Accordion.Item value="context">
          <Accordion.Control>What goes into the prompt</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="xs">
              <Group>
                <CopyButton value={answer.context}>
                  {({ copied, copy }) => (
                    <Button size="compact-xs" variant="default" onClick={copy}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
                <Text size="xs" c="dimmed">
                  version <Code fz="xs">{answer.context_version}</Code>, stale as soon as one of its
                  cards is
                </Text>
              </Group>
              <ScrollArea.Autosize
                mah={420}
                viewportProps={{ tabIndex: 0, 'aria-label': 'Context' }}
              >
                <Code block style={{ whiteSpace: 'pre-wrap' }}>
                  {answer.context === '' ? '(empty)' : answer.context}
                </Code>
              </ScrollArea.Autosize>
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="dropped">
          <Accordion.Control>Found and left out ({answer.dropped?.length ?? 0})</Accordion.Control>
          <Accordion.Panel>
            <DroppedCards dropped={answer.dropped ?? []} most={most} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="pools">
          <Accordion.Control>What there was to be found</Accordion.Control>
          <Accordion.Panel>
            <Text size="sm">{poolsInWords(answer)}.</Text>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function poolsInWords({ pools }: RecallAnswer): string {
  const held = Object.entries(pools).filter(([, count]) => count > 0);
  return held.length === 0
    ? 'no card at all'
    : held.map(([via, count]) => `${via.replace('_', ' ')} ${count.toLocaleString()}`).join(', ');
}

/** How many are shown with their cards: what was left out can be hundreds. */
const SHOWN = 30;

function DroppedCards({ dropped, most }: { dropped: Dropped[]; most: number }) {
  if (dropped.length === 0) return <Text size="sm">Everything that was found is shown.</Text>;
  return (
    <Stack gap="sm">
      {dropped.slice(0, SHOWN).map((one) => (
        <Stack key={one.id} gap={2}>
          <CardById id={one.id} lines={2} />
          <Text size="xs" fw={550}>
            Left out: {DROP_WORDS[one.reason]}
            {one.winner !== undefined && (
              <>
                {'; '}
                <AnchorLink to="/cards/$id" params={{ id: one.winner }} size="xs">
                  the card that stands for it
                </AnchorLink>
              </>
            )}
          </Text>
          {one.terms !== undefined && (
            <details>
              <Text component="summary" size="xs">
                Its score
              </Text>
              <TermsTable terms={one.terms} most={most} />
            </details>
          )}
        </Stack>
      ))}
      {dropped.length > SHOWN && (
        <Text size="xs" c="dimmed">
          and {dropped.length - SHOWN} more, further down
        </Text>
      )}
    </Stack>
  );
}
