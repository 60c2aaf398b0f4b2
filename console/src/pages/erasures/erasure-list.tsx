import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Erasure } from '../../../../src/contracts/erasure';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { AnchorLink, ButtonLink } from '../../components/links';
import { RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { namedInWords, StatusBadge } from './status-badge';

const route = getRouteApi('/erasures');

export function ErasureList() {
  const navigate = route.useNavigate();
  const mayAsk = useMay('POST /v1/erasures');
  const rows = useRows<Omit<Erasure, 'receipt'>>('erasures', '/v1/erasures');
  return (
    <RowsTable
      label="Erasures"
      rows={rows}
      keyOf={({ id }) => id}
      open={({ id }) => void navigate({ to: '/erasures/$id', params: { id } })}
      height="calc(100vh - 300px)"
      columns={[
        {
          name: 'Erasure',
          width: 'minmax(0, 1.4fr)',
          cell: ({ id, selector }) => (
            <>
              <AnchorLink to="/erasures/$id" params={{ id }} fw={550}>
                {namedInWords(selector) || 'themselves'}
              </AnchorLink>
              <Text size="xs" c="dimmed" ff="monospace" truncate>
                {id}
              </Text>
            </>
          ),
        },
        {
          name: 'Status',
          width: '130px',
          cell: ({ status, dry_run }) => <StatusBadge status={status} dry={dry_run} />,
        },
        {
          name: 'Asked by',
          width: 'minmax(0, 0.8fr)',
          wideOnly: true,
          cell: ({ requested_by }) => requested_by.id,
        },
        {
          name: 'Gone',
          width: '90px',
          align: 'right',
          wideOnly: true,
          cell: ({ counts }) =>
            Object.values(counts.purged)
              .reduce((sum, n) => sum + n, 0)
              .toLocaleString(),
        },
        { name: 'Asked', width: '120px', cell: ({ requested_at }) => <When at={requested_at} /> },
      ]}
      empty={
        <Empty title="Nothing was erased yet">
          {mayAsk && (
            <ButtonLink to="/erasures" search={{ tab: 'ask' }}>
              Erase something
            </ButtonLink>
          )}
        </Empty>
      }
    />
  );
}
