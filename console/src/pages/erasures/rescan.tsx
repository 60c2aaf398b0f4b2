import { Group, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Run } from '../../../../src/contracts/run';
import { send } from '../../api/http';
import { useRows } from '../../api/paging';
import { confirm, DoButton, useDoing } from '../../components/doing';
import { Empty } from '../../components/empty';
import { AnchorLink } from '../../components/links';
import { Panel } from '../../components/panel';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';

const route = getRouteApi('/erasures');

/** Redacts everything durable as it would be redacted today. */
export function Rescan() {
  const navigate = route.useNavigate();
  const rows = useRows<Run>('runs', '/v1/runs', { type: 'rescan' });
  const start = useDoing<boolean, { data: { operation_id: string } }>({
    call: (dry) => send('/v1/runs/rescan', { method: 'POST', body: { dry_run: dry } }),
    done: (_, dry) => (dry ? 'Looking' : 'Redacting again'),
    touches: ['runs'],
    then: ({ data }) => void navigate({ to: '/runs/$id', params: { id: data.operation_id } }),
  });
  return (
    <Stack>
      <Panel
        title="Redact again"
        says="When detectors, marked names or the policy come to redact more, what was kept before is gone through again. That begins by itself; here it is asked for."
      >
        <Group>
          <DoButton doing={start} onClick={() => start.mutate(true)}>
            Dry run: how much is there?
          </DoButton>
          <DoButton
            doing={start}
            onClick={() =>
              confirm({
                title: 'Redact everything again?',
                says: 'Events, cards and all their versions, notes, skills, conversations: what is found is replaced for good.',
                yes: 'Redact again',
                danger: true,
                onYes: () => start.mutate(false),
              })
            }
          >
            Redact again
          </DoButton>
        </Group>
      </Panel>
      <RowsTable
        label="Earlier times"
        rows={rows}
        keyOf={({ id }) => id}
        height={320}
        open={({ id }) => void navigate({ to: '/runs/$id', params: { id } })}
        columns={[
          {
            name: 'Run',
            width: 'minmax(0, 1fr)',
            cell: (run) => (
              <AnchorLink to="/runs/$id" params={{ id: run.id }}>
                {run.dry_run ? 'dry run' : 'redacted again'}
              </AnchorLink>
            ),
          },
          { name: 'Status', width: '120px', cell: ({ status }) => <Text size="sm">{status}</Text> },
          { name: 'Began', width: '130px', cell: (run) => <When at={run.started_at} /> },
        ]}
        empty={<Empty title="Never so far" />}
      />
    </Stack>
  );
}
