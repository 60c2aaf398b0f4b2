import { Alert, Group, SimpleGrid, Stack, Stepper, Table, Text } from '@mantine/core';
import { IconDownload, IconGavel } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { Erasure, ErasureReceipt } from '../../../../src/contracts/erasure';
import { useOne } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { DoButton } from '../../components/doing';
import { Facts } from '../../components/facts';
import { IdText } from '../../components/id-text';
import { AnchorLink } from '../../components/links';
import { Loaded } from '../../components/loaded';
import { PageHead } from '../../components/page-head';
import { Panel } from '../../components/panel';
import { saveFile } from '../../components/save-file';
import { exact, When } from '../../components/when';
import { WorkflowLink } from '../../components/workflow-link';
import { Counts } from './counts';
import { namedInWords, StatusBadge } from './status-badge';

const route = getRouteApi('/erasures/$id');
const OPEN_MS = 2_000;
const STEPS = ['waiting', 'running', 'verifying'];

/** One erasure: how far it is, what went, and its receipt. */
export function ErasurePage() {
  const { id } = route.useParams();
  const mayVerify = useMay('POST /v1/erasures/verify');
  const mayRuns = useMay('GET /v1/runs/:id');
  const query = useOne<Erasure>(
    'erasures',
    `/v1/erasures/${encodeURIComponent(id)}`,
    {},
    { refetchInterval: OPEN_MS },
  );
  return (
    <Loaded page query={query} lines={8}>
      {(erasure) => (
        <Stack>
          <PageHead
            title={
              <Group gap="xs">
                Erasure
                <StatusBadge status={erasure.status} dry={erasure.dry_run} />
              </Group>
            }
            tab="Erasure"
            says={<IdText id={erasure.id} />}
            actions={erasure.receipt !== null && <SaveReceipt receipt={erasure.receipt} />}
          />
          {erasure.completed_at === null && (
            <Stepper active={STEPS.indexOf(erasure.status)} size="sm" aria-label="Progress">
              <Stepper.Step label="Accepted" description="Refused everywhere from here on" />
              <Stepper.Step label="Walking" description="Finds, says again, purges" />
              <Stepper.Step label="Verifying" description="Looks in every durable place" />
            </Stepper>
          )}
          {erasure.status === 'held' && (
            <Alert color="orange" icon={<IconGavel size={18} />} title="A legal hold keeps a part">
              The rest is gone.{' '}
              <AnchorLink to="/erasures" search={{ tab: 'holds' }}>
                Which holds there are
              </AnchorLink>
              ; once it is lifted, ask again.
            </Alert>
          )}
          {erasure.status === 'unverified' && (
            <Alert color="red" title="The search still found something">
              All that was found was purged, and a place below still has it. Ask for the erasure
              again; if it stays, an operator has to look at that place.
            </Alert>
          )}
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Panel title="What was asked">
              <Facts
                rows={[
                  ['Named', namedInWords(erasure.selector)],
                  ['By', erasure.requested_by.id],
                  ['Asked', <When key="a" at={erasure.requested_at} />],
                  ['Ended', <When key="e" at={erasure.completed_at} none="not yet" />],
                  ['Legal basis', erasure.legal_basis],
                  ['Reason', erasure.reason],
                  ['Lifecycle', mayRuns ? <WorkflowLink key="w" id={erasure.workflow_id} /> : null],
                ]}
              />
            </Panel>
            <Panel title={erasure.dry_run ? 'What would go' : 'What went'}>
              <Counts counts={erasure.counts} would={erasure.dry_run} />
            </Panel>
          </SimpleGrid>
          {erasure.receipt !== null && <Receipt receipt={erasure.receipt} mayVerify={mayVerify} />}
        </Stack>
      )}
    </Loaded>
  );
}

function SaveReceipt({ receipt }: { receipt: ErasureReceipt }) {
  return (
    <DoButton
      doing={{ isPending: false }}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() =>
        saveFile(
          `receipt-${receipt.erasure_id}.json`,
          'application/json',
          `${JSON.stringify(receipt, null, 2)}\n`,
        )
      }
    >
      Download the receipt
    </DoButton>
  );
}

function Receipt({ receipt, mayVerify }: { receipt: ErasureReceipt; mayVerify: boolean }) {
  return (
    <Panel
      title="Receipt"
      says="Signed; in it stand times, numbers and keyed hashes, no name and no content."
      actions={
        mayVerify && (
          <AnchorLink to="/erasures" search={{ tab: 'proof' }}>
            Verify a receipt
          </AnchorLink>
        )
      }
    >
      <Stack>
        <Facts
          rows={[
            ['Verified', exact(receipt.verified_at)],
            ['Ids erased', receipt.hashes.length.toLocaleString()],
            ['Signed with', <IdText key="k" id={receipt.key_id} />],
            ['Signature', <IdText key="s" id={receipt.signature} short />],
            [
              'Beside',
              receipt.beside === undefined || receipt.beside.length === 0
                ? null
                : `${receipt.beside.length} other erasures ran at the same time`,
            ],
          ]}
        />
        <Table.ScrollContainer
          minWidth={420}
          maxHeight={420}
          scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}
        >
          <Table aria-label="Places that were searched" fz="sm" stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Place</Table.Th>
                <Table.Th ta="right">Searched</Table.Th>
                <Table.Th ta="right">Found</Table.Th>
                <Table.Th ta="right">Said by others too</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody className="numbers">
              {receipt.places.map(({ place, searched, found, shared }) => (
                <Table.Tr key={place}>
                  <Table.Td>{place}</Table.Td>
                  <Table.Td ta="right">{searched.toLocaleString()}</Table.Td>
                  <Table.Td ta="right">
                    <Text
                      span
                      inherit
                      fw={found > 0 ? 700 : 400}
                      {...(found > 0 ? { c: 'red' } : {})}
                    >
                      {found.toLocaleString()}
                    </Text>
                  </Table.Td>
                  <Table.Td ta="right">{shared?.toLocaleString() ?? ''}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Stack>
    </Panel>
  );
}
