import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { KnownAction } from '../../../../src/contracts/insight';
import { useRows } from '../../api/paging';
import { useMay } from '../../app/session-context';
import { Empty } from '../../components/empty';
import { type Column, RowsTable } from '../../components/rows-table';
import { When } from '../../components/when';
import { useBlocking } from './blocking';
import { evidenceInWords } from './evidence-words';
import { PriorityMark } from './marks';

const route = getRouteApi('/insights');

/** What insights recommend, over all of them, with what came of it; here one says what nobody is to be advised. */
export function ActionsTab() {
  const { blocked } = route.useSearch();
  const navigate = route.useNavigate();
  const mayBlock = useMay('PUT /v1/actions/:hash/block', 'DELETE /v1/actions/:hash/block');
  const blocking = useBlocking();
  const rows = useRows<KnownAction>('actions', '/v1/actions', {
    blocked: blocked === 'true' || blocked === 'false' ? blocked : undefined,
  });
  const columns: Column<KnownAction>[] = [
    {
      name: 'Action',
      width: 'minmax(0, 2fr)',
      cell: (action) => (
        <>
          <Text size="sm" fw={550} className="told">
            {action.text}
          </Text>
          {action.blocked !== null && (
            <Text size="xs" c="dimmed" className="told">
              Blocked by {action.blocked.by} <When at={action.blocked.at} />
              {action.blocked.reason !== null && `: ${action.blocked.reason}`}
            </Text>
          )}
        </>
      ),
    },
    {
      name: 'Priority',
      width: '140px',
      wideOnly: true,
      cell: ({ priority }) => <PriorityMark priority={priority} />,
    },
    {
      name: 'Boost',
      width: '64px',
      wideOnly: true,
      align: 'right',
      cell: ({ boost }) => boost.toFixed(2),
    },
    {
      name: 'What came of it',
      width: 'minmax(0, 1fr)',
      wideOnly: true,
      cell: ({ evidence }) => <Text size="xs">{evidenceInWords(evidence)}</Text>,
    },
    ...(mayBlock
      ? [
          {
            name: 'Decide',
            width: '104px',
            align: 'right' as const,
            cell: (action: KnownAction) =>
              action.blocked === null ? (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Block: ${action.text}`}
                  onClick={() => blocking.askToBlock(action)}
                >
                  Block
                </Button>
              ) : (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Unblock: ${action.text}`}
                  onClick={() => blocking.unblock.mutate(action.hash)}
                >
                  Unblock
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Group mb="sm" justify="space-between">
        <SegmentedControl
          aria-label="Which actions"
          size="xs"
          data={[
            { value: 'all', label: 'All' },
            { value: 'false', label: 'Recommended' },
            { value: 'true', label: 'Blocked' },
          ]}
          value={blocked ?? 'all'}
          onChange={(value) =>
            void navigate({
              search: (now) => ({ ...now, blocked: value === 'all' ? undefined : value }),
              replace: true,
            })
          }
        />
        <Text size="xs" c="dimmed">
          Boost = 1 + (improved − worse) ∕ (outcomes + 1); above 1.5 high, below 0.75 low
        </Text>
      </Group>
      <RowsTable
        label="Actions"
        rows={rows}
        columns={columns}
        keyOf={({ hash }) => hash}
        rowHeight={60}
        height="calc(100vh - 320px)"
        empty={
          <Empty
            title={blocked === 'true' ? 'Nothing is blocked' : 'No action was recommended yet'}
          >
            Actions come with insights; the same words are one action, whoever recommends them.
          </Empty>
        }
      />
    </>
  );
}
