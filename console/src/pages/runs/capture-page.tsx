import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { EventRecord } from '../../../../src/contracts/event';
import type { Operation } from '../../../../src/contracts/run';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { CardById } from '../../components/card-by-id';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { JsonText } from '../../components/json-text';
import { AnchorLink, ButtonLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { DISPOSITION_WORDS, DispositionBadge } from './marks';
import { Steps } from './steps';

const route = getRouteApi('/captures/$id');

/** One event as it was kept, what became of it, and its life in Temporal. */
export function CapturePage() {
  const { id } = route.useParams();
  const query = useOne<EventRecord>('events', `/v1/events/${encodeURIComponent(id)}`);
  return (
    <Loaded page query={query} lines={8}>
      {(record) => <Capture record={record} />}
    </Loaded>
  );
}

function Capture({ record }: { record: EventRecord }) {
  const operation = useOne<Operation>(
    'runs',
    `/v1/operations/${encodeURIComponent(record.operation_id)}`,
  );
  const mayErase = useMay('POST /v1/erasures');
  const redacted = Object.entries(record.redactions);
  return (
    <Stack>
      <PageHead
        title={`Capture: ${record.kind ?? 'event'}`}
        says={<IdText id={record.event_id} />}
        actions={
          <>
            {record.card_id !== null && (
              <ButtonLink to="/cards/$id" params={{ id: record.card_id }}>
                Its card
              </ButtonLink>
            )}
            {mayErase && (
              <ButtonLink to="/erasures" search={{ tab: 'ask', event_ids: record.event_id }}>
                Erase it
              </ButtonLink>
            )}
          </>
        }
      />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Panel title="What became of it">
          <Stack gap="xs">
            <Facts
              rows={[
                ['Disposition', <DispositionBadge key="d" disposition={record.disposition} />],
                ['In words', DISPOSITION_WORDS[record.disposition]],
                ['Reason', record.reason?.replaceAll('_', ' ')],
                [
                  'Agent',
                  <AnchorLink key="a" to="/agents/$id" params={{ id: record.agent }}>
                    {record.agent}
                  </AnchorLink>,
                ],
                ['Outcome', record.outcome],
                ['Happened', <When key="o" at={record.occurred_at} />],
                ['Reported', <When key="r" at={record.recorded_at} />],
                ['Words by', record.needs_distill ? 'rules; a model’s are still to come' : null],
                [
                  'Lifecycle',
                  operation.data === undefined ? null : (
                    <WorkflowLink
                      key="w"
                      id={operation.data.workflow_id}
                      runId={operation.data.run_id}
                    />
                  ),
                ],
              ]}
            />
            {record.card_id !== null && <CardById id={record.card_id} lines={4} />}
          </Stack>
        </Panel>
        <Panel
          title="As it was kept"
          says="Redacted before the first durable write; nobody has it as it came."
        >
          <Stack gap="xs">
            {redacted.length > 0 && (
              <Alert color="gray" icon={<IconEyeOff size={18} />}>
                Taken out:{' '}
                {redacted.map(([type, n]) => `${n} ${type.replaceAll('_', ' ')}`).join(', ')}
              </Alert>
            )}
            {record.event === null ? (
              <Text size="sm" c="dimmed">
                Its payload is not kept: it was not remembered, or the time for it is over.
              </Text>
            ) : (
              <JsonText value={record.event} maxHeight={420} />
            )}
          </Stack>
        </Panel>
      </SimpleGrid>
      {operation.data !== undefined && (
        <Panel title="Timeline" says="From Temporal’s own history of this capture.">
          <Steps workflowId={operation.data.workflow_id} runId={operation.data.run_id} />
        </Panel>
      )}
    </Stack>
  );
}
