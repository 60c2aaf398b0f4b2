import { Stack, Table, Text, Title } from '@mantine/core';
import type { Card } from '../../../../src/contracts/card';
import type { StoryInjection } from '../../../../src/contracts/story';
import { AnchorLink } from '../../components/links';
import { When } from '../../components/when';
import { FeedbackButtons } from './feedback-buttons';

/** The recalls that put a card into a context, each with what can be said of it and asked again. */
export function Injections({
  card,
  injections,
  isAll,
}: {
  card: Card;
  injections: readonly StoryInjection[];
  isAll: boolean;
}) {
  return (
    <Stack gap="sm" component="section" aria-label="Recalls that injected it">
      <Title order={3} size="h6">
        Recalls that injected it
      </Title>
      {injections.length === 0 ? (
        <Text size="sm" c="dimmed">
          None yet.
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={560} scrollAreaProps={SCROLLED}>
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Recall</Table.Th>
                <Table.Th>For whom</Table.Th>
                <Table.Th>Where in it</Table.Th>
                <Table.Th>When</Table.Th>
                <Table.Th>Did it help?</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {injections.map((one) => (
                <Table.Tr key={one.recall_id}>
                  <Table.Td>
                    <AnchorLink
                      to="/recall"
                      search={labOf(card, one)}
                      size="xs"
                      ff="monospace"
                      title={`${one.recall_id}: look in the recall lab, as of then`}
                    >
                      …{one.recall_id.slice(-8)}
                    </AnchorLink>
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {one.agent ?? (one.person === null ? '—' : `person ${one.person}`)}
                  </Table.Td>
                  <Table.Td>
                    {one.section}, place {one.position + 1}
                    <Text size="xs" c="dimmed">
                      score {one.score.toFixed(2)}, to {one.intent.replace('_', ' ')}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <When at={one.at} />
                  </Table.Td>
                  <Table.Td>
                    {one.proven_at !== null && <Text size="xs">It helped</Text>}
                    <FeedbackButtons card={card.id} recall={one.recall_id} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {!isAll && (
        <Text size="xs" c="dimmed">
          The newest {injections.length}.
        </Text>
      )}
    </Stack>
  );
}

/** What scrolls sideways can be scrolled with the keyboard. */
const SCROLLED = { viewportProps: { tabIndex: 0 } };

/** What was asked is not kept; the lab asks in the card's own words, for that agent, as of then. */
function labOf(card: Card, { agent, intent, at }: StoryInjection) {
  return {
    q: card.summary.slice(0, 200),
    intent,
    known_at: at,
    asked: '1',
    ...(agent === null ? {} : { agent }),
  };
}
